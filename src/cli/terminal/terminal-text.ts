// Texts of records as a terminal may get them: none moves its cursor, changes its colours or turns a line around.
import type { Terminal } from './terminal.ts'

/** As one line, with a question mark for each character that does any of it. */
export function shown(text: string): string {
  return text.replaceAll(UNSAFE, '?')
}

/** JSON, line by line: with the escape of each such character, which JSON has in its texts alone. */
export function shownJson(text: string): string {
  return text.replaceAll(UNSAFE, (one) =>
    one === '\n' ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Lines of text, with a question mark as above. */
export function shownLines(text: string): string {
  return text.replaceAll(/[^\r\n]+/g, shown)
}

/** Controls, lone surrogates, the separators of lines, and the marks of directions. */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

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

/** Prints a line of text. */
export function printerOn({ stdout }: Pick<Terminal, 'stdout'>): (line: string) => void {
  return (line) => void stdout.write(`${line}\n`)
}
