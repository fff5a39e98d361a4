// What an Enterprise Document is: properties, groups, lists and where their values are stored.
// A definition says everything once; select, filter, order, SQL and the API description follow from it.
// This room knows no database and no HTTP.

export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'date-time'

/** A column of the document's own table, or of a table joined under an alias (see `DocumentDefinition.joins`). */
export interface Column {
  readonly table?: string
  readonly column: string
}

export interface ValueProperty {
  readonly kind: 'value'
  readonly type: ValueType
  readonly column: Column
  /** Shown to people in the API description. */
  readonly description?: string
  /** Large texts and pictures are not; everything else is. */
  readonly filterable: boolean
}

export interface GroupProperty {
  readonly kind: 'group'
  readonly description?: string
  readonly properties: Readonly<Record<string, ValueProperty | GroupProperty>>
}

export type Property = ValueProperty | GroupProperty

/** A left join on equal columns; a row that is not there reads as the absent value of each type. */
export interface Join {
  readonly table: string
  /** Pairs of a column of the document's own table or of an earlier join, and a column of the joined table. */
  readonly on: readonly (readonly [Column, string])[]
}

export interface DocumentDefinition {
  /** As in the path, such as `attribute-values`. */
  readonly name: string
  readonly table: string
  readonly joins: Readonly<Record<string, Join>>
  /** Names of top-level properties that together are unique within a company; the default order, and the end of every order. */
  readonly key: readonly string[]
  readonly properties: Readonly<Record<string, Property>>
}

/** A property with its value in a column. A string is a column of the document's own table. */
export function value(type: ValueType, column: string | Column, description?: string): ValueProperty {
  return {
    kind: 'value',
    type,
    column: typeof column === 'string' ? { column } : column,
    filterable: true,
    ...(description === undefined ? {} : { description }),
  }
}

export function group(properties: GroupProperty['properties'], description?: string): GroupProperty {
  return { kind: 'group', properties, ...(description === undefined ? {} : { description }) }
}
