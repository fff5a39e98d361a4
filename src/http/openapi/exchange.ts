/** A recorded request and the real response to it, used as an example. */
export interface Exchange {
  /** Method and path template, for example `GET /v1/attribute-values/{attributeId}`. */
  readonly operation: string
  readonly name: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly answer: {
    readonly status: number
    /** Only those that the description lists. */
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
}

/** The operation of exchanges that are the same for every operation. */
export const ANY_OPERATION = '*'
