// A map to be made: the headings of the files that it is for, and the file that it is written to.
import { createReadStream, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { MappedFile } from '../../../transfer/map-template.ts'
import { headingsOf } from '../../../transfer/rows/headings.ts'
import { badUsage, requireFile } from '../../terminal/bad-usage.ts'
import { inputFormatOf } from './file-formats.ts'
import { type ImportSettings, listFilesOf, separatorOf } from './import-settings.ts'
import { inputFileAt } from './input-file.ts'

type Headings = Omit<MappedFile, 'candidates'>

/** Those of the file of the records first. */
export async function headingsOfFiles(file: string, settings: ImportSettings): Promise<[Headings, ...Headings[]]> {
  const { path } = inputFileAt(file)
  requireFile("argument 'file'", path)
  const lists = listFilesOf(settings)
  const formats = [settings.format ?? inputFormatOf(file), ...lists.map(({ format }) => format)]
  if (formats.includes('ndjson')) throw badUsage("option '--map-template': only of CSV files (--format csv)")
  const given = { encoding: settings.readWith?.encoding, separator: separatorOf(settings) }
  const headings = (one: string) => headingsOf(() => createReadStream(one), given)
  const ofLists: Headings[] = []
  for (const { list, name, path: of } of lists) ofLists.push({ list, name, headings: await headings(of) })
  return [{ name: basename(file), headings: await headings(path) }, ...ofLists]
}

/** A map that somebody has worked on is not replaced. */
export function writeNewMap({ mapTemplate: file = '' }: ImportSettings, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw badUsage(`option '--map-template': ${file} is there already`)
  }
}
