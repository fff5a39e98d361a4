// The errors of the contract, each with its status, code and message. Errors of a single resource stand in its folder
// and are made from these. guides/reference/errors.md is printed from codes.ts.
import { copyOf } from '../base/strict-json.ts'
import type { Code, Finding, Findings } from './findings.ts'
import { Problem, type ProblemOptions } from './problem.ts'
import { reasonOfFindings } from './reason.ts'
import { type Translate, untranslated } from './sentences.ts'

/** An error in the plain format, `{code, message}`. */
export function coded(status: number, code: Code, message: string, options?: ProblemOptions): Problem {
  return new Problem(status, code, { code, message }, message, options)
}

/** 401, the same whatever was wrong with the token or the secret. */
export function invalidToken(challenge: string, reason: string): Problem {
  const message = 'Invalid JWT.'
  return new Problem(401, undefined, { statusCode: 401, message }, message, {
    headers: { 'www-authenticate': challenge },
    reason,
  })
}

/** 403: no permission, or a company that the caller may not use: the same answer as for one that does not exist. */
export function notAuthorised(reason: string, message = 'User is not authorised.', options?: ProblemOptions): Problem {
  return coded(403, 2030, message, { ...options, isAccessDenied: true, reason })
}

/** 403 for a token without the scope that is needed (RFC 6750, 3.1). `metadata`: where the resource is described. */
export function insufficientScope(scope: string, metadata: string): Problem {
  const challenge = `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${metadata}"`
  return coded(403, 2030, `The token needs the scope ${scope}.`, { headers: { 'www-authenticate': challenge } })
}

/** 422 on PATCH, instead of 403, if the company is not one of the caller's. */
export function unknownCompany(): Problem {
  const reason = 'the caller has no role in the company'
  return coded(422, 1010, 'Unknown companyId.', { isAccessDenied: true, reason })
}

/** 404 for a path, with the path that was probably meant in `Link` if one is close. */
export function noResource(path: string, nearest?: string): Problem {
  const headers = nearest === undefined ? undefined : { link: `<${nearest}>; rel="alternate"` }
  return coded(404, 1030, `No resource matches the URI '${path}'.`, { headers })
}

export function methodNotAllowed(method: string, path: string, allowed: readonly string[]): Problem {
  const allow = allowed.join(', ')
  return coded(405, 1030, `The method ${method} is not supported by '${path}'. Allowed: ${allow}.`, {
    headers: { allow },
  })
}

/** 404 for a record; the message names each part of its key. */
export function entityNotFound(key: Readonly<Record<string, string | number>>): Problem {
  return coded(404, 1040, entityNotFoundMessage(key))
}

export function entityNotFoundMessage(key: Readonly<Record<string, string | number>>): string {
  const parts = Object.entries(key).map(([name, value]) => `${name}: ${value}`)
  return `The entity of the following parameters [${parts.join(', ')}] was not found.`
}

/** 400: the request is malformed. `message` names the position or the field. */
export function malformed(message: string): Problem {
  return coded(400, 1010, message)
}

/**
 * 400: an invalid query option or combination of options. The log has the message without what the caller has sent,
 * which stands in quotes.
 */
export function invalidOption(
  message: string,
  reason = message.replace(/'.*'/s, "'...'"),
  parts?: ProblemOptions['parts'],
): Problem {
  return coded(400, 1020, message, { reason, parts })
}

export function tooLarge(limitBytes: number): Problem {
  return coded(413, 1010, `The request body is larger than the limit of ${limitBytes} bytes.`)
}

export function unsupportedMediaType(message: string, headers?: ProblemOptions['headers']): Problem {
  return coded(415, 1010, message, { headers })
}

/** 409: somebody else changed, deleted or made the record. */
export function conflict(message: string, options?: ProblemOptions): Problem {
  return coded(409, 3090, message, options)
}

/** 503: the service cannot answer now. `retryAfterSeconds`: how long the client should wait. */
export function unavailable(message: string, retryAfterSeconds = 2, cause?: unknown, reason?: string): Problem {
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return coded(503, 1020, message, { headers, cause, ...(reason === undefined ? {} : { reason }) })
}

/** 429: the client is over a rate limit. */
export function tooMany(message: string, retryAfterSeconds: number, headers: Record<string, string> = {}): Problem {
  return coded(429, 1020, message, { headers: { 'retry-after': String(retryAfterSeconds), ...headers } })
}

/** 500: a bug. The response contains only the request id, by which the log entry can be found. */
export function internalError(requestId: string): Problem {
  const message = 'Internal server error'
  return new Problem(500, 1000, { code: 1000, message, requestId }, message)
}

/**
 * Rejects a record with all findings. If all of them are unreadable values, the answer is 400 in the plain format, with
 * the code of the first. Otherwise it returns the record as it was sent, with `notificationMessages` in each object
 * that failed; the status is 422 if any finding has it.
 */
export function invalidRecord(sent: object, findings: Findings, options?: ProblemOptions): Problem {
  const all = findings.all
  const withReason = { reason: reasonOfFindings(all), parts: all, ...options }
  const summary = all.map((finding) => finding.message).join(' ')
  const code = all[0]?.code ?? 1010
  if (all.every((finding) => finding.unreadable)) return coded(400, code, summary, withReason)
  const status = all.some((finding) => finding.status === 422) ? 422 : 400
  const bodyIn = (translate: Translate) => withMessages(sent, all, translate)
  return new Problem(status, code, withMessages(sent, all), summary, { ...withReason, bodyIn })
}

type Node = { [member: string]: unknown; notificationMessages?: Record<string, { code: Code; message: string }[]> }

function withMessages(sent: object, all: readonly Finding[], translate = untranslated): object {
  const copy = copyOf(sent) as Node
  copy.notificationMessages = {}
  for (const finding of all) {
    // An item that is no object has no place for messages: they stand at its list.
    const path = finding.path.slice(0, finding.path.findLastIndex((part) => typeof part === 'string') + 1)
    const container = containerOf(copy, path)
    const field = String(path.at(-1))
    container.notificationMessages ??= {}
    const messages = container.notificationMessages
    const known = Object.hasOwn(messages, field) ? messages[field] : undefined
    const message = translate(finding.message)
    messages[field] = [...(known ?? []), { code: finding.code, message }]
  }
  return copy
}

/** The innermost existing object on the path to the field: a finding about an absent object goes to its parent. */
function containerOf(root: Node, path: readonly (string | number)[]): Node {
  let container = root
  let current: unknown = root
  for (const segment of path.slice(0, -1)) {
    current = (current as Record<string | number, unknown>)[segment]
    if (typeof current !== 'object' || current === null) return container
    if (!Array.isArray(current)) container = current as Node
  }
  return container
}

/** `resetMs`: until there is as much again as is asked for, when nothing is used meanwhile. */
export function limitHeaders(most: number, left: number, resetMs: number): Record<string, string> {
  return {
    'ratelimit-limit': String(most),
    'ratelimit-remaining': String(left),
    'ratelimit-reset': String(secondsOf(resetMs)),
  }
}

/** At least one: who comes back at once finds nothing new. */
export function secondsOf(ms: number): number {
  return Math.max(Math.ceil(ms / 1000), 1)
}
