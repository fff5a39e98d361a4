// The custom documents of the current setup.
import { messageOf } from '../base/thrown.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { Customer } from '../model/records/customer.ts'
import { associatedWith } from '../model/restricted.ts'
import type { DocumentSetup } from '../setup/file/setup-schema.ts'
import { CUSTOMERS, declaredRecordsOf } from '../setup/rules/declared-record.ts'
import { externalTableDefinition } from '../setup/rules/external-document.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { Store } from '../store/store.ts'
import { type EnterpriseDocument, forEachCompany, sameForAll, withExtension } from './enterprise-document.ts'
import { LEDGER } from './general-ledger-transactions.ts'

export class DeclaredDocuments {
  readonly #store: Pick<Store, 'columnsOf'>
  readonly #add: (definition: DocumentDefinition) => DocumentDefinition
  readonly #customersOf: (company: CompanyRules) => DocumentDefinition
  #byPath = new Map<string, EnterpriseDocument>()
  /** The records of the setup on tables of the service, by name. */
  records: ReadonlyMap<string, RecordRules> = new Map()
  /** Incremented whenever the documents are replaced. */
  version = 0

  /**
   * `add` extends a definition while it is served, for example with indexes. `customersOf` is what documents of the
   * company see of its customers.
   */
  constructor(
    store: Pick<Store, 'columnsOf'>,
    add: (definition: DocumentDefinition) => DocumentDefinition = (definition) => definition,
    customersOf: (company: CompanyRules) => DocumentDefinition = () => Customer.document,
  ) {
    this.#store = store
    this.#add = add
    this.#customersOf = customersOf
  }

  /**
   * Replaces the documents with those of a setup. Throws one error for all that do not match their tables; the others
   * are served.
   */
  async replace(documents: readonly DocumentSetup[]): Promise<void> {
    const found = new Map<string, EnterpriseDocument>()
    const records = declaredRecordsOf(documents)
    const problems: string[] = []
    for (const document of documents) {
      try {
        const record = records.get(document.name)
        const served = record ? this.#servedRecord(record, documents) : await this.#servedTable(document)
        const { name, version } = served.common
        found.set(`v${version}/${name}`, withExtension(served, this.#add))
      } catch (error) {
        problems.push(messageOf(error))
      }
    }
    this.#byPath = found
    this.records = records
    this.version += 1
    if (problems.length > 0) throw new Error(problems.join('\n'))
  }

  /** Finds a document by its name and its version as in the path, such as `v1`. */
  find(version: string, name: string): EnterpriseDocument | undefined {
    return this.#byPath.get(`${version}/${name}`)
  }

  /** Finds a document on a table of the service, whose records clients write. */
  findRecord(version: string, name: string): RecordRules | undefined {
    const record = this.records.get(name)
    return record && version === `v${record.version}` ? record : undefined
  }

  /** Without the ledger, where a setup declares it: it stands among the documents of the service. */
  get all(): Iterable<EnterpriseDocument> {
    return [...this.#byPath.values()].filter(({ common }) => common.name !== LEDGER)
  }

  async #servedTable(document: DocumentSetup): Promise<EnterpriseDocument> {
    const columns = await this.#store.columnsOf(document.table ?? '')
    return sameForAll(externalTableDefinition(document, columns))
  }

  /** Documents that lead to customers see them as those of the company. */
  #servedRecord({ name, record }: RecordRules, documents: readonly DocumentSetup[]): EnterpriseDocument {
    if (!associatedWith(record.document).includes(CUSTOMERS)) return sameForAll(record.document)
    return forEachCompany((company) => {
      const ofCompany = company && declaredRecordsOf(documents, this.#customersOf(company)).get(name)
      return ofCompany?.record.document ?? record.document
    })
  }
}
