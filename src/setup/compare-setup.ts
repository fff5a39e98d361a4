import type { SetupItem } from './setup-items.ts'

/** What applying a setup does to one item. `kept`: stored, not in the file, and left as it is. */
export interface Change {
  readonly kind: 'created' | 'changed' | 'unchanged' | 'kept'
  readonly item: SetupItem
  /** The item as it was stored. */
  readonly before?: SetupItem | undefined
  /** Members whose values differ. */
  readonly members: readonly string[]
}

/** Compares what is stored with what a file wants. A setup adds and changes; it removes nothing. */
export function compareSetup(stored: readonly SetupItem[], wanted: readonly SetupItem[]): Change[] {
  const before = new Map(stored.map((item) => [keyOf(item), item]))
  const changes = wanted.map((item) => changeOf(item, before.get(keyOf(item))))
  const named = new Set(wanted.map(keyOf))
  const companies = new Set(wanted.map((item) => item.companyId))
  const kept = stored
    .filter((item) => !named.has(keyOf(item)) && companies.has(item.companyId))
    .map((item): Change => ({ kind: 'kept', item, members: [] }))
  return [...changes, ...kept]
}

function changeOf(item: SetupItem, before: SetupItem | undefined): Change {
  if (!before) return { kind: 'created', item, members: [] }
  const members = differingMembers(before.definition, item.definition)
  return { kind: members.length > 0 ? 'changed' : 'unchanged', item, before, members }
}

function keyOf({ companyId, kind, id }: SetupItem): string {
  return JSON.stringify([companyId, kind, id])
}

/** Names of members that differ, whatever the order in which they stand. */
function differingMembers(before: object, after: object): string[] {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const names = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...names].filter((name) => canonical(old[name]) !== canonical(now[name]))
}

/** Equal texts for equal values: members in the order of their names. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_name, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
        : inner,
    ) ?? ''
  )
}
