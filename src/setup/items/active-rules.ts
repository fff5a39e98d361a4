// Loads the stored setup into memory: rules, callers, documents and indexes. Another process may apply a setup at any
// time, so the version in the store is polled.
import type { Directory } from '../../access/directory.ts'
import { Problem } from '../../errors/problem.ts'
import type { Observe } from '../../observe/observation.ts'
import { listSetupItems } from '../../store/service-state/setup-store.ts'
import { findSetupVersion } from '../../store/setup-version.ts'
import type { Store } from '../../store/store.ts'
import type { DocumentSetup } from '../file/setup-schema.ts'
import { accessFrom } from '../rules/access-definitions.ts'
import type { Companies } from '../rules/companies.ts'
import { itemOf, type SetupItem } from './setup-item.ts'
import { companiesIn } from './setup-items.ts'

/** A setup that is applied waits for this. The question is a single row. */
const CHECK_MS = 250

/** Serves the documents that a setup defines. */
interface ActiveDocuments {
  replace(documents: readonly DocumentSetup[]): Promise<void>
}

interface IndexMaintainer {
  replace(items: readonly SetupItem[]): Promise<void>
}

interface ActiveRulesOptions {
  readonly store: Store
  readonly companies: Companies
  readonly directory: Directory
  readonly documents: ActiveDocuments
  readonly indexes?: IndexMaintainer
  readonly observe: Observe
  /** Called with the version of a setup before it is loaded, and again when it is in force. */
  readonly onReplaced?: (version: number) => void
  /** Called at each check, with the version that is in force by then. */
  readonly onLoaded?: (version: number) => Promise<void>
}

export class ActiveRules {
  readonly #options: ActiveRulesOptions
  #version = -1
  #loading: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: ActiveRulesOptions) {
    this.#options = options
  }

  /** Loads the stored setup when its version differs from the loaded one. Throws when it does not fit its tables. */
  load(): Promise<void> {
    const before = this.#loading?.catch(() => {}) ?? Promise.resolve()
    const loading: Promise<void> = before
      .then(() => this.#load())
      .finally(() => {
        if (this.#loading === loading) this.#loading = undefined
      })
    this.#loading = loading
    return loading
  }

  async #load(): Promise<void> {
    const tx = this.#options.store.reading('')
    const version = await findSetupVersion(tx)
    if (version !== this.#version) await this.#replace(version)
    await this.#options.onLoaded?.(version)
  }

  async #replace(version: number): Promise<void> {
    const { store, companies, directory, documents, indexes, observe, onReplaced } = this.#options
    const rows = await listSetupItems(store.reading(''))
    // There may be thousands of companies, and each has most of its items for itself.
    const items = rows.filter(({ company_id: company }) => company === '').map(itemOf)
    // First, because it queries the store and may fail: nothing else has been replaced then.
    await indexes?.replace(items)
    const [stored, access] = [companiesIn(rows, items), accessFrom(items)]
    const declared = items.filter(({ kind }) => kind === 'document')
    onReplaced?.(version)
    try {
      await documents.replace(declared.map(({ definition }) => definition as DocumentSetup))
    } finally {
      companies.replace(stored, version)
      // Callers last: all that a write follows is of the version that its caller names, or of a later one.
      directory.replace(access, version)
      this.#version = version
      observe({ kind: 'rules-reloaded', companies: companies.size })
      onReplaced?.(version)
    }
  }

  watch(): void {
    this.#timer = setInterval(() => {
      if (this.#loading) return
      // The requests that need an unreachable store report it; the rules stay unchanged.
      this.load().catch((error: unknown) => {
        if (!(error instanceof Problem)) this.#options.observe({ kind: 'store-warning', message: String(error) })
      })
    }, CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
