// The properties that a setup declares for a document, with the columns that they are kept in.
import { defined } from '../../base/defined.ts'
import { MAX_ITEMS, type Property } from '../../model/document.ts'
import type {
  ComputedSetup,
  DocumentSetup,
  LinesSetup,
  PropertySetup,
  ReferenceSetup,
} from '../file/document-schema.ts'
import type { NamesSetup } from '../file/schema-parts.ts'

export const COMPANY = 'companyId'

type AnyProperty = DocumentSetup['properties'][string]

/** A property with a value, by itself or in a group. */
export interface SimpleProperty {
  /** The name of the group, if there is one, and of the property. */
  readonly names: readonly string[]
  readonly property: PropertySetup
}

interface ListProperties {
  readonly name: string
  readonly members: readonly SimpleProperty[]
  /** How many items a record has. */
  readonly least: number
  readonly most: number
}

export function isSimple(property: AnyProperty | undefined): property is PropertySetup {
  return property !== undefined && 'type' in property
}

export function isReference(property: AnyProperty | undefined): property is ReferenceSetup {
  return property !== undefined && 'reference' in property
}

export function isLinesSetup(property: AnyProperty | undefined): property is LinesSetup {
  return property !== undefined && 'items' in property
}

export function isComputed(property: AnyProperty | undefined): property is ComputedSetup {
  return property !== undefined && 'computed' in property
}

/** The properties with the records of another document, by their names. */
export function linesOf({ properties }: Pick<DocumentSetup, 'properties'>): (readonly [string, LinesSetup])[] {
  return Object.entries(properties).flatMap(([name, one]) => (isLinesSetup(one) ? [[name, one] as const] : []))
}

/** Those of the document and those of its groups, in the order of the declaration. */
export function simpleProperties({ properties }: Pick<DocumentSetup, 'properties'>): SimpleProperty[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if ('group' in property) return membersOf(property.group, [name])
    return isSimple(property) ? [{ names: [name], property }] : []
  })
}

export function listProperties({ properties }: Pick<DocumentSetup, 'properties'>): ListProperties[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    'list' in property
      ? [
          {
            name,
            members: simpleProperties({ properties: property.list }),
            least: property.minItems ?? 0,
            most: property.maxItems ?? MAX_ITEMS,
          },
        ]
      : [],
  )
}

function membersOf(members: Readonly<Record<string, PropertySetup>>, above: readonly string[]): SimpleProperty[] {
  return Object.entries(members).map(([name, property]) => ({ names: [...above, name], property }))
}

/** A property by its path, such as `status` or `payment/status`. */
export function propertyAt({ properties }: Pick<DocumentSetup, 'properties'>, path: string): PropertySetup | undefined {
  const [first = '', second, ...more] = path.split('/')
  const outer = Object.hasOwn(properties, first) ? properties[first] : undefined
  if (!outer || more.length > 0) return undefined
  if (second === undefined) return isSimple(outer) ? outer : undefined
  return 'group' in outer && Object.hasOwn(outer.group, second) ? outer.group[second] : undefined
}

/** The names of the key without the company. */
export function keyNamesOf({ key }: { readonly key: readonly string[] }): string[] {
  return key.filter((name) => name !== COMPANY)
}

/** The column of a property in the table of an own document. */
export function columnOf({ names, property }: SimpleProperty): string {
  return property.column ?? columnNames(names)[0] ?? ''
}

/** The column of a property by its path. */
export function columnAt(document: Pick<DocumentSetup, 'properties'>, path: string): string {
  const property = propertyAt(document, path)
  return property ? columnOf({ names: path.split('/'), property }) : ''
}

/** The column of a list, with its items as JSON. */
export function listColumnOf(name: string): string {
  return snakeCase(name)
}

/** Possible column names: snake_case with the group as prefix, snake_case without it, or the unchanged name. */
export function columnNames(names: readonly string[]): string[] {
  const name = names.at(-1) ?? ''
  return [...new Set([names.map(snakeCase).join('_'), snakeCase(name), name])]
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
}

const DEFAULT_SCALE = 2

/** The scale, for a decimal only. */
export function scaleOf({ type, scale = DEFAULT_SCALE }: PropertySetup): { scale?: number } {
  return type === 'decimal' ? { scale } : {}
}

/** What the setup says of a property to people. */
export function namesIn({ title, description }: NamesSetup): Pick<Property, 'titles' | 'description'> {
  return defined({ titles: title, description })
}
