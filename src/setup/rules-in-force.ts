// Keeps the rules and callers in memory those of the setup in the store. Another process may apply a setup at any
// time, so the store is asked for its version now and then.
import type { Directory } from '../access/directory.ts'
import type { Observe } from '../observe/observation.ts'
import { findSetupVersion, listSetupItems } from '../store/setup-store.ts'
import type { Store } from '../store/store.ts'
import { accessFrom } from './access-from.ts'
import type { Companies } from './companies.ts'
import { itemOf, rulesFrom } from './setup-items.ts'

const CHECK_MS = 2_000

export class RulesInForce {
  readonly #store: Store
  readonly #companies: Companies
  readonly #directory: Directory
  readonly #observe: Observe
  #version = -1
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store, companies: Companies, directory: Directory, observe: Observe) {
    this.#store = store
    this.#companies = companies
    this.#directory = directory
    this.#observe = observe
  }

  /** Takes over the setup in the store when it is newer than the one in force. */
  async load(): Promise<void> {
    const tx = this.#store.reading('')
    const version = await findSetupVersion(tx)
    if (version === this.#version) return
    const items = (await listSetupItems(tx)).map(itemOf)
    this.#companies.replace(rulesFrom(items).values())
    this.#directory.replace(accessFrom(items))
    this.#version = version
    this.#observe({ kind: 'rules-reloaded', companies: this.#companies.size })
  }

  watch(): void {
    this.#timer = setInterval(() => {
      // An unreachable store is told by the requests that need it; the rules stay as they are.
      this.load().catch(() => {})
    }, CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
