// Which importer a document has: on the command line and in batch operations the same.
import type { DocumentDefinition } from '../../model/document.ts'
import { createAttributeRelation } from '../../records/attribute-relations/create-relation.ts'
import { createAttributeValue } from '../../records/attribute-values/create-attribute-value.ts'
import { attributeValueBatches } from '../../records/attribute-values/create-attribute-values.ts'
import { createCustomer } from '../../records/customers/create-customer.ts'
import { customerBatches } from '../../records/customers/create-customers.ts'
import { upsertCustomer } from '../../records/customers/upsert-customer.ts'
import { createOwnRecord } from '../../records/own/create-own-record.ts'
import { ownRecordBatches } from '../../records/own/create-own-records.ts'
import { upsertOwnRecord } from '../../records/own/upsert-own-record.ts'
import type { Service } from '../../records/shared/service.ts'
import { customTableName } from '../../setup/rules/own/own-table.ts'
import { batchImporter } from './batch-importer.ts'
import {
  type Destination,
  type Importer,
  type ImportRecord,
  type ImportRequest,
  recordImporter,
  tableImporter,
} from './importer.ts'
import { completeLedgerRow } from './ledger-rules.ts'

/** Documents whose records come from the setup file. */
const SETUP_DOCUMENTS = new Set(['attributes', 'companies', 'value-list'])
/** Documents with rules of their own for new records. */
const RULED_DOCUMENTS = new Set(['attribute-values', 'attribute-relations', 'customers', 'general-ledger-transactions'])

/** Why no records of the document can be imported; undefined if they can. */
export function importRefusal({ name, table }: DocumentDefinition): string | undefined {
  if (SETUP_DOCUMENTS.has(name)) return `${name} are set up, not imported`
  return RULED_DOCUMENTS.has(name) || table === customTableName({ name })
    ? undefined
    : `${name} is only read, from ${table}`
}

/** Why records of the document cannot be changed by an import; undefined if they can. */
export function updateRefusal({ name, table }: DocumentDefinition): string | undefined {
  return name === 'customers' || table === customTableName({ name })
    ? undefined
    : 'only customers and documents of the setup can be updated'
}

/** Without `importRefusal`; `isUpdate`: without `updateRefusal`. */
export function importerOf(
  service: Service,
  definition: DocumentDefinition,
  destination: Destination,
  isUpdate: boolean,
): Importer {
  const { company, document, caller } = destination
  const perRecord = (importRecord: ImportRecord) => recordImporter(destination, definition, importRecord)
  const created = (create: (service: Service, request: ImportRequest) => Promise<unknown>) =>
    perRecord(async (request) => {
      await create(service, request)
      return 'written'
    })
  const own = service.own.findRecord(`v${definition.version}`, document)
  if (isUpdate) {
    return perRecord((request) => (own ? upsertOwnRecord(service, own, request) : upsertCustomer(service, request)))
  }
  // Of many records in one write, none is checked for whether the caller may see it.
  const seesAll = caller.rulesFor(company.id, `${document}:create`) === undefined
  if (own) {
    return seesAll
      ? batchImporter(destination, definition, ownRecordBatches(caller, company, own, service.own))
      : created((_service, request) => createOwnRecord(service, own, request))
  }
  switch (document) {
    case 'attribute-values':
      return seesAll
        ? batchImporter(destination, definition, attributeValueBatches(caller, company))
        : created(createAttributeValue)
    case 'attribute-relations':
      return created(createAttributeRelation)
    case 'customers':
      return seesAll
        ? batchImporter(destination, definition, customerBatches(caller, company))
        : created(createCustomer)
  }
  return tableImporter(destination, definition, completeLedgerRow)
}
