// Every refusal the service can utter, with its status, code and words; docs/errors.md is printed from `entries` below.
// What only one resource says stands in that resource's own file, made from these.
import { copyOf } from '../base/copy-of.ts'
import { type Code, type Finding, Findings } from './findings.ts'
import { Problem, type ProblemOptions } from './problem.ts'

/** The plain shape: `{code, message}`. */
export function coded(status: number, code: Code, message: string, options?: ProblemOptions): Problem {
  return new Problem(status, { code, message }, message, options)
}

/** 401 in the shape that clients of this interface know, whatever was wrong with the token or the secret. */
export function invalidToken(challenge: string): Problem {
  const message = 'Invalid JWT.'
  return new Problem(401, { statusCode: 401, message }, message, { headers: { 'www-authenticate': challenge } })
}

/**
 * 403: no permission, or a company that the caller may not use, which is answered as one that does not exist. Customers
 * have a spelling of their own (specification, authentication 4).
 */
export function notAuthorised(permission = ''): Problem {
  const message = permission.startsWith('customers:') ? 'User is not authorized' : 'User is not authorised.'
  return coded(403, 2030, message, { refusesAccess: true })
}

/** 422 on PATCH instead of 403 when the company is not one of the caller's. */
export function unknownCompany(): Problem {
  return coded(422, 1010, 'Unknown companyId.', { refusesAccess: true })
}

/** 404; with the address that was probably meant, when one is near. */
export function noResource(path: string, nearest?: string): Problem {
  const hint = nearest === undefined ? '' : ` Did you mean '${nearest}'?`
  return coded(404, 1030, `No resource matches the URI '${path}'.${hint}`)
}

export function methodNotAllowed(method: string, path: string, allowed: readonly string[]): Problem {
  const allow = allowed.join(', ')
  return coded(405, 1030, `The method ${method} is not supported by '${path}'. Allowed: ${allow}.`, {
    headers: { allow },
  })
}

/** 404 for a record: names each part of the key that was asked for. */
export function entityNotFound(key: Readonly<Record<string, string | number>>): Problem {
  return coded(404, 1040, entityNotFoundMessage(key))
}

export function entityNotFoundMessage(key: Readonly<Record<string, string | number>>): string {
  const parts = Object.entries(key).map(([name, value]) => `${name}: ${value}`)
  return `The entity of the following parameters [${parts.join(', ')}] was not found.`
}

/** 400: the request could not be read. `message` names the position or the field. */
export function malformed(message: string): Problem {
  return coded(400, 1010, message)
}

/** 400: a query option, or a combination of them, that is not legal. */
export function invalidOption(message: string): Problem {
  return coded(400, 1020, message)
}

export function tooLarge(limitBytes: number): Problem {
  return coded(413, 1010, `The request body is larger than the limit of ${limitBytes} bytes.`)
}

export function unsupportedMediaType(message: string): Problem {
  return coded(415, 1010, message)
}

/** 409: somebody else changed, deleted or made the record. */
export function conflict(message: string): Problem {
  return coded(409, 3090, message)
}

/** 503: the service cannot answer now; `retryAfterSeconds` is what a client should wait. */
export function unavailable(message: string, retryAfterSeconds = 2, cause?: unknown): Problem {
  return coded(503, 1020, message, { headers: { 'retry-after': String(retryAfterSeconds) }, cause })
}

/** 429: this caller asks for more than it may. */
export function tooMany(message: string, retryAfterSeconds: number, headers: Record<string, string> = {}): Problem {
  return coded(429, 1020, message, { headers: { 'retry-after': String(retryAfterSeconds), ...headers } })
}

/** 500: a bug. Tells the caller nothing but the request id to ask about. */
export function internalError(requestId: string): Problem {
  const message = 'Internal server error'
  return new Problem(500, { code: 1000, message, requestId }, message)
}

/**
 * Refuses a record with everything that is wrong with it. Findings of both statuses are answered 422. When it only
 * could not be read, the plain shape is enough, with the code of the first finding; otherwise the record comes back as it was sent, with
 * `notificationMessages` in each object that failed.
 */
export function invalidRecord(sent: object, findings: Findings): Problem {
  const all = findings.all
  const summary = all.map((finding) => finding.message).join(' ')
  if (all.every((finding) => finding.unreadable)) return coded(400, all[0]?.code ?? 1010, summary)
  const status = all.some((finding) => finding.status === 422) ? 422 : 400
  return new Problem(status, withMessages(sent, all), summary)
}

/** One finding about one field, answered as `invalidRecord` does. */
export function invalidField(
  sent: object,
  field: string,
  code: Code,
  message: string,
  status: 400 | 422 = 422,
): Problem {
  return invalidRecord(sent, new Findings().add(field, code, message, status))
}

type Node = { [member: string]: unknown; notificationMessages?: Record<string, { code: Code; message: string }[]> }

function withMessages(sent: object, all: readonly Finding[]): object {
  const copy = copyOf(sent) as Node
  copy.notificationMessages = {}
  for (const finding of all) {
    const container = containerOf(copy, finding.path)
    const field = String(finding.path.at(-1))
    container.notificationMessages ??= {}
    const messages = container.notificationMessages
    messages[field] = [...(messages[field] ?? []), { code: finding.code, message: finding.message }]
  }
  return copy
}

/** The innermost object of the record that is there on the way to the field: a finding about an absent part stands above it. */
function containerOf(root: Node, path: readonly (string | number)[]): Node {
  let container = root
  let current: unknown = root
  for (const part of path.slice(0, -1)) {
    current = (current as Record<string | number, unknown>)[part]
    if (typeof current !== 'object' || current === null) return container
    if (!Array.isArray(current)) container = current as Node
  }
  return container
}
