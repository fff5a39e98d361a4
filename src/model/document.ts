// What an Enterprise Document is: properties, groups, lists, associations, and where their values are stored.
// A definition says everything once; select, filter, order, SQL, the API description and the import format follow from it.
// This room knows no database and no HTTP.
import { OPEN_FROM } from '../base/dates.ts'
import type { Exact } from '../base/decimal.ts'

export type ValueType = 'string' | 'integer' | 'number' | 'decimal' | 'boolean' | 'date-time'

/** A column as it is kept elsewhere than in a table of the service's own, or with another type than its values have. */
export type StoredAs =
  | 'flag'
  | 'integer-text'
  | 'text'
  | 'padded-text'
  | 'decimal'
  | 'date'
  | 'timestamp'
  | 'timestamptz'

/** A column of the document's own table, or of a table joined under an alias (see `DocumentDefinition.joins`). */
export interface Column {
  readonly table?: string
  readonly column: string
  readonly storedAs?: StoredAs
  /** Whether it may hold nulls, which read as the absent value: only in tables that are not the service's own. */
  readonly isNullable?: boolean
}

/** A member of a JSON object: of that in a column, or of an item of a JSON list. */
export interface Member {
  readonly path: readonly string[]
  readonly json?: string
}

/** The same for every row. */
export interface Constant {
  readonly constant: string | number
}

export type Source = Column | Member | Constant

/** What describes the codes of a property: a value list of the company, or the values of one of its attributes. */
export type Codes =
  | { readonly valueList: string }
  | { readonly attributeId: string }
  /** Of the attribute with this name. */
  | { readonly attributeName: string }
  /** Of the attribute whose id stands in this column of the same row. */
  | { readonly attributeIdIn: Column }

export interface ValueProperty<Type extends ValueType = ValueType> {
  readonly kind: 'value'
  readonly type: Type
  readonly source: Source
  /** Of a decimal: how many digits it has behind the point. */
  readonly scale?: number
  /** Shown to people in the API description. */
  readonly description?: string
  /** Large texts and pictures are not; everything else is. */
  readonly filterable: boolean
  readonly codes?: Codes
  /** In characters; absent: as long as any text of the table may be. */
  readonly maxLength?: number
  /** Other names under which it is known, and answered when asked for by one. */
  readonly aliases?: readonly string[]
}

export interface GroupProperty<Inside extends Properties = Properties> {
  readonly kind: 'group'
  readonly description?: string
  readonly properties: Inside
  /** Asking for one of its properties answers all of them. */
  readonly isComplex?: boolean
  /** Answered only when it is named. */
  readonly isOnRequest?: boolean
  readonly aliases?: readonly string[]
}

/** Items that belong to a record; answered only when named. */
export interface ListProperty<Inside extends Properties = Properties> {
  readonly kind: 'list'
  readonly description?: string
  readonly properties: Inside
  readonly from: JsonList | ItemTable
}

/** Items in a column as a JSON array, each with all members in the order of the properties. */
export interface JsonList {
  readonly json: string
}

/** Items as rows of another table. */
export interface ItemTable {
  readonly table: string
  /** Pairs of a column of the document's own table and one of the items' table. */
  readonly on: readonly (readonly [own: string, item: string])[]
  /** A column of the items' table. */
  readonly orderBy: string
  readonly joins: Readonly<Record<string, Join>>
}

/** Properties read from the record of another document; a record that is not there reads as absent values. Answered only when named. */
export interface AssociationProperty {
  readonly kind: 'association'
  readonly description?: string
  readonly document: DocumentDefinition
  /** Pairs of a column of the document's own table and one of the other's, which together find one record. */
  readonly on: readonly (readonly [own: string, other: string])[]
}

export type Property = ValueProperty | GroupProperty | ListProperty | AssociationProperty

export type Properties = Readonly<Record<string, Property>>

/** A left join on equal columns; a row that is not there reads as the absent value of each type. */
export interface Join {
  readonly table: string
  /** Pairs of a column of the document's own table or of an earlier join, and a column of the joined table. */
  readonly on: readonly (readonly [Column, string])[]
}

/** An index of a document's own table. */
export interface TableIndex {
  readonly name: string
  /** In their order, the company's first; those of the key are among them, so that the index alone finds the records. */
  readonly columns: readonly string[]
  /** Those of them that go from the last value to the first. */
  readonly descending?: readonly string[]
  /** Rows with this value in this column are left out: few questions ask for them, and they take no space. */
  readonly without?: { readonly column: string; readonly value: string }
  /** Long texts, of which indexes of PostgreSQL have the start alone. */
  readonly starts?: readonly string[]
}

