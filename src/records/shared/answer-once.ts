// Requests that may be sent again: with an `Idempotency-Key`, a repeat gets the first answer, also when both come at once.
// The answer is kept in the transaction of the write, so that neither stays without the other. A refused request has
// written nothing and is simply tried again.
import { coded } from '../../errors/catalogue.ts'
import { Problem } from '../../errors/problem.ts'
import type { Call } from '../../http/edge.ts'
import type { Reply } from '../../http/send.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import { findAfter } from '../../store/journal-rows.ts'
import type { Scope, Tx } from '../../store/store.ts'
import { findKeptAnswer, type KeptAnswer, keepAnswer } from './repeat-store.ts'
import type { Service } from './service.ts'
import { outOfSight, type Sight } from './sight.ts'
import type { WriteRequest } from './write-record.ts'

/** An answer as it is kept: what is needed to give it again. */
export interface Sealed {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** In the place of a body that the journal has: the entry that says so of the record after the write. */
  readonly bodyOf?: number
  /** The record that it tells of, below its company. */
  readonly row?: Scope
  /** What a resource needs beside, such as the file in its answer. */
  readonly more?: unknown
}

/** Who gets an answer that tells of a record: whoever sees the record now, as the write itself would show it. */
interface Seen {
  readonly sight: (company: CompanyRules) => Sight
  /** The refusal of those who do not; by default that of a record that would be out of sight. */
  readonly refusal?: (company: CompanyRules) => Problem
}

export interface Writing<Written, Result> {
  /** Does the write, through `writeRecord`. */
  readonly write: (call: Call & Pick<WriteRequest, 'seal'>) => Promise<Result>
  /** The answer to what was written, to be kept. */
  readonly seal: (written: Written) => Sealed
  /** The answer now; by default the one that was sealed. */
  readonly reply?: (result: Result) => Reply | Promise<Reply>
  /** Absent where the answer tells nothing of a record. */
  readonly seen?: Seen
  /** The answer again; by default as it was sealed, without what is hidden from the caller by now. */
  readonly replay?: (sealed: Sealed, sight: Sight | undefined) => Reply | Promise<Reply>
}

/** Somebody else was first with the same key. */
class AnsweredMeanwhile extends Error {}

export async function answerOnce<Written, Result = Written>(
  service: Service,
  call: Call,
  writing: Writing<Written, Result>,
): Promise<Reply> {
  const { reply = (result: Result) => replyOf(writing.seal(result as never)) } = writing
  if (call.isTrial) return trialOf(await reply(await writing.write(call)))
  if (call.repeatKey === undefined) return reply(await writing.write(call))
  const known = await findAnswer(service, call, call.repeatKey)
  if (known) return replayed(service, known, call, writing)
  try {
    return await reply(await writing.write({ ...call, seal: sealing(call, call.repeatKey, writing) }))
  } catch (error) {
    const first = mayBeDone(error) ? await findAnswer(service, call, call.repeatKey) : undefined
    if (!first) throw error
    return replayed(service, first, call, writing)
  }
}

/**
 * An equal request may have been done while this one waited for the writes of the company: then its own work is what
 * refuses it, as a record that is there already, or is gone, or has another tag.
 */
function mayBeDone(error: unknown): boolean {
  return error instanceof AnsweredMeanwhile || (error instanceof Problem && error.status < 500)
}

function findAnswer(
  { store, companies, clock }: Service,
  call: Call,
  repeatKey: string,
): Promise<KeptAnswer | undefined> {
  const { id } = companies.require(call.companyId)
  return findKeptAnswer(store.reading(id), call.caller.clientId, repeatKey, clock())
}

function sealing<Written, Result>(call: Call, repeatKey: string, { seal }: Writing<Written, Result>) {
  return async (tx: Tx, written: unknown): Promise<void> => {
    const answer = JSON.stringify(await withoutKnownBody(tx, written, seal(written as Written)))
    if ((await keepAnswer(tx, repeatKey, { fingerprint: call.fingerprint(), answer })) === 'taken') {
      throw new AnsweredMeanwhile()
    }
  }
}

async function replayed<Written, Result>(
  service: Service,
  { fingerprint, answer }: KeptAnswer,
  call: Call,
  { seen, replay = replyOf }: Writing<Written, Result>,
): Promise<Reply> {
  if (fingerprint !== call.fingerprint()) {
    throw coded(422, 1010, 'The Idempotency-Key was sent before with another request: choose a new one.')
  }
  const sealed = await withBody(service, call, JSON.parse(answer) as Sealed)
  const sight = seen && (await requireSeen(service, call, seen, sealed))
  const { headers, ...rest } = await replay(sealed, sight)
  return { ...rest, headers: { ...headers, 'idempotency-replayed': 'true' } }
}

/** A smaller one is kept twice rather than looked up. */
const LARGE_BODY = 16 * 1024

/** A large record with a small change would be kept twice for each. */
async function withoutKnownBody(tx: Tx, written: unknown, { body, ...rest }: Sealed): Promise<Sealed> {
  if (body === undefined) return rest
  const bodyOf = tx.entries.numberOf(body) ?? (await unchangedSince(tx, written, body))
  return bodyOf === undefined ? { ...rest, body } : { ...rest, bodyOf }
}

/** The entry that has left a large record so, where this write has changed nothing. */
async function unchangedSince(tx: Tx, written: unknown, body: string): Promise<number | undefined> {
  const { change_no: entryNo } = Object(written) as { change_no?: number }
  if (entryNo === undefined || body.length < LARGE_BODY) return undefined
  return (await findAfter(tx, entryNo)) === body ? entryNo : undefined
}

async function withBody({ store, companies }: Service, { companyId }: Call, sealed: Sealed): Promise<Sealed> {
  const { bodyOf, ...rest } = sealed
  if (bodyOf === undefined) return sealed
  const { id } = companies.require(companyId)
  const body = await findAfter(store.reading(id), bodyOf)
  if (body === undefined) throw new Error(`entry ${bodyOf} of ${id} cannot be read`)
  return { ...rest, body }
}

/** Rights and records may have changed since. Throws when the caller does not see the record any more. */
async function requireSeen(
  { store, companies }: Service,
  call: Call,
  { sight: sightIn, refusal = outOfSight }: Seen,
  { row }: Sealed,
): Promise<Sight> {
  const company = companies.require(call.companyId)
  const sight = sightIn(company)
  const isSeen = !sight.isPartial || (row && (await sight.seesNow(store.reading(company.id), row)))
  if (!isSeen) throw refusal(company)
  return sight
}

function replyOf({ status, headers, body }: Sealed, sight?: Sight): Reply {
  const shown = body !== undefined && sight ? sight.shown(body) : body
  return { status, ...(headers ? { headers } : {}), ...(shown === undefined ? {} : { body: shown }) }
}

/** What would have been answered; nothing was made, so nothing has an address or a state. */
function trialOf(reply: Reply): Reply {
  const { etag: _etag, location: _location, ...headers } = reply.headers ?? {}
  return { ...reply, status: 200, headers }
}
