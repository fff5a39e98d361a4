// A source that behaves as badly as a busy one, in front of the pipeline: for programs that are tried against the demo.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { coded, tooMany } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import { send } from './route/send.ts'

/** What a request goes through before the pipeline, which `next` begins. */
export type Front = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

export interface Faults {
  /** The parts of all requests, from 0 to 1 together, that are refused with 429 or 503, slow, or cut off. */
  readonly shares: Readonly<Partial<Record<Fault, number>>>
  readonly slowMs: number
  /** Whether pages by offset begin a record too early or too late, as if one was written or removed before them. */
  readonly isShifting: boolean
  /** What happens by chance: numbers from 0 up to 1. */
  random(): number
}

export type Fault = '429' | '503' | 'slow' | 'cut'

/** The addresses of records have a version; pages, tokens and health have none and are left alone. */
const OF_RECORDS = /^\/v\d+\//
const PLACE = /([?&](?:\$|%24)?(?:offset|skip|start)=)(\d{1,9})(?=&|$)/gi
const BUSY_MS = 2000

export function faultyFront({ shares, slowMs, isShifting, random }: Faults, basePath: string): Front {
  const drawn = (): Fault | undefined => {
    let left = random()
    return (Object.keys(shares) as Fault[]).find((fault) => {
      left -= shares[fault] ?? 0
      return left < 0
    })
  }
  return (request, response, next) => {
    const { url = '' } = request
    if (!url.startsWith(basePath) || !OF_RECORDS.test(url.slice(basePath.length))) return next()
    if (isShifting) request.url = shifted(url, random)
    const fault = drawn()
    if (fault === '429') refuse(request, response, tooMany('Too many requests: try again in a second.', 1))
    else if (fault === '503') refuse(request, response, busy())
    else if (fault === 'slow') setTimeout(() => response.closed || next(), slowMs)
    else {
      if (fault === 'cut') cutOff(response)
      next()
    }
  }
}

/** The first page is where it is: nothing is before it. */
function shifted(url: string, random: () => number): string {
  return url.replace(PLACE, (place: string, option: string, offset: string) =>
    Number(offset) === 0 ? place : option + (Number(offset) + (random() < 0.5 ? -1 : 1)),
  )
}

/** `Retry-After` is a date here and seconds with 429: a client must read both (RFC 9110, 10.2.3). */
function busy(): Problem {
  const date = new Date(Date.now() + BUSY_MS).toUTCString()
  return coded(503, 1020, 'The service cannot answer now: try again.', { headers: { 'retry-after': date } })
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, body, headers }: Problem): void {
  const { method = '', headers: sent } = request
  const unanswered = { id: randomUUID(), method, headers: sent, response, isAnswered: false }
  send(unanswered, { status, body: JSON.stringify(body), headers })
}

/** The connection ends in the middle of the first part of the body, or before an answer that has none. */
function cutOff(response: ServerResponse): void {
  const write = response.write.bind(response)
  let isCut = false
  const cut = (part: unknown, encoding?: unknown): boolean => {
    if (isCut) return false
    isCut = true
    const bytes = bytesOf(part, encoding)
    if (bytes.length < 2) response.destroy()
    else write(bytes.subarray(0, bytes.length >> 1), () => response.destroy())
    return false
  }
  Object.assign(response, { write: cut, end: cut })
}

function bytesOf(part: unknown, encoding: unknown): Uint8Array {
  if (part instanceof Uint8Array) return part
  return typeof part === 'string' ? Buffer.from(part, encoding as BufferEncoding) : new Uint8Array()
}
