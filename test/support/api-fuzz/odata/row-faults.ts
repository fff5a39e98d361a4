// Compares the entities of an answer with what the metadata declare: there, not in the API description, stands what an
// entity set has.
import type { Answer } from '../../world.ts'
import type { DeclaredProperty, DeclaredSet, DeclaredSets } from './entity-sets.ts'

type Row = Readonly<Record<string, unknown>>

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  'Edm.String': (value) => typeof value === 'string',
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.Int64': Number.isInteger,
  'Edm.Double': Number.isFinite,
  'Edm.Decimal': Number.isFinite,
  'Edm.DateTimeOffset': (value) => typeof value === 'string' && MOMENT.test(value),
}

/** The set is the one that the context names; without a context there is nothing to compare with. */
export function rowFaults(sets: DeclaredSets, url: string, { status, json }: Answer): string[] {
  const [, name = ''] = /\$metadata#(\w+)/.exec(json?.['@odata.context'] ?? '') ?? []
  const set = sets.get(name)
  if (status !== 200 || !set || /[?&](?:\$|%24)?apply=/i.test(url)) return []
  const rows = (json.value ?? [json]) as readonly Row[]
  return [...new Set(rows.flatMap((row) => faultsOf(set, row)))]
}

function faultsOf(set: DeclaredSet, row: Row): string[] {
  const declared = new Set([...set.properties.map(topOf), ...set.lists.keys(), ...set.associations.keys()])
  const unknown = Object.keys(row).filter((member) => !member.startsWith('@odata.') && !declared.has(member))
  return [
    ...unknown.map((member) => `the metadata do not declare ${member} of ${set.name}`),
    ...set.properties.flatMap((property) => typeFaults(set, property, row)),
  ]
}

function topOf({ path }: DeclaredProperty): string {
  return path.split('/')[0] ?? ''
}

function typeFaults({ name }: DeclaredSet, { path, type }: DeclaredProperty, row: Row): string[] {
  const value = path.split('/').reduce<unknown>((owner, part) => (owner as Row | undefined)?.[part], row)
  if (value === undefined || TYPES[type]?.(value)) return []
  return [`${path} of ${name} is no ${type}: ${JSON.stringify(value)}`]
}
