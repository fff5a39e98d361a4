// The definition of an Enterprise Document: properties, groups, lists, associations, and where their values are stored.
// Select, filter, order, SQL, the API description and the import format are all derived from it.
// This module is independent of the database and of HTTP.

import { OPEN_FROM } from '../base/dates.ts'
import { defined } from '../base/defined.ts'
import { memo } from '../base/memo.ts'

/** Maximum number of contact points, related values or indexes; legitimate records have far fewer. */
export const MAX_ITEMS = 200

/** So many lines are written and answered with a record; more are asked for in their own document. */
export const MAX_LINES = 1_000

/** The type of what records hold. */
export type StoredType = 'string' | 'integer' | 'number' | 'decimal' | 'boolean' | 'date-time'

/** `exact` is a number of any length, without rounding: what is computed of the numbers of records is. */
export type ValueType = StoredType | 'exact'

/** How a column stores values if not in the form of the service's tables, or with another type than the property. */
export type StoredAs =
  | 'flag'
  | 'integer-text'
  | 'text'
  | 'padded-text'
  | 'integer'
  | 'double'
  | 'decimal'
  | 'date'
  | 'timestamp'
  | 'timestamptz'

/** A column of the document's table, or of a table joined under an alias (see `DocumentDefinition.joins`). */
export interface Column {
  readonly table?: string
  readonly column: string
  readonly storedAs?: StoredAs
  /** Whether it may hold nulls, which read as the absent value; only columns of external tables may. */
  readonly isNullable?: boolean
}

/** A member of a JSON object, which is the column `json`, or else an item of a JSON list. */
export interface Member {
  readonly path: readonly string[]
  readonly json?: string
  /** Whether the column is an item of a list that was read already. */
  readonly isItem?: boolean
}

/** The same value for every row. */
interface Constant {
  readonly constant: string | number
}

/** What is computed of other values of a record, and of its lines, whenever it is read. */
interface Computed {
  readonly computed: Term
}

interface Typed {
  readonly type: ValueType
  /** The decimal places of a number. */
  readonly scale: number
  /** The most that a text may have, in characters. */
  readonly maxLength: number
}

interface PropertyTerm extends Typed {
  readonly kind: 'property'
  /** In lower case, such as `payment/days`. */
  readonly path: string
  readonly source: Source
}

/** A text, or a number in units of its last digit. */
interface LiteralTerm extends Typed {
  readonly kind: 'literal'
  readonly value: string | bigint
}

export type ComputedFunction =
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'round'
  | 'days'
  | 'concat'
  | 'length'
  | 'tolower'
  | 'toupper'
  | 'trim'
  | 'year'
  | 'month'
  | 'day'

interface CallTerm extends Typed {
  readonly kind: 'call'
  readonly name: ComputedFunction
  readonly args: readonly Term[]
}

/** The number of items or lines of a record, or the sum of something of each. */
export interface LinesTerm extends Typed {
  readonly kind: 'lines'
  readonly path: string
  readonly lines: ListProperty
  readonly sumOf: Term | undefined
}

export type Term = PropertyTerm | LiteralTerm | CallTerm | LinesTerm

export type Source = Column | Member | Constant | Computed

/** The source of the descriptions of a property's codes: a value list of the company, or the values of an attribute. */
export type Codes =
  | { readonly valueList: string }
  | { readonly attributeId: string }
  /** The values of the attribute with this name. */
  | { readonly attributeName: string }
  /** The values of the attribute whose id is in this column of the same row. */
  | { readonly attributeIdIn: Column }

/** What people call something: one text for all languages, or one for each: `{ EN: 'Contract', DE: 'Vertrag' }`. */
export type Titles = string | Readonly<Record<string, string>>

interface NamedProperty {
  /** As the setup names it; see `titles.ts`. */
  readonly titles?: Titles
  /** Used in the API description. */
  readonly description?: Titles
}

interface OwnProperty extends NamedProperty {
  /** Whether a new record needs it. */
  readonly isRequired?: boolean
}

export interface ValueProperty<Type extends ValueType = ValueType> extends OwnProperty {
  readonly kind: 'value'
  readonly type: Type
  readonly source: Source
  /** Decimal places; only for decimals, and for exact numbers when the same for all. */
  readonly scale?: number
  /** False only for large texts and pictures. */
  readonly filterable: boolean
  readonly codes?: Codes
  /** What an absent value is answered as, if it is not that of the type: 2099-12-31 or 209912 for an open end. */
  readonly absent?: string | number
  /** What a new record has where nothing is given, if that is not the empty value of the type. */
  readonly default?: string | number
  /** Maximum length in characters; absent if only the table limits it. */
  readonly maxLength?: number
  /** Alternative names in queries; the result has the name that the query uses. */
  readonly aliases?: readonly string[]
}

