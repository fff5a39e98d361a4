// The records that an operation has created, as the change log has them.
import { Steps } from '../base/concurrency/steps.ts'
import { etagOf } from '../base/etag.ts'
import { inSteps } from '../changes/log/log-source.ts'
import { readChanges } from '../changes/log/read-changes.ts'
import { ALL_PARTS } from '../changes/record-change.ts'
import { ownKind } from '../records/kinds/engine-records.ts'
import { IMPORTED_KINDS } from '../records/kinds/kinds.ts'
import { numberBefore } from '../store/change-number.ts'
import { isOpen } from './batch-operation.ts'
import { importedDocument } from './imported-document.ts'
import type { JobService } from './job-service.ts'
import { requireOperation } from './operation-access.ts'
import type { OperationTarget } from './read-operations.ts'

interface CreatedPage {
  readonly records: readonly {
    /** Its parts below the company, as texts. */
    readonly key: readonly string[]
    /** The tag that it got. */
    readonly etag: string
  }[]
  /** The number of the last change that was looked at; 0 at the end. */
  readonly next: number
}

/** A page of them, in the order in which they were created: perhaps none, where others have written much meanwhile. */
export async function readCreated(
  service: JobService,
  target: OperationTarget,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<CreatedPage> {
  const company = service.companies.require(target.companyId)
  const source = inSteps(service.store, new Steps())
  const tx = source.reading(company.id)
  const operation = await requireOperation(tx, target.caller, target.id)
  const { document, requestId, createdAt, endedAt } = operation
  const definition = importedDocument(service, company, document)
  const own = definition && service.own.findRecord(`v${definition.version}`, document)
  const kind = own ? ownKind(own) : IMPORTED_KINDS.get(document)
  if (!kind || operation.options.validateOnly) return { records: [], next: 0 }
  const after = Math.max(from, await numberBefore(tx, Date.parse(createdAt)))
  const last = isOpen(operation) ? Number.MAX_SAFE_INTEGER : await numberBefore(tx, Date.parse(endedAt) + 1)
  const { changes, next, isAtEnd } = await readChanges(source, company, { number: after, part: ALL_PARTS }, limit, [
    kind,
  ])
  const records = changes
    .filter((change) => change.requestId === requestId && change.operation === 'create')
    .map(({ key, etag }) => ({
      key: key.map(String),
      etag: etag === undefined ? '' : etagOf(etag),
    }))
  return { records, next: isAtEnd || next.number >= last ? 0 : next.number }
}
