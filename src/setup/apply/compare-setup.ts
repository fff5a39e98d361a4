import type { ItemKind, SetupItem } from '../items/setup-item.ts'

/** The effect of a setup on one item. `kept` and `removed`: the item is stored, and is not in the file. */
export interface Change {
  readonly kind: 'created' | 'changed' | 'unchanged' | 'kept' | 'removed'
  readonly item: SetupItem
  /** The stored item. */
  readonly before?: SetupItem | undefined
  /** Names of the members whose values differ. */
  readonly members: readonly string[]
}

/** Compares the stored items with those of a file. Of those that it lacks, only these kinds are removed. */
export function compareSetup(
  stored: readonly SetupItem[],
  wanted: readonly SetupItem[],
  prunedKinds: readonly ItemKind[] = [],
): Change[] {
  const before = new Map(stored.map((item) => [itemKey(item), item]))
  const changes = wanted.map((item) => changeOf(item, before.get(itemKey(item))))
  const wantedKeys = new Set(wanted.map(itemKey))
  const companies = new Set(wanted.map((item) => item.companyId))
  const others = stored
    .filter((item) => !wantedKeys.has(itemKey(item)) && companies.has(item.companyId))
    .map((item): Change => ({ kind: prunedKinds.includes(item.kind) ? 'removed' : 'kept', item, members: [] }))
  return [...changes, ...others]
}

function changeOf(item: SetupItem, before: SetupItem | undefined): Change {
  if (!before) return { kind: 'created', item, members: [] }
  const members = differingMembers(before.definition, item.definition)
  return { kind: members.length > 0 ? 'changed' : 'unchanged', item, before, members }
}

/** The same for two forms of one item. */
export function itemKey({ companyId, kind, id }: SetupItem): string {
  return JSON.stringify([companyId, kind, id])
}

/** Names of the members that differ, regardless of their order. */
function differingMembers(before: object, after: object): string[] {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const names = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...names].filter((name) => canonicalJson(old[name]) !== canonicalJson(now[name]))
}

/** Canonical JSON: members are sorted by name, so that equal values give equal texts. */
function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_name, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
        : inner,
    ) ?? ''
  )
}
