// The SQL that differs between databases: one interface, which each database implements.

import { createHash } from 'node:crypto'
import type { Kysely, RawBuilder } from 'kysely'
import type { StoredAs, TextIndex, ValueType } from '../model/document.ts'
import type { SearchedWord } from '../model/words.ts'
import type { BoundType, BoundValue } from '../query/bound-value.ts'
import type { Tables } from './tables.ts'

/** A value that can be bound. */
export type SqlValue = string | number

/** What a statement takes: bytes too. */
export type Bindable = SqlValue | Uint8Array

/** A placeholder for a value that is bound when the statement runs. */
export type Placeholder<P> = (name: keyof P & string) => RawBuilder<never>

/** `long` is an integer given as text; `decimal` is a number that is compared with integers without rounding. */
export type ParameterType = BoundType | 'long' | 'decimal' | 'json'

interface IndexedStart {
  /** The indexed prefix as a sort term before the text; it does not change the order. */
  readonly order: (text: string) => string
  /** The indexed prefix for searches: equal texts have equal ones. */
  readonly name: (text: string) => string
  /** Translates a comparison of texts into one that then holds between their names. */
  bound(op: '>' | '>=' | '<' | '<=', value: string): { readonly op: string; readonly value: string } | undefined
}

/** The parts of fixed statements, as functions from SQL text to SQL text. */
interface StatementDialect {
  /** Compiles statements without a connection. */
  readonly compiler: Kysely<Tables>
  /** A compact JSON object with these members in this order. */
  jsonObject(members: readonly (readonly [name: string, expression: string])[]): string
  /**
   * A JSON array of a JSON object for each row of `from`, which includes FROM and WHERE; `[]` when there are no rows.
   * `orderBy` is left out for rows of a subselect that has their order.
   */
  jsonList(item: string, from: string, orderBy?: string): string
  /** A stored JSON text embedded in a larger one. */
  jsonPart(column: string): string
  /** A double as a JSON number, without a trailing `.0`. */
  jsonNumber(column: string): string
  /** A decimal as a JSON number, in its shortest form. */
  jsonDecimal(column: string, scale: number): string
  /** The value of a decimal column, from a parameter in units of the last digit. */
  decimal(parameter: RawBuilder<never>, scale: number): RawBuilder<never>
  /** The value of a column of JSON, from a parameter with its text. */
  json(parameter: RawBuilder<never>): RawBuilder<never>
  /** An exact number as a JSON number, with all its digits; `units`: what it is made of, where it is computed. */
  jsonExact(sql: string, units?: Scaled): string
  /** An integer column that is 0 or 1, as a JSON boolean. */
  jsonFlag(column: string): string
  /** A condition for the column before it: that it is one of the texts of a JSON array. */
  isOneOfTexts(json: RawBuilder<never>): RawBuilder<unknown>
  /** The texts of a JSON array as rows `name`, each with a column `value`. */
  textRows(json: RawBuilder<never>, name: string): RawBuilder<unknown>
  /**
   * The rows of a table, named `e`, that meet a condition for one of these texts, named `n`: looked up text by text,
   * whatever the database believes of the size of the table.
   */
  rowsForEachText(json: RawBuilder<never>, table: string, condition: RawBuilder<unknown>): RawBuilder<unknown>
  /** The texts of several rows in one, with blanks between them. */
  joinTexts(column: string): string
  /** Selects the change log of a company as clients read it, with the columns of `AuditEntryView`. */
  journal(company: string): string
  /** No bytes. */
  readonly noBytes: RawBuilder<unknown>
}

type DocumentKey = { companyId: string; documentId: string }

/** The word index of documents. The words of a text are separated by blanks. */
export interface FullText {
  /** Adds a document to `document_text`. */
  addDocument(p: Placeholder<DocumentKey & { at: string }>): RawBuilder<unknown>
  removeWords(p: Placeholder<DocumentKey & { searchNo: number }>): RawBuilder<unknown>
  addWords(p: Placeholder<DocumentKey & { searchNo: number; words: string }>): RawBuilder<unknown>
  /** Selects the ids of a company's documents that contain all words. */
  documentsWith(companyId: string, words: readonly SearchedWord[], bind: (value: string) => string): string
}

