// The records that an operation has written, as the change log has them.
import { Steps } from '../base/concurrency/steps.ts'
import { inSteps } from '../changes/log/log-source.ts'
import { readChanges } from '../changes/log/read-changes.ts'
import { ALL_PARTS, type RecordChange } from '../changes/record-change.ts'
import { ownKind } from '../records/kinds/engine-records.ts'
import type { JournaledKind } from '../records/kinds/kind.ts'
import { IMPORTED_KINDS } from '../records/kinds/kinds.ts'
import { numberBefore } from '../store/change-number.ts'
import { isOpen } from './batch-operation.ts'
import { importedDocument } from './imported-document.ts'
import type { JobService } from './job-service.ts'
import { requireOperation } from './operation-access.ts'
import type { OperationTarget } from './read-operations.ts'

interface WrittenPage {
  /** Undefined where its records are of no kind that is imported. */
  readonly kind: JournaledKind | undefined
  readonly changes: readonly RecordChange[]
  /** The number of the last change that was looked at; 0 at the end. */
  readonly next: number
}

/** A page of its changes, in their order: perhaps none, where others have written much meanwhile. */
export async function readWritten(
  service: JobService,
  target: OperationTarget,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<WrittenPage> {
  const company = service.companies.require(target.companyId)
  const source = inSteps(service.store, new Steps())
  const tx = source.reading(company.id)
  const operation = await requireOperation(tx, target.caller, target.id)
  const { document, requestId, createdAt, endedAt } = operation
  const definition = importedDocument(service, company, document)
  const declared = definition && service.own.findRecord(`v${definition.version}`, document)
  const kind = declared ? ownKind(declared) : IMPORTED_KINDS.get(document)
  if (!kind || operation.options.validateOnly) return { kind, changes: [], next: 0 }
  const after = Math.max(from, await numberBefore(tx, Date.parse(createdAt)))
  const last = isOpen(operation) ? Number.MAX_SAFE_INTEGER : await numberBefore(tx, Date.parse(endedAt) + 1)
  const { changes, next, isAtEnd } = await readChanges(source, company, { number: after, part: ALL_PARTS }, limit, [
    kind,
  ])
  const own = changes.filter((change) => change.requestId === requestId)
  return { kind, changes: own, next: isAtEnd || next.number >= last ? 0 : next.number }
}
