// Extracts the text of Office documents, which are archives of XML parts.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import type { GatheredText } from './gathered-text.ts'
import type { OfficeParts, OfficeSink } from './office-parts.ts'
import { DoctypeFound, EndOfXml, type XmlListener, XmlReader } from './xml-reader.ts'

/** Adds the text of a document: that of these parts. */
export async function readOffice(content: Buffer, parts: OfficeParts, text: GatheredText): Promise<void> {
  const archive = await ZipParts.open(content)
  if (!archive) return
  const sink = sinkOf(text)
  const wanted = parts.flatMap(([pattern, listenerOf]) =>
    archive.named(pattern).map((name) => [name, listenerOf] as const),
  )
  for (const [name, listenerOf] of wanted) {
    try {
      await readPart(archive.read(name), listenerOf(sink), text)
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

/** The search has words alone. */
function sinkOf(text: GatheredText): OfficeSink {
  const end = () => text.addBreak()
  return { add: (part) => text.add(part), blank: end, cell: end, line: end }
}

const MIB = 1024 * 1024
/** Parts of a document with thousands of pages have some megabytes. */
const MAX_PART_BYTES = 32 * MIB
const MAX_BYTES = 64 * MIB
/** A workbook has an entry for each sheet and each image. */
const MAX_ENTRIES = 10_000

/**
 * Reads the parts of an office document, which is a ZIP archive. yauzl inflates one entry at a time as a stream, which
 * is stopped at a limit, and reads the directory entry by entry. The alternative fflate is unsafe for untrusted input:
 * it allocates the size that a header declares, or inflates each given chunk completely.
 */
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
