// Finds a text that a filter requires in a column with a trigram index. The filter itself still checks the rows found,
// so the index only affects how many rows are visited.

import type { DocumentDefinition, TextIndex } from '../../model/document.ts'
import type { BoundExpression } from '../../query/bound.ts'
import type { BoundValue } from '../../query/bound-value.ts'
import type { Dialect } from '../dialect.ts'
import { GRAM_LENGTH } from '../setup-index.ts'
import type { Choice } from './choose-index.ts'
import { type BoundText, companyIn, type KeyFilter } from './compiled-query.ts'
import { SqlParameters } from './emitter.ts'
import type { FromClause } from './rows.ts'

export interface SoughtText {
  readonly index: TextIndex
  readonly companyId: string
  readonly part: BoundValue
}

/** The longest text among the conditions that every row meets. */
export function soughtText(
  definition: DocumentDefinition,
  scope: KeyFilter,
  terms: readonly BoundExpression[],
): SoughtText | undefined {
  const { textIndexes = [] } = definition
  const companyId = companyIn(definition, scope)
  if (textIndexes.length === 0 || companyId === '') return undefined
  return terms
    .map((term) => {
      const found = containedText(term)
      const index = found && textIndexes.find(({ column }) => column === found.column)
      return index && { index, companyId, part: found.part }
    })
    .reduce((best, one) => (!one || (best && lengthOf(best.part) >= lengthOf(one.part)) ? best : one), undefined)
}

/** A column among the wanted ones for which such an index would help. */
export function soughtColumn(
  terms: readonly BoundExpression[],
  isWanted: (column: string) => boolean,
): string | undefined {
  return terms.map((term) => containedText(term)?.column).find((column) => column !== undefined && isWanted(column))
}

function containedText(term: BoundExpression) {
  if (term.kind !== 'test' || term.operand.kind !== 'call' || term.operand.name !== 'contains') return undefined
  const [whole, part] = term.operand.args
  if (whole?.kind !== 'property' || part?.kind !== 'value') return undefined
  const { place, property } = whole
  if (place.item !== undefined || place.via.length > 0) return undefined
  const { source } = property
  if (!('column' in source) || source.table !== undefined || !hasGrams(part)) return undefined
  return { column: source.column, part }
}

function hasGrams(part: BoundValue): boolean {
  return part.ask((text) => [...String(text)].length >= GRAM_LENGTH)
}

function lengthOf(part: BoundValue): number {
  return part.ask((text) => String(text).length)
}

/** A condition that is true for every row that contains the text. */
export function mayHave({ index, companyId, part }: SoughtText, rows: FromClause, sql: SqlParameters): string {
  const found = sql.dialect.rowsWithText(index, companyId, part, (value) => sql.bind(value, 'string'))
  return `(${index.key.map((column) => rows.own(column)).join(', ')}) in (${found})`
}

/** A query that returns a row when the index finds more than `visits` rows. */
export function textEdge({ index, companyId, part }: SoughtText, dialect: Dialect, visits: number): BoundText {
  const sql = new SqlParameters(dialect, companyId)
  const found = dialect.rowsWithText(index, companyId, part, (value) => sql.bind(value, 'string'))
  return sql.statement(`select 1 from (${found}) limit 1 offset ${visits}`)
}

/** The choice for rows found by a text index, which are looked up by their key. */
export const BY_KEY: Choice = {
  index: { name: '', columns: [] },
  isPrimary: true,
  search: new Set(),
  isUnique: false,
  isInOrder: false,
  walked: undefined,
  isCovering: false,
}
