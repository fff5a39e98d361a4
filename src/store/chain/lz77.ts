// Compression of short texts by LZ77 with a preset dictionary. node:zlib takes 25 microseconds and more per call,
// because it initializes its state and reads the dictionary each time; here a dictionary is read once.
//
// The window is the concatenation of the dictionary, a prefix and the text, as UTF-8. A compressed text is a list of
// sequences, each of
//   - a byte: the number of literals (3 bits), 1 if the match starts where the last one ended (1 bit), and the match
//     length minus 3 (4 bits);
//   - if the number of literals is 7, the number of further ones; then the literals. The text may end here;
//   - if the length is 15, the further length; if the bit is 0, the distance of the match from the end of the last one.
// These numbers have 7 bits per byte, the lowest first; the distance has its sign in the lowest bit.

const MAX_LITERALS = 7
const MAX_LENGTH = 15
const MIN_MATCH = 3
/** The minimum length of a match that does not start where the last one ended. */
const MIN_DISTANT_MATCH = 4
const HASH_BITS = 12
const HASH_SIZE = 1 << HASH_BITS
/** The maximum size of the decompressed text with dictionary and prefix: damaged bytes could ask for any size. */
const MAX_WINDOW_BYTES = 64 * 1024 * 1024
/**
 * In a long window four bytes occur too often: there, longer sequences of `ANCHOR_BYTES` are indexed too, at every
 * eighth position.
 */
const ANCHOR_BYTES = 16
const ANCHOR_STEP = 8
const LONG_WINDOW = 16 * 1024
const ANCHOR_BITS = 16
/** Larger buffers are not reused. */
const BUFFER_BYTES = 256 * 1024

/** A preset dictionary: bytes that resemble the texts to be compressed. */
export class Dictionary {
  readonly bytes: Uint8Array
  /** The first position of four bytes, by their hash; -1 when they do not occur. */
  readonly firsts = new Int32Array(HASH_SIZE).fill(-1)

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    for (let at = bytes.length - MIN_DISTANT_MATCH; at >= 0; at--) this.firsts[hashAt(bytes, at)] = at
  }
}

const buffers = { window: Buffer.alloc(BUFFER_BYTES), out: Buffer.alloc(BUFFER_BYTES) }

function bufferFor(which: keyof typeof buffers, bytes: number): Buffer {
  return bytes <= BUFFER_BYTES ? buffers[which] : Buffer.allocUnsafe(bytes)
}

/**
 * The last position of four bytes of the prefix or the text, by their hash, plus `epoch`. Smaller values are of earlier
 * calls.
 */
const lasts = new Int32Array(HASH_SIZE)
let epoch = 1

/** Compresses a text. The prefix must be available again for decompression. The result is valid until the next call. */
export function compress(text: string, dictionary: Dictionary, prefix = ''): Buffer {
  const prefixAt = dictionary.bytes.length
  const window = bufferFor('window', prefixAt + 3 * (prefix.length + text.length))
  window.set(dictionary.bytes)
  const start = prefixAt + window.write(prefix, prefixAt)
  const end = start + window.write(text, start)
  if (epoch + end > 0x7fff_ffff) {
    lasts.fill(0)
    epoch = 1
  }
  for (let at = prefixAt; at + MIN_DISTANT_MATCH <= start; at++) lasts[hashAt(window, at)] = epoch + at
  const anchors = start < LONG_WINDOW ? undefined : anchorsIn(window, start)
  const out = new Sequences(window, start, end)
  const { firsts } = dictionary
  let expected = prefix === '' ? 0 : prefixAt
  for (let at = start; at + MIN_MATCH <= end; ) {
    let from = expected
    let length = matchLength(window, from, at, end)
    if (length < MIN_MATCH) length = 0
    if (at + MIN_DISTANT_MATCH <= end) {
      const hash = hashAt(window, at)
      const least = Math.max(length + 1, MIN_DISTANT_MATCH - 1)
      const first = firsts[hash] as number
      const inFirst = first < 0 ? 0 : matchLength(window, first, at, end)
      if (inFirst > least) [from, length] = [first, inFirst]
      const last = (lasts[hash] as number) - epoch
      const inLast = last < 0 ? 0 : matchLength(window, last, at, end)
      if (inLast > Math.max(length, least)) [from, length] = [last, inLast]
      lasts[hash] = epoch + at
    }
    if (anchors && length < ANCHOR_BYTES && at + ANCHOR_BYTES <= end) {
      const anchor = (anchors[anchorAt(window, at)] as number) - 1
      const inAnchor = anchor < 0 ? 0 : matchLength(window, anchor, at, end)
      if (inAnchor >= ANCHOR_BYTES) [from, length] = [anchor, inAnchor]
    }
    if (length === 0) {
      at += 1
      continue
    }
    out.match(at, length, from - expected)
    at += length
    expected = from + length
  }
  epoch += end
  return out.bytes()
}

function hashAt(bytes: Uint8Array, at: number): number {
  const four =
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  return Math.imul(four, 0x9e37_79b1) >>> (32 - HASH_BITS)
}

/** The last position of each anchor before the text to be compressed, by its hash, counted from 1. */
function anchorsIn(window: Buffer, start: number): Int32Array {
  const anchors = new Int32Array(1 << ANCHOR_BITS)
  for (let at = 0; at + ANCHOR_BYTES <= start; at += ANCHOR_STEP) anchors[anchorAt(window, at)] = at + 1
  return anchors
}

