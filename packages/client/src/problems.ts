// What can go wrong with a request, as classes: what the service says of it, in members.
import { type Finding, findingsIn } from './findings.ts'
import { retryAfterMs } from './http/retry.ts'

/** What an answer that refuses a request holds. */
interface Refusal {
  readonly status: number
  readonly headers: Headers
  /** As it was sent. */
  readonly text: string
  readonly retryAfterMs: number | undefined
}

/** A request that the service has refused, or that has not reached it. */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  /** The status of HTTP; 0 if there is no answer. */
  readonly status: number
  /** The code of the service; of findings that of the first. Undefined for the shapes that have none. */
  readonly code: number | undefined
  /** Under which the service's log has the request. */
  readonly requestId: string | undefined
  readonly headers: Headers
  /** The body as it was sent, and parsed if it is JSON. */
  readonly text: string
  readonly body: unknown

  constructor(message: string, refusal: Partial<Refusal> = {}, options?: ErrorOptions) {
    super(message, options)
    this.status = refusal.status ?? 0
    this.headers = refusal.headers ?? new Headers()
    this.text = refusal.text ?? ''
    this.body = parsed(this.text)
    this.requestId = this.headers.get('x-request-id') ?? undefined
    this.code = codeOf(this.body) ?? findingsIn(this.body)[0]?.code
  }
}

/** 400 and 422: the request is wrong. `findings` are those of fields; a request that cannot be read has none. */
export class ValidationProblem extends Problem {
  override readonly name: string = 'ValidationProblem'
  readonly findings: readonly Finding[]

  constructor(message: string, refusal: Partial<Refusal>) {
    super(message, refusal)
    this.findings = findingsIn(this.body)
  }

  /** The findings by their path, such as `/contactPoints/0/address`. */
  byField(): ReadonlyMap<string, readonly Finding[]> {
    const fields = new Map<string, Finding[]>()
    for (const finding of this.findings) fields.set(finding.path, [...(fields.get(finding.path) ?? []), finding])
    return fields
  }
}

/** Who has changed a record since the caller has read it. */
export interface ForeignChange {
  readonly userId: string
  /** Members of the record; empty if the service does not say. */
  readonly members: readonly string[]
  /** ISO 8601, UTC. */
  readonly at: string
}

/** 409 and 412: the record exists, or somebody has changed it since it was read. */
export class ConflictProblem extends Problem {
  override readonly name: string = 'ConflictProblem'
  /** Empty where the record exists already, and where roles hide members from the caller. */
  readonly changes: readonly ForeignChange[]

  constructor(message: string, refusal: Partial<Refusal>) {
    super(message, refusal)
    this.changes = foreignChangesIn(message)
  }
}

/** 404: no such record, or none that the caller may see. */
export class NotFoundProblem extends Problem {
  override readonly name: string = 'NotFoundProblem'
}

/** 401: the client is not known, or its token is not valid. */
export class NotAuthenticatedProblem extends Problem {
  override readonly name: string = 'NotAuthenticatedProblem'
}

/** 403: the client may not do this, or not in this company. */
export class NotAuthorisedProblem extends Problem {
  override readonly name: string = 'NotAuthorisedProblem'
}

/** 410: what is asked for is no longer kept. */
export class GoneProblem extends Problem {
  override readonly name: string = 'GoneProblem'
  /** The addresses of the collections to load again (`Link` with `rel="resync"`), as the service names them. */
  readonly resync: readonly string[]

  constructor(message: string, refusal: Partial<Refusal>) {
    super(message, refusal)
    this.resync = [...(this.headers.get('link') ?? '').matchAll(/<([^>]*)>;\s*rel="resync"/g)].map(
      ([, link = '']) => link,
    )
  }
}

/** 429: the client is over a limit. */
export class RateLimitProblem extends Problem {
  override readonly name: string = 'RateLimitProblem'
  /** Seconds until the service expects the next request; undefined if it does not say. */
  readonly retryAfter: number | undefined

  constructor(message: string, refusal: Partial<Refusal>) {
    super(message, refusal)
    this.retryAfter = secondsOf(refusal)
  }
}

/** 502, 503, 504: the service cannot answer now. */
export class UnavailableProblem extends Problem {
  override readonly name: string = 'UnavailableProblem'
  /** As of `RateLimitProblem`. */
  readonly retryAfter: number | undefined

  constructor(message: string, refusal: Partial<Refusal>) {
    super(message, refusal)
    this.retryAfter = secondsOf(refusal)
  }
}

/** No complete answer: the connection failed, or the time was over. A write may have been done or not. */
export class NetworkProblem extends Problem {
  override readonly name: string = 'NetworkProblem'
  readonly isTimeout: boolean

  constructor(
    message: string,
    { isTimeout = false, ...options }: ErrorOptions & { readonly isTimeout?: boolean } = {},
  ) {
    super(message, {}, options)
    this.isTimeout = isTimeout
  }
}

type ProblemClass = new (message: string, refusal: Partial<Refusal>) => Problem
const CLASSES: Readonly<Record<number, ProblemClass>> = {
  400: ValidationProblem,
  401: NotAuthenticatedProblem,
  403: NotAuthorisedProblem,
  404: NotFoundProblem,
  409: ConflictProblem,
  410: GoneProblem,
  412: ConflictProblem,
  422: ValidationProblem,
  429: RateLimitProblem,
  502: UnavailableProblem,
  503: UnavailableProblem,
  504: UnavailableProblem,
}

/** The problem that an answer tells. Reads its body; one that breaks off is told as far as it came. */
export async function problemOf(answer: Response, now: number): Promise<Problem> {
  const text = await answer.text().catch(() => '')
  const { status, headers } = answer
  const Class = CLASSES[status] ?? Problem
  const asked = retryAfterMs(headers.get('retry-after'), now)
  return new Class(messageOf(status, parsed(text)), { status, headers, text, retryAfterMs: asked })
}

function messageOf(status: number, body: unknown): string {
  const { message } = Object(body) as { readonly message?: unknown }
  if (typeof message === 'string' && message !== '') return message
  const findings = findingsIn(body)
  if (findings.length === 0) return `The service has answered ${status}.`
  return findings.map((finding) => `${finding.path}: ${finding.message}`).join(' ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function codeOf(body: unknown): number | undefined {
  const { code } = Object(body) as { readonly code?: unknown }
  return typeof code === 'number' ? code : undefined
}

/** `svc-a changed name, address at 2026-11-23T08:00:00.000; svc-b changed it at ....` behind the first colon. */
function foreignChangesIn(message: string): readonly ForeignChange[] {
  const [, list = ''] = /another user: (.*?)\.?$/s.exec(message) ?? []
  return list.split('; ').flatMap((text) => {
    const [, userId, members, at] = /^(.*) changed (.*) at (\S+)$/s.exec(text) ?? []
    if (userId === undefined || members === undefined || at === undefined) return []
    return [{ userId, members: members === 'it' ? [] : members.split(', '), at }]
  })
}

function secondsOf(refusal: Partial<Refusal>): number | undefined {
  return refusal.retryAfterMs === undefined ? undefined : Math.ceil(refusal.retryAfterMs / 1_000)
}
