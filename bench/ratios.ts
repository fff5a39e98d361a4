// Ratios are taken within a round, where both subjects met the same mood of the machine.
import type { Measured } from './measure.ts'
import type { Row } from './report.ts'

export interface Ratios {
  readonly rounds: readonly number[]
  readonly median: number
}

/** One subject's figure over another's, round by round; no rounds when one of them was not measured. */
export function ratios({ measured }: Row, subject: string, floor: string, figure: (cell: Measured) => number): Ratios {
  const cells = measured.get(subject) ?? []
  const floorCells = measured.get(floor) ?? []
  const rounds =
    floorCells.length === 0 ? [] : cells.map((cell, at) => figure(cell) / figure(floorCells[at] as Measured))
  return { rounds, median: medianOf(rounds) }
}

/** The middle of the values, or of two middles their mean. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
