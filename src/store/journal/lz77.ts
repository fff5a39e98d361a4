// Compression of short texts by LZ77 with a preset dictionary. node:zlib takes 25 microseconds and more for each
// call, because it sets up its state and reads the dictionary anew; here a dictionary is read once.
//
// The window is the dictionary, a prefix and the text, one behind the other, as UTF-8. A compressed text is a list of
// sequences, each of
//   a byte: the number of literals (3 bits), 1 when the match begins where the last one ended, its length less 3 (4
// bits);
//   where the number of literals is 7, what it is more; then the literals. The text may end here;
//   where the length is 15, what it is more; where the bit is 0, how far from the end of the last match this one
// begins. Such numbers have 7 bits a byte, the lowest first; the distance has its sign in the lowest bit.

const MOST_LITERALS = 7
const MOST_LENGTH = 15
const SHORTEST = 3
/** Of a match that does not begin where the last one ended. */
const SHORTEST_ELSEWHERE = 4
const HASH_BITS = 12
const HASH_SIZE = 1 << HASH_BITS
/** Of what is decompressed, with what stands before it; damaged bytes could ask for any size. */
const LONGEST_WINDOW = 64 * 1024 * 1024
/**
 * In a long window four bytes stand in too many places: where so many stand is looked up too, of every eighth place.
 */
const ANCHOR_BYTES = 16
const ANCHOR_STEP = 8
const LONG_WINDOW = 16 * 1024
const ANCHOR_BITS = 16
/** Larger working space is given back. */
const KEPT_BYTES = 256 * 1024

/** Bytes that the texts to be compressed have much in common with. */
export class Dictionary {
  readonly bytes: Uint8Array
  /** Where four bytes stand first, by their hash; -1 where they do not. */
  readonly firsts = new Int32Array(HASH_SIZE).fill(-1)

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    for (let at = bytes.length - SHORTEST_ELSEWHERE; at >= 0; at--) this.firsts[hashAt(bytes, at)] = at
  }
}

const kept = { window: Buffer.alloc(KEPT_BYTES), out: Buffer.alloc(KEPT_BYTES) }

function spaceOf(which: keyof typeof kept, bytes: number): Buffer {
  return bytes <= KEPT_BYTES ? kept[which] : Buffer.allocUnsafe(bytes)
}

/**
 * Where four bytes of the prefix or the text stood last, by their hash, counted from `epoch`: less is of an earlier
 * call.
 */
const lasts = new Int32Array(HASH_SIZE)
let epoch = 1