/** Finds the rows of a company in whose text some characters stand beside each other; see `store/setup-index.ts`. */
export interface TextIndex {
  readonly name: string
  readonly column: string
  /** The key of the table without the company. */
  readonly key: readonly string[]
}

export interface DocumentDefinition {
  /** As in the path, such as `attribute-values`. */
  readonly name: string
  /** Of the path, such as 1 in `/v1/objects/...`. */
  readonly version: number
  /** For people: what one record is. */
  readonly description: string
  /** With a schema (or an attached database) and a dot before it where it is not the service's own. */
  readonly table: string
  /** The column that keeps companies apart. */
  readonly companyColumn: string
  /** The rows are somebody else's, who may change them at any time, in a table of whatever columns. */
  readonly isForeign?: boolean
  readonly joins: Readonly<Record<string, Join>>
  /** Names of top-level properties that together are unique within a company; the default order, and the end of every order. */
  readonly key: readonly string[]
  /**
   * The indexes of the table beside its primary key, which is the company and the key; of equally good ones the first is
   * taken. Queries on SQLite name the one that serves them (`store/compile/choose-index.ts`), so one that is made later,
   * such as one of a setup, is added here once it is there. Absent: those of a table of others, which the database knows.
   */
  readonly indexes?: readonly TableIndex[]
  /** Of a setup, once they are there. */
  readonly textIndexes?: readonly TextIndex[]
  readonly properties: Properties
  /** Where records have relations: the attribute whose values they are. Empty, when each company names its own. */
  readonly relationsOf?: { readonly attributeId: string } | { readonly attributeIdIn: Column }
  /** Of a document as some callers see it: made by `restricted`. */
  readonly restriction?: Restriction
}

/** What is left out of a document. Whoever compiles a query of it must keep to it (see `query/row-rule.ts`). */
export interface Restriction {
  /** With everything in it: filters name its properties. */
  readonly whole: DocumentDefinition
  /** In the query language: only rows that meet any of them are there. Absent: all rows. */
  readonly filters: readonly string[] | undefined
  /** Paths of properties that are not there, in lower case. */
  readonly hidden: ReadonlySet<string>
}

/** What a value reads as when it is not there (there is no null in an answer). */
export const ABSENT: Readonly<Record<ValueType, string | number | boolean>> = {
  string: '',
  integer: 0,
  number: 0,
  decimal: 0,
  boolean: false,
  'date-time': OPEN_FROM,
}

type ValueNotes = Omit<Partial<ValueProperty>, 'kind' | 'type' | 'source'>

/** A property with its value in a column. A string is a column of the document's own table. */
export function value<Type extends ValueType>(
  type: Type,
  source: string | Source,
  notes: ValueNotes = {},
): ValueProperty<Type> {
  return {
    kind: 'value',
    type,
    source: typeof source === 'string' ? { column: source } : source,
    filterable: true,
    ...notes,
  }
}

type GroupNotes = Omit<Partial<GroupProperty>, 'kind' | 'properties'>

export function group<Inside extends Properties>(properties: Inside, notes: GroupNotes = {}): GroupProperty<Inside> {
  return { kind: 'group', properties, ...notes }
}

export function list<Inside extends Properties>(
  properties: Inside,
  from: ListProperty['from'],
  description?: string,
): ListProperty<Inside> {
  return { kind: 'list', properties, from, ...(description === undefined ? {} : { description }) }
}

export function association(
  document: DocumentDefinition,
  on: AssociationProperty['on'],
  description?: string,
): AssociationProperty {
  return { kind: 'association', document, on, ...(description === undefined ? {} : { description }) }
}

/** When and by whom a record was last changed: on every document. */
export const lastUpdated = group(
  { updatedAt: value('date-time', 'updated_at'), updatedBy: value('string', 'updated_by', { maxLength: 255 }) },
  { isComplex: true },
)

/** Whether a property is answered without being named. */
export function isByDefault(property: Property): boolean {
  return property.kind === 'value' || (property.kind === 'group' && !property.isOnRequest)
}

interface TypeOf {
  string: string
  integer: number
  number: number
  decimal: Exact
  boolean: boolean
  'date-time': string
}

/** The TypeScript type of a record with these properties; associations are read from elsewhere and left out. */
export type RecordOf<Own extends Properties> = {
  -readonly [Name in keyof Own as Own[Name] extends AssociationProperty
    ? never
    : Name]: Own[Name] extends ValueProperty<infer Type>
    ? TypeOf[Type]
    : Own[Name] extends GroupProperty<infer Inside>
      ? RecordOf<Inside>
      : Own[Name] extends ListProperty<infer Inside>
        ? RecordOf<Inside>[]
        : never
}
