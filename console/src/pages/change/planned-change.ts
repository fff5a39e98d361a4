// One field of many records that is to have one value: the rows as they are, and what is sent of each.
import { fetchService } from '../../service/client.ts'
import { parseExact } from '../../service/exact-json.ts'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { addressOf, selectOf, valueIn } from '../../service/question.ts'
import { literalOf } from '../edit/typed-value.ts'
import { keyFields, keyOf, type Row } from '../grid/rows.ts'

/** As many as an import shows; the service answers no more at once. */
export const MOST_ROWS = 50_000

export interface PlannedChange {
  readonly field: FieldInfo
  /** As it was typed; empty empties the field. */
  readonly text: string
}

export interface ReadRows {
  readonly rows: readonly Row[]
  /** The number of the last change that they have. */
  readonly readAt: string
}

/** The rows that a filter leaves, of one moment: their keys, what they are called, and the field. */
export async function readRows(
  company: string,
  document: DocumentInfo,
  filter: string,
  shown: readonly FieldInfo[],
): Promise<ReadRows> {
  const select = selectOf(document, shown)
  const answer = await fetchService(addressOf(company, { document: document.name, select, filter, limit: MOST_ROWS }))
  return {
    rows: parseExact<Row[]>(await answer.text()),
    readAt: answer.headers.get('x-erp-change-number') ?? '',
  }
}

/** An object a line, in the order of the rows. */
export function linesOf(document: DocumentInfo, { field, text }: PlannedChange, rows: readonly Row[]): string {
  const keys = keyFields(document)
  const operations = `[{"op":"replace","path":${JSON.stringify(`/${field.path}`)},"value":${literalOf(text, field)}}]`
  const lines = rows.map((row) => {
    const parts = keyOf(keys, row)
    const key = keys.map((one, at) => `${JSON.stringify(one.path)}:${JSON.stringify(parts[at])}`)
    return `{${key.join(',')},"operations":${operations}}\n`
  })
  return lines.join('')
}

/** Whether a row has the value already, as far as texts tell it. */
export function hasValue(row: Row, { field, text }: PlannedChange): boolean {
  const literal = literalOf(text, field)
  const value = valueIn(row, field).value ?? ''
  return (
    String(value) === (literal === 'null' || literal === '""' ? '' : field.kind === 'text' ? text : unquoted(literal))
  )
}

const unquoted = (literal: string): string => (literal.startsWith('"') ? String(JSON.parse(literal)) : literal)
