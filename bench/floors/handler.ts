// What a floor answers, whichever server stands before it.
import type { Readable } from 'node:stream'

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
