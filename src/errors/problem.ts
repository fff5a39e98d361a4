// A refusal on its way to the caller. Only the catalogue (and a resource's own messages) make one;
// only http/reply-error.ts and the command line catch one.

/** A mistake of the caller or a state of the world that the contract has words for. Everything else thrown is a bug (500). */
export class Problem extends Error {
  readonly status: number
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
  /** Whether the caller asked for what is not theirs: that is kept in the journal. */
  readonly refusesAccess: boolean

  constructor(status: number, body: object, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause })
    this.status = status
    this.body = body
    this.headers = options.headers ?? {}
    this.refusesAccess = options.refusesAccess ?? false
  }
}

export interface ProblemOptions {
  headers?: Record<string, string>
  refusesAccess?: boolean
  cause?: unknown
}
