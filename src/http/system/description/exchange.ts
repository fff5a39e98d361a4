/** A request and what the service really answered to it, kept as an example. */
export interface Exchange {
  /** Method and path as the description has them, such as `GET /v1/attribute-values/{attributeId}`. */
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
    /** Those that the description names. */
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
}

/** Of this operation are exchanges that could be of any: the same is answered everywhere. */
export const ANY_OPERATION = '*'
