// The line of names of a CSV file whose names are not known.

import { asUtf8 } from './as-utf8.ts'
import { ANY_SEPARATOR, cellsOf, csvRecords } from './csv-records.ts'
import { EncodingFinder } from './find-encoding.ts'
import { findSeparator, separatorLine } from './separators.ts'
import type { Encoding } from './text-form.ts'
import { FileError } from './text-lines.ts'

/** Throws a FileError for a file without names. `open` reads it from its first byte. */
export async function headingsOf(
  open: () => AsyncIterable<Buffer>,
  given: { readonly encoding?: Encoding | undefined; readonly separator?: string | undefined },
): Promise<readonly string[]> {
  const finder = new EncodingFinder()
  for await (const chunk of open()) finder.add(chunk)
  for await (const records of csvRecords(asUtf8(open(), finder.found(given.encoding)), ANY_SEPARATOR)) {
    const told = separatorLine(records[0]?.text ?? '')
    const first = records[told === undefined ? 0 : 1]
    if (!first) break
    const { cells, problem } = cellsOf(first.text, given.separator ?? told ?? findSeparator(first.text, () => true))
    if (!cells) throw new FileError(`the first line cannot be read: ${problem}`)
    return cells.map((name) => name.trim()).filter((name, at, all) => name !== '' && all.indexOf(name) === at)
  }
  throw new FileError('there is no line of names')
}
