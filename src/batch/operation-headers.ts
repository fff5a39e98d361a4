// The headers of an operation.
import { isObject, type JsonValue } from '../base/strict-json.ts'
import { shortened } from '../base/text.ts'
import type { Mistakes } from './mistakes.ts'

/** Those of the connection, of the caller, and those that OData does not allow. */
const NOT_OF_AN_OPERATION: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'connection',
  'content-encoding',
  'transfer-encoding',
  'expect',
  'from',
  'max-forwards',
  'range',
  'te',
])
const MAX_HEADERS = 50
const NAME = /^[!#$%&'*+.^`|~\w-]{1,128}$/
/** What may stand in a header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/

/** The headers by their names in lower case. */
export function headersOf(json: JsonValue | undefined, at: string, mistakes: Mistakes): Record<string, string> {
  const headers: Record<string, string> = {}
  if (json === undefined || json === null) return headers
  const given = isObject(json) ? Object.entries(json) : undefined
  if (!given || given.length > MAX_HEADERS) {
    mistakes.add(at, `expected an object with at most ${MAX_HEADERS} headers`)
    return headers
  }
  for (const [name, value] of given) {
    const lower = name.toLowerCase()
    const reason = defectOf(lower, value, headers)
    if (reason === undefined) headers[lower] = String(value).trim()
    else mistakes.add(`${at}.${shortened(name, 40)}`, reason)
  }
  return headers
}

function defectOf(name: string, value: JsonValue, others: Readonly<Record<string, string>>): string | undefined {
  if (!NAME.test(name)) return 'expected the name of a header'
  if (NOT_OF_AN_OPERATION.has(name)) return 'an operation cannot have this header'
  if (Object.hasOwn(others, name)) return 'the header is given twice'
  if (typeof value !== 'string' || !VALUE.test(value)) return 'expected a text of at most 8192 characters'
  return undefined
}
