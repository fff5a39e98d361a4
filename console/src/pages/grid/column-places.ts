// How many places behind the point the decimals of a column are written with: they stand below each other, and below
// them their sum.
import { useRef } from 'react'
import { amountPlaces } from '../../parts/field-value.tsx'
import { type Column, valuesOf } from './list-columns.ts'
import type { Row } from './rows.ts'

/** By path. It is another one when a row has come with more places. */
export type ColumnPlaces = ReadonlyMap<string, number>

export function useColumnPlaces(columns: readonly Column[], rows: readonly Row[]): ColumnPlaces {
  const known = useRef<ColumnPlaces>(new Map())
  const found = columns
    .filter(({ kind }) => kind === 'decimal')
    .map((column): [string, number] => {
      const texts = rows.flatMap((row) => valuesOf(row, column)).map(({ value }) => String(value ?? ''))
      return [column.path, amountPlaces(texts, known.current.get(column.path))]
    })
  if (found.some(([path, places]) => known.current.get(path) !== places))
    known.current = new Map([...known.current, ...found])
  return known.current
}
