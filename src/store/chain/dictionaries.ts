// Compression dictionaries of the change log: what all records of a kind share in a company, the names of their
// members, is stored once. A dictionary holds no value of a record, so that erasing a record leaves nothing in it. Each
// entry names the one that it was compressed with.
import { Dictionary } from './lz77.ts'

/** Larger dictionaries save little more, and each decompression copies the dictionary. */
const MAX_BYTES = 4_096
/** Texts are collected for a new dictionary until they have this total length. */
const ENOUGH_BYTES = 3_072
/**
 * A kind gets its second dictionary after this number of the company's entries, and further ones whenever the number
 * has doubled.
 */
const FIRST_ENTRIES = 64
/** It gets one sooner when this number of entries, plus this part of all earlier ones, has compressed poorly. */
const POOR_PART = 1 / 16
const POOR_BYTES = 64
const POOR_RATIO = 1 / 4

export interface StoredDictionary {
  readonly no: number
  /** The number of the entry that it was created with. */
  readonly madeAt: number
  readonly bytes: Uint8Array
}

export class KnownDictionary {
  readonly no: number
  readonly dictionary: Dictionary
  readonly #madeAt: number
  /** The texts for the next dictionary, the newest first. */
  #texts = ''
  /** The length of the records that the texts were made of. */
  #collected = 0
  #poor = 0

  constructor({ no, madeAt, bytes }: StoredDictionary) {
    this.no = no
    this.dictionary = new Dictionary(bytes)
    this.#madeAt = madeAt
  }

  /** Records how well a text was compressed. */
  note(text: string, bytes: number): void {
    if (bytes > POOR_BYTES && bytes > POOR_RATIO * text.length) this.#poor += 1
  }

  /** Returns the bytes of the next dictionary when an entry makes it due. */
  next(entryNo: number, text: string): Uint8Array | undefined {
    const isDue = entryNo >= 2 * this.#madeAt + FIRST_ENTRIES || this.#poor >= FIRST_ENTRIES + POOR_PART * this.#madeAt
    if (!isDue) return undefined
    const names = withoutValues(text)
    if (!this.#texts.includes(names)) this.#texts = names + this.#texts
    this.#collected += text.length
    return this.#collected < ENOUGH_BYTES ? undefined : bytesOf(this.#texts)
  }
}

/** The bytes of a dictionary made from texts. */
export function bytesOf(texts: string): Uint8Array {
  return Buffer.from(withoutValues(texts).slice(0, MAX_BYTES)).subarray(0, MAX_BYTES)
}

/** A text that is followed by a colon is a name; the last text may be cut off. */
const NAME_OR_VALUE = /"(?:[^"\\]|\\.)*"(:)?|"(?:[^"\\]|\\.)*\\?$|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi

/** Values that tell of nobody: codes of up to three characters, the names of statuses, and the ends of validities. */
const COMMON = /^"(?:[A-Z0-9]{0,3}|Active|Parked|Closed|1900-01-01T00:00:00.000Z?|2099-12-31T00:00:00.000Z?)"$/

/** JSON texts with empty texts and zeros in the place of their values, except common ones. */
export function withoutValues(texts: string): string {
  return texts.replace(NAME_OR_VALUE, (found, colon?: string) => {
    if (colon !== undefined || COMMON.test(found)) return found
    return found.startsWith('"') ? '""' : '0'
  })
}
