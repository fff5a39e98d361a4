// Gives records that an operation has changed their values from before it, unless somebody else has changed them
// since. Records whose lines it has changed stay as they are: the log has no text of a record with its lines.
import type { JsonObject } from '../base/strict-json.ts'
import { changedMembers } from '../changes/past/member-changes.ts'
import { Problem } from '../errors/problem.ts'
import type { JournaledKind } from '../records/kinds/kind.ts'
import type { WriteRequest } from '../records/shared/write-record.ts'
import { lastChangeNumber } from '../store/change-number.ts'
import type { BatchOperationService } from './batch-operation-service.ts'
import { type FirstWrite, firstWrites } from './first-writes.ts'
import type { OperationTarget } from './read-operations.ts'
import type { WrittenPage } from './written-records.ts'

const SERVER_ERROR = 500

export interface TakeBackRequest extends OperationTarget, WriteRequest {
  /** A change number. */
  readonly from: number
}

/** Under the rules of PATCH: also of rows and fields. */
export async function restoreRecords(
  service: BatchOperationService,
  { storeResponse: _later, ...request }: TakeBackRequest,
  page: WrittenPage,
): Promise<{ readonly restored: number; readonly kept: number }> {
  const { kind } = page
  const company = service.companies.require(request.companyId)
  const tx = service.store.reading(company.id)
  const unchangedSince = await lastChangeNumber(tx)
  const isRestored = async ({ key, change, isUntouched, hasLines }: FirstWrite): Promise<boolean> => {
    const { before, isBeforeUnknown } = change
    const { text: now } = await kind.find(tx, company, key)
    if (isBeforeUnknown || before === '' || now === '' || hasLines) return false
    const body = operationsBack(kind, before, now)
    if (body.length === 0 || !isUntouched) return false
    try {
      await kind.patches?.patch(service, { ...request, key: key.map(String), body, ifMatch: undefined, unchangedSince })
      return true
    } catch (error) {
      if (error instanceof Problem && error.status < SERVER_ERROR) return false
      throw error
    }
  }
  const changed = (await firstWrites(tx, company, page)).filter(({ isCreated }) => !isCreated)
  const outcomes = await Promise.all(changed.map(isRestored))
  const restored = outcomes.filter((is) => is).length
  return { restored, kept: outcomes.length - restored }
}

function operationsBack({ patches }: JournaledKind, before: string, now: string): JsonObject[] {
  const isGiven = (path: string) => {
    const field = patches?.fields[path.split('/')[1] ?? '']
    return field?.patch.some(({ refusal }) => refusal === undefined) ?? false
  }
  return changedMembers(before, now)
    .filter(({ path }) => isGiven(path))
    .map(({ path, before: value = null }) => ({ op: 'replace', path, value }))
}
