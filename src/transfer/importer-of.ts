// Which importer a document has: on the command line and in batch operations the same.
import type { DocumentDefinition } from '../model/document.ts'
import { STATES } from '../objects/ledger-state-names.ts'
import { upsertRecord } from '../records/engine/upsert-record.ts'
import { removableKindOf } from '../records/kinds/engine-records.ts'
import { IMPORTED_KINDS } from '../records/kinds/kinds.ts'
import type { PatchRequest } from '../records/shared/record-pipeline.ts'
import type { Service } from '../records/shared/service.ts'
import { declaredTableName } from '../setup/rules/declared-table.ts'
import { batchImporter } from './batch-importer.ts'
import { type Destination, type Importer, recordImporter, tableImporter } from './importer.ts'
import { type PatchManner, patchImporter } from './patch-importer.ts'
import type { ColumnValues } from './row-reader.ts'
import type { RowFinding } from './rows/read-rows.ts'

/** Documents whose records come from the setup file. */
const SETUP_DOCUMENTS = new Set(['attributes', 'companies', 'value-list'])
/** Documents with rules of their own for new records. */
const RULED_DOCUMENTS = new Set([...IMPORTED_KINDS.keys(), 'general-ledger-transactions'])

/** Why no records of the document can be imported; undefined if they can. */
export function importRefusal({ name, table }: DocumentDefinition): string | undefined {
  if (SETUP_DOCUMENTS.has(name)) return `${name} are set up, not imported`
  return RULED_DOCUMENTS.has(name) || table === declaredTableName({ name })
    ? undefined
    : `${name} is only read, from ${table}`
}

/** Why records of the document cannot be changed by an import; undefined if they can. */
export function updateRefusal({ name, table }: DocumentDefinition): string | undefined {
  return IMPORTED_KINDS.get(name)?.kindIn || table === declaredTableName({ name })
    ? undefined
    : 'only customers and documents of the setup can be updated'
}

interface ImportManner {
  /** Changes records that exist; without `updateRefusal`. */
  readonly isUpdate: boolean
  /** Ids that are given are kept where a series gives them. */
  readonly keepsIds?: boolean
  /** Missing values of these attributes are added; not with `isUpdate`, and for whoever sees all records. */
  readonly addedCodes?: ReadonlySet<string>
  /** Rows are patches of records that exist. */
  readonly patch?: PatchManner | undefined
}

/** Whether records of the document may name codes of attributes that an import can add. */
export function takesCodes({ name, table }: DocumentDefinition): boolean {
  return IMPORTED_KINDS.get(name)?.kindIn !== undefined || table === declaredTableName({ name })
}

/** Without `importRefusal`. */
export function importerOf(
  service: Service,
  definition: DocumentDefinition,
  destination: Destination,
  { isUpdate, keepsIds = false, addedCodes = new Set(), patch: manner }: ImportManner,
): Importer {
  const { company, document, caller } = destination
  const own = service.own.findRecord(`v${definition.version}`, document)
  const imported = own ? removableKindOf(own) : IMPORTED_KINDS.get(document)
  const { kindIn, batches, create, patches } = imported ?? {}
  if (imported && patches && manner) {
    const patch = (request: PatchRequest) => patches.patch(service, { ...request, ...manner })
    return patchImporter(destination, definition, imported, patch)
  }
  if (kindIn && isUpdate) {
    const kind = { ...kindIn(company), keepsIds }
    return recordImporter(destination, definition, (request) => upsertRecord(service, kind, request))
  }
  // Where many records are in one write, none is checked for whether the caller may see it.
  const seesAll = caller.rulesFor(company.id, `${document}:create`) === undefined
  if (batches && seesAll) {
    const rules = batches(caller, company, service.own, keepsIds)
    return batchImporter(destination, definition, rules, service.own, addedCodes)
  }
  if (!create) return tableImporter(destination, definition, completeLedgerRow)
  return recordImporter(destination, definition, async (request) => {
    await create(service, request)
    return 'written'
  })
}

/** Fills in missing columns of a ledger transaction; returns what is wrong with the others. */
export function completeLedgerRow(columns: ColumnValues): RowFinding[] {
  columns.state ??= 'posted'
  columns.status ??= 'N'
  columns.currency_amount ??= columns.amount ?? 0
  columns.debit_credit ??= Number(columns.amount ?? 0) < 0 ? -1 : 1
  const findings: RowFinding[] = []
  if (!(STATES as readonly unknown[]).includes(columns.state)) {
    findings.push({ column: 'state', message: `must be one of ${STATES.join(', ')}` })
  }
  if (columns.debit_credit !== 1 && columns.debit_credit !== -1) {
    findings.push({ column: 'amounts.debitCredit', message: 'must be 1 or -1' })
  }
  return findings
}
