import { LongNumber } from './long-number.ts'

/** A deep copy of plain data: objects, arrays and scalars. Some ten times as fast as `structuredClone`. */
export function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof LongNumber) return value
  if (Array.isArray(value)) return value.map(copyOf) as Value
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(value)) copy[name] = copyOf((value as Record<string, unknown>)[name])
  return copy as Value
}
