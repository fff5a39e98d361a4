// Requests that are answered by the source: writes, which are then read again and stored before their client is
// answered, and reads of what is not here yet.

import { parseExact } from '../base/long-number.ts'
import { isObject, type JsonValue } from '../base/strict-json.ts'
import { coded } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import type { ApiRequest, Method } from '../http/route/route.ts'
import type { Reply } from '../http/route/send.ts'
import {
  deleteIdempotencyRecord,
  findIdempotencyRecord,
  putIdempotencyRecord,
  replaceIdempotencyRecord,
} from '../records/shared/idempotency-store.ts'
import { keyOfAnother } from '../records/shared/idempotent.ts'
import { actorOf } from '../records/shared/service.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { Tx } from '../store/store.ts'
import type { MirrorService } from './mirror-service.ts'
import { type SourceAnswer, SourceFailure, type SourceRequest } from './source/source.ts'

/** Which document, or record of it, a request is about. */
export interface Place {
  /** The document. */
  readonly name: string
  /** The parts of the path behind it. */
  readonly key: readonly string[]
}

/** A request whose answer the source has not given: a retry with the same key learns no more. */
const UNKNOWN = 'unknown'
/** Retries of a write that is under way, or whose result is unknown, come back then. */
const RETRY_SECONDS = 5

/** Sends a write to the source, stores the record that it has then, and answers as the source does. */
export async function forward(
  mirror: MirrorService,
  company: CompanyRules,
  method: Method,
  request: ApiRequest,
  place: Place,
): Promise<Reply> {
  refuseUnforwardable(company, request)
  const { idempotencyKey: key } = request
  if (key === undefined) return answerOf(await sendWrite(mirror, company, method, request, place))
  const known = await begin(mirror, company, request, key)
  if (known) return known
  const answer = await sendWrite(mirror, company, method, request, place)
  await mirror.store.write(company.id, actorOf(request), (tx) =>
    // What was refused has written nothing: its retry is a new request.
    answer.status < 400 ? keep(tx, request, key, answer) : deleteIdempotencyRecord(tx, key),
  )
  return answerOf(answer)
}

/** Answers a read as the source does. */
export async function passOn(mirror: MirrorService, company: CompanyRules, request: ApiRequest): Promise<Reply> {
  const headers: Record<string, string> = request.accept === undefined ? {} : { accept: request.accept }
  return answerOf(await exchange(mirror, company, request, { headers }))
}

function refuseUnforwardable(company: CompanyRules, request: ApiRequest): void {
  const why =
    request.content !== 'none'
      ? 'a file'
      : request.ifMatch !== undefined
        ? 'If-Match'
        : request.validateOnly
          ? 'validateOnly'
          : undefined
  if (why === undefined) return
  throw coded(501, 1020, `Company ${company.id} is a mirror of ${company.source?.url}: ${why} is not sent there.`)
}

async function sendWrite(
  mirror: MirrorService,
  company: CompanyRules,
  method: Method,
  request: ApiRequest,
  { name, key }: Place,
): Promise<SourceAnswer> {
  const isOwn = company.source?.writeAs === 'caller'
  const authorization = isOwn ? request.header('authorization') : undefined
  const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) }
  const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) }
  const answer = await exchange(mirror, company, request, { method, headers, ...body })
  const written = key.length > 0 ? key : keyIn(mirror, company, name, answer)
  // Whatever the source has said, the record is then as it is there.
  if (written) await mirror.refresh(company, name, written).catch(() => {})
  return answer
}

/** Sends the request once. 504: whether the source has done it is unknown; 502: the mirror may not ask. */
async function exchange(
  mirror: MirrorService,
  company: CompanyRules,
  request: ApiRequest,
  sent: SourceRequest,
): Promise<SourceAnswer> {
  const source = mirror.sourceOf(company)
  if (!source) throw new Error(`company ${company.id} has no source`)
  const query = request.query.filter(([name]) => name.toLowerCase() !== 'companyid')
  const path = request.path.slice(request.path.search(/\/v\d+\//))
  try {
    const answer = await source.send(source.pathOf(path, Object.fromEntries(query)), { ...sent, isUrgent: true })
    if (answer.status !== 401 || sent.headers?.authorization !== undefined) return answer
    throw new SourceFailure(401, 'the source refuses the credentials of the mirror')
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    if (error.status === 401) throw gateway(502, 'The source refuses the credentials of the mirror.')
    throw gateway(504, 'The source has not answered: whether it has done what was asked for is unknown.')
  }
}

function gateway(status: 502 | 504, message: string): Problem {
  return coded(status, 1020, message)
}

/** The key of a record that a POST has created. */
function keyIn(mirror: MirrorService, company: CompanyRules, name: string, { status, text }: SourceAnswer) {
  if (status !== 201) return undefined
  try {
    const body = parseExact(text) as JsonValue
    return isObject(body) ? mirror.documentsOf(company).get(name)?.kind.read(body)?.key.texts : undefined
  } catch {
    return undefined
  }
}

/** Headers of the source's answer that its clients know. */
const PASSED = ['content-type', 'location', 'retry-after', 'www-authenticate']

function answerOf({ status, headers, text }: SourceAnswer): Reply {
  const passed = PASSED.flatMap((name): [string, string][] => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { status, headers: Object.fromEntries(passed), ...(text === '' ? {} : { body: text }) }
}

interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Notes that the write is about to be sent; returns the answer to a retry. */
async function begin(
  mirror: MirrorService,
  company: CompanyRules,
  request: ApiRequest,
  key: string,
): Promise<Reply | undefined> {
  const { clientId } = request.caller
  const previous = await findIdempotencyRecord(mirror.reading(company), clientId, key, new Date(mirror.now))
  if (!previous) {
    const row = { fingerprint: request.fingerprint(), answer: JSON.stringify(UNKNOWN) }
    const noted = await mirror.store.write(company.id, actorOf(request), (tx) => putIdempotencyRecord(tx, key, row))
    if (noted === 'stored') return undefined
  } else if (previous.fingerprint !== request.fingerprint()) throw keyOfAnother()
  const answer = previous ? (JSON.parse(previous.answer) as KeptAnswer | typeof UNKNOWN) : UNKNOWN
  if (answer !== UNKNOWN) return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } }
  throw coded(504, 1020, 'The request with this Idempotency-Key was sent to the source, whose answer is unknown.', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })
}

async function keep(tx: Tx, request: ApiRequest, key: string, answer: SourceAnswer): Promise<void> {
  const { status, headers = {}, body } = answerOf(answer)
  const kept: KeptAnswer = { status, headers, ...(typeof body === 'string' ? { body } : {}) }
  await replaceIdempotencyRecord(tx, key, { fingerprint: request.fingerprint(), answer: JSON.stringify(kept) })
}
