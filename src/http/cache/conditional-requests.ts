// Conditional and cacheable reads: 304 if the client has the current response, else a response that may be cached.
import type { Validity } from '../../base/validity.ts'
import { holdsTag } from '../reply/etag.ts'
import type { Reply } from '../reply/send.ts'
import type { ApiRequest } from '../router.ts'

/** The request headers that the response depends on. */
const VARY = 'accept, accept-encoding, accept-language, authorization'

/** Absent if other programs write the records too. */
type MaybeValidity = Validity | undefined

/** For the OpenAPI description of responses with a collection or a count. */
export const stateHeaders = {
  ETag: 'The state of all that the answer is made of, for If-None-Match. Absent where others write the records.',
  Vary: 'The headers of the request that the answer depends on; with an ETag.',
}

export const unchangedAnswer = {
  304: { description: 'Nothing that the answer is made of has changed since the caller had it.' },
}

/** A collection or a count with its entity tag; 304, before anything is read, if the client's tag is current. */
export async function unlessUnchanged(
  request: ApiRequest,
  validity: MaybeValidity,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  if (!validity) return answer()
  const headers = { etag: request.tagOf(validity), vary: VARY }
  if (holdsTag(request.ifNoneMatch, headers.etag)) return { status: 304, headers, validity }
  const reply = await answer()
  return { ...reply, headers: { ...reply.headers, ...headers }, validity }
}

/** A response that has an entity tag of its own. Its validity costs a query, so only a repeated read determines it. */
export function cacheable(
  request: ApiRequest,
  validityOf: () => MaybeValidity | Promise<MaybeValidity>,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  return request.isRepeatedRead ? withValidity(validityOf, answer) : answer()
}

async function withValidity(
  validityOf: () => MaybeValidity | Promise<MaybeValidity>,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  // Before the response is made: a change in between must end the validity.
  const validity = await validityOf()
  const reply = await answer()
  return validity ? { ...reply, validity } : reply
}
