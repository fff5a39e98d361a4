// Ratios are taken within a round, where the load of the machine was the same for both subjects.
import type { Measured } from './measure.ts'
import type { Row } from './report.ts'

export interface Ratios {
  readonly rounds: readonly number[]
  readonly median: number
}

/** A metric of one subject divided by that of another, for each round; no rounds if one of them was not measured. */
export function ratios({ measured }: Row, subject: string, floor: string, figure: (cell: Measured) => number): Ratios {
  const cells = measured.get(subject) ?? []
  const floorCells = measured.get(floor) ?? []
  const rounds =
    floorCells.length === 0 ? [] : cells.map((cell, at) => figure(cell) / figure(floorCells[at] as Measured))
  return { rounds, median: medianOf(rounds) }
}

/** The median. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
