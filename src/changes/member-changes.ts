// Which members of a record differ between two of its states.
import { isDeepStrictEqual } from 'node:util'
import { parseExact } from '../base/numbers/long-number.ts'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'

/** A member with its values before and after; absent where the record did not have the member. */
export interface MemberChange {
  /** A JSON pointer (RFC 6901). A list counts as one value. */
  readonly path: string
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** The members that differ between two records in JSON, groups member by member, in the order of the records. */
export function changedMembers(before: string, after: string): MemberChange[] {
  if (before === after) return []
  return [...changesIn(parseExact(before) as JsonObject, parseExact(after) as JsonObject, '')]
}

function* changesIn(before: JsonObject, after: JsonObject, above: string): Generator<MemberChange> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const path = `${above}/${escaped(name)}`
    const [old, now] = [before[name], after[name]]
    if (isObject(old) && isObject(now)) yield* changesIn(old, now, path)
    else if (!isDeepStrictEqual(old, now)) {
      yield { path, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }
    }
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
