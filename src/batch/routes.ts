// POST /v1/batch: many operations in one request, in the JSON format of OData.
import { Type } from 'typebox'
import { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { InnerAnswer } from '../http/inner-answer.ts'
import type { InnerRequests } from '../http/inner-requests.ts'
import { companyParameter, refusal } from '../http/openapi/parameters.ts'
import { ANY_CALLER, type ApiRequest, type Route, type RouteTable } from '../http/route/route.ts'
import type { Reply } from '../http/route/send.ts'
import { headerParameter } from '../model/option-texts.ts'
import { requiring } from '../model/record-fields.ts'
import { findIdempotencyRecord, putIdempotencyRecord } from '../records/shared/idempotency-store.ts'
import { keyOfAnother } from '../records/shared/idempotent.ts'
import { actorOf, type Service } from '../records/shared/service.ts'
import { MAX_OPERATIONS, readBatch, type SentOperation } from './batch-body.ts'
import { BatchClock } from './batch-clock.ts'
import type { JointStore } from './joint-store.ts'
import { operationCalls } from './operation-calls.ts'
import { BatchRun } from './run-batch.ts'

const BATCH_PATH = '/v1/batch'

/** At work at once: each may hold its body and its answers in memory. */
const BATCHES_AT_ONCE = 4
/** Less than all, so that no company and no client locks out the others. */
const BATCHES_OF_COMPANY = 3
const BATCHES_OF_CLIENT = 2
const WAITING_BATCHES = 64
const MAX_WAIT_MS = 10_000

interface BatchService extends Service {
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
  const { flow, onAbandoned } = request.requester
  const release = await service.queue.acquire(flow, 1, onAbandoned)
  const clock = new BatchClock(request)
  try {
    const { validateOnly } = request
    const { basePath, inner, joints, companies } = service
    const repeat = await takeKey(service, request)
    await inner.reserve(request.caller.clientId, operations.length)
    const prefer = continueOnErrorIn(request.prefer)
    const calls = operationCalls(inner, request, operations, clock, { basePath, repeat, validateOnly })
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

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i
const TEXT_TYPE = /^text\//i

/** The answers of a batch as text. Bodies in JSON are taken as they are. */
function batchText(operations: readonly SentOperation[], answers: readonly InnerAnswer[]): string {
  const responses = operations.map((operation, at) => responseText(operation, answers[at] as InnerAnswer))
  return `{"responses":[${responses.join(',')}]}`
}

function responseText({ id, group }: SentOperation, { status, headers, body }: InnerAnswer): string {
  const start = JSON.stringify(
    group === undefined ? { id, status, headers } : { id, atomicityGroup: group, status, headers },
  )
  return body.length === 0 ? start : `${start.slice(0, -1)},"body":${bodyText(body, headers['content-type'] ?? '')}}`
}

/** JSON as it is, text as a string, and anything else in base64url (OData JSON Format 4.01, 19.1). */
function bodyText(body: string | Uint8Array, type: string): string {
  const bytes = typeof body === 'string' ? undefined : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const text = () => bytes?.toString('utf8') ?? String(body)
  if (JSON_TYPE.test(type)) return text()
  if (TEXT_TYPE.test(type)) return JSON.stringify(text())
  return JSON.stringify((bytes ?? Buffer.from(String(body))).toString('base64url'))
}

const CONTINUE = /^(?:odata\.)?continue-on-error\s*(?:=\s*"?(true|false)"?)?\s*(?:;|$)/i

/**
 * `continue-on-error` of `Prefer` (OData Protocol 4.01, 8.2.8.3), also as OData 4.0 spells it; undefined if it is not
 * asked for. The first one counts.
 */
function continueOnErrorIn(prefer: string | undefined): boolean | undefined {
  for (const preference of (prefer ?? '').split(',')) {
    const found = CONTINUE.exec(preference.trim())
    if (found) return found[1]?.toLowerCase() !== 'false'
  }
  return undefined
}

/**
 * The `Idempotency-Key` of a batch. Its operations commit one after the other, so each has a key of its own that
 * follows from it: whatever a first attempt has done is answered again, and the rest is done.
 */
interface TakenKey {
  readonly key: string
  readonly fingerprint: string
  /** Whether the batch was sent before. */
  readonly isRepeated: boolean
}

/**
 * Takes the key, so that no other batch can have it. Throws 422 if another batch has it. Undefined if there is none.
 */
async function takeKey(service: Service, request: ApiRequest): Promise<TakenKey | undefined> {
  const { caller, idempotencyKey: key } = request
  const companies = [request.companyId, ...caller.companyIds].flatMap((id) => service.companies.known(id) ?? [])
  const [company] = companies
  if (key === undefined || request.validateOnly || !company) return undefined
  const fingerprint = request.fingerprint()
  const find = () => findIdempotencyRecord(service.store.reading(company.id), caller.clientId, key, service.clock())
  const put = () =>
    service.store.write(company.id, actorOf(request), (tx) =>
      putIdempotencyRecord(tx, key, { fingerprint, answer: '' }),
    )
  let found = await find()
  // Two at once: the second finds what the first has put.
  if (!found && (await put()) === 'taken') found = await find()
  if (found && found.fingerprint !== fingerprint) throw keyOfAnother()
  return { key, fingerprint, isRepeated: found !== undefined }
}

// The description of the batch for OpenAPI.

/** The whole body has no more: an operation has some kilobytes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Those of a record for each of the operations would be too many: it is a body that one parser reads at once. */
const JSON_LIMITS = { depth: 35, keys: 200_000, items: 200_000 }

const Id = Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.~-]+$', examples: ['1'] })
const Headers = Type.Record(Type.String(), Type.String())

const Operation = requiring(
  ['id', 'method', 'url'],
  Type.Object(
    {
      id: Type.String({ ...Id, description: 'By which its answer is known, and others refer to it.' }),
      method: Type.Union(
        ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'].map((method) => Type.Literal(method)),
        { description: 'In any letter case.' },
      ),
      url: Type.String({
        description:
          'The path of any resource with its query, from the root or from the address of the batch. `$1` at its start is the record that operation 1 has made or read.',
        examples: ['/v1/attribute-values', '$1/history'],
      }),
      headers: Type.Optional(Headers),
      body: Type.Optional(
        Type.Unknown({
          description: 'A text `$1/attributeValue` in it stands for that member in the answer of operation 1.',
        }),
      ),
      dependsOn: Type.Optional(
        Type.Array(Id, { description: 'Operations and groups before it, without whose success it is not done.' }),
      ),
      atomicityGroup: Type.Optional(
        Type.String({
          ...Id,
          description: 'Operations of one group stand one behind the other, and are all done or none of them.',
        }),
      ),
    },
    { title: 'BatchRequest', description: 'A request of its own.', additionalProperties: false },
  ),
)

const Response = Type.Object(
  {
    id: Id,
    atomicityGroup: Type.Optional(Id),
    status: Type.Integer({
      description: 'That of the operation alone; 424 for one that was not done because of another.',
    }),
    headers: Headers,
    body: Type.Optional(
      Type.Unknown({
        description: 'JSON; of text types a string, of others one in base64url; absent if there is none.',
      }),
    ),
  },
  { title: 'BatchResponse' },
)

const DESCRIPTION = `Each operation is checked, done and answered as a request of its own, with the rights of the caller of the batch; each counts for the limits of the client. They are done in their order; after the first that fails, no other one is, unless \`Prefer: continue-on-error\` is sent. With an \`Idempotency-Key\` each operation is done once, however often the batch is sent. With \`validateOnly\` nothing is kept of any of them.`

const BATCH_TEXT: Omit<Route, 'handle'> = {
  permit: ANY_CALLER,
  operationId: 'sendBatch',
  summary: 'Send many requests in one',
  description: DESCRIPTION,
  parameters: [
    companyParameter,
    headerParameter(
      'Prefer',
      '`continue-on-error`: operations behind one that failed are done too, unless they depend on it. `continue-on-error=false` is the default.',
      Type.String({ examples: ['continue-on-error'] }),
    ),
  ],
  body: requiring(
    ['requests'],
    Type.Object(
      { requests: Type.Array(Operation, { maxItems: MAX_OPERATIONS }) },
      {
        title: 'Batch',
        description: 'The JSON format of the batches of OData 4.01.',
        additionalProperties: false,
      },
    ),
  ),
  bodyBounds: { bytes: MAX_BODY_BYTES, json: JSON_LIMITS },
  answers: {
    200: {
      description: 'The answers to all operations, in their order, whether they succeeded or not.',
      schema: Type.Object({ responses: Type.Array(Response) }, { title: 'BatchResponses' }),
      headers: { 'Preference-Applied': '`continue-on-error=true` or `continue-on-error=false`.' },
    },
    400: refusal('The batch itself is wrong: all mistakes with their positions. Nothing was done.'),
  },
}
