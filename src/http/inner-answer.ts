// The complete answer to a request within another one.
import { coded, internalError } from '../errors/catalogue.ts'
import { Problem } from '../errors/problem.ts'
import { translatedProblem } from './pipeline/reader.ts'
import { JSON_TYPE, type Reply } from './route/send.ts'

export interface InnerAnswer {
  readonly status: number
  /** By their names in lower case; those of the connection and of browsers are left out. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty if there is none. */
  readonly body: string | Uint8Array
  /** Set when the request is refused or has failed. */
  readonly problem?: Problem
  /** What was thrown then. */
  readonly error?: unknown
  readonly reason?: string | undefined
}

export function refusalOf(
  error: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
  language?: string,
): InnerAnswer {
  const problem = error instanceof Problem ? error : internalError(requestId)
  return {
    status: problem.status,
    headers: { 'x-request-id': requestId, ...headers, 'content-type': JSON_TYPE, ...problem.headers },
    body: JSON.stringify(translatedProblem(problem, language).body),
    problem,
    error,
  }
}

/** The answer to a write that was done and taken back. Nothing was created, so it has no location and no entity tag. */
export function previewOf(answer: InnerAnswer): InnerAnswer {
  const { etag: _etag, location: _location, ...headers } = answer.headers
  return { ...answer, status: 200, headers }
}

/** The whole body. Throws 400 if it is longer than `maxBytes`, unless it must be told. */
export async function wholeBody(
  body: Reply['body'],
  maxBytes: number,
  mayRefuse: boolean,
): Promise<InnerAnswer['body']> {
  if (body === undefined) return ''
  if (typeof body === 'string' || body instanceof Uint8Array) {
    if (mayRefuse && body.length > maxBytes) throw tooMuch()
    return body
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooMuch()
    // The generator may reuse its memory.
    chunks.push(Uint8Array.from(chunk))
  }
  return Buffer.concat(chunks)
}

function tooMuch(): Problem {
  return coded(400, 1020, 'The answers are too large together: ask for less, or for this in a request of its own.')
}
