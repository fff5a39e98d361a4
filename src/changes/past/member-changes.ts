// Which members of a record differ between two of its states, with their values.
import { parseExact } from '../../base/long-number.ts'
import { isObject, type JsonValue } from '../../base/strict-json.ts'
import { changedPaths } from '../feed/changed-paths.ts'

/** A member with its values before and after; absent where the record did not have the member. */
export interface MemberChange {
  /** A JSON pointer (RFC 6901). A list counts as one value. */
  readonly path: string
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** The members that differ between two records in JSON, groups member by member. */
export function changedMembers(before: string, after: string): MemberChange[] {
  const paths = changedPaths(before, after)
  if (paths.length === 0) return []
  const [old, now] = [parseExact(before) as JsonValue, parseExact(after) as JsonValue]
  return paths.map((path) => ({ path, ...valueAt('before', old, path), ...valueAt('after', now, path) }))
}

function valueAt(side: 'before' | 'after', record: JsonValue, path: string): { [side]?: JsonValue } {
  let value: JsonValue | undefined = record
  for (const part of path.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value === undefined ? {} : { [side]: value }
}
