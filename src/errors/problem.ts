// An error of the contract on its way to the caller. Code tells problems apart by what they carry, never by their
// message.
import type { Code, Finding } from './findings.ts'
import type { TitleOf, Translate } from './sentences.ts'

/**
 * A mistake of the caller or a state of the infrastructure that the contract names. Everything else thrown is a bug
 * (500).
 */
export class Problem extends Error {
  readonly status: number
  /** The first code of the body; undefined for the two shapes of the contract that have none. */
  readonly code: Code | undefined
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
  /** Whether the caller asked for what is not theirs: such requests are written to the journal. */
  readonly isAccessDenied: boolean
  /** Whether the record that was to be created is stored already. */
  readonly recordExists: boolean
  /** For the log, where the message would repeat what the caller has sent. */
  readonly reason: string | undefined
  readonly titleOf: TitleOf | undefined
  readonly parts: readonly ProblemPart[] | undefined
  readonly bodyIn: ((translate: Translate) => object) | undefined

  constructor(status: number, code: Code | undefined, body: object, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause })
    this.status = status
    this.code = code
    this.body = body
    this.headers = options.headers ?? {}
    this.isAccessDenied = options.isAccessDenied ?? false
    this.recordExists = options.recordExists ?? false
    this.reason = options.reason
    this.titleOf = options.titleOf
    this.parts = options.parts
    this.bodyIn = options.bodyIn
  }

  /** The same problem in other words. */
  translated(translate: Translate): Problem {
    const told = this.parts ? translatedParts(this.message, this.parts, translate) : translate(this.message)
    const body = this.bodyIn?.(translate) ?? ('message' in this.body ? { ...this.body, message: told } : this.body)
    return new Problem(this.status, this.code, body, told, this)
  }
}

/** One of several mistakes, at its field. */
export type ProblemPart = Pick<Finding, 'message'> & Partial<Pick<Finding, 'path' | 'code'>>

export interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly isAccessDenied?: boolean
  readonly recordExists?: boolean
  readonly reason?: string | undefined
  /** What the properties are called that the message names; by default what most records call them. */
  readonly titleOf?: TitleOf | undefined
  /** What the message is put together of. */
  readonly parts?: readonly ProblemPart[] | undefined
  /** The body in other words, where it has more of them than its message. */
  readonly bodyIn?: ((translate: Translate) => object) | undefined
  readonly cause?: unknown
}

/** 503: the write follows rules that a later setup has replaced. */
export class OutdatedRules extends Problem {
  constructor() {
    const message = 'Another setup was applied meanwhile. Nothing was written; try again.'
    super(503, 1020, { code: 1020, message }, message, { headers: { 'retry-after': '1' } })
  }
}

/** What stands between the parts stays. */
function translatedParts(joined: string, parts: NonNullable<ProblemOptions['parts']>, translate: Translate): string {
  let told = ''
  let at = 0
  for (const { message } of parts) {
    const start = joined.indexOf(message, at)
    if (start < 0) continue
    told += joined.slice(at, start) + translate(message)
    at = start + message.length
  }
  return told + joined.slice(at)
}