/** Arguments and results are SQL expressions, never values, unless a parameter's description says so. */
export interface Dialect extends StatementDialect {
  /**
   * The placeholder of the n-th parameter (from 1), with its type. A parameter only compared for equality needs no
   * collation.
   */
  placeholder(position: number, type: ParameterType, isForEquality: boolean): string
  /** A literal in the text: for values of a setup, never of a request. */
  literal(value: SqlValue, type: ParameterType, isForEquality: boolean): string
  /** The parameter for a decimal in units of its last digit, for comparison with a column of this scale. */
  decimalValue(units: bigint, scale: number): { readonly value: SqlValue; readonly type: ParameterType }
  /** The parameter for an exact number from its text, for comparison with other exact numbers. */
  exactValue(text: string): SqlValue
  /** The exact sum of a value in a group of rows; 0 of none. */
  sum(value: AggregatedValue): string
  /** The exact sum divided by the number of rows and rounded as `averageKey` does; 0 of no rows. */
  average(value: AggregatedValue): string
  /** Arithmetic on numbers of any length, without rounding. */
  readonly arithmetic: Arithmetic
  /** The number of days from a date-time of the service's tables to another one, by the days of both. */
  days(later: string, earlier: string): string
  /** A text that is compared with those of other rows, whatever the collation of its column. */
  comparedText(sql: string): string
  /** Converts a number so that it can be compared with a number of another type or scale. */
  comparable(sql: string, type: BoundType, scale: number | undefined, other: BoundType): string
  /** The bindable form of a value. */
  bindable(value: string | number | boolean): SqlValue
  quote(identifier: string): string
  /** The clause after a table and its alias that forces an index, or the primary key; absent: the database chooses. */
  pinned?(table: string, index: string | undefined): string
  /** How indexes hold a prefix of long texts; absent where they hold complete texts. */
  readonly indexedStart?: IndexedStart
  /** The limit and offset clause; without a limit all rows after the offset. */
  window(limit: string | undefined, offset: string): string
  /**
   * Whether selected expressions are also computed for rows that are sorted or skipped, rather than only for those of
   * the page.
   */
  readonly selectsBeforeLimit: boolean
  /** The position of `part` in `whole`, from 1; 0 when it does not occur. */
  indexOf(whole: string, part: string): string
  /** A text with small letters of ASCII; other letters stay as they are. */
  lowerAscii(text: string): string
  /** A text in lower or upper case, folded character by character. */
  fold(text: string, to: 'lower' | 'upper', bind: (value: string, type: 'string' | 'json') => string): string
  /** A text or JSON list that will be read completely: with work limits in force, a long one aborts the statement. */
  inReach(sql: string): string
  /**
   * A condition that is true for each list item; with work limits in force it aborts the statement after too many
   * items.
   */
  readonly isNextItem?: string
  /** A boolean as a condition. */
  condition(sql: string): string
  /** Converts a column with another storage format to the built-in one. */
  read(column: string, storedAs: StoredAs): string
  /** Such a column for equality only, so that its index can be used; by default as `read`. */
  equal(column: string, storedAs: StoredAs): string
  /** Whether a column holds exactly this text, byte by byte, whatever its type and collation. */
  isText(column: string, text: string): string
  /** A number as text. */
  asText(sql: string): string
  /** A text parameter as JSON, for `rowsIn`. */
  jsonOf(parameter: string): string
  /**
   * Selects rows from such JSON, which is the only column of a table: the member at `position` is an array of rows, and
   * each of these an array with the values of the columns.
   */
  rowsIn(table: string, column: string, position: number, columns: readonly GivenColumn[]): string
  /** The items of a column's JSON list as a row source, and their order. */
  items(column: string, alias: string): string
  itemOrder(alias: string): string
  /** The place of such an item in its list, from 1 on. */
  itemPosition(alias: string): string
  /** A member of a JSON object, in the form of a column of its type; null when it is missing. */
  member(json: string, path: readonly string[], type: ValueType, scale: number): string
  readonly fullText: FullText
  /** Whether queries need a scan estimate, because they may run in a thread that must not be blocked. */
  readonly needsScanEstimate: boolean
  /** Selects the keys of a company's rows whose text may contain `part`, by its trigrams. */
  rowsWithText(
    index: TextIndex,
    companyId: string,
    part: BoundValue,
    bind: (value: string | BoundValue) => string,
  ): string
  /** All rows of `from` as one JSON array, as part of a larger text. */
  list(members: readonly JsonMember[], from: string): string
  /** The statement that returns all rows of `from` as one JSON array. */
  jsonArray(members: readonly JsonMember[], from: string): string
  /** The same, or null where the array has more than some rows or bytes; absent: no query is asked for it. */
  jsonStart?(members: readonly JsonMember[], from: string): string
  /** The statement that returns each row as one JSON object. */
  jsonRows(members: readonly JsonMember[], from: string): string
  /** The statement that returns each row as cells, each a text or a number. */
  cells(cells: readonly JsonCell[], from: string): string
  /** The statement that returns each row as one JSON array or object, with the cells in their order. */
  tuples(cells: readonly JsonCell[], from: string): string
}

