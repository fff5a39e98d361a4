// Options of every write: the idempotency key, which makes a retry safe, and `validateOnly`, which stores nothing.
import { createHash } from 'node:crypto'
import { asBoolean } from '../../base/numbers/scalars.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { type QueryPairs, shortened } from '../../base/text.ts'
import { invalidOption, malformed } from '../../errors/catalogue.ts'
import type { GivenContent } from '../../files/file-store.ts'

/** Visible ASCII. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/** The `Idempotency-Key`. Throws 400 if it is malformed. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && IDEMPOTENCY_KEY.test(header)) return header
  throw malformed('The Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

/** Whether the write is validation-only. Throws 400 if `validateOnly` is not a boolean or is given twice. */
export function validateOnlyIn(query: QueryPairs): boolean {
  const values = query.filter(([name]) => /^\$?validateonly$/i.test(name))
  if (values.length > 1) throw invalidOption("The query option 'validateOnly' is given more than once.")
  const text = values[0]?.[1].trim() ?? ''
  if (text === '') return false
  const flag = asBoolean(text)
  if (flag === undefined) throw malformed(`The value '${shortened(text, 40)}' is not valid for validateOnly.`)
  return flag
}

/** A hash of the request: method, URL, body and content. */
export function fingerprintOf(method: string, url: string, body: JsonValue | undefined, content: GivenContent): string {
  const parts = [method, url, body ?? null, typeof content === 'string' ? content : content.hash]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
