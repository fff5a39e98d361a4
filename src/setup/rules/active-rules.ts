// Loads the stored setup into memory: rules, callers, documents and indexes. Another process may apply a setup at any
// time, so the version in the store is polled.
import type { ClientDefinition, RoleDefinition, UserDefinition } from '../../access/caller.ts'
import type { AccessDefinitions, Directory } from '../../access/directory.ts'
import type { TrustedIssuer } from '../../access/issuer-users.ts'
import { Problem } from '../../errors/problem.ts'
import type { Observe } from '../../observe/observation.ts'
import { findSetupVersion, listSetupItems } from '../../store/service-state/setup-store.ts'
import type { Store } from '../../store/store.ts'
import { itemOf, rulesFrom, type SetupItem } from '../apply/setup-items.ts'
import type { DocumentSetup } from '../read/setup-schema.ts'
import type { Companies } from './companies.ts'

const CHECK_MS = 2_000

/** Serves the documents that a setup defines. */
export interface ActiveDocuments {
  replace(documents: readonly DocumentSetup[]): Promise<void>
}

/** Maintains the indexes of a setup. */
interface IndexMaintainer {
  replace(items: readonly SetupItem[]): Promise<void>
}

export interface ActiveRulesOptions {
  readonly store: Store
  readonly companies: Companies
  readonly directory: Directory
  readonly documents: ActiveDocuments
  readonly indexes?: IndexMaintainer
  readonly observe: Observe
  /** Called with the version of a setup before it is loaded, and again when it is in force. */
  readonly onReplaced?: (version: number) => void
}

export class ActiveRules {
  readonly #store: Store
  readonly #companies: Companies
  readonly #directory: Directory
  readonly #documents: ActiveDocuments
  readonly #indexes: IndexMaintainer | undefined
  readonly #observe: Observe
  readonly #onReplaced: (version: number) => void
  #version = -1
  #timer: NodeJS.Timeout | undefined

  constructor({ store, companies, directory, documents, indexes, observe, onReplaced = () => {} }: ActiveRulesOptions) {
    this.#store = store
    this.#companies = companies
    this.#directory = directory
    this.#documents = documents
    this.#indexes = indexes
    this.#observe = observe
    this.#onReplaced = onReplaced
  }

  /** Loads the stored setup when its version differs from the loaded one. Throws when it does not fit its tables. */
  async load(): Promise<void> {
    const tx = this.#store.reading('')
    const version = await findSetupVersion(tx)
    if (version === this.#version) return
    const items = (await listSetupItems(tx)).map(itemOf)
    // First, because it queries the store and may fail: nothing else has been replaced then.
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
      // The requests that need an unreachable store report it; the rules stay unchanged.
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

interface AuthenticationDefinition {
  readonly basic?: boolean
  readonly issuers?: readonly TrustedIssuer[]
}

/** The users, roles, clients and trusted issuers of a setup, for the directory of callers. */
export function accessFrom(items: readonly SetupItem[]): AccessDefinitions {
  const authentication = definitionsOf<AuthenticationDefinition>(items, 'authentication')[0]
  return {
    roles: definitionsOf<RoleDefinition>(items, 'role'),
    users: definitionsOf<UserDefinition>(items, 'user'),
    clients: definitionsOf<ClientDefinition>(items, 'client'),
    basicAllowed: authentication?.basic ?? true,
    issuers: authentication?.issuers ?? [],
  }
}

function definitionsOf<Definition>(items: readonly SetupItem[], kind: SetupItem['kind']): Definition[] {
  return items.filter((item) => item.kind === kind).map((item) => item.definition as Definition)
}
