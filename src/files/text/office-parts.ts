// The parts of Office documents that hold text, and what is read of each. The console reads them too, in the browser.
import type { XmlListener } from './xml-reader.ts'

/** Takes the text of a document. Where only words count, a blank stands for all the others. */
export interface OfficeSink {
  add(text: string): void
  blank(): void
  /** Behind a cell of a table. */
  cell(): void
  /** Behind a paragraph, a row or a page. */
  line(): void
}

/** Patterns of part names in reading order. The last parts of a document that is too long are missing in the text. */
export type OfficeParts = readonly (readonly [RegExp, (sink: OfficeSink) => XmlListener])[]

export const WORD: OfficeParts = [
  [/^word\/document\d*\.xml$/i, wordListener],
  [/^word\/header\d*\.xml$/i, wordListener],
  [/^word\/footer\d*\.xml$/i, wordListener],
  [/^word\/(?:foot|end)notes\d*\.xml$/i, wordListener],
]

/** Its text has elements of the same names. */
export const POWERPOINT: OfficeParts = [
  [/^ppt\/slides\/slide\d*\.xml$/i, wordListener],
  [/^ppt\/notesSlides\/notesSlide\d*\.xml$/i, wordListener],
]

/** Texts, spreadsheets and presentations of LibreOffice (ISO/IEC 26300). */
export const OPEN_DOCUMENT: OfficeParts = [
  [/^content\.xml$/, openDocumentListener],
  [/^styles\.xml$/, openDocumentListener],
]

export const EXCEL: OfficeParts = [
  [/^xl\/workbook\d*\.xml$/i, workbookListener],
  [/^xl\/sharedStrings\d*\.xml$/i, stringsListener],
  [/^xl\/worksheets\/sheet\d*\.xml$/i, sheetListener],
]

const WORD_BLANKS = new Set(['tab', 'ptab'])
const WORD_LINES = new Set(['br', 'cr'])

/**
 * For the body, headers, footers and notes of a Word document, and for slides. Deleted text and field codes are not in
 * `t` elements.
 */
function wordListener(sink: OfficeSink): XmlListener {
  // A text box is stored twice: in the current format, and in a `Fallback` element for older programs.
  let fallbackDepth = 0
  const cells = new CellDepth('tc')
  return {
    open(name) {
      if (name === 'Fallback') fallbackDepth++
      cells.open(name)
      if (WORD_BLANKS.has(name)) sink.blank()
      if (WORD_LINES.has(name)) sink.line()
      if (name === 'noBreakHyphen') sink.add('-')
    },
    text(part, parent) {
      if (parent === 't' && fallbackDepth === 0) sink.add(part)
    },
    close(name) {
      if (name === 'Fallback') fallbackDepth--
      cells.close(name)
      if (name === 'p') cells.endBlock(sink)
      if (name === 'tc') sink.cell()
      if (name === 'tr') sink.line()
    },
  }
}

/** The paragraphs of a cell stand in its row. */
class CellDepth {
  readonly #cell: string
  #depth = 0

  constructor(cell: string) {
    this.#cell = cell
  }

  open(name: string): void {
    if (name === this.#cell) this.#depth++
  }

  close(name: string): void {
    if (name === this.#cell) this.#depth--
  }

  endBlock(sink: OfficeSink): void {
    if (this.#depth > 0) sink.blank()
    else sink.line()
  }
}

/** What was deleted, and what others have remarked. */
const LEFT_OUT = new Set(['tracked-changes', 'annotation'])
const BLOCKS = new Set(['p', 'h'])

function openDocumentListener(sink: OfficeSink): XmlListener {
  let [leftOut, blocks] = [0, 0]
  const cells = new CellDepth('table-cell')
  return {
    open(name) {
      if (LEFT_OUT.has(name)) leftOut++
      if (BLOCKS.has(name)) blocks++
      cells.open(name)
      if (leftOut > 0) return
      if (name === 's' || name === 'tab') sink.blank()
      if (name === 'line-break') sink.line()
    },
    text(part) {
      if (blocks > 0 && leftOut === 0) sink.add(part)
    },
    close(name) {
      if (LEFT_OUT.has(name)) leftOut--
      if (BLOCKS.has(name)) blocks--
      cells.close(name)
      if (leftOut > 0) return
      if (BLOCKS.has(name)) cells.endBlock(sink)
      if (name === 'table-cell') sink.cell()
      if (name === 'table-row' || name === 'page') sink.line()
    },
  }
}

/** For the workbook: the names of the sheets. */
function workbookListener(sink: OfficeSink): XmlListener {
  return {
    open(name, attributes) {
      if (name !== 'sheet') return
      sink.add(attributes.name ?? '')
      sink.blank()
    },
    text() {},
    close() {},
  }
}

/** For the shared strings, each of which is stored once and referenced by cells. */
function stringsListener(sink: OfficeSink): XmlListener {
  let phoneticDepth = 0
  return {
    open(name) {
      // `rPh` is the phonetic reading of a Japanese word, in addition to the word.
      if (name === 'rPh') phoneticDepth++
    },
    text(part, parent) {
      if (parent === 't' && phoneticDepth === 0) sink.add(part)
    },
    close(name) {
      if (name === 'rPh') phoneticDepth--
      if (name === 'si') sink.blank()
    },
  }
}

/** For a sheet: the values of its cells, except references to shared strings. */
function sheetListener(sink: OfficeSink): XmlListener {
  let isShared = false
  return {
    open(name, attributes) {
      if (name === 'c') isShared = attributes.t === 's'
    },
    text(part, parent) {
      if (parent === 't' || (parent === 'v' && !isShared)) sink.add(part)
    },
    close(name) {
      if (name === 'c') sink.blank()
    },
  }
}
