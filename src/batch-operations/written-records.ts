// The records that an operation has written, as the change log has them.
import { Steps } from '../base/concurrency/steps.ts'
import { inSteps } from '../changes/log-source.ts'
import { readChanges } from '../changes/read-changes.ts'
import { ALL_PARTS, type RecordChange } from '../changes/record-change.ts'
import { removableKindOf } from '../records/kinds/engine-records.ts'
import type { JournaledKind } from '../records/kinds/kind.ts'
import type { LinesRules } from '../setup/rules/record-rules.ts'
import { numberBefore } from '../store/change-number.ts'
import { type BatchOperation, isOpen } from './batch-operation.ts'
import type { BatchOperationService } from './batch-operation-service.ts'
import type { OperationTarget } from './read-operations.ts'

/** The records of an operation. */
interface WrittenKind {
  readonly operation: BatchOperation
  readonly kind: JournaledKind
  readonly lines: readonly LinesRules[]
}

export interface WrittenPage extends Omit<WrittenKind, 'operation'> {
  readonly requestId: string
  /** The number of the last change before the operation. */
  readonly begin: number
  readonly changes: readonly RecordChange[]
  /** The number of the last change that was looked at; 0 at the end. */
  readonly next: number
}

/** A page of its changes, also of lines, in their order: perhaps none, where others have written much meanwhile. */
export async function readWritten(
  service: BatchOperationService,
  { companyId }: OperationTarget,
  { operation, kind, lines }: WrittenKind,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<WrittenPage> {
  const company = service.companies.require(companyId)
  const source = inSteps(service.store, new Steps())
  const tx = source.reading(company.id)
  const { requestId, createdAt, endedAt, options } = operation
  const begin = await numberBefore(tx, Date.parse(createdAt))
  if (options.validateOnly) return { kind, lines, requestId, begin, changes: [], next: 0 }
  const after = { number: Math.max(from, begin), part: ALL_PARTS }
  const last = isOpen(operation) ? Number.MAX_SAFE_INTEGER : await numberBefore(tx, Date.parse(endedAt) + 1)
  const { changes, next, isAtEnd } = await readChanges(source, company, after, limit, [
    kind,
    ...lines.map(({ rules }) => removableKindOf(rules)),
  ])
  const own = changes.filter((change) => change.requestId === requestId)
  return { kind, lines, requestId, begin, changes: own, next: isAtEnd || next.number >= last ? 0 : next.number }
}
