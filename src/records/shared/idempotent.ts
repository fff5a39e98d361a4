// Idempotent writes: a retry with the same `Idempotency-Key` gets the response of the first request, also when both run
// concurrently. The response is stored in the transaction of the write, so that neither is committed without the other.
// A rejected request has written nothing, so its retry is executed as a new request.
import { changeNumbered } from '../../base/etag.ts'
import { coded } from '../../errors/catalogue.ts'
import { Problem } from '../../errors/problem.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import { findAfter } from '../../store/journal/journal-rows.ts'
import type { Tx } from '../../store/store.ts'
import { findIdempotencyRecord, type IdempotencyRecord, putIdempotencyRecord } from './idempotency-store.ts'
import { notVisible, type RecordAccess } from './record-access.ts'
import type { Service } from './service.ts'
import type { WriteRequest } from './write-record.ts'

interface RetriableRequest extends WriteRequest {
  readonly companyId: string
  readonly idempotencyKey: string | undefined
  /** A hash of the request, by which a different one with the same key is detected. */
  fingerprint(): string
}

export interface WriteReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Complete, or streamed with contents. */
  readonly body?: string | AsyncGenerator<Uint8Array, unknown, void>
  /** Its compression would cost much and save little. */
  readonly isIncompressible?: boolean
}

/** A response as it is stored for retries. */
export interface StoredResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** In the place of a body that the journal has: the entry that says so of the record after the write. */
  readonly bodyOf?: number
  /** The record that it tells of, below its company. */
  readonly row?: KeyFilter
  /** Further data of the resource, such as the file in the response. */
  readonly more?: unknown
}

/** Decides who gets the stored response of a record: callers who may see the record now, redacted as for the write. */
interface RecordVisibility {
  readonly access: (company: CompanyRules) => RecordAccess
  /** The rejection of all others; by default that of a record that would not be visible. */
  readonly refusal?: (company: CompanyRules) => Problem
}

interface IdempotentWrite<Request, Written, Result> {
  /** Executes the write with `writeRecord`. */
  readonly write: (request: Request & Pick<WriteRequest, 'storeResponse'>) => Promise<Result>
  /** Builds the response to be stored. */
  readonly toStored: (written: Written) => StoredResponse
  /** Builds the reply to the first request; by default from the stored response. */
  readonly reply?: (result: Result) => WriteReply | Promise<WriteReply>
  /** Absent where the response contains nothing of a record. */
  readonly visibility?: RecordVisibility
  /**
   * Builds the reply to a retry; by default from the stored response, without members that are hidden from the caller
   * now.
   */
  readonly replay?: (stored: StoredResponse, access: RecordAccess | undefined) => WriteReply | Promise<WriteReply>
}

/** A concurrent request with the same key was committed first. */
class KeyTaken extends Error {}

export async function idempotent<Request extends RetriableRequest, Written, Result = Written>(
  service: Service,
  request: Request,
  writing: IdempotentWrite<Request, Written, Result>,
): Promise<WriteReply> {
  const { reply = (result: Result) => replyOf(writing.toStored(result as never)) } = writing
  if (request.validateOnly) return previewReply(await reply(await writing.write(request)))
  let changeNumber: number | undefined
  const write = async (requested: Request & Pick<WriteRequest, 'storeResponse'>) => {
    const onWritten = (number: number) => {
      changeNumber = number
    }
    const answer = await reply(await writing.write({ ...requested, onWritten }))
    return { ...answer, headers: { ...answer.headers, ...changeNumbered(changeNumber) } }
  }
  if (request.idempotencyKey === undefined) return write(request)
  const previous = await findStoredResponse(service, request, request.idempotencyKey)
  if (previous) return replay(service, previous, request, writing)
  try {
    return await write({ ...request, storeResponse: responseWriter(request, request.idempotencyKey, writing) })
  } catch (error) {
    const first = mayHaveCompleted(error)
      ? await findStoredResponse(service, request, request.idempotencyKey)
      : undefined
    if (!first) throw error
    return replay(service, first, request, writing)
  }
}

/**
 * An equal request may have completed while this one waited for the company's write lock. Its result is then what
 * rejects this one: the record already exists, is deleted, or has another tag.
 */
function mayHaveCompleted(error: unknown): boolean {
  return error instanceof KeyTaken || (error instanceof Problem && error.status < 500)
}