export interface GroupProperty<Inside extends Properties = Properties> extends OwnProperty {
  readonly kind: 'group'
  readonly properties: Inside
  /** Selecting one of its properties selects all of them. */
  readonly isComplex?: boolean
  /** Returned only when it is selected. */
  readonly isOnRequest?: boolean
  readonly aliases?: readonly string[]
}

/** Items that belong to a record; returned only when selected. */
export interface ItemsProperty<Inside extends Properties = Properties> extends OwnProperty {
  readonly kind: 'list'
  readonly properties: Inside
  readonly from: JsonList | ItemTable
}

/** Records of another document that refer to the record; returned only when selected. */
export interface LinesProperty extends Omit<ItemsProperty, 'from'> {
  readonly from: RecordLines
}

export type ListProperty = ItemsProperty | LinesProperty

/** Items in a column with a JSON array, each with all members in the order of the properties. */
export interface JsonList {
  readonly json: string
}

/** Items as rows of another table, of the same company. */
export interface ItemTable {
  readonly table: string
  /** Pairs of a column of the document's table and one of the items' table. */
  readonly on: readonly (readonly [own: string, item: string])[]
  /** A column of the items' table. */
  readonly orderBy: string
  readonly joins: Readonly<Record<string, Join>>
}

export interface RecordLines {
  readonly document: DocumentDefinition
  /** Pairs of a column of the document's table and one of the lines' table. */
  readonly on: ItemTable['on']
  /** Columns of the lines' table. */
  readonly orderBy: readonly string[]
}

/** Properties of a record of another document; a missing record reads as absent values. Returned only when selected. */
export interface AssociationProperty extends NamedProperty {
  readonly kind: 'association'
  readonly document: DocumentDefinition
  /** Pairs of a column of the document's table and one of the other table, which identify one record of the company. */
  readonly on: readonly (readonly [own: string, other: string])[]
}

export type Property = ValueProperty | GroupProperty | ListProperty | AssociationProperty

export type Properties = Readonly<Record<string, Property>>

/** A left join on equal columns within the company; a missing row reads as the absent value of each type. */
export interface Join {
  readonly table: string
  /** Pairs of a column of the document's table or of an earlier join, and a column of the joined table. */
  readonly on: readonly (readonly [Column, string])[]
}

/** An index of a document's table. */
export interface TableIndex {
  readonly name: string
  /** The columns in index order, the company first. They include the key, so that the index alone finds the records. */
  readonly columns: readonly string[]
  /** The columns in descending order. */
  readonly descending?: readonly string[]
  /**
   * Partial index without the rows that have this value in this column: few queries need them, and the index stays
   * small.
   */
  readonly without?: { readonly column: string; readonly value: string }
  /** Long texts, of which indexes of PostgreSQL have the start alone. */
  readonly starts?: readonly string[]
}

/** An index for substring search within the rows of a company; see `sql/setup-index.ts`. */
export interface TextIndex {
  readonly name: string
  readonly column: string
  /** The key of the table without the company. */
  readonly key: readonly string[]
}

export interface DocumentDefinition {
  /** The name in the path, such as `attribute-values`. */
  readonly name: string
  /** The version in the path, such as 1 in `/v1/objects/...`. */
  readonly version: number
  /** Describes one record, for the API description. */
  readonly description: Titles
  /** As the setup names it; see `titles.ts`. */
  readonly titles?: Titles
  /** What people call one of its records, as the setup names it. */
  readonly recordTitles?: Titles
  /** Paths of the properties that a grid shows at first. Default: the first ones. */
  readonly defaultColumns?: readonly string[]
  /**
   * Paths of the texts that a search looks into, the name of a record first; none: its records are found by others that
   * they belong to. Default: all texts without codes.
   */
  readonly searched?: readonly string[]
  /** Paths of the amounts whose sum a grid shows; all of them in the same currency. */
  readonly sums?: readonly string[]
  /** If some records together are a voucher. */
  readonly voucher?: VoucherLines
  /** The table name; an external table is qualified with its schema (or attached database). */
  readonly table: string
  /** The column with the company id. */
  readonly companyColumn: string
  /**
   * Whether the table is external: other programs may change its rows at any time, and its columns may have any type.
   */
  readonly isExternal?: boolean
  /** The column with the number of a record's last change. Default: `change_no`, as in the tables of resources. */
  readonly changeColumn?: string
  readonly joins: Readonly<Record<string, Join>>
  /**
   * Names of top-level properties that are unique together within a company. They are the default order and end every
   * order.
   */
  readonly key: readonly string[]
  /**
   * The indexes of the table except its primary key, which is the company and the key. Of equally good ones the first
   * is used. Queries on SQLite name their index (`sql/rows/choose-index.ts`), so an index created later, such as
   * one of a setup, is added here once it exists. Absent for external tables, whose indexes only the database knows.
   */
  readonly indexes?: readonly TableIndex[]
  /** The text indexes of a setup, once they exist. */
  readonly textIndexes?: readonly TextIndex[]
  readonly properties: Properties
  /** The properties with the first and the last moment of a record's validity: accounting periods, or date-times. */
  readonly validity?: { readonly from: string; readonly to: string; readonly unit: 'period' | 'time' }
  /** If records have relations: the attribute whose values the records are; empty if it depends on the company. */
  readonly relationsOf?: { readonly attributeId: string } | { readonly attributeIdIn: Column }
  /** The restriction for some callers, set by `restricted`. */
  readonly restriction?: Restriction
  /** If the rows are the items of a list of the table's rows; see `unfolded`. */
  readonly unfolding?: Unfolding
}

