// Takes an operation back, some records at a time: those that it has created are removed, and those that it has changed
// get their values back. What somebody else has touched since stays as it is.
import { malformed } from '../errors/catalogue.ts'
import { ENGINE_KINDS, removableKindOf } from '../records/kinds/engine-records.ts'
import { IMPORTED_KINDS } from '../records/kinds/kinds.ts'
import { writeRecord } from '../records/shared/write-record.ts'
import type { BatchOperationService } from './batch-operation-service.ts'
import { requireAll, requireOperation, requirePermission } from './operation-access.ts'
import { removeCreated } from './remove-created.ts'
import { restoreRecords, type TakeBackRequest } from './restore-records.ts'
import { readWritten } from './written-records.ts'

/** In one write, for which others wait. */
const RECORDS_AT_ONCE = 50

export interface TakenBack {
  readonly removed: number
  readonly restored: number
  readonly kept: number
  /** Where the rest begins; 0 at the end. */
  readonly from: number
}

export async function takeBack(service: BatchOperationService, request: TakeBackRequest): Promise<TakenBack> {
  const { caller, from } = request
  const company = service.companies.require(request.companyId)
  const operation = await requireOperation(service.store.reading(company.id), caller, request.id)
  const { document, options } = operation
  const isPatch = options.patch !== undefined
  // It sees all such records, as whoever imports so many in one write.
  if (!isPatch) requireAll(caller, company, document, 'delete')
  if (isPatch || options.update) requirePermission(caller, company, document, 'update')
  const declared = service.own.records.get(document)
  const removable = declared ? removableKindOf(declared) : ENGINE_KINDS.find(({ name }) => name === document)
  const kind = isPatch ? (removable ?? IMPORTED_KINDS.get(document)) : removable
  if (!kind) throw malformed('Only imports of customers and of documents of the setup are taken back.')
  const written = { operation, kind, lines: declared?.lines ?? [] }
  const page = await readWritten(service, request, written, { from, limit: RECORDS_AT_ONCE })
  const { restored, kept } =
    isPatch || options.update ? await restoreRecords(service, request, page) : { restored: 0, kept: 0 }
  const answer = (counts = { removed: 0, kept: 0 }): TakenBack => ({
    removed: counts.removed,
    restored,
    kept: kept + counts.kept,
    from: page.next,
  })
  if (removable && !isPatch) return removeCreated(service, request, page, removable, answer)
  // The answer is stored behind them: a retry finds them as they were before the operation.
  return writeRecord(service, company.id, { ...request, isRemoval: true }, async () => answer())
}
