// POST /v1/batch: many operations in one request, in the JSON format of OData.
import { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { InnerRequests } from '../http/inner/inner-requests.ts'
import type { Reply } from '../http/reply/send.ts'
import type { ApiRequest, RouteTable } from '../http/route.ts'
import type { Service } from '../records/shared/service.ts'
import { batchText } from './answer-text.ts'
import { readBatch } from './batch-body.ts'
import { BatchClock } from './batch-clock.ts'
import { takeKey } from './batch-key.ts'
import { BATCH_TEXT } from './describe.ts'
import type { JointStore } from './joint-store.ts'
import { OperationCalls } from './operation-calls.ts'
import { continueOnErrorIn } from './prefer.ts'
import { BatchRun } from './run-batch.ts'

export const BATCH_PATH = '/v1/batch'

/** At work at once: each may hold its body and its answers in memory. */
const BATCHES_AT_ONCE = 4
/** Less than all, so that no company and no client locks out the others. */
const BATCHES_OF_COMPANY = 3
const BATCHES_OF_CLIENT = 2
const WAITING_BATCHES = 64
const MAX_WAIT_MS = 10_000

export interface BatchService extends Service {
  readonly joints: JointStore
  readonly inner: InnerRequests
  readonly basePath: string
  /** The batches at work. */
  readonly queue: AdmissionQueue
}

export function batchQueue(): AdmissionQueue {
  return new AdmissionQueue({
    inFlight: BATCHES_AT_ONCE,
    maxPerGroup: BATCHES_OF_COMPANY,
    maxPerMember: BATCHES_OF_CLIENT,
    waiting: WAITING_BATCHES,
    maxWaitMs: MAX_WAIT_MS,
    refusal: () => unavailable('Too many batches are at work.', 5),
  })
}

export function batchRoutes(table: RouteTable, service: BatchService): void {
  table.post(BATCH_PATH, { ...BATCH_TEXT, handle: (request) => answer(service, request) })
}

async function answer(service: BatchService, request: ApiRequest): Promise<Reply> {
  const operations = readBatch(request.body)
  const { flow, onAbandoned } = request.asker
  const release = await service.queue.acquire(flow, 1, onAbandoned)
  const clock = new BatchClock(request)
  try {
    const { validateOnly } = request
    const { basePath, inner, joints, companies } = service
    const repeat = await takeKey(service, request)
    await inner.reserve(request.caller.clientId, operations.length)
    const prefer = continueOnErrorIn(request.prefer)
    const calls = new OperationCalls(inner, request, operations, clock, { basePath, repeat, validateOnly })
    const settings = { continuesOnError: prefer ?? false, validateOnly }
    const answers = await new BatchRun({ joints, companies, calls, clock }, operations, settings).run()
    return {
      status: 200,
      headers: {
        'preference-applied': `continue-on-error=${settings.continuesOnError}`,
        ...(repeat?.isRepeated ? { 'idempotency-replayed': 'true' } : {}),
      },
      body: batchText(operations, answers),
    }
  } finally {
    clock.stop()
    release()
  }
}
