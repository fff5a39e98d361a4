// Data of a wrong format made fit for the checks behind it, so that they tell all other mistakes in the same round. What is
// wrong was told already; what stands in its place is left out of later findings by its path.
import type { SetupPath } from './yaml-source.ts'

interface SchemaPart {
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly SchemaPart[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly patternProperties?: Readonly<Record<string, SchemaPart>>
  readonly items?: SchemaPart
}

/** Begins a name that was not given. */
const UNKNOWN = '\u0000'
let unknownNames = 0

function unknownName(): string {
  unknownNames += 1
  return `${UNKNOWN}${unknownNames}`
}

/** Whether a name stands in for one that nobody knows: nothing can be said of references to it. */
export function isUnknown(name: string): boolean {
  return name.startsWith(UNKNOWN)
}

/** Stands for a value that is missing or no such value: no comparison with it tells anything, and any name may be in it. */
export function standIn(schema: SchemaPart): unknown {
  if (schema.anyOf?.[0]) return standIn(schema.anyOf[0])
  if ('const' in schema) return schema.const
  switch (schema.type) {
    case 'string':
      return unknownName()
    case 'integer':
    case 'number':
      return Number.NaN
    case 'boolean':
      return false
    case 'array':
      return [standIn(schema.items ?? {})]
  }
  const [named] = Object.values(schema.patternProperties ?? {})
  if (named) return { [unknownName()]: standIn(named) }
  const members = (schema.required ?? []).map((name) => [name, standIn(schema.properties?.[name] ?? {})])
  return Object.fromEntries(members)
}

/** Puts in the place of a value of the wrong type one that it can be read as, or one that stands for it. */
export function replaceWrong(data: unknown, path: SetupPath, schema: SchemaPart): void {
  const last = path.at(-1)
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => (value as Members | undefined)?.[part], data)
  if (last === undefined || typeof parent !== 'object' || parent === null) return
  const found = (parent as Members)[last]
  const isReadable = schema.type === 'string' && (typeof found === 'number' || typeof found === 'boolean')
  ;(parent as Members)[last] = isReadable ? String(found) : standIn(schema)
}

type Members = Record<string | number, unknown>
