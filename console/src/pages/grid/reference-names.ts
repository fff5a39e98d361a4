// Fields that are the key of another record: where they lead, and what the record is called.
import { useRef } from 'react'
import { type CodesOf, useCodeNames } from '../../service/legal-values.ts'
import { type Column, valuesOf } from './list-columns.ts'
import type { Row } from './rows.ts'

/** The document that a column refers to, and the name of its key. */
export const referenceOf = ({ schema }: Column) => schema['x-erp-reference']

/** Name by path and code. It is another one when more is known. */
export type ReferenceNames = ReadonlyMap<string, string>

export const nameKey = (path: string, code: unknown): string => `${path} ${code}`

/** The names in the rows that are seen; each is asked for once. */
export function useReferenceNames(columns: readonly Column[], rows: readonly Row[]): ReferenceNames {
  const known = useRef<ReferenceNames>(new Map())
  const referring = columns.filter((column) => referenceOf(column) && !column.schema['x-erp-describable'])
  const wanted = referring.map((column): CodesOf => {
    const codes = rows.flatMap((row) => valuesOf(row, column)).map(({ value }) => String(value ?? ''))
    const unknown = codes.filter((code) => code !== '' && !known.current.has(nameKey(column.path, code)))
    return { source: { reference: referenceOf(column) }, codes: [...new Set(unknown)].toSorted() }
  })
  const found = useCodeNames(wanted).flatMap((names, at) =>
    [...names].map(([code, name]) => [nameKey(referring[at]?.path ?? '', code), name] as const),
  )
  if (found.some(([key]) => !known.current.has(key))) known.current = new Map([...known.current, ...found])
  return known.current
}
