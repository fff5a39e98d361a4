import type { TArray, TObject, TSchema } from 'typebox'
import { kindOf } from '../../src/model/schema.ts'

/** The names of all members, at any depth. */
export function namesIn(schema: TSchema): string[] {
  switch (kindOf(schema)) {
    case 'array':
      return namesIn((schema as TArray).items)
    case 'object': {
      const own = Object.entries((schema as TObject).properties)
      return [...new Set(own.flatMap(([name, part]) => [name, ...namesIn(part)]))]
    }
    default:
      return []
  }
}

/** Pointers to all positions, with one or two indexes into each list. */
export function pointersIn(schema: TSchema, before = ''): string[] {
  switch (kindOf(schema)) {
    case 'array': {
      const { items } = schema as TArray
      return ['0', '1', '2', '-'].flatMap((index) => [`${before}/${index}`, ...pointersIn(items, `${before}/${index}`)])
    }
    case 'object':
      return Object.entries((schema as TObject).properties).flatMap(([name, part]) => [
        `${before}/${name}`,
        ...pointersIn(part, `${before}/${name}`),
      ])
    default:
      return []
  }
}

/** Freezes at every depth: a modification throws. */
export function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFrozen(member)
  return Object.freeze(value)
}