/** Rows for the items of a list: all columns of the table's row, and those of the item. */
export interface Unfolding {
  readonly from: ItemsProperty['from']
  /** The column with the item's position. */
  readonly position: string
  /** The item's columns and their names in the rows; the empty name is that of an item of a JSON list itself. */
  readonly columns: ReadonlyMap<string, string>
}

/** The rows and properties hidden from a caller. Every compiled query must apply it (see `query/row-rule.ts`). */
interface Restriction {
  /** The unrestricted document, whose properties the filters use. */
  readonly whole: DocumentDefinition
  /** Filters in the query language: rows that meet at least one are visible. Undefined if all rows are. */
  readonly filters: readonly string[] | undefined
  /** Paths of hidden properties, in lower case. */
  readonly hidden: ReadonlySet<string>
}

/** Paths of the properties that make records the lines of one voucher. */
interface VoucherLines {
  /** What all lines of a voucher share, such as its number. */
  readonly number: string
  /** The amount whose sum is zero in each voucher: debit is positive. */
  readonly balance?: string | undefined
}

/** The value that an absent value reads as, because responses contain no null. */
export const ABSENT: Readonly<Record<ValueType, string | number | boolean>> = {
  string: '',
  integer: 0,
  number: 0,
  decimal: 0,
  exact: 0,
  boolean: false,
  'date-time': OPEN_FROM,
}

type ValueNotes = Omit<Partial<ValueProperty>, 'kind' | 'type' | 'source'>

/** A value property. A `source` that is a string is a column of the document's table. */
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
  from: ItemsProperty['from'],
  description?: Titles,
): ItemsProperty<Inside> {
  return { kind: 'list', properties, from, ...defined({ description }) }
}

/** Lines of a document that is asked for when their properties are, because it may lead back. */
export function recordLines(from: RecordLines, notes: Pick<ListProperty, 'titles' | 'description'>): LinesProperty {
  return {
    kind: 'list',
    ...notes,
    from,
    get properties() {
      return ownProperties(from.document.properties)
    },
  }
}

/** The lines as records of another form of their document, which is made when it is asked for. */
export function withDocument(
  { from, titles, description }: LinesProperty,
  formOf: (document: DocumentDefinition) => DocumentDefinition,
): LinesProperty {
  const { on, orderBy } = from
  const lines = {
    on,
    orderBy,
    get document() {
      return formOf(from.document)
    },
  }
  return recordLines(lines, defined({ titles, description }))
}

export function isLines(property: Property): property is LinesProperty {
  return property.kind === 'list' && 'document' in property.from
}

/** The properties without those of other records; the same object for the same properties. */
const ownProperties = memo((properties: Properties): Properties => {
  const all = Object.entries(properties)
  return Object.fromEntries(all.filter(([, one]) => one.kind !== 'association' && !isLines(one)))
})

export function association(document: DocumentDefinition, on: AssociationProperty['on']): AssociationProperty {
  return { kind: 'association', document, on }
}

/** The time and the author of the last change, which every document has. */
export const lastUpdated = group(
  { updatedAt: value('date-time', 'updated_at'), updatedBy: value('string', 'updated_by', { maxLength: 255 }) },
  { isComplex: true },
)

/** Whether a property is returned without being selected. */
export function isByDefault(property: Property): boolean {
  return property.kind === 'value' || (property.kind === 'group' && !property.isOnRequest)
}