function anchorAt(window: Buffer, at: number): number {
  let hash = 0
  for (let part = at; part < at + ANCHOR_BYTES; part += 4) {
    hash = Math.imul(hash ^ window.readInt32LE(part), 0x9e37_79b1)
    hash ^= hash >>> 15
  }
  return hash >>> (32 - ANCHOR_BITS)
}

/** The number of equal bytes from both positions. */
function matchLength(window: Uint8Array, from: number, at: number, end: number): number {
  if (from >= at) return 0
  let length = 0
  while (at + length < end && window[from + length] === window[at + length]) length += 1
  return length
}

/** Encodes the sequences of a text. */
class Sequences {
  readonly #window: Uint8Array
  readonly #end: number
  readonly #out: Buffer
  #written = 0
  #literalsAt: number

  constructor(window: Uint8Array, start: number, end: number) {
    this.#window = window
    this.#literalsAt = start
    this.#end = end
    // The shortest match covers 4 bytes and is encoded in at most 5.
    this.#out = bufferFor('out', 2 * (end - start) + 16)
  }

  match(at: number, length: number, distance: number): void {
    const more = length - MIN_MATCH - MAX_LENGTH
    const flags = (distance === 0 ? 1 << 4 : 0) | (more < 0 ? length - MIN_MATCH : MAX_LENGTH)
    this.#literals(at, flags)
    if (more >= 0) this.#number(more)
    if (distance !== 0) this.#number(distance < 0 ? 2 * -distance + 1 : 2 * distance)
    this.#literalsAt = at + length
  }

  bytes(): Buffer {
    if (this.#literalsAt < this.#end) this.#literals(this.#end, 0)
    return this.#out.subarray(0, this.#written)
  }

  #literals(until: number, flags: number): void {
    const count = until - this.#literalsAt
    this.#out[this.#written++] = (Math.min(count, MAX_LITERALS) << 5) | flags
    if (count >= MAX_LITERALS) this.#number(count - MAX_LITERALS)
    for (let at = this.#literalsAt; at < until; at++) this.#out[this.#written++] = this.#window[at] as number
  }

  #number(value: number): void {
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) this.#out[this.#written++] = (rest & 0x7f) | 0x80
    this.#out[this.#written++] = rest
  }
}

/** The decompressed text as bytes; undefined when the bytes are damaged. */
export function decompress(bytes: Uint8Array, dictionary: Uint8Array, prefix?: Uint8Array): Buffer | undefined {
  if (bytes.length === 0) return Buffer.alloc(0)
  const prefixLength = prefix?.length ?? 0
  const start = dictionary.length + prefixLength
  const reader = new Reader(bytes, start)
  reader.window.set(dictionary)
  if (prefix) reader.window.set(prefix, dictionary.length)
  return reader.read(prefixLength === 0 ? 0 : dictionary.length)
}

/** Shorter matches are copied faster byte by byte. */
const LONG_MATCH = 24

class Reader {
  window: Buffer
  readonly #bytes: Uint8Array
  readonly #start: number
  #at = 0
  #filled: number

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.#start = start
    this.#filled = start
    this.window = bufferFor('window', start)
  }

  read(prefixAt: number): Buffer | undefined {
    const bytes = this.#bytes
    let expected = prefixAt
    while (this.#at < bytes.length) {
      const token = bytes[this.#at++] as number
      let literals = token >>> 5
      if (literals === MAX_LITERALS) literals += this.#number()
      if (!(this.#at + literals <= bytes.length) || !this.#reserve(literals)) return undefined
      this.#copyLiterals(literals)
      if (this.#at === bytes.length && (token & 0x1f) === 0) break
      let length = (token & 0xf) + MIN_MATCH
      if ((token & 0xf) === MAX_LENGTH) length += this.#number()
      if ((token & 0x10) === 0) {
        const distance = this.#number()
        expected += distance & 1 ? -(distance >>> 1) : distance >>> 1
      }
      if (!(expected >= 0 && expected < this.#filled) || !this.#reserve(length)) return undefined
      this.#copyMatch(expected, length)
      expected += length
    }
    const text = Buffer.allocUnsafe(this.#filled - this.#start)
    this.window.copy(text, 0, this.#start, this.#filled)
    return text
  }

  #copyLiterals(count: number): void {
    const [bytes, window] = [this.#bytes, this.window]
    let [at, filled] = [this.#at, this.#filled]
    for (let left = count; left > 0; left--) window[filled++] = bytes[at++] as number
    this.#at = at
    this.#filled = filled
  }

  /** A match may reach into what it writes itself: then it repeats. */
  #copyMatch(from: number, length: number): void {
    const window = this.window
    let [at, filled] = [from, this.#filled]
    if (length >= LONG_MATCH && at + length <= filled) window.copyWithin(filled, at, at + length)
    else for (let left = length; left > 0; left--) window[filled++] = window[at++] as number
    this.#filled += length
  }

  /** NaN when the bytes end within the number. */
  #number(): number {
    let value = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const part = this.#bytes[this.#at++]
      if (part === undefined) return Number.NaN
      value |= (part & 0x7f) << shift
      if (part <= 0x7f) return value
    }
    return Number.NaN
  }

  #reserve(more: number): boolean {
    const needed = this.#filled + more
    if (needed <= this.window.length) return true
    if (!(needed <= MAX_WINDOW_BYTES)) return false
    const larger = Buffer.allocUnsafe(Math.min(2 * needed, MAX_WINDOW_BYTES))
    this.window.copy(larger, 0, 0, this.#filled)
    this.window = larger
    return true
  }
}
