// Which texts the records of a kind have much in common with. The change log is compressed with them: what all records
// of a company share, such as the names of their members, is stored in a dictionary once. A company's dictionaries are
// made of its own entries and never changed; each entry names the one that it was compressed with.
import { Dictionary } from './lz77.ts'

/** Larger ones save little more, and every text that is read is decompressed behind a copy. */
const MOST_BYTES = 4_096
/** Texts are gathered for a new dictionary until they are so long together. */
const ENOUGH_BYTES = 3_072
/**
 * A kind gets its second dictionary after so many entries of the company, further ones each time these have doubled.
 */
const FIRST_ENTRIES = 64
/** It gets one sooner when so many entries, and this part of all before, have become long beside their texts. */
const POOR_PART = 1 / 16
const POOR_BYTES = 64
const POOR_RATIO = 1 / 4

export interface StoredDictionary {
  readonly no: number
  /** The number of the entry that it was made with. */
  readonly madeAt: number
  readonly bytes: Uint8Array
}

export class KnownDictionary {
  readonly no: number
  readonly dictionary: Dictionary
  readonly #madeAt: number
  /** What the next one will be made of, the newest first. */
  #gathered = ''
  #poor = 0

  constructor({ no, madeAt, bytes }: StoredDictionary) {
    this.no = no
    this.dictionary = new Dictionary(bytes)
    this.#madeAt = madeAt
  }

  /** Takes note of how well it has served. */
  note(text: string, bytes: number): void {
    if (bytes > POOR_BYTES && bytes > POOR_RATIO * text.length) this.#poor += 1
  }

  /** The bytes of the one that follows it, when that is due with an entry. */
  next(entryNo: number, text: string): Uint8Array | undefined {
    const isDue = entryNo >= 2 * this.#madeAt + FIRST_ENTRIES || this.#poor >= FIRST_ENTRIES + POOR_PART * this.#madeAt
    if (!isDue) return undefined
    this.#gathered = text + this.#gathered
    return this.#gathered.length < ENOUGH_BYTES ? undefined : bytesOf(this.#gathered)
  }
}

/** The bytes of a dictionary that is made of texts. */
export function bytesOf(texts: string): Uint8Array {
  return Buffer.from(texts.slice(0, MOST_BYTES)).subarray(0, MOST_BYTES)
}
