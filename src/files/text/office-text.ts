// Extracts the text of Word and Excel documents: the parts of the archive that contain text, and their listeners.
import type { GatheredText } from './gathered-text.ts'
import { sheetListener, stringsListener, wordListener, workbookListener } from './office-listeners.ts'
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
