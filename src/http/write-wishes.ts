// What a caller may wish of a write beside the write: that a repeat is not done twice, or that nothing is done at all.
import { createHash } from 'node:crypto'
import { asBoolean } from '../base/scalars.ts'
import type { JsonValue } from '../base/strict-json.ts'
import { shortened } from '../base/text.ts'
import { invalidOption, malformed } from '../errors/catalogue.ts'
import type { GivenContent } from './file-body/received.ts'
import type { QueryPairs } from './query-string.ts'

/** Visible ASCII, as clients make keys of. */
const REPEAT_KEY = /^[\x21-\x7e]{1,255}$/

/** The `Idempotency-Key`. Throws 400 for one that is none. */
export function repeatKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && REPEAT_KEY.test(header)) return header
  throw malformed('The Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

/** Whether `validateOnly` asks for a trial. Throws 400 for what is neither true nor false, and for two. */
export function isTrialIn(query: QueryPairs): boolean {
  const given = query.filter(([name]) => /^\$?validateonly$/i.test(name))
  if (given.length > 1) throw invalidOption("The query option 'validateOnly' is given more than once.")
  const text = given[0]?.[1].trim() ?? ''
  if (text === '') return false
  const flag = asBoolean(text)
  if (flag === undefined) throw malformed(`The value '${shortened(text, 40)}' is not valid for validateOnly.`)
  return flag
}

/** Tells one request from another: hash of what it asks for, with everything that was sent. */
export function fingerprintOf(method: string, url: string, body: JsonValue | undefined, content: GivenContent): string {
  const sent = [method, url, body ?? null, typeof content === 'string' ? content : content.hash]
  return createHash('sha256').update(JSON.stringify(sent)).digest('hex')
}
