// Why a request was refused, for log and administrators. It repeats nothing of the request but names of fields.
import { CODES } from './codes.ts'
import type { FieldPath, Finding } from './findings.ts'
import type { Problem } from './problem.ts'

const MOST_FINDINGS = 5
/** As the names of fields are written; a caller may have sent anything. */
const FIELD_NAME = /^[A-Za-z]\w{0,63}$/

export function reasonOf({ reason, status, code, message }: Problem): string {
  if (reason !== undefined) return reason
  // These say what is scarce.
  if (status === 429 || status === 503) return message
  return CODES.find((one) => one.code === code)?.meaning ?? 'a rule of the interface is not met'
}

/** The codes and fields of findings: `3010 customerGroupId, 1010 contactPoints/0/address`. */
export function reasonOfFindings(findings: readonly Finding[]): string {
  const first = findings.slice(0, MOST_FINDINGS).map(({ code, path }) => `${code} ${fieldIn(path)}`)
  const more = findings.length - first.length
  return [...first, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function fieldIn(path: FieldPath): string {
  return path.map((segment) => (typeof segment === 'number' || FIELD_NAME.test(segment) ? segment : '?')).join('/')
}
