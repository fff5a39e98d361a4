// Contents of records as agents get them: characters that hide or reorder text are written as escapes, so that what a
// person sees is what the model reads.

import { LongNumber } from '../../base/long-number.ts'
import type { JsonValue } from '../../base/strict-json.ts'

/**
 * Control characters but line breaks and tabs, marks of direction, characters without width, and Unicode tags, which
 * can spell a whole text that nobody sees.
 */
const HIDING =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu

export function shownText(text: string): string {
  return text.replaceAll(HIDING, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The value with shown texts; a number that JavaScript would round is a text. */
export function shownValue(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') return shownText(value)
  if (value instanceof LongNumber) return value.text
  if (Array.isArray(value)) return value.map(shownValue)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [shownText(name), shownValue(one)]))
}

/** As many rows as an answer may hold: what agents read has a price, and models lose their way in long answers. */
export const MAX_ROWS = 100
const MAX_BYTES = 32 * 1024

/** The first rows that fit together; none if the first alone is too long. */
export function withinBytes(rows: readonly JsonValue[]): JsonValue[] {
  let bytes = 0
  const end = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    return bytes > MAX_BYTES
  })
  return rows.slice(0, end < 0 ? rows.length : end)
}
