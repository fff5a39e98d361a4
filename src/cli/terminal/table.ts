import { shown } from './terminal-text.ts'

/** A table for people: a line of headings, and columns as wide as their longest cell. */
export function tableOf(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(shown))
  const widths = headings.map((_heading, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
