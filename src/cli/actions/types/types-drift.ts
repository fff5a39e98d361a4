// What has changed since a file of types was written, and what of it breaks programs that were compiled with it.
import type { TypedProperty, TypesModel } from './types-model.ts'

export interface Drift {
  readonly breaks: boolean
  readonly text: string
}

/** In the order of the older types; what was added comes last. */
export function driftOf(before: TypesModel, now: TypesModel): readonly Drift[] {
  const changed = [...before].flatMap(([path, old]) => {
    if (isGone(before, now, path)) return []
    const found = now.get(path)
    return found ? changesOf(path, old, found) : [{ breaks: true, text: `${path}: removed` }]
  })
  const added = [...now.keys()].filter((path) => !before.has(path) && !isGone(now, before, path))
  return [...changed, ...added.map((path) => ({ breaks: false, text: `${path}: added` }))]
}

/** Whether a group around it is gone, which is told once. */
function isGone(model: TypesModel, other: TypesModel, path: string): boolean {
  const parent = path.slice(0, Math.max(path.lastIndexOf('.'), 0))
  return model.has(parent) && !other.has(parent)
}

function changesOf(path: string, old: TypedProperty, found: TypedProperty): readonly Drift[] {
  // A property that has a description now is selected as before.
  const isDescribed = old.kind === 'Value' && found.kind === 'Coded'
  const kind =
    old.kind === found.kind ? [] : [{ breaks: !isDescribed, text: `${path}: ${old.kind} is ${found.kind} now` }]
  const isCodes = [...old.types, ...found.types].every((type) => type.startsWith('"'))
  const gone = old.types.filter((type) => !found.types.includes(type))
  const more = found.types.filter((type) => !old.types.includes(type))
  if (gone.length + more.length === 0) return kind
  if (!isCodes)
    return [...kind, { breaks: true, text: `${path}: ${old.types.join(' | ')} is ${found.types.join(' | ')} now` }]
  // A program may tell all codes apart that it may read.
  return [
    ...kind,
    ...gone.map((code) => ({ breaks: true, text: `${path}: the code ${code} is gone` })),
    ...more.map((code) => ({ breaks: true, text: `${path}: the code ${code} may be read now` })),
  ]
}
