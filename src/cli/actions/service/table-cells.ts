// Rows of JSON as the cells of a table: members of groups are columns, lists are JSON.
import { digitsOf, parseExact } from './exact-json.ts'

export interface Cells {
  /** Such as `invoice.creditLimit`, in the order in which the rows have them. */
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export function tableCells(lines: readonly string[]): Cells {
  const rows = lines.map((line) => new Map(cellsIn(parseExact(line), '')))
  const headings = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  return { headings, rows: rows.map((row) => headings.map((heading) => row.get(heading) ?? '')) }
}

function cellsIn(value: unknown, name: string): (readonly [string, string])[] {
  const digits = digitsOf(value)
  if (digits !== undefined) return [[name, digits]]
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
  return Object.entries(value).flatMap(([member, inner]) => cellsIn(inner, name === '' ? member : `${name}.${member}`))
}
