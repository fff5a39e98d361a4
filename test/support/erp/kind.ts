// What a document of the ERP is: its properties, its key, its rows at the beginning, and its habits.

export type Scalar = 'string' | 'integer' | 'number' | 'boolean' | 'date-time'

export interface Property {
  readonly type: Scalar
  readonly maxLength?: number
  readonly isMandatory?: boolean
  readonly attributeId?: string
  readonly valueList?: string
  /** Numbers are answered as texts, whatever the description says. */
  readonly isText?: boolean
  /** Answered from this version of the document on. */
  readonly since?: number
}

export interface Group {
  readonly group: Shape
}

export interface List {
  readonly list: Shape
}

export interface Shape {
  readonly [name: string]: Property | Group | List
}

export type Value = string | number | boolean | null | Row | Value[]
export interface Row {
  [name: string]: Value
}

/** Key values as they are compared: numbers, or texts as the collation of the ERP sees them. */
export type Key = readonly (string | number)[]

/** The rows at the beginning, in the order of their keys. They are made when they are asked for. */
export interface Base {
  readonly size: number
  row(at: number): Row
  /** The values of the key, cheaper than the row. */
  key(at: number): readonly (string | number)[]
  /** When the row was changed, cheaper than the row; absent where rows do not tell. */
  updatedAt?(at: number): number
}

/** Whether a question is answered, refused with 400 or 422, or taken as if it had not been asked. */
export type Support = 'yes' | 'refused' | 'unprocessable' | 'ignored'

export interface Habits {
  /** Whether date-times end with Z. */
  readonly zone: 'Z' | ''
  /** So far times of changes without a zone are before UTC, as clocks of the east are. */
  readonly localMs: number
  /** The name of the header with the count of HEAD; absent: there is no HEAD. */
  readonly countHeader: string | undefined
  readonly filtering: Support
  readonly ordering: Support
  /** Whether `Accept: application/schema+json` is understood. */
  readonly hasSchema: boolean
  readonly versions: readonly number[]
  /** What the description of the API names; what it does not is there all the same. */
  readonly isDescribed: boolean
}

export interface Kind extends Habits {
  readonly name: string
  /** The names of its key after companyId. */
  readonly key: readonly string[]
  readonly shape: Shape
  /** Rows are asked for by `registered`, `posted` and `historical`. */
  readonly hasStates?: boolean
  /** Which rows a collection shows; all when absent. */
  readonly isListed?: (row: Row) => boolean
}

export const isList = (member: Shape[string]): member is List => 'list' in member
export const isGroup = (member: Shape[string]): member is Group => 'group' in member

export const LAST_UPDATED: Group = {
  group: { updatedAt: { type: 'date-time' }, updatedBy: { type: 'string' } },
}

/** The time as the kind writes it. */
export function stamp(ms: number, zone: 'Z' | ''): string {
  const text = new Date(ms).toISOString()
  return zone === 'Z' ? text : text.slice(0, -1)
}

/** Milliseconds of a date or date-time, with or without a zone and read as UTC then; NaN for anything else. */
export function timeOf(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN
  const match = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/i.exec(text)
  return match ? Date.parse(`${match[1]}${match[2] ?? 'T00:00'}${match[3] ?? 'Z'}`) : Number.NaN
}

export function valueAt(row: Row, path: readonly string[]): Value | undefined {
  let value: Value | undefined = row
  for (const name of path) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
    value = value[name]
  }
  return value
}

/** The property at a path whose names are in any letter case, with the documented names. */
export function propertyAt(shape: Shape, path: readonly string[]): { path: string[]; property: Property } | undefined {
  const [first, ...rest] = path
  const name = Object.keys(shape).find((known) => known.toLowerCase() === first?.toLowerCase())
  const member = name === undefined ? undefined : shape[name]
  if (name === undefined || !member || isList(member)) return undefined
  if (!isGroup(member)) return rest.length === 0 ? { path: [name], property: member } : undefined
  const inner = propertyAt(member.group, rest)
  return inner && { path: [name, ...inner.path], property: inner.property }
}
