// What a person has chosen in the console. The service keeps it, in each company and in none, so that every browser shows
// the same; this browser has a copy for the first paint. A change is shown at once and sent behind the others. What
// cannot be sent waits for the next change, and disturbs nobody.
import { useSyncExternalStore } from 'react'
import { Problem } from '#client'
import { getOrInsert } from '../../../src/base/memo.ts'
import { notify } from '../parts/notices.tsx'
import { t } from '../words/words.ts'
import { fetchService } from './client.ts'
import { COPIES } from './preferences.ts'
import { useCompany, useSession } from './session.ts'

/** By name. Another version of the console may have written it: whoever reads a member looks at what it is. */
export type Settings = Readonly<Record<string, unknown>>
export type ChangeSettings = (change: (settings: Settings) => Settings) => void

interface Stored {
  readonly tag: string
  readonly settings: Settings
}

/** A member that holds others by name, such as the views of a list. */
export const membersIn = (value: unknown): Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {}

const NOTHING: Stored = { tag: '', settings: {} }
/** What a browser sends to its end when its page is left (Fetch Standard, keepalive). */
const KEPT_ALIVE = 60_000
/** Another browser may be first again and again. */
const MOST_TRIES = 5

class KeptSettings {
  readonly #path: string
  readonly #place: string
  #stored: Stored
  #shown: Settings
  #waiting: readonly ((settings: Settings) => Settings)[] = []
  #sending: Promise<void> | undefined
  readonly #listeners = new Set<() => void>()
  /** Whether there is a copy from before. */
  readonly isKnown: boolean
  /** Whether what the service has was read, once that is known. */
  readonly read: Promise<boolean>

  constructor(user: string, company: string) {
    this.#path = `/console/api/settings?companyId=${encodeURIComponent(company)}`
    this.#place = `${COPIES}${user}.${company}`
    const copy = storedIn(localStorage.getItem(this.#place))
    this.isKnown = copy !== undefined
    this.#stored = copy ?? NOTHING
    this.#shown = this.#stored.settings
    this.read = this.#read().then(
      () => true,
      () => false,
    )
    // Other tabs tell so.
    addEventListener('storage', ({ key, newValue }) => {
      if (key === this.#place && this.#waiting.length === 0) this.#keep(storedIn(newValue) ?? this.#stored)
    })
  }

  readonly shown = (): Settings => this.#shown

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves when it is sent, or cannot be sent now. */
  change(change: (settings: Settings) => Settings): Promise<void> {
    this.#waiting = [...this.#waiting, change]
    this.#keep(this.#stored)
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #read(): Promise<void> {
    const answer = await fetchService(this.#path)
    this.#keep({ tag: answer.headers.get('etag') ?? '', settings: membersIn(await answer.json()) })
  }

  async #send(): Promise<void> {
    await this.read
    for (let tries = 0; this.#waiting.length > 0 && tries < MOST_TRIES; tries++) {
      const { length } = this.#waiting
      const settings = this.#shown
      try {
        const tag = await this.#replace(settings)
        this.#waiting = this.#waiting.slice(length)
        this.#keep({ tag, settings })
      } catch (error) {
        const { status = 0 } = error instanceof Problem ? error : {}
        if (status === 412) await this.#read().catch(() => {})
        else return this.#giveUp(status, error as Error)
      }
    }
  }

  async #replace(settings: Settings): Promise<string> {
    const body = JSON.stringify(settings)
    if (body === JSON.stringify(this.#stored.settings)) return this.#stored.tag
    const headers = { 'content-type': 'application/json', 'if-match': this.#stored.tag }
    const answer = await fetchService(this.#path, {
      method: 'PUT',
      headers,
      body,
      keepalive: body.length < KEPT_ALIVE,
    })
    return answer.headers.get('etag') ?? ''
  }

  /** What is refused is not tried again; all else waits. */
  #giveUp(status: number, { message }: Error): void {
    if (status !== 400 && status !== 413) return
    this.#waiting = []
    this.#keep(this.#stored)
    notify(t('Your choice is not kept: {{message}}', { message }))
  }

  #keep(stored: Stored): void {
    this.#stored = stored
    const shown = this.#waiting.reduce((settings, change) => change(settings), stored.settings)
    if (JSON.stringify(shown) !== JSON.stringify(this.#shown)) this.#shown = shown
    localStorage.setItem(this.#place, JSON.stringify(stored))
    for (const listener of this.#listeners) listener()
  }
}

function storedIn(text: string | null): Stored | undefined {
  try {
    const stored = JSON.parse(text ?? '') as Partial<Stored> | null
    return typeof stored?.tag === 'string' ? { tag: stored.tag, settings: membersIn(stored.settings) } : undefined
  } catch {
    return undefined
  }
}

const all = new Map<string, KeptSettings>()

/** Those of a person in a company; '' stands for what is of none. */
export const settingsOf = (user: string, company: string): KeptSettings =>
  getOrInsert(all, JSON.stringify([user, company]), () => new KeptSettings(user, company))

/** The person's own in the company in the address. Who looks as somebody else leaves nothing. */
export function useSettings(): [Settings, ChangeSettings] {
  const { user, actingAs } = useSession()
  const { id: company } = useCompany()
  const kept = settingsOf(user, company)
  const settings = useSyncExternalStore(kept.listen, kept.shown)
  return [settings, actingAs === undefined ? (change) => void kept.change(change) : () => {}]
}
