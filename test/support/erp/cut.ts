// Places between keys: a cut stands before or after all keys that begin with its parts.
import type { Key } from './kind.ts'

export interface Cut {
  readonly parts: Key
  readonly isAfter: boolean
}

export function compareValues(a: string | number, b: string | number): number {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0
  return typeof a === 'number' ? -1 : 1
}

export function compareKeys(a: Key, b: Key): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const order = compareValues(a[at]!, b[at]!)
    if (order !== 0) return order
  }
  return 0
}

export function isBelow(key: Key, cut: Cut): boolean {
  const order = compareKeys(key, cut.parts)
  return order < 0 || (order === 0 && cut.isAfter)
}

export function compareCuts(a: Cut, b: Cut): number {
  const order = compareKeys(a.parts, b.parts)
  if (order !== 0) return order
  if (a.parts.length === b.parts.length) return Number(a.isAfter) - Number(b.isAfter)
  if (a.parts.length < b.parts.length) return a.isAfter ? 1 : -1
  return b.isAfter ? -1 : 1
}
