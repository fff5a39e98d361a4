// What differs between engines in the SQL of a query: one small interface, implemented beside each engine's other
// files.
import type { StoredAs, TextIndex, ValueType } from '../../model/document.ts'
import type { BoundType } from '../../query/bound.ts'
import type { WordTerm } from '../indexes/word-index.ts'
import type { SqlValue } from '../statement.ts'

/** `long` is an integer given as text, `decimal` a number that is compared with integers without being rounded. */
export type ParameterType = BoundType | 'long' | 'decimal'

export interface IndexedStart {
  /** Comes before a text in an order, and changes nothing of it. */
  readonly order: (text: string) => string
  /** Is equal of equal texts. */
  readonly name: (text: string) => string
  /**
   * What holds between the name of a text and the name of another value where the operator holds between text and
   * value.
   */
  bound(op: '>' | '>=' | '<' | '<=', value: string): { readonly op: string; readonly value: string } | undefined
}

/** Texts given and returned are SQL expressions, never values, but where a parameter says so. */
export interface Expressions {
  /**
   * The placeholder of the n-th parameter (from 1), of this type; one that is only asked for equality needs no order.
   */
  placeholder(position: number, type: ParameterType, isForEquality: boolean): string
  /** The same for a value that stands in the text itself: of what a setup says, never of a request. */
  literal(value: SqlValue, type: ParameterType, isForEquality: boolean): string
  /** A decimal of so many units of the last digit, as it is bound beside a column that keeps decimals of this scale. */
  decimal(units: bigint, scale: number): { readonly value: SqlValue; readonly type: ParameterType }
  /**
   * A decimal, or a number of another type beside one that is not of its scale, as what can be compared with the other.
   */
  comparable(sql: string, type: BoundType, scale: number | undefined, other: BoundType): string
  /** A value as it is bound. */
  bindable(value: string | number | boolean): SqlValue
  quote(identifier: string): string
  /**
   * What stands behind a table and its alias to have rows found by an index, or by the primary key; absent: the
   * database knows best.
   */
  pinned?(table: string, index: string | undefined): string
  /** How indexes have long texts of which they hold the start; absent where they have whole texts. */
  readonly indexedStart?: IndexedStart
  /** How many rows are answered and how many skipped; no limit: all behind the offset. */
  window(limit: string | undefined, offset: string): string
  /**
   * Whether what is selected is computed for rows that are sorted or skipped too, rather than for those of the page
   * alone.
   */
  readonly selectsBeforeLimit: boolean
  /** Where `part` begins in `whole`, from 1; 0 when it is not in it. */
  indexOf(whole: string, part: string): string
  /** A text with each letter replaced by its lower or upper case, one character for one. */
  fold(text: string, to: 'lower' | 'upper', bind: (value: string) => string): string
  /**
   * A text or a JSON list that is gone through: where the engine must not be held up, a long one ends the statement.
   */
  inReach(sql: string): string
  /** A condition that is met by each item of a list, and ends the statement in such a place after too many of them. */
  readonly isNextItem?: string
  /** A boolean as a condition. */
  condition(sql: string): string
  /** A column that keeps its values otherwise than ours do, as one of ours. */
  read(column: string, storedAs: StoredAs): string
  /** Such a column where only equality is asked, so that an index on it serves; by default as it is read. */
  equal(column: string, storedAs: StoredAs): string
  /** Whether a column holds just this text, byte by byte, whatever its type and collation make of others. */
  isText(column: string, text: string): string
  /** A number as text. */
  asText(sql: string): string
  /** The JSON list of a column as something to select from, and the order of its items. */
  items(column: string, alias: string): string
  itemOrder(alias: string): string
  /** A member of a JSON object, null where it is not there. */
  member(json: string, path: readonly string[], type: ValueType): string
  /** Selects the ids of a company's documents in which all words stand. */
  documentsWith(companyId: string, words: readonly WordTerm[], bind: (value: string) => string): string
  /** Selects the keys of a company's rows in whose text all characters of `part` may stand beside each other. */
  rowsWithText(index: TextIndex, companyId: string, part: string, bind: (value: string) => string): string
  /** A JSON list as it is stored, as part of a larger text. */
  storedList(column: string): string
  /** All rows of `from` as one JSON array, as part of a larger text. */
  list(members: readonly JsonMember[], from: string): string
  /** The statement that answers all rows of `from` as one JSON array. */
  jsonArray(members: readonly JsonMember[], from: string): string
  /** The statement that answers each row as one JSON object. */
  jsonRows(members: readonly JsonMember[], from: string): string
  /** The statement that answers each row as its cells, every one a text or a number. */
  cells(cells: readonly JsonCell[], from: string): string
}

export interface JsonCell {
  readonly name: string
  readonly sql: string
  readonly type: BoundType | 'json'
  /** Of a decimal. */
  readonly scale?: number | undefined
}

/** `sql` is the value of a simple member. */
export type JsonMember = JsonCell | { readonly name: string; readonly members: readonly JsonMember[] }

/** A text as an SQL literal: for what stands in a definition, never for what a request says. */
export function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
