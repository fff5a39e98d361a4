// What a floor answers, whichever server stands before it.
import type { Readable } from 'node:stream'
import { askedNames, floorPath } from '../questions/all.ts'
import type { Question } from '../questions/question.ts'

export interface Answer {
  readonly status: number
  readonly type?: string
  /** One of these two. */
  readonly text?: string
  readonly stream?: Readable
  /** In place of records: how many there are. */
  readonly count?: number
}

export interface Body {
  readonly type: string
  readonly bytes: Buffer
}

export interface Handler {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH'
  /** Two segments, without those of its own that may follow. */
  readonly path: string
  /** How many segments follow. */
  readonly segments: number
  answer(segments: readonly string[], body: Body): Answer | Promise<Answer>
}

export const COUNT_HEADER = 'x-erp-total-count'

/** The head of an answer. */
export function headersOf({ type = 'application/json; charset=utf-8', count }: Answer): Record<string, string> {
  return { 'content-type': type, ...(count === undefined ? {} : { [COUNT_HEADER]: String(count) }) }
}

export function readHandler(question: Question, answer: Handler['answer']): Handler {
  const method = question.answer === 'count' ? 'HEAD' : 'GET'
  return { method, path: floorPath(question), segments: askedNames(question).length, answer }
}

/** Of the one value that the statement of a question gives; there is none of a record that is not there. */
export function answerOf({ answer }: Question, value: unknown): Answer {
  if (answer === 'count') return { status: 200, text: '', count: Number(value) }
  return value === undefined ? { status: 404, text: '{}' } : { status: 200, text: value as string }
}
