import type { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { JointStore } from '../batch/joint-store.ts'
import { batchRoutes } from '../batch/routes.ts'
import type { InnerParts } from '../http/inner-request.ts'
import { InnerRequests } from '../http/inner-requests.ts'
import type { RouteTable } from '../http/route/route.ts'
import { RouteLookup } from '../http/route/route-lookup.ts'
import type { DocumentService } from '../records/documents/document-service.ts'
import type { Store } from '../store/store.ts'
import { type RecordService, recordRoutes, type ServedDocuments } from './record-routes.ts'

export interface BatchSources {
  readonly documents: ServedDocuments
  readonly pastOf: (store: Store) => RecordService['past']
  readonly parquet: RecordService['parquet']
  readonly pipeline: InnerParts
  /** The batches at work. */
  readonly queue: AdmissionQueue
}

/**
 * Declares the batch. Its operations have the routes of all resources once more, on a store that joins their writes.
 */
export function serveBatches(router: RouteTable, service: DocumentService, sources: BatchSources): void {
  const { documents, pastOf, parquet, pipeline, queue } = sources
  const joints = new JointStore(service.store)
  const store = joints.operations
  const routes = new RouteLookup()
  recordRoutes(routes, { ...service, store, past: pastOf(store), parquet }, documents)
  const inner = new InnerRequests(routes, pipeline)
  batchRoutes(router, { ...service, joints, inner, basePath: pipeline.basePath, queue })
}
