// Compression dictionaries of the change log: what all records of a kind share in a company, such as the names of their
// members, is stored once. A company's dictionaries are made of its own entries and never changed; each entry names the
// one that it was compressed with.
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
    this.#texts = text + this.#texts
    return this.#texts.length < ENOUGH_BYTES ? undefined : bytesOf(this.#texts)
  }
}

/** The bytes of a dictionary made from texts. */
export function bytesOf(texts: string): Uint8Array {
  return Buffer.from(texts.slice(0, MAX_BYTES)).subarray(0, MAX_BYTES)
}
