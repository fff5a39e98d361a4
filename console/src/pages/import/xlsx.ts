// The sheets of a spreadsheet (.xlsx, ECMA-376) as rows of texts: numbers with their digits, days as 2026-01-31. Whatever
// it unpacks to is bounded.
import { unzipSync } from 'fflate'
import { type XmlListener, XmlReader } from '../../../../src/files/text/xml-reader.ts'

const MAX_PART_BYTES = 64 * 1024 * 1024
const MAX_CELLS = 2_000_000
/** Excel has no more columns. */
const MAX_COLUMNS = 16_384
const XML_CHUNK_BYTES = 64 * 1024

export class NoSpreadsheet extends Error {}

export interface Workbook {
  readonly sheets: readonly string[]
  /** The rows of a sheet, without those that are empty. */
  rowsOf(sheet: string): readonly (readonly string[])[]
}

/** Throws `NoSpreadsheet`. */
export function readWorkbook(bytes: Uint8Array): Workbook {
  const partOf = (name: string): Uint8Array | undefined => {
    try {
      const filter = (file: { readonly name: string; readonly originalSize: number }) => {
        if (file.name !== name) return false
        if (file.originalSize > MAX_PART_BYTES) throw new NoSpreadsheet()
        return true
      }
      return unzipSync(bytes, { filter })[name]
    } catch (error) {
      throw error instanceof NoSpreadsheet ? error : new NoSpreadsheet()
    }
  }
  const { sheets, is1904 } = readSheets(partOf('xl/workbook.xml'), partOf('xl/_rels/workbook.xml.rels'))
  const texts = readSharedTexts(partOf('xl/sharedStrings.xml'))
  const dates = readDateStyles(partOf('xl/styles.xml'))
  return {
    sheets: [...sheets.keys()],
    rowsOf: (sheet) => readRows(partOf(sheets.get(sheet) ?? ''), { texts, dates, is1904 }),
  }
}

function read(part: Uint8Array | undefined, listener: Partial<XmlListener>): void {
  if (!part) return
  const reader = new XmlReader({ open: () => {}, text: () => {}, close: () => {}, ...listener })
  try {
    for (let at = 0; at < part.length; at += XML_CHUNK_BYTES) reader.write(part.subarray(at, at + XML_CHUNK_BYTES))
  } catch (error) {
    throw error instanceof NoSpreadsheet ? error : new NoSpreadsheet()
  }
}

function readSheets(workbook: Uint8Array | undefined, relations: Uint8Array | undefined) {
  if (!workbook) throw new NoSpreadsheet()
  const targets = new Map<string, string>()
  read(relations, {
    open: (name, { Id = '', Target = '' }) => {
      if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  const sheets = new Map<string, string>()
  let is1904 = false
  read(workbook, {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
      const target = targets.get(attributes['r:id'] ?? '')
      if (element === 'sheet' && target !== undefined) sheets.set(attributes.name ?? '', target)
    },
  })
  if (sheets.size === 0) throw new NoSpreadsheet()
  return { sheets, is1904 }
}

/** Runs of one text belong together; what says how to pronounce it does not. */
function readSharedTexts(part: Uint8Array | undefined): readonly string[] {
  const texts: string[] = []
  let isSpoken = false
  read(part, {
    open: (name) => {
      if (name === 'si') texts.push('')
      if (name === 'rPh') isSpoken = true
    },
    text: (text, parent) => {
      if (parent === 't' && !isSpoken) texts[texts.length - 1] += text
    },
    close: (name) => {
      if (name === 'rPh') isSpoken = false
    },
  })
  return texts
}

/** Formats of days and times that have numbers and no text of their own (ECMA-376, part 1, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** What stands in quotes, behind a backslash or in brackets (a colour, a currency) is no letter of a date. */
const isDateFormat = (code: string): boolean => /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_./g, ''))

/** Whether the cells of each style are dates. */
function readDateStyles(part: Uint8Array | undefined): readonly boolean[] {
  const formats = new Map<number, string>()
  const styles: boolean[] = []
  let isOfCells = false
  read(part, {
    open: (name, attributes) => {
      const id = Number(attributes.numFmtId ?? 0)
      if (name === 'numFmt') formats.set(id, attributes.formatCode ?? '')
      if (name === 'cellXfs') isOfCells = true
      const format = formats.get(id)
      if (name === 'xf' && isOfCells) styles.push(format === undefined ? isBuiltInDate(id) : isDateFormat(format))
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return styles
}

interface Known {
  readonly texts: readonly string[]
  readonly dates: readonly boolean[]
  readonly is1904: boolean
}

function readRows(part: Uint8Array | undefined, known: Known): readonly (readonly string[])[] {
  const rows: string[][] = []
  let [row, text, column, count, isSpoken]: [string[], string, number, number, boolean] = [[], '', -1, 0, false]
  let cell: Readonly<Record<string, string>> = {}
  read(part, {
    open: (name, attributes) => {
      if (name === 'row') [row, column] = [[], -1]
      if (name === 'rPh') isSpoken = true
      if (name !== 'c') return
      column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
      if (column >= MAX_COLUMNS || ++count > MAX_CELLS) throw new NoSpreadsheet()
      cell = attributes
      text = ''
    },
    text: (more, parent) => {
      if (parent === 'v' || (parent === 't' && !isSpoken)) text += more
    },
    close: (name) => {
      if (name === 'rPh') isSpoken = false
      if (name === 'c') row[column] = cellText(cell, text, known)
      if (name === 'row' && row.some((one) => one.trim() !== '')) rows.push(Array.from(row, (one) => one ?? ''))
    },
  })
  return rows
}

/** `C7` is in column 2. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference.replaceAll(/[^A-Z]/g, '')) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function cellText({ t, s }: Readonly<Record<string, string>>, text: string, { texts, dates, is1904 }: Known): string {
  if (t === 's') return texts[Number(text)] ?? ''
  if (t === 'b') return text === '1' ? 'true' : 'false'
  const number = Number(text)
  if (text === '' || (t !== undefined && t !== 'n') || !Number.isFinite(number)) return text
  return dates[Number(s ?? -1)] ? dayText(number, is1904) : plainDigits(number)
}

/** Excel computes with 15 digits: what it stores beyond them is none that a person has seen. */
export function plainDigits(number: number): string {
  const short = Number(number.toPrecision(15))
  return String(short).includes('e-') ? short.toFixed(20).replace(/0+$/, '') : String(short)
}

const DAY_MS = 86_400_000

/** Excel counts days from 1900, with a 29 February in that year, or from 1904. */
export function dayText(days: number, is1904: boolean): string {
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const at = new Date(start + Math.round(days * 86_400) * 1_000)
  if (Number.isNaN(at.getTime())) return String(days)
  const text = at.toISOString().slice(0, 19)
  if (days >= 0 && days < 1) return text.slice(11)
  return at.getTime() % DAY_MS === 0 ? text.slice(0, 10) : text
}
