// The index that would serve a question, by the same rules by which one is chosen.
import type { DocumentDefinition } from '../../model/document.ts'
import { type Condition, chooseIndex, type IndexQuery } from './choose-index.ts'
import { type Asked, keyColumns, questionFor } from './search.ts'
import { soughtColumn } from './sought-text.ts'

/** Columns of the document's own table; the company's and the key's are left to whoever makes it. */
export type Suggestion =
  | { readonly kind: 'order'; readonly columns: readonly string[] }
  | { readonly kind: 'text'; readonly column: string }

const SUGGESTED = 'suggested'

/** Nothing where an index serves the question already, or none could. */
export function suggestIndex(asked: Asked): Suggestion | undefined {
  const { definition } = asked
  const { question, terms } = questionFor(asked)
  const columns = columnsFor(definition, question)
  if (columns.length > 0 && wouldBeChosen(definition, columns, question)) return { kind: 'order', columns }
  const column = soughtColumn(terms, (one) => !definition.textIndexes?.some((index) => index.column === one))
  return column === undefined ? undefined : { kind: 'text', column }
}

/** What is compared for equality, then one range, or what it is ordered by. */
function columnsFor(definition: DocumentDefinition, { conditions, order = [] }: IndexQuery): string[] {
  const key = keyColumns(definition)
  const isEqual = ({ kind }: Condition) => kind === 'equal' || kind === 'list'
  const equal = conditions.filter(isEqual).map(({ column }) => column)
  const ranges = conditions.filter((one) => !isEqual(one) && !equal.includes(one.column))
  const ordered = order.map(({ column }) => column).filter((column) => !key.includes(column))
  const range = ranges.find(({ kind }) => kind === 'both') ?? ranges[0]
  const behind = range && (ordered.length === 0 || range.kind === 'both') ? [range.column] : ordered
  const columns = [...new Set([...equal, ...behind])].filter((column) => column !== definition.companyColumn)
  // The rest of the key stands at the end anyway, in its order.
  const rest = key.filter((column) => column !== definition.companyColumn && !columns.slice(0, -1).includes(column))
  return columns.at(-1) === rest[0] && ordered.length === 0 && range === undefined ? columns.slice(0, -1) : columns
}

function wouldBeChosen(definition: DocumentDefinition, columns: readonly string[], question: IndexQuery): boolean {
  // What is there on a table of others, nobody has told us.
  if (!definition.indexes) return true
  const key = keyColumns(definition)
  const suggested = { name: SUGGESTED, columns: [...new Set([definition.companyColumn, ...columns, ...key])] }
  return chooseIndex(key, [...definition.indexes, suggested], question).index.name === SUGGESTED
}