/** Compresses a text behind a prefix that is there when it is decompressed. The bytes are good until the next call. */
export function compress(text: string, dictionary: Dictionary, prefix = ''): Buffer {
  const prefixAt = dictionary.bytes.length
  const window = spaceOf('window', prefixAt + 3 * (prefix.length + text.length))
  window.set(dictionary.bytes)
  const start = prefixAt + window.write(prefix, prefixAt)
  const end = start + window.write(text, start)
  if (epoch + end > 0x7fff_ffff) {
    lasts.fill(0)
    epoch = 1
  }
  for (let at = prefixAt; at + SHORTEST_ELSEWHERE <= start; at++) lasts[hashAt(window, at)] = epoch + at
  const anchors = start < LONG_WINDOW ? undefined : anchorsIn(window, start)
  const out = new Sequences(window, start, end)
  const { firsts } = dictionary
  let expected = prefix === '' ? 0 : prefixAt
  for (let at = start; at + SHORTEST <= end; ) {
    let from = expected
    let length = matchAt(window, from, at, end)
    if (length < SHORTEST) length = 0
    if (at + SHORTEST_ELSEWHERE <= end) {
      const hash = hashAt(window, at)
      const least = Math.max(length + 1, SHORTEST_ELSEWHERE - 1)
      const first = firsts[hash] as number
      const inFirst = first < 0 ? 0 : matchAt(window, first, at, end)
      if (inFirst > least) [from, length] = [first, inFirst]
      const last = (lasts[hash] as number) - epoch
      const inLast = last < 0 ? 0 : matchAt(window, last, at, end)
      if (inLast > Math.max(length, least)) [from, length] = [last, inLast]
      lasts[hash] = epoch + at
    }
    if (anchors && length < ANCHOR_BYTES && at + ANCHOR_BYTES <= end) {
      const anchor = (anchors[anchorAt(window, at)] as number) - 1
      const inAnchor = anchor < 0 ? 0 : matchAt(window, anchor, at, end)
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

/** Where texts of some length stand last before the one to be compressed, by their hash, counted from 1. */
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

/** How many bytes are the same from both places on. */
function matchAt(window: Uint8Array, from: number, at: number, end: number): number {
  if (from >= at) return 0
  let length = 0
  while (at + length < end && window[from + length] === window[at + length]) length += 1
  return length
}

/** What is written of a text. */
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
    // The shortest match takes 4 bytes and is written in at most 5.
    this.#out = spaceOf('out', 2 * (end - start) + 16)
  }

  match(at: number, length: number, distance: number): void {
    const more = length - SHORTEST - MOST_LENGTH
    const flags = (distance === 0 ? 1 << 4 : 0) | (more < 0 ? length - SHORTEST : MOST_LENGTH)
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
    this.#out[this.#written++] = (Math.min(count, MOST_LITERALS) << 5) | flags
    if (count >= MOST_LITERALS) this.#number(count - MOST_LITERALS)
    for (let at = this.#literalsAt; at < until; at++) this.#out[this.#written++] = this.#window[at] as number
  }

  #number(value: number): void {
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) this.#out[this.#written++] = (rest & 0x7f) | 0x80
    this.#out[this.#written++] = rest
  }
}

/** The text again, as bytes; nothing when the bytes are damaged. */
export function decompress(bytes: Uint8Array, dictionary: Uint8Array, prefix?: Uint8Array): Buffer | undefined {
  if (bytes.length === 0) return Buffer.alloc(0)
  const prefixLength = prefix?.length ?? 0
  const start = dictionary.length + prefixLength
  const reader = new Reader(bytes, start)
  reader.window.set(dictionary)
  if (prefix) reader.window.set(prefix, dictionary.length)
  return reader.read(prefixLength === 0 ? 0 : dictionary.length)
}

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
    this.window = spaceOf('window', start)
  }

  read(prefixAt: number): Buffer | undefined {
    const bytes = this.#bytes
    let expected = prefixAt
    while (this.#at < bytes.length) {
      const token = bytes[this.#at++] as number
      let literals = token >>> 5
      if (literals === MOST_LITERALS) literals += this.#number()
      if (!(this.#at + literals <= bytes.length) || !this.#hasRoom(literals)) return undefined
      for (let left = literals; left > 0; left--) this.window[this.#filled++] = bytes[this.#at++] as number
      if (this.#at === bytes.length && (token & 0x1f) === 0) break
      let length = (token & 0xf) + SHORTEST
      if ((token & 0xf) === MOST_LENGTH) length += this.#number()
      if ((token & 0x10) === 0) {
        const distance = this.#number()
        expected += distance & 1 ? -(distance >>> 1) : distance >>> 1
      }
      if (!(expected >= 0 && expected < this.#filled) || !this.#hasRoom(length)) return undefined
      for (let left = length; left > 0; left--) this.window[this.#filled++] = this.window[expected++] as number
    }
    return Buffer.from(this.window.subarray(this.#start, this.#filled))
  }

  /** Not a number when the bytes end before it does. */
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

  #hasRoom(more: number): boolean {
    const needed = this.#filled + more
    if (needed <= this.window.length) return true
    if (!(needed <= LONGEST_WINDOW)) return false
    const larger = Buffer.allocUnsafe(Math.min(2 * needed, LONGEST_WINDOW))
    this.window.copy(larger, 0, 0, this.#filled)
    this.window = larger
    return true
  }
}
