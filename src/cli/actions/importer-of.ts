// Which importer a document has.
import { Caller } from '../../access/caller.ts'
import type { Records } from '../../app/open-records.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { createAttributeRelation } from '../../records/attribute-relations/create-relation.ts'
import { attributeValueBatches } from '../../records/attribute-values/create-attribute-values.ts'
import { customerBatches } from '../../records/customers/create-customers.ts'
import { upsertCustomer } from '../../records/customers/upsert-customer.ts'
import { customTableName } from '../../setup/rules/own-table.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { batchImporter } from '../../transfer/batch-importer.ts'
import {
  type Destination,
  type Importer,
  type ImportRecord,
  recordImporter,
  tableImporter,
} from '../../transfer/importer.ts'
import { completeLedgerRow } from '../../transfer/ledger-rules.ts'
import { badUsage } from '../bad-usage.ts'
import { requireDocument } from '../find-records.ts'

/** Documents whose records come from the setup file. */
const SETUP_DOCUMENTS = new Set(['attributes', 'companies', 'value-list'])
/** Documents with rules of their own for new records. */
const RULED_DOCUMENTS = new Set(['attribute-values', 'attribute-relations', 'customers', 'general-ledger-transactions'])

/** The definition of a document that can be imported. */
export function requireImportable(records: Records, document: string, company: CompanyRules): DocumentDefinition {
  const definition = requireDocument(records, document, company)
  if (SETUP_DOCUMENTS.has(document)) throw badUsage(`argument 'document': ${document} are set up, not imported`)
  const { name, table } = definition
  if (!RULED_DOCUMENTS.has(name) && table !== customTableName({ name })) {
    throw badUsage(`argument 'document': ${name} is only read, from ${table}`)
  }
  return definition
}

export function importerOf(
  records: Records,
  definition: DocumentDefinition,
  destination: Destination,
  isUpdate: boolean,
): Importer {
  const { company, document } = destination
  if (isUpdate && document !== 'customers') throw badUsage("option '--update': only customers can be updated")
  // A caller without roles has no restrictions: all records are visible.
  const caller = new Caller({ id: 'import', defaultCompany: company.id }, '', new Map())
  const perRecord = (importRecord: ImportRecord) => recordImporter(destination, definition, caller, importRecord)
  if (isUpdate) return perRecord((request) => upsertCustomer(records.service, request))
  switch (document) {
    case 'attribute-values':
      return batchImporter(destination, definition, attributeValueBatches(caller, company))
    case 'attribute-relations':
      return perRecord(async (request) => {
        await createAttributeRelation(records.service, request)
        return 'written'
      })
    case 'customers':
      return batchImporter(destination, definition, customerBatches(caller, company))
    case 'general-ledger-transactions':
      return tableImporter(destination, definition, completeLedgerRow)
  }
  return tableImporter(destination, definition, () => [])
}
