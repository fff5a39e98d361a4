// What a proposed change makes of a record, for the person who decides.
import { parseExact } from '../../base/numbers/long-number.ts'
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { changedMembers } from '../../changes/past/member-changes.ts'
import { shownValue } from '../answers/shown-values.ts'

/** Changes with every write. */
const STAMP = '/lastUpdated'

/** The members that differ; of a new record all it has, of one that goes all it had. */
export function differenceOf(before: string, after: string): JsonObject[] {
  const told = before !== '' && after !== '' ? changedMembers(before, after) : wholeOf(before, after)
  const meant = told.filter(({ path }) => path !== STAMP && !path.startsWith(`${STAMP}/`))
  return meant.map((change) => shownValue(change as unknown as JsonValue) as JsonObject)
}

function wholeOf(before: string, after: string): { path: string; before?: JsonValue; after?: JsonValue }[] {
  const side = before === '' ? 'after' : 'before'
  const record = parseExact(before || after || '{}') as JsonObject
  return Object.entries(record).map(([name, value]) => ({ path: `/${name}`, [side]: value }))
}
