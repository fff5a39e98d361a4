// What is measured in requests a second: the same requests for every subject.
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

/** One request, as the service and as the floors are sent it. */
export interface Request {
  readonly service: Sent
  readonly floor: Sent
}

export interface Workload {
  readonly name: string
  /** Whether the floor that promises less is measured too. */
  readonly writes: boolean
  /** 32 unless it says so. */
  readonly connections?: number
  /** The one subject that can do it. */
  readonly only?: string
  /** Of every answer; any of success unless it says so. */
  readonly status?: number
  /** Done with each subject before it is measured; tells why it cannot be. */
  prepare?(subject: Subject, token: string): Promise<string | undefined>
  next(): Request
}

const DIFFERENT_REQUESTS = 500
const SEED = 42

/**
 * Requests made once and sent in turn, so that making them costs nothing while it is measured. The service keeps answers
 * by the languages asked for, among others: another header with each request has every answer found anew, as by clients
 * who ask for what has changed meanwhile. Its plans of these questions are kept, as the statements of the floors are.
 */
export function reading(question: Question, scale: Scale): Workload {
  return inTurn(question.name, question, scale, (sent, no) => ({
    ...sent,
    headers: { 'accept-language': `en, x-${no}` },
  }))
}

/** The same with a text of the question that was never seen: a number in it, which means nothing. */
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

/** A write with the same path and body for everybody; `make` gets a number that is never given twice. */
export function writing(name: string, make: (no: number) => Sent): Workload {
  let no = 0
  const next = () => {
    const sent = make(no++)
    return { service: sent, floor: sent }
  }
  return { name, writes: true, next }
}

/** A part of names that no earlier run has used. */
export const RUN = randomUUID().slice(0, 8).toUpperCase()
