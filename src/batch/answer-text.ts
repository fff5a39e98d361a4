// The answers of a batch as text. Bodies in JSON are taken as they are.
import type { InnerAnswer } from '../http/inner/inner-answer.ts'
import type { SentOperation } from './batch-body.ts'

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i
const TEXT_TYPE = /^text\//i

export function batchText(operations: readonly SentOperation[], answers: readonly InnerAnswer[]): string {
  const responses = operations.map((operation, at) => responseText(operation, answers[at] as InnerAnswer))
  return `{"responses":[${responses.join(',')}]}`
}

function responseText({ id, group }: SentOperation, { status, headers, body }: InnerAnswer): string {
  const start = JSON.stringify(
    group === undefined ? { id, status, headers } : { id, atomicityGroup: group, status, headers },
  )
  return body.length === 0 ? start : `${start.slice(0, -1)},"body":${bodyText(body, headers['content-type'] ?? '')}}`
}

/** JSON as it is, text as a string, and anything else in base64url (OData JSON Format 4.01, 19.1). */
function bodyText(body: string | Uint8Array, type: string): string {
  const bytes = typeof body === 'string' ? undefined : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const text = () => bytes?.toString('utf8') ?? String(body)
  if (JSON_TYPE.test(type)) return text()
  if (TEXT_TYPE.test(type)) return JSON.stringify(text())
  return JSON.stringify((bytes ?? Buffer.from(String(body))).toString('base64url'))
}
