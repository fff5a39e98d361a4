// A text that a filter wants to stand in a column which has an index of three characters each. What the index finds is
// checked again by the filter itself, so that it decides nothing but how many rows are looked at.
import type { DocumentDefinition, TextIndex } from '../../model/document.ts'
import type { BoundExpression } from '../../query/bound.ts'
import { GRAM_LENGTH } from '../indexes/setup-index.ts'
import type { BoundText, KeyFilter } from '../store.ts'
import type { Choice } from './choose-index.ts'
import { SqlParameters } from './emitter.ts'
import type { Expressions } from './expressions.ts'
import type { FromClause } from './rows.ts'

export interface SoughtText {
  readonly index: TextIndex
  readonly companyId: string
  readonly part: string
}

/** Of the conditions that every row meets the one with the longest text. */
export function soughtText(
  definition: DocumentDefinition,
  scope: KeyFilter,
  terms: readonly BoundExpression[],
): SoughtText | undefined {
  const { textIndexes = [], companyColumn } = definition
  const companyId = scope.find(([column]) => column === companyColumn)?.[1]
  if (textIndexes.length === 0 || typeof companyId !== 'string') return undefined
  return terms
    .map((term) => {
      const found = containedText(term)
      const index = found && textIndexes.find(({ column }) => column === found.column)
      return index && { index, companyId, part: found.part }
    })
    .reduce((best, one) => (!one || (best && best.part.length >= one.part.length) ? best : one), undefined)
}

/** A column that such an index would find texts in, of those that are wanted. */
export function soughtColumn(
  terms: readonly BoundExpression[],
  isWanted: (column: string) => boolean,
): string | undefined {
  return terms.map((term) => containedText(term)?.column).find((column) => column !== undefined && isWanted(column))
}

function containedText(term: BoundExpression) {
  if (term.kind !== 'test' || term.operand.kind !== 'call' || term.operand.name !== 'contains') return undefined
  const [whole, part] = term.operand.args
  if (whole?.kind !== 'property' || part?.kind !== 'value' || typeof part.value !== 'string') return undefined
  const { place, property } = whole
  if (place.item !== undefined || place.via.length > 0) return undefined
  const { source } = property
  if (!('column' in source) || source.table !== undefined || [...part.value].length < GRAM_LENGTH) return undefined
  return { column: source.column, part: part.value }
}

/** A condition that every row meets which has the text. */
export function mayHave({ index, companyId, part }: SoughtText, rows: FromClause, sql: SqlParameters): string {
  const found = sql.engine.rowsWithText(index, companyId, part, (value) => sql.bind(value, 'string'))
  return `(${index.key.map((column) => rows.own(column)).join(', ')}) in (${found})`
}

/** Answers a row when the index finds more rows than that. */
export function textEdge({ index, companyId, part }: SoughtText, engine: Expressions, visits: number): BoundText {
  const sql = new SqlParameters(engine, '')
  const found = engine.rowsWithText(index, companyId, part, (value) => sql.bind(value, 'string'))
  return { text: `select 1 from (${found}) limit 1 offset ${visits}`, parameters: sql.parameters }
}

/** The rows that a text index finds are looked up by their key. */
export const BY_KEY: Choice = {
  index: { name: '', columns: [] },
  isPrimary: true,
  search: new Set(),
  isUnique: false,
  isInOrder: false,
  walked: undefined,
  isCovering: false,
}
