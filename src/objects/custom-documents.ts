// The custom documents of the current setup.
import type { DocumentDefinition } from '../model/document.ts'
import type { DocumentSetup } from '../setup/read/setup-schema.ts'
import { customDefinition, externalTableDefinition } from '../setup/rules/custom-document.ts'
import type { Store } from '../store/store.ts'
import { type EnterpriseDocument, sameForAll, withExtension } from './enterprise-document.ts'

export class CustomDocuments {
  readonly #store: Pick<Store, 'columnsOf'>
  readonly #add: (definition: DocumentDefinition) => DocumentDefinition
  #byPath = new Map<string, EnterpriseDocument>()
  /** Incremented whenever the documents are replaced. */
  version = 0

  /** `add` extends a definition while it is served, for example with indexes. */
  constructor(
    store: Pick<Store, 'columnsOf'>,
    add: (definition: DocumentDefinition) => DocumentDefinition = (definition) => definition,
  ) {
    this.#store = store
    this.#add = add
  }

  /**
   * Replaces the documents with those of a setup. Throws one error for all that do not match their tables; the others
   * are served.
   */
  async replace(documents: readonly DocumentSetup[]): Promise<void> {
    const found = new Map<string, EnterpriseDocument>()
    const problems: string[] = []
    for (const document of documents) {
      try {
        const definition = await this.#definitionOf(document)
        found.set(`v${definition.version}/${definition.name}`, withExtension(sameForAll(definition), this.#add))
      } catch (error) {
        problems.push((error as Error).message)
      }
    }
    this.#byPath = found
    this.version += 1
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }

  /** Finds a document by its name and its version as in the path, such as `v1`. */
  find(version: string, name: string): EnterpriseDocument | undefined {
    return this.#byPath.get(`${version}/${name}`)
  }

  get all(): Iterable<EnterpriseDocument> {
    return this.#byPath.values()
  }

  async #definitionOf(document: DocumentSetup): Promise<DocumentDefinition> {
    if (document.table === undefined) return customDefinition(document)
    return externalTableDefinition(document, await this.#store.columnsOf(document.table))
  }
}
