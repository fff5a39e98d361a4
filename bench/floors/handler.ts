// Responses of a floor, independent of its server.
import type { Readable } from 'node:stream'
import { askedNames, floorPath } from '../questions/all.ts'
import type { Question } from '../questions/question.ts'

export interface Answer {
  readonly status: number
  readonly type?: string
  /** A response has a body or a count. */
  readonly text?: string
  readonly stream?: Readable
  /** The number of records, instead of the records. */
  readonly count?: number
}

export interface Body {
  readonly type: string
  readonly bytes: Buffer
}

export interface Handler {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH'
  /** The two fixed segments, without the parameters that may follow. */
  readonly path: string
  /** The number of parameters. */
  readonly segments: number
  answer(segments: readonly string[], body: Body): Answer | Promise<Answer>
}

export const COUNT_HEADER = 'x-erp-total-count'

/** The headers of a response. */
export function headersOf({ type = 'application/json; charset=utf-8', count }: Answer): Record<string, string> {
  return { 'content-type': type, ...(count === undefined ? {} : { [COUNT_HEADER]: String(count) }) }
}

export function readHandler(question: Question, answer: Handler['answer']): Handler {
  const method = question.answer === 'count' ? 'HEAD' : 'GET'
  return { method, path: floorPath(question), segments: askedNames(question).length, answer }
}

/** Makes a response of the single value that a statement returns. It is undefined if the record does not exist. */
export function answerOf({ answer }: Question, value: unknown): Answer {
  if (answer === 'count') return { status: 200, text: '', count: Number(value) }
  return value === undefined ? { status: 404, text: '{}' } : { status: 200, text: value as string }
}
