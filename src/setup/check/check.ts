// Small checks that every part of a setup uses.
import { nearestName } from '../../base/text.ts'
import { isUnknown } from '../repair.ts'
import type { SetupPath, YamlSource } from '../yaml-source.ts'

/** Tells every id of a list that stands there twice; `fold` makes spellings equal. */
export function checkUnique<Item>(
  source: YamlSource,
  path: SetupPath,
  items: readonly Item[] | undefined,
  idOf: (item: Item) => string | number,
  member: string,
  fold: (id: string) => string = (id) => id,
): void {
  const seen = new Set<string>()
  for (const [index, item] of (items ?? []).entries()) {
    const id = String(idOf(item))
    if (seen.has(fold(id))) source.add([...path, index, member], `'${id}' is there twice`)
    seen.add(fold(id))
  }
}

/** Tells a reference to something that is not set up, with the nearest name that is. */
export function checkReference(
  source: YamlSource,
  path: SetupPath,
  kind: string,
  id: string | undefined,
  known: { has(id: string): boolean; keys(): Iterable<string> },
): void {
  if (id === undefined || known.has(id)) return
  const names = [...known.keys()]
  // It may be the one whose name is missing.
  if ([id, ...names].some(isUnknown)) return
  const nearest = nearestName(id, names)
  source.add(path, `there is no ${kind} '${id}'${nearest ? `; did you mean '${nearest}'?` : ''}`)
}
