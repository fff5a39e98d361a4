// The answers of the source to writes with an `Idempotency-Key`: a retry gets the first one again, although the source
// knows no such keys.

import type { Caller } from '../access/caller.ts'
import { jsonOrUndefined } from '../base/strict-json.ts'
import { coded } from '../errors/catalogue.ts'
import type { GivenContent } from '../files/file-store.ts'
import {
  findIdempotencyRecord,
  putIdempotencyRecord,
  replaceIdempotencyRecord,
} from '../records/shared/idempotency-store.ts'
import { keyOfAnother } from '../records/shared/idempotent.ts'
import { actorOf } from '../records/shared/service.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { Tx } from '../store/store.ts'
import type { MirrorService } from './mirror-service.ts'
import type { SourceAnswer } from './source/source.ts'

/** A request whose answer the source has not given: a retry with the same key learns no more. */
const UNKNOWN = 'unknown'
/** Retries of a write that is under way, or whose result is unknown, come back then. */
export const RETRY_SECONDS = 5

/** Headers of the source's answer that its clients know. */
const PASSED = ['content-type', 'retry-after', 'www-authenticate']

/** As clients of this service get it. */
export function answerOf({ status, headers, text }: SourceAnswer): PassedAnswer {
  const passed = PASSED.flatMap((name): [string, string][] => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { status, headers: Object.fromEntries(passed), ...(text === '' ? {} : { body: text }) }
}

export interface PassedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What of a request tells it from another one. */
interface KeptRequest {
  readonly caller: Caller
  readonly requestId: string
  readonly content: GivenContent
  fingerprint(): string
}

/** Notes that the write is about to be sent; returns the answer to a retry. */
export async function beginOnce(
  mirror: MirrorService,
  company: CompanyRules,
  request: KeptRequest,
  key: string,
): Promise<PassedAnswer | undefined> {
  const { clientId } = request.caller
  const previous = await findIdempotencyRecord(mirror.reading(company), clientId, key, new Date(mirror.now))
  if (!previous) {
    const row = { fingerprint: request.fingerprint(), answer: JSON.stringify(UNKNOWN) }
    const noted = await mirror.store.write(company.id, actorOf(request), (tx) => putIdempotencyRecord(tx, key, row))
    if (noted === 'stored') return undefined
  } else if (previous.fingerprint !== request.fingerprint()) throw keyOfAnother()
  const answer = previous ? (JSON.parse(previous.answer) as PassedAnswer | typeof UNKNOWN) : UNKNOWN
  if (answer !== UNKNOWN) return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } }
  throw coded(504, 1020, 'The request with this Idempotency-Key was sent to the source, whose answer is unknown.', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })
}

/** A retry has the file that it sends. */
function withoutFile(body: string): string {
  const record = jsonOrUndefined(body)
  if (typeof record !== 'object' || record === null) return ''
  const { fileContent: _file, ...others } = record as { readonly fileContent?: unknown }
  return JSON.stringify(others)
}

export async function keepAnswer(tx: Tx, request: KeptRequest, key: string, answer: PassedAnswer): Promise<void> {
  const { status, headers, body } = answer
  const text = typeof body === 'string' ? { body: request.content === 'none' ? body : withoutFile(body) } : {}
  const kept: PassedAnswer = { status, headers, ...text }
  await replaceIdempotencyRecord(tx, key, { fingerprint: request.fingerprint(), answer: JSON.stringify(kept) })
}
