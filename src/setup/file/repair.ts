// Replaces invalid values with placeholders, so that the later checks can report all other mistakes in the same run.
// The caller has reported the invalid value, and ignores further problems at its path.
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

/** Prefix of a placeholder for a missing name. */
const UNKNOWN_PREFIX = '\u0000'
let unknownCount = 0

function unknownName(): string {
  unknownCount += 1
  return `${UNKNOWN_PREFIX}${unknownCount}`
}

/** Whether a name is a placeholder: references to it cannot be checked. */
export function isUnknown(name: string): boolean {
  return name.startsWith(UNKNOWN_PREFIX)
}

/** A value of the schema's type that causes no further problem: NaN fails every comparison, and names are unknown. */
export function placeholderFor(schema: SchemaPart): unknown {
  if (schema.anyOf?.[0]) return placeholderFor(schema.anyOf[0])
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
      return [placeholderFor(schema.items ?? {})]
  }
  const [named] = Object.values(schema.patternProperties ?? {})
  if (named) return { [unknownName()]: placeholderFor(named) }
  const members = (schema.required ?? []).map((name) => [name, placeholderFor(schema.properties?.[name] ?? {})])
  return Object.fromEntries(members)
}

/** Replaces a value of the wrong type: by its text where a string is expected, otherwise by a placeholder. */
export function replaceInvalid(data: unknown, path: SetupPath, schema: SchemaPart): void {
  const last = path.at(-1)
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => (value as Members | undefined)?.[part], data)
  if (last === undefined || typeof parent !== 'object' || parent === null) return
  const found = (parent as Members)[last]
  const isReadable = schema.type === 'string' && (typeof found === 'number' || typeof found === 'boolean')
  ;(parent as Members)[last] = isReadable ? String(found) : placeholderFor(schema)
}

type Members = Record<string | number, unknown>
