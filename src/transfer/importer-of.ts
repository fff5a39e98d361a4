// Which importer a document has: on the command line and in batch operations the same.
import type { DocumentDefinition } from '../model/document.ts'
import { createAttributeRelation } from '../records/attribute-relations/create-relation.ts'
import { createAttributeValue } from '../records/attribute-values/create-attribute-value.ts'
import { attributeValueBatches } from '../records/attribute-values/create-attribute-values.ts'
import { createRecord } from '../records/engine/create-record.ts'
import { recordBatches } from '../records/engine/create-records.ts'
import { upsertRecord } from '../records/engine/upsert-record.ts'
import { customersOf } from '../records/kinds/customers.ts'
import { declaredKind } from '../records/kinds/declared.ts'
import type { Service } from '../records/shared/service.ts'
import { CUSTOMERS } from '../setup/rules/own-record.ts'
import { customTableName } from '../setup/rules/own-table.ts'
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
  return name === CUSTOMERS || table === customTableName({ name })
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
  const kind = own ? declaredKind(own) : document === CUSTOMERS ? customersOf(company) : undefined
  if (kind && isUpdate) return perRecord((request) => upsertRecord(service, kind, request))
  // Of many records in one write, none is checked for whether the caller may see it.
  const seesAll = caller.rulesFor(company.id, `${document}:create`) === undefined
  if (kind) {
    return seesAll
      ? batchImporter(destination, definition, recordBatches(caller, company, kind, service.own))
      : created((_service, request) => createRecord(service, kind, request))
  }
  switch (document) {
    case 'attribute-values':
      return seesAll
        ? batchImporter(destination, definition, attributeValueBatches(caller, company))
        : created(createAttributeValue)
    case 'attribute-relations':
      return created(createAttributeRelation)
  }
  return tableImporter(destination, definition, completeLedgerRow)
}
