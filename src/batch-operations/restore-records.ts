// Gives records that an operation has patched their values from before, but for those that somebody has changed since.
import { etagOf } from '../base/etag.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { changedMembers } from '../changes/past/member-changes.ts'
import type { RecordChange } from '../changes/record-change.ts'
import { notAuthorised } from '../errors/catalogue.ts'
import { Problem } from '../errors/problem.ts'
import type { JournaledKind } from '../records/kinds/kind.ts'
import { type WriteRequest, writeRecord } from '../records/shared/write-record.ts'
import type { JobService } from './job-service.ts'
import { permissionFor } from './operation-access.ts'
import type { OperationTarget } from './read-operations.ts'
import { readWritten } from './written-records.ts'

const SERVER_ERROR = 500

export interface TakeBackRequest extends OperationTarget, WriteRequest {
  /** A change number. */
  readonly from: number
}

export interface TakenBack {
  readonly removed: number
  readonly restored: number
  readonly kept: number
  /** Where the rest begins; 0 at the end. */
  readonly from: number
}

export async function restoreRecords(service: JobService, request: TakeBackRequest, limit: number): Promise<TakenBack> {
  const { caller, from } = request
  const { id } = service.companies.require(request.companyId)
  const { kind, changes, next } = await readWritten(service, request, { from, limit })
  const permission = permissionFor(kind?.document ?? '', 'update')
  if (!kind || !caller.may(id, permission))
    throw notAuthorised(`no role of the caller in the company has ${permission}`)
  // Several rows may have changed one record.
  const records = Map.groupBy(changes, ({ key }) => JSON.stringify(key))
  const outcomes = await Promise.all(records.values().map((all) => isRestored(service, request, kind, all)))
  const restored = outcomes.filter((is) => is).length
  const taken = { removed: 0, restored, kept: outcomes.length - restored, from: next }
  // The answer is stored behind them: a retry finds them as they were, and counts them as kept.
  return writeRecord(service, id, { ...request, isRemoval: true }, async () => taken)
}

/** Under the rules of PATCH: also of rows and fields. */
async function isRestored(
  service: JobService,
  { storeResponse: _later, ...request }: TakeBackRequest,
  kind: JournaledKind,
  changes: readonly RecordChange[],
): Promise<boolean> {
  const [first, last] = [changes[0], changes.at(-1)]
  if (!first || !last) return false
  const { operation, key, etag } = last
  const body = operationsBack(kind, { ...last, before: first.before })
  if (operation !== 'update' || etag === undefined || body.length === 0) return false
  // Their lines of before are not in their entries: half of a record is not given back.
  if (changes.some(({ lines = [] }) => lines.length > 0)) return false
  try {
    await kind.patches?.patch(service, { ...request, key: key.map(String), body, ifMatch: etagOf(etag) })
    return true
  } catch (error) {
    if (error instanceof Problem && error.status < SERVER_ERROR) return false
    throw error
  }
}

function operationsBack({ patches }: JournaledKind, { before, after, isBeforeUnknown }: RecordChange): JsonObject[] {
  if (isBeforeUnknown || before === '' || after === '') return []
  const isGiven = (path: string) => {
    const field = patches?.fields[path.split('/')[1] ?? '']
    return field?.patch.some(({ refusal }) => refusal === undefined) ?? false
  }
  return changedMembers(before, after)
    .filter(({ path }) => isGiven(path))
    .map(({ path, before: value = null }) => ({ op: 'replace', path, value }))
}
