// The parts of an office document, which is a zip archive. yauzl reads them: it inflates one entry at a time as a stream
// that we stop at a bound, with the zlib of Node, and follows the directory entry by entry. fflate allocates what a header
// says, or inflates each piece that it is given as far as it goes.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

const MIB = 1024 * 1024
/** A document of thousands of pages has parts of some megabytes. */
const MOST_PART_BYTES = 32 * MIB
const MOST_BYTES = 64 * MIB
/** A workbook has an entry for each sheet and picture. */
const MOST_ENTRIES = 10_000

export class ZipParts {
  readonly #archive: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  #bytesLeft = MOST_BYTES

  private constructor(archive: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#archive = archive
    this.#entries = entries
  }

  /** Nothing when the content is no archive. Of a directory that breaks off, the entries before count. */
  static async open(content: Buffer): Promise<ZipParts | undefined> {
    // Sizes in headers are only said: we count what comes.
    const options = { validateEntrySizes: false, strictFileNames: false }
    const archive = await fromBufferPromise(content, options).catch(() => undefined)
    return archive && new ZipParts(archive, await entriesOf(archive))
  }

  /** The names that match, in the order of their numbers: `sheet2` before `sheet10`. */
  named(pattern: RegExp): string[] {
    const names = [...this.#entries.keys()].filter((name) => pattern.test(name))
    return names.sort((left, right) => numberIn(left) - numberIn(right))
  }

  /** The bytes of a part as they are inflated: up to the bound, or as far as they can be read. */
  async *read(name: string): AsyncGenerator<Uint8Array, void, void> {
    const entry = this.#entries.get(name)
    let partLeft = Math.min(MOST_PART_BYTES, this.#bytesLeft)
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

/** Of two entries of one name, the first: what a second would hide. */
async function entriesOf(archive: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let seen = 0
  try {
    for await (const entry of archive.eachEntry()) {
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
      if (++seen >= MOST_ENTRIES) break
    }
  } catch {
    // What is in the directory up to here is what there is.
  }
  return entries
}

function numberIn(name: string): number {
  return Number(/(\d+)\.\w+$/.exec(name)?.[1] ?? 0)
}