/** A number of each row, for an aggregate of a group of rows. */
export interface AggregatedValue {
  readonly sql: string
  readonly type: ValueType
  /** The places of an integer (none) or a decimal. */
  readonly scale: number | undefined
  /** Whether rows hold integers alone: of a decimal, in units of its last digit where the database keeps it so. */
  readonly isInteger: boolean
}

/** A number as arithmetic has it, with its decimal places. */
export interface Scaled {
  readonly sql: string
  readonly scale: number
  /** Where the database calculates short numbers faster than others. */
  readonly short?: ShortNumber | undefined
}

/** A number that is calculated of short ones alone. */
export interface ShortNumber {
  readonly sql: string
  /** Its magnitude is no greater. */
  readonly most: bigint
  /** The columns that hold short numbers then. */
  readonly columns: readonly string[]
}

export interface Arithmetic {
  /** An integer, or a decimal as its column has it. `isColumn`: of the table itself, which is read at no cost. */
  operand(sql: string, type: 'integer' | 'decimal', scale: number, isColumn: boolean): Scaled
  /** A number in units of its last digit. */
  literal(units: bigint, scale: number): Scaled
  /** `scale`: that of the result. */
  calculate(name: 'add' | 'subtract' | 'multiply', left: Scaled, right: Scaled, scale: number): Scaled
  /** Rounded to so many places, a half away from zero; 0 where the divisor is 0. */
  divide(left: Scaled, right: Scaled, places: number): Scaled
  /** To fewer places, a half away from zero. */
  round(number: Scaled, places: number): Scaled
  /** The sum of a number of each row of `from`, which includes FROM and WHERE; 0 of no rows. */
  total(number: Scaled, from: string): string
  /** The number in the form of exact ones. */
  exact(number: Scaled): string
  /** `met` where its columns hold short numbers, else `otherwise`; for a database that calculates those faster. */
  ifShort?(number: ShortNumber, met: string, otherwise: string): string
}

/** A column of rows that are given as JSON. */
export interface GivenColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'decimal' | 'json'
}

export interface JsonCell {
  readonly name: string
  readonly sql: string
  readonly type: BoundType | 'json'
  /** The scale of a decimal. */
  readonly scale?: number | undefined
  /** What an exact number is made of, where it is computed. */
  readonly units?: Scaled | undefined
}

/** A member of a JSON object: a value, or a nested object. */
export type JsonMember = JsonCell | { readonly name: string; readonly members: readonly JsonMember[] }

/** A text as an SQL literal: for definitions, never for values of a request. */
export function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A quoted SQL identifier, in the form that every database here accepts. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/** A comma-separated list of quoted columns, each with a prefix such as `t.`. */
export function columnList(columns: readonly string[], prefix = ''): string {
  return columns.map((column) => prefix + quote(column)).join(', ')
}

/**
 * A word that is indexed with every document of a company and occurs in no text, because a section sign is not a
 * letter.
 */
export function companyWord(companyId: string): string {
  return `\u00a7${createHash('sha256').update(companyId).digest('hex').slice(0, 16)}`
}

/** The terms with the word of the company, so that no posting lists of other companies are scanned. */
export function termsWithin(companyId: string, terms: readonly SearchedWord[]): readonly SearchedWord[] {
  return [{ word: companyWord(companyId), isPrefix: false }, ...terms]
}
