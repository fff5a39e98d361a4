// What a floor answers, whichever server stands before it.

export interface Answer {
  readonly status: number
  readonly text: string
  /** In place of a text: the number of records. */
  readonly count?: number
}

export interface Handler {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH'
  /** Without the segments of its own that may follow. */
  readonly path: string
  /** How many segments follow. */
  readonly segments: number
  answer(segments: readonly string[], body: string): Answer | Promise<Answer>
}

export const COUNT_HEADER = 'x-erp-total-count'
export const JSON_TYPE = 'application/json; charset=utf-8'
