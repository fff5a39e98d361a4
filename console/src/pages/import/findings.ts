// What the service finds wrong with rows, at the cells that a person sees.
import type { RejectedRow } from '#client'
import { type Mapping, pathOfFinding } from './table.ts'

export interface CellFinding {
  /** The column of the file; undefined of what is wrong with the row as a whole. */
  readonly heading: string | undefined
  /** The property; empty of what is wrong with the row as a whole. */
  readonly path: string
  readonly message: string
}

/** By the numbers of the rows. */
export type RowFindings = ReadonlyMap<number, readonly CellFinding[]>

/** `lines`: where the rows of these numbers begin in what was sent. */
export function findingsOf(
  rejected: readonly RejectedRow[],
  lines: readonly number[],
  numbers: readonly number[],
  mapping: Mapping,
): RowFindings {
  const byLine = new Map(lines.map((line, at) => [line, numbers[at] ?? 0]))
  return new Map(
    rejected.flatMap(({ row, findings }) => {
      const number = byLine.get(row)
      return number === undefined ? [] : [[number, findings.map((one) => cellFinding(one, mapping))] as const]
    }),
  )
}

function cellFinding({ field = '', message }: RejectedRow['findings'][number], mapping: Mapping): CellFinding {
  const path = pathOfFinding(field)
  const origin = mapping.get(path)
  const isHeading = [...mapping.values()].some((one) => 'heading' in one && one.heading === field)
  const heading = isHeading ? field : origin && 'heading' in origin ? origin.heading : undefined
  const property = isHeading ? [...mapping].find(([, one]) => 'heading' in one && one.heading === field)?.[0] : path
  return { heading, path: property ?? path, message }
}
