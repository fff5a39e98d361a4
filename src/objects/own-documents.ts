// The documents of the setup in force that are not built in.
import type { DocumentDefinition } from '../model/document.ts'
import { foreignDefinition, ownDefinition } from '../setup/own-document.ts'
import type { DocumentSetup } from '../setup/setup-schema.ts'
import type { Store } from '../store/store.ts'
import { type EnterpriseDocument, sameForAll, withAdded } from './enterprise-document.ts'

export class OwnDocuments {
  readonly #store: Store
  readonly #add: (definition: DocumentDefinition) => DocumentDefinition
  #byPath = new Map<string, EnterpriseDocument>()
  /** Grows whenever the documents are replaced. */
  version = 0

  /** `add`: what is added to a definition while it is served. */
  constructor(store: Store, add: (definition: DocumentDefinition) => DocumentDefinition = (definition) => definition) {
    this.#store = store
    this.#add = add
  }

  /** Takes over the documents of a setup. Throws one error with all that do not fit their tables; those that do are served. */
  async replace(documents: readonly DocumentSetup[]): Promise<void> {
    const found = new Map<string, EnterpriseDocument>()
    const problems: string[] = []
    for (const document of documents) {
      try {
        const definition = await this.#definitionOf(document)
        found.set(`v${definition.version}/${definition.name}`, withAdded(sameForAll(definition), this.#add))
      } catch (error) {
        problems.push((error as Error).message)
      }
    }
    this.#byPath = found
    this.version += 1
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }

  /** `version` as in the path, such as `v1`. */
  find(version: string, name: string): EnterpriseDocument | undefined {
    return this.#byPath.get(`${version}/${name}`)
  }

  get all(): Iterable<EnterpriseDocument> {
    return this.#byPath.values()
  }

  async #definitionOf(document: DocumentSetup): Promise<DocumentDefinition> {
    if (document.table === undefined) return ownDefinition(document)
    return foreignDefinition(document, await this.#store.columnsOf(document.table))
  }
}
