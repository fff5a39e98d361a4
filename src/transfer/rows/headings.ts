// The line of names of a CSV file whose names are not known.

import { asUtf8 } from './as-utf8.ts'
import { ANY_SEPARATOR, cellsOf, csvRecords } from './csv-records.ts'
import { EncodingFinder } from './find-encoding.ts'
import { findSeparator, separatorLine } from './separators.ts'
import type { Encoding, TextForm } from './text-form.ts'
import { FileError } from './text-lines.ts'

interface Given {
  readonly encoding?: Encoding | undefined
  readonly separator?: string | undefined
}

export interface HeadLine {
  readonly text: TextForm
  readonly separator: string
  /** The rows follow it. */
  readonly line: number
  readonly names: readonly string[]
}

/** Throws a FileError for a file without names. `open` reads it from its first byte. */
export async function headLineOf(open: () => AsyncIterable<Buffer>, given: Given): Promise<HeadLine> {
  const finder = new EncodingFinder()
  for await (const chunk of open()) finder.add(chunk)
  const text = finder.found(given.encoding)
  for await (const records of csvRecords(asUtf8(open(), text), ANY_SEPARATOR)) {
    const told = separatorLine(records[0]?.text ?? '')
    const first = records[told === undefined ? 0 : 1]
    if (!first) break
    const separator = given.separator ?? told ?? findSeparator(first.text, () => true)
    const { cells, problem } = cellsOf(first.text, separator)
    if (!cells) throw new FileError(`the first line cannot be read: ${problem}`)
    return { text, separator, line: first.line, names: cells.map((name) => name.trim()) }
  }
  throw new FileError('there is no line of names')
}

/** Each name once. */
export async function headingsOf(open: () => AsyncIterable<Buffer>, given: Given): Promise<readonly string[]> {
  const { names } = await headLineOf(open, given)
  return names.filter((name, at) => name !== '' && names.indexOf(name) === at)
}
