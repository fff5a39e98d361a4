// Answers repeats in front of the framework, whose part of a request costs more than sending what is kept. Nothing is left
// out that the framework's hooks do: whatever is not the plain case goes to them, and is refused or waits there.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Caller } from '../access/caller.ts'
import type { AnswerCache, KeptAnswer } from './answer-cache.ts'
import { findKnownCaller } from './authenticate.ts'
import { keepFound } from './found-in-front.ts'
import { measureAs } from './measure.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { requestIdOf } from './request-id.ts'
import { type Form, formFor, sendKept } from './send-kept.ts'
import { countAgainst, MAX_HEADERS, type ServerParts } from './server.ts'
import { isSound } from './sound-message.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface Repeat {
  readonly caller: Caller
  readonly kept: KeptAnswer
  readonly form: Form
  readonly begunAt: number
}

export function answerInFront(server: Server, parts: ServerParts, answers: AnswerCache): void {
  const [framework] = server.listeners('request') as Handler[]
  if (!framework) throw new Error('the server has no handler')
  server.removeListener('request', framework)
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const found = findRepeat(parts, answers, request)
    if (!found) {
      framework(request, response)
      return
    }
    const goOn = (isCurrent: boolean) => {
      if (!isCurrent || !repeat(parts, answers, found, request, response)) framework(request, response)
    }
    const isCurrent = found.kept.validity.isCurrent()
    if (typeof isCurrent === 'boolean') goOn(isCurrent)
    // A database that does not answer is told by the framework, which asks it again.
    else isCurrent.then(goOn, () => framework(request, response))
  })
}

function findRepeat(
  { identity, lifecycle }: ServerParts,
  answers: AnswerCache,
  request: IncomingMessage,
): Repeat | undefined {
  const { method, headers } = request
  if ((method !== 'GET' && method !== 'HEAD') || lifecycle.state !== 'serving' || !isPlain(request)) return undefined
  const caller = findKnownCaller(identity, headers.authorization)
  if (!caller) return undefined
  const key = answers.keyOf(request, caller)
  const kept = answers.find(key)
  if (!kept) keepFound(request, { caller, key })
  const form = kept && formFor(kept.forms, headers)
  return form && kept.forms[form] ? { caller, kept, form, begunAt: performance.now() } : undefined
}

/** No body, no expectation, and nothing that the hooks would refuse. */
function isPlain(request: IncomingMessage): boolean {
  const { headers, rawHeaders } = request
  return (
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    rawHeaders.length <= MAX_HEADERS * 2 &&
    isSound(request)
  )
}

/**
 * False when the request is one too many of its client: the framework refuses it. It need not wait for those that came
 * before: a repeat takes less than a refusal.
 */
function repeat(
  { limiter }: ServerParts,
  answers: AnswerCache,
  { caller, kept, form, begunAt }: Repeat,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const reply = answers.repeatOf(kept, form)
  if (!reply || (limiter && !isWithin(limiter, caller, request, response))) return false
  measureAs(kept.figures, response, begunAt)
  sendKept(reply, response, requestIdOf(request))
  return true
}

function isWithin(limiter: RateLimiter, caller: Caller, request: IncomingMessage, response: ServerResponse): boolean {
  try {
    countAgainst(limiter, caller, request, response)
    return true
  } catch {
    return false
  }
}
