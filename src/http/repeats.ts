// Reads that are asked again: 304 for those who have the answer, and what may be kept of the others.
import type { Validity } from '../base/validity.ts'
import type { Call } from './edge.ts'
import { holdsTag } from './etag.ts'
import type { Reply } from './send.ts'

/** What of a request decides which answer is given. */
const VARY = 'accept, accept-encoding, accept-language, authorization'

type Found = Validity | undefined

/** For the description of answers with a collection or a count. */
export const stateHeaders = {
  ETag: 'The state of all that the answer is made of, for If-None-Match. Absent where others write the records.',
  Vary: 'The headers of the request that the answer depends on; with an ETag.',
}

export const unchangedAnswer = {
  304: { description: 'Nothing that the answer is made of has changed since the caller had it.' },
}

/** A collection or a count with the tag of its state, or 304 before anything is read when the caller has that state. */
export async function unlessUnchanged(call: Call, validity: Found, answer: () => Promise<Reply>): Promise<Reply> {
  if (!validity) return answer()
  const headers = { etag: call.tagOf(validity), vary: VARY }
  if (holdsTag(call.ifNoneMatch, headers.etag)) return { status: 304, headers, validity }
  const reply = await answer()
  return { ...reply, headers: { ...reply.headers, ...headers }, validity }
}

/** An answer that has a tag of its own: what it holds by is asked, before it is made, when the same is asked again. */
export function repeatable(
  call: Call,
  validityOf: () => Found | Promise<Found>,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  return call.isAskedAgain ? withValidity(validityOf, answer) : answer()
}

async function withValidity(validityOf: () => Found | Promise<Found>, answer: () => Promise<Reply>): Promise<Reply> {
  const validity = await validityOf()
  const reply = await answer()
  return validity ? { ...reply, validity } : reply
}
