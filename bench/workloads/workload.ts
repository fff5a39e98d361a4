// A workload: the same requests for every subject, measured in requests per second.
import { randomUUID } from 'node:crypto'
import { floorUrl } from '../questions/all.ts'
import type { Question } from '../questions/question.ts'
import { Random } from '../records/random.ts'
import type { Scale } from '../records/scale.ts'
import type { Subject } from '../subject.ts'

export interface Sent {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** One request, in the form for the service and for the floors. */
export interface Request {
  readonly service: Sent
  readonly floor: Sent
}

export interface Workload {
  readonly name: string
  /** Whether the floor with synchronous=NORMAL is measured too. */
  readonly writes: boolean
  /** The number of connections; 32 by default. */
  readonly connections?: number
  /** The only subject that supports this workload. */
  readonly only?: string
  /** The expected status of every response; by default any success. */
  readonly status?: number
  /** Prepares a subject before the measurement; returns the reason if it cannot be measured. */
  prepare?(subject: Subject, token: string): Promise<string | undefined>
  next(): Request
}

const DIFFERENT_REQUESTS = 500
const SEED = 42

/**
 * Requests are made once and sent in turn, so that the measurement does not include making them. Each has another
 * Accept-Language, which is part of the key of the response cache, so no response comes from the cache. The service
 * still caches its query plans, as the floors cache their statements.
 */
export function reading(question: Question, scale: Scale): Workload {
  return inTurn(question.name, question, scale, (sent, no) => ({
    ...sent,
    headers: { 'accept-language': `en, x-${no}` },
  }))
}

/** As above, but each query has a new text, by a number without meaning. */
export function neverAsked(question: Question, scale: Scale): Workload {
  return inTurn(`never asked before: ${question.name}`, question, scale, (sent, no) => {
    const { path } = sent
    return { ...sent, path: `${path}${path.includes('?') ? '&' : '?'}request=${no}` }
  })
}

function inTurn(name: string, question: Question, scale: Scale, vary: (sent: Sent, no: number) => Sent): Workload {
  const random = new Random(SEED)
  const requests = Array.from({ length: DIFFERENT_REQUESTS }, () => requestOf(question, random, scale))
  let no = 0
  const next = () => {
    const { service, floor } = requests[no++ % DIFFERENT_REQUESTS] as Request
    return { service: vary(service, no), floor }
  }
  const { connections } = question
  return { name, writes: false, ...(connections === undefined ? {} : { connections }), next }
}

export function requestOf(question: Question, random: Random, scale: Scale): Request {
  const asked = question.ask(random, scale)
  const method = question.answer === 'count' ? 'HEAD' : 'GET'
  return {
    service: { method, path: question.service(asked) },
    floor: { method, path: floorUrl(question, asked) },
  }
}

/** A write with the same path and body for all subjects; `make` gets a unique number. */
export function writing(name: string, make: (no: number) => Sent): Workload {
  let no = 0
  const next = () => {
    const sent = make(no++)
    return { service: sent, floor: sent }
  }
  return { name, writes: true, next }
}

/** A part of names that is unique to this run. */
export const RUN = randomUUID().slice(0, 8).toUpperCase()
