// Requests that may be sent again: with an `Idempotency-Key`, a repeat gets the first answer, also when both come at once.
// The answer is kept in the transaction of the write, so that neither stays without the other. A refused request has
// written nothing and is simply tried again.
import { coded } from '../../errors/catalogue.ts'
import type { Call } from '../../http/edge.ts'
import type { Reply } from '../../http/send.ts'
import type { Tx } from '../../store/store.ts'
import { findKeptAnswer, type KeptAnswer, keepAnswer } from './repeat-store.ts'
import type { Service } from './service.ts'
import type { WriteRequest } from './write-record.ts'

/** An answer as it is kept: what is needed to give it again. */
export interface Sealed {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** What a resource needs beside, such as the file in its answer. */
  readonly more?: unknown
}

export interface Writing<Written, Result> {
  /** Does the write, through `writeRecord`. */
  readonly write: (call: Call & Pick<WriteRequest, 'seal'>) => Promise<Result>
  /** The answer to what was written, to be kept. */
  readonly seal: (written: Written) => Sealed
  /** The answer now; by default the one that was sealed. */
  readonly reply?: (result: Result) => Reply | Promise<Reply>
  /** The answer again; by default as it was sealed. */
  readonly replay?: (sealed: Sealed) => Reply | Promise<Reply>
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
  if (known) return replayed(known, call, writing)
  try {
    return await reply(await writing.write({ ...call, seal: sealing(call, call.repeatKey, writing) }))
  } catch (error) {
    if (!(error instanceof AnsweredMeanwhile)) throw error
    const first = await findAnswer(service, call, call.repeatKey)
    if (!first) throw new Error('an answer that was there is gone', { cause: error })
    return replayed(first, call, writing)
  }
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
    const answer = JSON.stringify(seal(written as Written))
    if ((await keepAnswer(tx, repeatKey, { fingerprint: call.fingerprint(), answer })) === 'taken') {
      throw new AnsweredMeanwhile()
    }
  }
}

async function replayed<Written, Result>(
  { fingerprint, answer }: KeptAnswer,
  call: Call,
  { replay = replyOf }: Writing<Written, Result>,
): Promise<Reply> {
  if (fingerprint !== call.fingerprint()) {
    throw coded(422, 1010, 'The Idempotency-Key was sent before with another request: choose a new one.')
  }
  const { headers, ...rest } = await replay(JSON.parse(answer) as Sealed)
  return { ...rest, headers: { ...headers, 'idempotency-replayed': 'true' } }
}

function replyOf({ status, headers, body }: Sealed): Reply {
  return { status, ...(headers ? { headers } : {}), ...(body === undefined ? {} : { body }) }
}

/** What would have been answered; nothing was made, so nothing has an address or a state. */
function trialOf(reply: Reply): Reply {
  const { etag: _etag, location: _location, ...headers } = reply.headers ?? {}
  return { ...reply, status: 200, headers }
}
