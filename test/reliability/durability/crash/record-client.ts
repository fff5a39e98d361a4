// A client of the crash tests: it writes records continuously, logs the acknowledgements in a journal of its own, and
// reports later which of them are lost. An unanswered write may be stored completely or not at all.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { call, linesOf } from '../../../support/process.ts'
import { KINDS, type Kind } from './kinds.ts'

/** A record with its version that is known to be stored; 0: not created yet. */
interface WrittenRecord {
  readonly kind: Kind
  readonly name: string
  version: number
}

/** The share of patches among the requests. */
const PATCH_SHARE = 0.35
/** Patches change one of this many latest records. */
const RECENT = 60

export class RecordClient {
  acknowledged = 0
  /** The number of answers that say that the database is unavailable. */
  unavailable = 0
  /** The number of requests without an answer. */
  broken = 0
  readonly refused: string[] = []
  readonly #id: number
  readonly #journal: string
  readonly #random: () => number
  /** Written since the last check. */
  readonly #unchecked = new Set<WrittenRecord>()
  /** Written without an answer: at the next check the record is one version further, or not. */
  readonly #doubtful = new Set<WrittenRecord>()
  readonly #recent: WrittenRecord[] = []
  #count = 0
  /** The latest created value, which a relation needs. */
  #value: WrittenRecord | undefined

  constructor(id: number, journal: string, random: () => number) {
    this.#id = id
    this.#journal = journal
    this.#random = random
  }

  /** Writes until `isOver` returns true, whatever happens to its requests. */
  async write(address: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const unavailable = this.unavailable
      await this.#writeOne(address).catch(() => this.broken++)
      if (this.unavailable > unavailable) await pause()
    }
  }

  async #writeOne(address: string): Promise<void> {
    const known = this.#recent[Math.floor(this.#random() * this.#recent.length)]
    if (known && this.#random() < PATCH_SHARE && !this.#doubtful.has(known)) {
      const { kind, name, version } = known
      await this.#send(known, 'PATCH', address + kind.collection + kind.path(name), kind.patch(version + 1))
    } else {
      const kind = KINDS[this.#count % KINDS.length]!
      const record = { kind, name: `K${this.#id}N${Math.floor(this.#count / KINDS.length)}`, version: 0 }
      this.#count++
      if (kind.name === 'value') this.#value = record
      if (kind.name === 'relation' && this.#value?.version === 0) return
      await this.#send(record, 'POST', address + kind.collection, kind.body(record.name))
    }
  }

  async #send(record: WrittenRecord, method: 'POST' | 'PATCH', url: string, body: unknown): Promise<void> {
    this.#doubtful.add(record)
    const { status, text } = await call(url, { method, body })
    if (status === 503) this.unavailable++
    // Only an answer that is certain counts as such.
    if (status === 503 && !text.includes('Nothing was written')) return
    this.#doubtful.delete(record)
    this.#unchecked.add(record)
    if (status === (method === 'POST' ? 201 : 200)) this.#note(record, record.version + 1)
    else if (status !== 503) this.refused.push(`${url}: ${status} ${text}`)
  }

  #note(record: WrittenRecord, version: number): void {
    record.version = version
    appendFileSync(this.#journal, `${JSON.stringify([record.kind.name, record.name, version])}\n`)
    this.acknowledged++
    if (version === 1 && this.#recent.push(record) > RECENT) this.#recent.shift()
  }

  /** Writes since the last check that are not stored as acknowledged, read one by one. */
  async lost(address: string): Promise<string[]> {
    const lost: string[] = []
    for (const record of [...this.#unchecked.union(this.#doubtful)]) {
      const { kind, name, version } = record
      const { status, text } = await call(address + kind.collection + kind.path(name))
      const shown = status === 200 ? kind.shown(JSON.parse(text) as never) : `${status}`
      const isNext = this.#doubtful.has(record) && shown === kind.look(version + 1)
      const isThere = shown === (version === 0 ? '404' : kind.look(version))
      if (isNext) this.#note(record, version + 1)
      else if (!isThere) lost.push(`${kind.name} ${name}: ${shown} instead of version ${version}`)
      this.#doubtful.delete(record)
      this.#unchecked.delete(record)
    }
    return lost
  }

  /** The journalled versions, by kind and name; an unanswered write may have replaced one. */
  journalled(): Map<string, number> {
    const lines = existsSync(this.#journal) ? linesOf(readFileSync(this.#journal, 'utf8')) : []
    return new Map(
      lines.map((line) => {
        const [kind, name, version] = JSON.parse(line) as [string, string, number]
        return [`${kind} ${name}`, version]
      }),
    )
  }
}

/** A pause, as an immediate retry would not be served sooner. */
const pause = (): Promise<void> => new Promise((resume) => setTimeout(resume, 20))

/** Acknowledged writes of all clients that are not stored, read by the collections. No write may be unanswered. */
export async function everLost(address: string, clients: readonly RecordClient[]): Promise<string[]> {
  const lost: string[] = []
  const journalled = new Map(clients.flatMap((client) => [...client.journalled()]))
  for (const kind of KINDS) {
    const shown = await listed(address, kind)
    for (const [key, version] of journalled) {
      const [name, record] = key.split(' ') as [string, string]
      if (name === kind.name && shown.get(record) !== kind.look(version)) {
        lost.push(`${key}: ${shown.get(record)} instead of version ${version}`)
      }
    }
  }
  return lost
}

const PAGE = 20_000

/** The version of every record of a kind, by its name. */
async function listed(address: string, kind: Kind): Promise<Map<string, string>> {
  const shown = new Map<string, string>()
  for (let offset = 0; shown.size === offset; offset += PAGE) {
    const mark = kind.list.includes('?') ? '&' : '?'
    const { status, text } = await call(
      encodeURI(`${address}/v1/objects/${kind.list}${mark}offset=${offset}&limit=${PAGE}`),
    )
    if (status !== 200) throw new Error(`${kind.list}: ${status} ${text}`)
    for (const row of JSON.parse(text) as never[]) shown.set(kind.nameIn(row), kind.shown(row))
  }
  return shown
}
