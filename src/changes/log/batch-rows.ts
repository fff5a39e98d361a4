// The rows that one entry stands for, in the order of their keys. They never change, so they are what they were then.
import { wholeText } from '../../base/byte-stream.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { planCollection } from '../../query/plan.ts'
import type { JournaledKind } from '../../records/kinds/kind.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { compileCollection } from '../../sql/compile/compile-query.ts'
import { CHANGE_COLUMN } from '../../sql/tables.ts'
import { ROWS_KEY } from '../../store/journal/rows-entry.ts'
import { INTERNAL_CALLER } from '../../store/store.ts'
import { type Key, keyOf, type LogEntry } from './log-entry.ts'
import type { LogSource } from './log-source.ts'

export interface BatchRow {
  readonly key: Key
  /** As the collection answers it. */
  readonly text: string
}

/** How many rows an entry stands for; 0 for those of earlier versions, whose rows cannot be found. */
export function rowsOf(entry: LogEntry): number {
  const [first] = keyOf(entry)
  return first === ROWS_KEY && entry.after !== '' ? Number(JSON.parse(entry.after).rows) : 0
}

/** Whether an entry stands for the rows of a batch: no record has such a text. */
export function standsForRows({ operation, after }: LogEntry): boolean {
  return operation === 'create' && ROWS_TEXT.test(after)
}

const ROWS_TEXT = /^\{"rows":\d+\}$/

/** Some of the rows of an entry. */
export async function readRows(
  source: LogSource,
  company: CompanyRules,
  { batch, keyNames }: JournaledKind & { readonly batch: DocumentDefinition },
  number: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<BatchRow[]> {
  const plan = planCollection(indexed(batch), {
    filter: undefined,
    select: undefined,
    orderBy: undefined,
    offset,
    limit,
  })
  const scope = [
    [batch.companyColumn, company.id],
    [CHANGE_COLUMN, number],
  ] as const
  const { content } = await source.collect(company.id, {
    format: 'ndjson',
    cells: [],
    compile: (dialect, form) => compileCollection(plan, scope, dialect, { form }),
    isUrgent: false,
    ...INTERNAL_CALLER,
  })
  const lines = (await wholeText(content)).split('\n').filter((line) => line !== '')
  return lines.map((text) => {
    const record = JSON.parse(text)
    return { key: keyNames.map((name) => record[name] as string | number), text }
  })
}

const definitions = new WeakMap<DocumentDefinition, DocumentDefinition>()

/** The document with the index by the number of the entry. */
function indexed(definition: DocumentDefinition): DocumentDefinition {
  let found = definitions.get(definition)
  if (!found) {
    const { table, companyColumn, key, properties } = definition
    const keyColumns = key.slice(1).flatMap((name) => {
      const property = properties[name]
      return property?.kind === 'value' && 'column' in property.source ? property.source.column : []
    })
    const columns = [companyColumn, CHANGE_COLUMN, ...keyColumns]
    const index = { name: `changes_${table}`, columns, without: { column: CHANGE_COLUMN, value: '0' } }
    found = { ...definition, indexes: [index] }
    definitions.set(definition, found)
  }
  return found
}
