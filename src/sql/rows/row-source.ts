// Rows that a query reads in place of those of its document's tables: other states of records, as common table
// expressions before the query. The document's table and the tables of its lists are replaced; associations, joins and
// descriptions are still looked up where they are.
import type { DocumentDefinition } from '../../model/document.ts'
import type { BoundType } from '../../query/bound-value.ts'
import type { Dialect } from '../dialect.ts'

export interface RowSource {
  /** Adds its parameters, which are the first of the statement. */
  open(sql: FirstParameters): OpenRowSource
}

/** The parameters of a statement at its start. */
export interface FirstParameters {
  readonly dialect: Dialect
  /** The placeholder of the company of the query. */
  readonly company: string
  /** Adds a parameter and returns its placeholder. */
  bind(value: string | number, type: BoundType, isForEquality?: boolean): string
}

/** The source of one statement. */
export interface OpenRowSource {
  /** What is read in place of a table; undefined for the table itself. */
  standInFor(table: string): StandIn | undefined
  /** The WITH clause with a blank at its end; called last, when the columns that the query reads are known. */
  clause(): string
}

export interface StandIn {
  /** The name of the common table expression. */
  readonly name: string
  /** The columns that the query reads of it. */
  readonly columns: Set<string>
  /** A column that rows and the items of their lists have in common besides the key. */
  readonly stateColumn?: string
}

/** The definition for a query of such rows, which have no indexes. */
export function withoutIndexes({
  indexes: _of,
  textIndexes: _ofTexts,
  ...definition
}: DocumentDefinition): DocumentDefinition {
  return definition
}
