// Suggests the index that would serve a query, by the same rules by which one is chosen.
import type { DocumentDefinition } from '../../model/document.ts'
import { type Condition, chooseIndex, type IndexQuery } from './choose-index.ts'
import { keyColumns, questionFor, type Requested } from './search.ts'
import { soughtColumn } from './sought-text.ts'

/**
 * The columns of the document's table, without those of the company and the key, which are added when the index is
 * created.
 */
type Suggestion =
  | { readonly kind: 'order'; readonly columns: readonly string[] }
  | { readonly kind: 'text'; readonly column: string }

const SUGGESTED = 'suggested'

/** Undefined when an index already serves the query, or none could. */
export function suggestIndex(requested: Requested): Suggestion | undefined {
  const { definition } = requested
  const { question: query, terms } = questionFor(requested)
  const columns = withRead(columnsFor(definition, query), requested, query)
  if (columns.length > 0 && wouldBeChosen(definition, columns, query)) return { kind: 'order', columns }
  const column = soughtColumn(terms, (one) => !definition.textIndexes?.some((index) => index.column === one))
  return column === undefined ? undefined : { kind: 'text', column }
}

/** The columns compared for equality, then one range, or the order. */
function columnsFor(definition: DocumentDefinition, { conditions, order = [] }: IndexQuery): string[] {
  const key = keyColumns(definition)
  const isEqual = ({ kind }: Condition) => kind === 'equal' || kind === 'list'
  const equal = conditions.filter(isEqual).map(({ column }) => column)
  const ranges = conditions.filter((one) => !isEqual(one) && !equal.includes(one.column))
  const ordered = order.map(({ column }) => column).filter((column) => !key.includes(column))
  const range = ranges.find(({ kind }) => kind === 'both') ?? ranges[0]
  const appended = range && (ordered.length === 0 || range.kind === 'both') ? [range.column] : ordered
  const columns = [...new Set([...equal, ...appended])].filter((column) => column !== definition.companyColumn)
  // The rest of the key is always appended, in its order.
  const rest = key.filter((column) => column !== definition.companyColumn && !columns.slice(0, -1).includes(column))
  return columns.at(-1) === rest[0] && ordered.length === 0 && range === undefined ? columns.slice(0, -1) : columns
}

/** The most properties of an index that a setup declares. */
const MOST_COLUMNS = 5

/** With what groups read of each row at the end: then the index alone answers. */
function withRead(
  columns: readonly string[],
  { definition, reads = [] }: Requested,
  { columns: all }: IndexQuery,
): readonly string[] {
  const known = [...columns, ...keyColumns(definition)]
  const more = reads.length === 0 ? [] : [...(all ?? [])].filter((column) => !known.includes(column))
  return columns.length + more.length > MOST_COLUMNS ? columns : [...columns, ...more]
}

function wouldBeChosen(definition: DocumentDefinition, columns: readonly string[], query: IndexQuery): boolean {
  // The indexes of an external table are unknown.
  if (!definition.indexes) return true
  const key = keyColumns(definition)
  const suggested = { name: SUGGESTED, columns: [...new Set([definition.companyColumn, ...columns, ...key])] }
  return chooseIndex(key, [...definition.indexes, suggested], query).index.name === SUGGESTED
}
