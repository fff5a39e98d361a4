// The items of a list that differ, each at its place: of an order with many lines a person sees the one that changes.
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonValue } from '../../base/strict-json.ts'
import { changedMembers, type MemberChange } from '../../changes/past/member-changes.ts'

export function itemChanges(change: MemberChange): readonly MemberChange[] {
  const { path, before, after } = change
  if (!Array.isArray(before) || !Array.isArray(after)) return [change]
  const { start, oldEnd, newEnd } = differingPart(before, after)
  const places = Array.from({ length: Math.max(oldEnd, newEnd) - start }, (_none, at) => start + at)
  return places.flatMap((at) =>
    itemChange(`${path}/${at}`, at < oldEnd ? before[at] : undefined, at < newEnd ? after[at] : undefined),
  )
}

/** Without the items that both lists have at their start and at their end. */
function differingPart(before: readonly JsonValue[], after: readonly JsonValue[]) {
  const isSame = (at: number, other: number) => isDeepStrictEqual(before[at], after[other])
  let [start, oldEnd, newEnd] = [0, before.length, after.length]
  while (start < Math.min(oldEnd, newEnd) && isSame(start, start)) start += 1
  while (oldEnd > start && newEnd > start && isSame(oldEnd - 1, newEnd - 1)) {
    oldEnd -= 1
    newEnd -= 1
  }
  return { start, oldEnd, newEnd }
}

function itemChange(path: string, old: JsonValue | undefined, now: JsonValue | undefined): readonly MemberChange[] {
  if (isDeepStrictEqual(old, now)) return []
  if (isObject(old) && isObject(now)) {
    const members = changedMembers(JSON.stringify(old), JSON.stringify(now))
    return members.map((member) => ({ ...member, path: path + member.path }))
  }
  return [{ path, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }]
}
