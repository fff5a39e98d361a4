// The flags of an import, as a database and a service take them, and its report.

import { basename } from 'node:path'
import { readText } from '../../../base/process/files.ts'
import type { AddedCodes } from '../../../batch-operations/batch-operation.ts'
import { MAX_MAP_BYTES } from '../../../transfer/max-map-bytes.ts'
import type { DayOrder, DecimalSign } from '../../../transfer/rows/cell-forms.ts'
import type { SEPARATOR_NAMES } from '../../../transfer/rows/separators.ts'
import type { Encoding } from '../../../transfer/rows/text-form.ts'
import type { StoreFlags } from '../../settings/settings.ts'
import { badUsage, requireFile } from '../../terminal/bad-usage.ts'
import { formatCount, formatCountOf } from '../../terminal/progress.ts'
import { shown } from '../../terminal/terminal-text.ts'
import { inputFormatOf } from './file-formats.ts'
import { inputFileAt } from './input-file.ts'

/** What the caller says of a file, instead of having it found. */
export interface ReadingFlags {
  readonly separator?: (typeof SEPARATOR_NAMES)[number]
  readonly encoding?: Encoding
  readonly decimal?: DecimalSign
  readonly dates?: DayOrder
}

export interface ImportSettings extends StoreFlags {
  readonly company?: string
  readonly format?: 'csv' | 'ndjson'
  readonly again?: boolean
  readonly update?: boolean
  readonly keepIds?: boolean
  readonly dryRun?: boolean
  readonly template?: boolean
  /** A file to be written. */
  readonly mapTemplate?: string
  readonly readWith?: ReadingFlags
  /** A file. */
  readonly map?: string
  /** Files of lists: `lines=lines.csv`. */
  readonly with?: readonly string[]
  /** Attributes, with commas between them. */
  readonly addCodes?: string
}

/** The files of lists, each named before its file: `lines=lines.csv`. */
export function listFilesOf({ with: given = [] }: Pick<ImportSettings, 'with'>) {
  const files = given.map((text) => {
    const [, list = '', file = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? []
    if (file === '') throw badUsage(`option '--with': expected the name of a list and a file, such as lines=lines.csv`)
    const { path, rejects } = inputFileAt(file)
    requireFile("option '--with'", path)
    return { list, path, rejects, name: basename(file), format: inputFormatOf(file) }
  })
  const twice = files.find(({ list }, at) => files.findIndex((other) => other.list === list) < at)
  if (twice) throw badUsage(`option '--with': two files for the list ${twice.list}`)
  return files
}

/** The attributes of the flag. */
export function addedCodesOf({ addCodes = '' }: Pick<ImportSettings, 'addCodes'>): readonly string[] {
  return addCodes
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
}

/** The text of the map of the flag. */
export function readMapFile(file: string): string {
  if (requireFile("option '--map'", file) <= MAX_MAP_BYTES) return readText(file)
  throw badUsage(`option '--map': ${file} is larger than ${formatCount(MAX_MAP_BYTES)} bytes`)
}

/** At most as many codes of each attribute are named. */
const NAMED_CODES = 20

interface RowCounts {
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
}

/** What an import did, as one line without its end. `rejects`: the file with the rejected rows. */
export function countsText({ written, unchanged, rejected }: RowCounts, rejects: string, isDryRun: boolean): string {
  const unchangedText = unchanged === 0 ? '' : `${formatCount(unchanged)} unchanged, `
  const done = isDryRun ? 'would be imported' : 'imported'
  return `${formatCountOf(written, 'row')} ${done}, ${unchangedText}${rejectedText(rejected, rejects)}`
}

export function rejectedText(rejected: number, rejects: string): string {
  return `${formatCount(rejected)} rejected${rejected === 0 ? '' : ` (see ${rejects})`}`
}

export function codesText(codes: readonly AddedCodes[], isDryRun: boolean): string[] {
  return codes.map(({ attributeId, count, values }) => {
    const named = values.slice(0, NAMED_CODES).map(shown)
    const more = count > named.length ? [`and ${formatCount(count - named.length)} more`] : []
    const done = isDryRun ? 'would be added' : 'added'
    return `${formatCountOf(count, 'code')} ${done} to ${attributeId}: ${[...named, ...more].join(', ')}\n`
  })
}

export function separatorOf({ readWith }: Pick<ImportSettings, 'readWith'>): string | undefined {
  return readWith?.separator === 'tab' ? '\t' : readWith?.separator
}
