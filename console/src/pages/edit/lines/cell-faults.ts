// What is wrong with cells of lines: what was typed is no value of its column, or the service refuses it.
import type { FieldInfo } from '../../../service/metadata.ts'
import type { Writing } from '../../../service/written-values.ts'
import type { ListItem } from '../changes.ts'
import type { Findings } from '../findings.ts'
import { faultOf } from './cell-text.ts'

export interface CellFault {
  /** Undefined for what is wrong with the lines as a whole. */
  readonly row: number | undefined
  /** Path of the column; empty for what is wrong with the line as a whole. */
  readonly path: string
  readonly message: string
}

/** By row and path, in the order of the lines. */
export type CellFaults = ReadonlyMap<string, CellFault>

const keyOf = (row: number | undefined, path: string): string => `${row ?? ''} ${path}`

export const faultAt = (faults: CellFaults, row: number, path: string): string | undefined =>
  faults.get(keyOf(row, path))?.message

/** `list`: the path that the findings of its lines begin with. */
export function cellFaults(
  list: string,
  columns: readonly FieldInfo[],
  items: readonly ListItem[],
  findings: Findings,
  writing: Writing,
): CellFaults {
  const found = [...findings].flatMap(([path, message]): CellFault[] => {
    if (path === list) return [{ row: undefined, path: '', message }]
    const [, row = '', within = ''] = path.startsWith(`${list}/`)
      ? (/^(\d+)\/?(.*)$/.exec(path.slice(list.length + 1)) ?? [])
      : []
    return row === '' ? [] : [{ row: Number(row), path: within, message }]
  })
  const typed = items.flatMap(({ texts }, row) =>
    columns.flatMap((field): CellFault[] => {
      const message = field.schema.readOnly ? undefined : faultOf(field, texts[field.path] ?? '', writing)
      return message === undefined ? [] : [{ row, path: field.path, message }]
    }),
  )
  const inOrder = [...found, ...typed].toSorted((one, other) => (one.row ?? -1) - (other.row ?? -1))
  return new Map(inOrder.map((fault) => [keyOf(fault.row, fault.path), fault]))
}
