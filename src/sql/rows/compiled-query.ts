import type { DocumentDefinition } from '../../model/document.ts'
import type { PlainValue } from '../../query/bound-value.ts'
import type { SqlValue } from '../dialect.ts'
import type { Work } from './work.ts'

/** Required values of columns of the document's table, such as the company; a list means any of its values. */
export type KeyFilter = readonly (readonly [column: string, value: SqlValue | readonly SqlValue[]])[]

/** The company that a query is asked for. */
export function companyIn({ companyColumn }: Pick<DocumentDefinition, 'companyColumn'>, scope: KeyFilter): string {
  const found = scope.find(([column]) => column === companyColumn)?.[1]
  return typeof found === 'string' ? found : ''
}

/**
 * `array`: one row with one column, the JSON array; `start`: the same, or null for one that is long; `rows`: one JSON
 * object per row; `cells`: one column per cell; `tuples`: one JSON array or object per row, with the cells in their
 * order.
 */
export type AnswerForm = 'array' | 'start' | 'rows' | 'cells' | 'tuples'

/** A value of the column in whose order rows are found. */
export type EdgeValue = string | number | bigint

/** A parameter that is made of a literal of the query: its index, and the number of the literal. */
export interface ParameterSlot {
  readonly index: number
  readonly at: number
  readonly make: (value: PlainValue) => SqlValue
}

/** A statement; every value in it is a bound parameter. */
export interface BoundText {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /** Absent where the statement serves no other values. */
  readonly slots?: readonly ParameterSlot[]
}

/** A statement compiled from a query. */
export interface CompiledQuery extends BoundText {
  /** The maximum number of rows in the answer. */
  readonly rows: number
  /** The maximum size of a row of the answer in bytes, as far as lengths are known. */
  readonly rowBytes: number
  /** Given where the dialect needs it. */
  readonly scanEstimate?: ScanEstimate
  /** The same answer from the rows that a text index finds, which is faster when these are few. */
  readonly byText?: CompiledQuery
  /** The same answer by a text of which one plan of the database serves all values. */
  readonly onePlan?: BoundText
}

/** How many rows a query may visit, for a store whose thread must not be blocked. */
export interface ScanEstimate {
  /** The maximum number of rows in the answer plus those skipped by the offset. */
  readonly most: number
  /** The cost of each row. */
  readonly work: Work
  /** How the chosen index serves the query. Absent: the database chooses. */
  readonly plan?: {
    /** The index finds exactly the rows that meet all conditions. */
    readonly isExact: boolean
    /** The index returns rows in the requested order. */
    readonly isInOrder: boolean
    /** The index has all columns of the conditions and the order. */
    readonly isCovering: boolean
  }
  /** Where the database chooses: the number of bounds of an index search that finds exactly these rows, if any. */
  readonly bounds?: number | undefined
  /**
   * A query that returns a row (the edge) when the search finds more than `visits` rows: rows within the bounds of the
   * chosen index, or within the scope and the conditions on `columns`; without these, rows of the complete table.
   */
  edge(visits: number, columns?: ReadonlySet<string>): BoundText
  /**
   * The same query restricted to the rows before an edge, which is a value of the column in whose order rows are found.
   * Absent where rows are not found in order.
   */
  before?(edge: EdgeValue): BoundText
}

/** A query that may read much before it answers anything: where threads matter, it never runs in one. */
export function costly(query: CompiledQuery): CompiledQuery {
  const { scanEstimate } = query
  if (!scanEstimate) return query
  const { most, work } = scanEstimate
  const edge = () => ({ text: 'select 1', parameters: [] })
  return { ...query, scanEstimate: { most, work: { ...work, visit: Number.MAX_SAFE_INTEGER }, edge } }
}
