// Answers repeats in front of the framework, whose part of a request costs more than sending what is kept. Nothing is left
// out that the framework's hooks do: whatever is not the plain case goes to them, and is refused or waits there.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Caller } from '../access/caller.ts'
import type { AnswerCache, KeptAnswer } from './answer-cache.ts'
import { findKnownCaller } from './authenticate.ts'
import { measureAs } from './measure.ts'
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
    const isCurrent = found?.kept.validity.isCurrent()
    if (!found || isCurrent === false) framework(request, response)
    else if (isCurrent === true) {
      if (!repeat(parts, answers, found, request, response)) framework(request, response)
    } else {
      const go = (isIt: boolean) => {
        if (!isIt || !repeat(parts, answers, found, request, response)) framework(request, response)
      }
      // A database that does not answer is told by the framework, which asks it again.
      isCurrent?.then(go, () => framework(request, response))
    }
  })
}

function findRepeat(
  { identity, lifecycle }: ServerParts,
  answers: AnswerCache,
  request: IncomingMessage,
): Repeat | undefined {
  const { method, headers } = request
  if ((method !== 'GET' && method !== 'HEAD') || lifecycle.state !== 'serving') return undefined
  if (!isPlain(request)) return undefined
  const caller = findKnownCaller(identity, headers.authorization)
  const kept = caller && answers.find(answers.keyOf(request, caller))
  const form = kept && formFor(kept, headers)
  if (!form || (form === 'gzip' && !kept.whole?.zipped)) return undefined
  return { caller, kept, form, begunAt: performance.now() }
}

/** No body, no wish for another protocol, and nothing that the hooks would refuse. */
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

/** False when the request has to wait, or is one too many: the framework knows how. */
function repeat(
  { limiter, pressure }: ServerParts,
  answers: AnswerCache,
  { caller, kept, form, begunAt }: Repeat,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (pressure && !pressure.admitsNow()) return false
  if (limiter) {
    try {
      countAgainst(limiter, caller, request, response)
    } catch {
      return false
    }
  }
  measureAs(kept.figures, response, begunAt)
  answers.count(sendKept(kept, form, { response, requestId: requestIdOf(request), isLast: false }))
  return true
}
