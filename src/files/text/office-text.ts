// Extracts the text of Word and Excel documents: the parts of the archive that contain text, and their listeners.
import type { GatheredText } from './gathered-text.ts'
import { DoctypeFound, EndOfXml, type XmlListener, XmlReader } from './xml-reader.ts'
import { ZipParts } from './zip-parts.ts'

type ListenerOf = (text: GatheredText) => XmlListener

/** Patterns of part names in reading order. The last parts of a document that is too long are missing in the text. */
type Parts = readonly (readonly [RegExp, ListenerOf])[]

const WORD: Parts = [
  [/^word\/document\d*\.xml$/i, wordListener],
  [/^word\/header\d*\.xml$/i, wordListener],
  [/^word\/footer\d*\.xml$/i, wordListener],
  [/^word\/(?:foot|end)notes\d*\.xml$/i, wordListener],
]

const EXCEL: Parts = [
  [/^xl\/workbook\d*\.xml$/i, workbookListener],
  [/^xl\/sharedStrings\d*\.xml$/i, stringsListener],
  [/^xl\/worksheets\/sheet\d*\.xml$/i, sheetListener],
]

/** Adds the text of a Word document: its body, headers, footers and notes. */
export async function readWord(content: Buffer, text: GatheredText): Promise<void> {
  await readParts(content, WORD, text)
}

/** Adds the text of a workbook: the names of its sheets, the shared strings, and the other cell values. */
export async function readExcel(content: Buffer, text: GatheredText): Promise<void> {
  await readParts(content, EXCEL, text)
}

async function readParts(content: Buffer, parts: Parts, text: GatheredText): Promise<void> {
  const archive = await ZipParts.open(content)
  if (!archive) return
  const wanted = parts.flatMap(([pattern, listenerOf]) =>
    archive.named(pattern).map((name) => [name, listenerOf] as const),
  )
  for (const [name, listenerOf] of wanted) {
    try {
      await readPart(archive.read(name), listenerOf(text), text)
    } catch (error) {
      if (!(error instanceof DoctypeFound)) throw error
      text.discard()
      return
    }
    text.addBreak()
  }
}

/** Reads a part until it is malformed or the text is full. */
async function readPart(bytes: AsyncIterable<Uint8Array>, listener: XmlListener, text: GatheredText): Promise<void> {
  const reader = new XmlReader(listener)
  try {
    for await (const chunk of bytes) {
      reader.write(chunk)
      if (text.isFull) return
    }
  } catch (error) {
    if (!(error instanceof EndOfXml)) throw error
  }
}

/** Elements that stand for white space. */
const WORD_BLANKS = new Set(['tab', 'ptab', 'br', 'cr'])
const WORD_BLOCKS = new Set(['p', 'tc'])

/**
 * For the body, headers, footers and notes of a Word document. Deleted text and field codes are not in `t` elements.
 */
function wordListener(text: GatheredText): XmlListener {
  // A text box is stored twice: in the current format, and in a `Fallback` element for older programs.
  let fallbackDepth = 0
  return {
    open(name) {
      if (name === 'Fallback') fallbackDepth++
      if (WORD_BLANKS.has(name)) text.addBreak()
      if (name === 'noBreakHyphen') text.add('-')
    },
    text(part, parent) {
      if (parent === 't' && fallbackDepth === 0) text.add(part)
    },
    close(name) {
      if (name === 'Fallback') fallbackDepth--
      if (WORD_BLOCKS.has(name)) text.addBreak()
    },
  }
}

/** For the workbook: the names of the sheets. */
function workbookListener(text: GatheredText): XmlListener {
  return {
    open(name, attributes) {
      if (name !== 'sheet') return
      text.add(attributes.name ?? '')
      text.addBreak()
    },
    text() {},
    close() {},
  }
}

/** For the shared strings, each of which is stored once and referenced by cells. */
function stringsListener(text: GatheredText): XmlListener {
  let phoneticDepth = 0
  return {
    open(name) {
      // `rPh` is the phonetic reading of a Japanese word, in addition to the word.
      if (name === 'rPh') phoneticDepth++
    },
    text(part, parent) {
      if (parent === 't' && phoneticDepth === 0) text.add(part)
    },
    close(name) {
      if (name === 'rPh') phoneticDepth--
      if (name === 'si') text.addBreak()
    },
  }
}

/** For a sheet: the values of its cells, except references to shared strings. */
function sheetListener(text: GatheredText): XmlListener {
  let isShared = false
  return {
    open(name, attributes) {
      if (name === 'c') isShared = attributes.t === 's'
    },
    text(part, parent) {
      if (parent === 't' || (parent === 'v' && !isShared)) text.add(part)
    },
    close(name) {
      if (name === 'c') text.addBreak()
    },
  }
}
