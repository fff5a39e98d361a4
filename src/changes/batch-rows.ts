// The rows that one entry stands for, in the order of their keys. They never change, so they are what they were then.

import { wholeText } from '../base/byte-stream.ts'
import { memo } from '../base/memo.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { planCollection } from '../query/plan.ts'
import type { JournaledKind } from '../records/kinds/kind.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { compileCollection } from '../sql/compile/compile-query.ts'
import { CHANGE_COLUMN } from '../sql/tables.ts'
import { INTERNAL_CALLER } from '../store/store.ts'
import type { Key, LogEntry } from './log-entry.ts'
import type { LogSource } from './log-source.ts'

export interface BatchRow {
  readonly key: Key
  /** As the collection answers it. */
  readonly text: string
}

/** How many rows an entry stands for; 0 where its text was taken away. */
export function rowsOf({ after }: LogEntry): number {
  return after === '' ? 0 : Number(JSON.parse(after).rows)
}

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

/** The document with the index by the number of the entry. */
const indexed = memo((definition: DocumentDefinition): DocumentDefinition => {
  const { table, companyColumn, key, properties } = definition
  const keyColumns = key.slice(1).flatMap((name) => {
    const property = properties[name]
    return property?.kind === 'value' && 'column' in property.source ? property.source.column : []
  })
  const columns = [companyColumn, CHANGE_COLUMN, ...keyColumns]
  const index = { name: `changes_${table}`, columns, without: { column: CHANGE_COLUMN, value: '0' } }
  return { ...definition, indexes: [index] }
})