function findStoredResponse(
  { store, companies, clock }: Service,
  request: RetriableRequest,
  idempotencyKey: string,
): Promise<IdempotencyRecord | undefined> {
  const { id } = companies.require(request.companyId)
  return findIdempotencyRecord(store.reading(id), request.caller.clientId, idempotencyKey, clock())
}

function responseWriter<Request extends RetriableRequest, Written, Result>(
  request: Request,
  idempotencyKey: string,
  { toStored }: IdempotentWrite<Request, Written, Result>,
) {
  return async (tx: Tx, written: unknown): Promise<void> => {
    const stored = toStored(written as Written)
    const headers = { ...stored.headers, ...changeNumbered(tx.entries.lastNumber) }
    const answer = JSON.stringify(await withoutKnownBody(tx, written, { ...stored, headers }))
    if ((await putIdempotencyRecord(tx, idempotencyKey, { fingerprint: request.fingerprint(), answer })) === 'taken') {
      throw new KeyTaken()
    }
  }
}

async function replay<Request extends RetriableRequest, Written, Result>(
  service: Service,
  { fingerprint, answer }: IdempotencyRecord,
  request: Request,
  { visibility, replay = replyOf }: IdempotentWrite<Request, Written, Result>,
): Promise<WriteReply> {
  if (fingerprint !== request.fingerprint()) throw keyOfAnother()
  const stored = await withBody(service, request, JSON.parse(answer) as StoredResponse)
  const access = visibility && (await requireVisible(service, request, visibility, stored))
  const { headers, ...rest } = await replay(stored, access)
  return { ...rest, headers: { ...headers, 'idempotency-replayed': 'true' } }
}

/** 422: the key was sent before with another request. */
export function keyOfAnother(): Problem {
  return coded(422, 1010, 'The Idempotency-Key was sent before with another request: choose a new one.')
}

/** Smaller bodies are stored twice rather than looked up. */
const LARGE_BODY = 16 * 1024

/**
 * Refers to the body in the journal where it is there already: a small change of a large record would store it twice.
 */
async function withoutKnownBody(tx: Tx, written: unknown, { body, ...rest }: StoredResponse): Promise<StoredResponse> {
  if (body === undefined) return rest
  const bodyOf = tx.entries.numberOf(body) ?? (await unchangedSince(tx, written, body))
  return bodyOf === undefined ? { ...rest, body } : { ...rest, bodyOf }
}

/** The journal entry that holds the large body, if this write has changed nothing. */
async function unchangedSince(tx: Tx, written: unknown, body: string): Promise<number | undefined> {
  const { change_no: entryNo } = Object(written) as { change_no?: number }
  if (entryNo === undefined || body.length < LARGE_BODY) return undefined
  return (await findAfter(tx, entryNo)) === body ? entryNo : undefined
}

async function withBody(
  { store, companies }: Service,
  { companyId }: RetriableRequest,
  stored: StoredResponse,
): Promise<StoredResponse> {
  const { bodyOf, ...rest } = stored
  if (bodyOf === undefined) return stored
  const { id } = companies.require(companyId)
  const body = await findAfter(store.reading(id), bodyOf)
  if (body === undefined) throw new Error(`entry ${bodyOf} of ${id} cannot be read`)
  return { ...rest, body }
}

/** Rights and records may have changed since. Throws when the caller does not see the record any more. */
async function requireVisible(
  { store, companies }: Service,
  request: RetriableRequest,
  { access: accessFor, refusal = notVisible }: RecordVisibility,
  { row }: StoredResponse,
): Promise<RecordAccess> {
  const company = companies.require(request.companyId)
  const access = accessFor(company)
  const isVisible = !access.hasRowRule || (row && (await access.isVisible(store.reading(company.id), row)))
  if (!isVisible) throw refusal(company)
  return access
}

function replyOf({ status, headers, body }: StoredResponse, access?: RecordAccess): WriteReply {
  const visibleBody = body !== undefined && access ? access.redact(body) : body
  return { status, ...(headers ? { headers } : {}), ...(visibleBody === undefined ? {} : { body: visibleBody }) }
}

/** The reply to a validation-only write. Nothing was created, so it has no location and no entity tag. */
function previewReply(reply: WriteReply): WriteReply {
  const { etag: _etag, location: _location, ...headers } = reply.headers ?? {}
  return { ...reply, status: 200, headers }
}
