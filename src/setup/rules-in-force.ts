// Keeps the rules and callers in memory those of the setup in the store. Another process may apply a setup at any
// time, so the store is asked for its version now and then.
import type { Directory } from '../access/directory.ts'
import { Problem } from '../errors/problem.ts'
import type { Observe } from '../observe/observation.ts'
import { findSetupVersion, listSetupItems } from '../store/setup-store.ts'
import type { Store } from '../store/store.ts'
import { accessFrom } from './access-from.ts'
import type { Companies } from './companies.ts'
import { itemOf, rulesFrom, type SetupItem } from './setup-items.ts'
import type { DocumentSetup } from './setup-schema.ts'

const CHECK_MS = 2_000

/** Who serves the documents that a setup defines. */
export interface DocumentsInForce {
  replace(documents: readonly DocumentSetup[]): Promise<void>
}

/** Who keeps the indexes that a setup asks for. */
interface IndexKeeper {
  replace(items: readonly SetupItem[]): Promise<void>
}

export interface RuleKeepers {
  readonly store: Store
  readonly companies: Companies
  readonly directory: Directory
  readonly documents: DocumentsInForce
  readonly indexes?: IndexKeeper
  readonly observe: Observe
  /** Is told the number of a setup before it is taken over, and again when it is in force. */
  readonly onReplaced?: (version: number) => void
}

export class RulesInForce {
  readonly #store: Store
  readonly #companies: Companies
  readonly #directory: Directory
  readonly #documents: DocumentsInForce
  readonly #indexes: IndexKeeper | undefined
  readonly #observe: Observe
  readonly #onReplaced: (version: number) => void
  #version = -1
  #timer: NodeJS.Timeout | undefined

  constructor({ store, companies, directory, documents, indexes, observe, onReplaced = () => {} }: RuleKeepers) {
    this.#store = store
    this.#companies = companies
    this.#directory = directory
    this.#documents = documents
    this.#indexes = indexes
    this.#observe = observe
    this.#onReplaced = onReplaced
  }

  /** Takes over the setup in the store when it is newer than the one in force. Throws what does not fit its tables. */
  async load(): Promise<void> {
    const tx = this.#store.reading('')
    const version = await findSetupVersion(tx)
    if (version === this.#version) return
    const items = (await listSetupItems(tx)).map(itemOf)
    // It asks the store, which may fail: nothing else is replaced then.
    await this.#indexes?.replace(items)
    this.#onReplaced(version)
    try {
      this.#companies.replace(rulesFrom(items).values())
      this.#directory.replace(accessFrom(items))
      this.#version = version
      this.#observe({ kind: 'rules-reloaded', companies: this.#companies.size })
      await this.#documents.replace(
        items.filter(({ kind }) => kind === 'document').map(({ definition }) => definition as DocumentSetup),
      )
    } finally {
      this.#onReplaced(version)
    }
  }

  watch(): void {
    this.#timer = setInterval(() => {
      // An unreachable store is told by the requests that need it; the rules stay as they are.
      this.load().catch((error: unknown) => {
        if (!(error instanceof Problem)) this.#observe({ kind: 'store-warning', message: String(error) })
      })
    }, CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
