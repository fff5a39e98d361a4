// As many rows as an answer may hold: what agents read has a price, and models lose their way in long answers.
import type { JsonValue } from '../../base/strict-json.ts'

export const MAX_ROWS = 100
const MAX_BYTES = 32 * 1024

/** The first rows that fit together; none if the first alone is too long. */
export function withinBytes(rows: readonly JsonValue[], maxBytes = MAX_BYTES): JsonValue[] {
  let bytes = 0
  const end = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    return bytes > maxBytes
  })
  return rows.slice(0, end < 0 ? rows.length : end)
}
