// Extracts the text of Word and Excel documents: the parts of the archive that contain text, and their listeners.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import type { GatheredText } from './gathered-text.ts'
import { DoctypeFound, EndOfXml, type XmlListener, XmlReader } from './xml-reader.ts'

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

// Reads the parts of an office document, which is a ZIP archive. yauzl inflates one entry at a time as a stream, which
// is stopped at a limit, and reads the directory entry by entry. The alternative fflate is unsafe for untrusted input:
// it allocates the size that a header declares, or inflates each given chunk completely.

const MIB = 1024 * 1024
/** Parts of a document with thousands of pages have some megabytes. */
const MAX_PART_BYTES = 32 * MIB
const MAX_BYTES = 64 * MIB
/** A workbook has an entry for each sheet and each image. */
const MAX_ENTRIES = 10_000

class ZipParts {
  readonly #archive: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #bytesLeft = MAX_BYTES

  private constructor(archive: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#archive = archive
    this.#entries = entries
  }

  /** Undefined when the content is no archive. A truncated directory gives the entries before the damage. */
  static async open(content: Buffer): Promise<ZipParts | undefined> {
    // Sizes in headers are not trusted: `read` counts the inflated bytes.
    const options = { validateEntrySizes: false, strictFileNames: false }
    const archive = await fromBufferPromise(content, options).catch(() => undefined)
    return archive && new ZipParts(archive, await entriesOf(archive))
  }

  /** The names that match, in the order of their numbers: `sheet2` before `sheet10`. */
  named(pattern: RegExp): string[] {
    const names = [...this.#entries.keys()].filter((name) => pattern.test(name))
    return names.sort((left, right) => numberIn(left) - numberIn(right))
  }

  /** Streams the inflated bytes of a part, up to the limit or the first damage. */
  async *read(name: string): AsyncGenerator<Uint8Array, void, void> {
    const entry = this.#entries.get(name)
    let partLeft = Math.min(MAX_PART_BYTES, this.#bytesLeft)
    if (!entry || partLeft === 0) return
    const stream = await this.#archive.openReadStreamPromise(entry).catch(() => undefined)
    const chunks = stream?.iterator() as AsyncIterator<Uint8Array> | undefined
    try {
      while (chunks && partLeft > 0) {
        const { value: chunk, done } = await chunks.next().catch(() => ({ value: undefined, done: true }))
        if (done || chunk === undefined) return
        const wanted = chunk.subarray(0, partLeft)
        partLeft -= wanted.length
        this.#bytesLeft -= wanted.length
        yield wanted
      }
    } finally {
      await chunks?.return?.()
    }
  }
}

/** The entries by name. For duplicate names the first one counts, which the second would hide. */
async function entriesOf(archive: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let count = 0
  try {
    for await (const entry of archive.eachEntry()) {
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
      if (++count >= MAX_ENTRIES) break
    }
  } catch {
    // The directory is damaged: the entries before the damage count.
  }
  return entries
}

function numberIn(name: string): number {
  return Number(/(\d+)\.\w+$/.exec(name)?.[1] ?? 0)
}
