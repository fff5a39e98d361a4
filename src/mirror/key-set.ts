// The keys of all records of a document, each in eight bytes: five millions of them take 67 MB.

const FIRST_SLOTS = 1 << 12
/** Two hashes of 53 bits, of five million keys, are the same once in a thousand looks: one then misses a removal. */
const HIGH = 2 ** 21
const WORDS = 2 ** 32

export class KeySet {
  #slots = new Float64Array(FIRST_SLOTS)
  #size = 0
  /** Two keys that are the same for one look are not for the next. */
  readonly #salt = Math.floor(Math.random() * WORDS)

  get size(): number {
    return this.#size
  }

  add(key: readonly string[]): void {
    if (this.#size * 4 >= this.#slots.length * 3) this.#grow()
    if (this.#put(hashOf(key, this.#salt))) this.#size += 1
  }

  has(key: readonly string[]): boolean {
    const hash = hashOf(key, this.#salt)
    return this.#slots[this.#slotOf(hash)] === hash
  }

  #put(hash: number): boolean {
    const at = this.#slotOf(hash)
    if (this.#slots[at] === hash) return false
    this.#slots[at] = hash
    return true
  }

  /** The slot that has the hash, or the free one where it belongs. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1
    let at = (hash % this.#slots.length) & mask
    while (this.#slots[at] !== 0 && this.#slots[at] !== hash) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Float64Array(before.length * 2)
    for (const hash of before) if (hash !== 0) this.#put(hash)
  }
}

/** Two mixed sums of 32 bits (MurmurHash3's finalizer), as one number that a double holds; never 0. */
function hashOf(key: readonly string[], salt: number): number {
  const text = JSON.stringify(key)
  let [one, two] = [0xdead_beef ^ salt, 0x41c6_ce57 ^ salt]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2_654_435_761)
    two = Math.imul(two ^ code, 1_597_334_677)
  }
  one = mixed(one, two)
  two = mixed(two, one)
  return (two >>> 0) * HIGH + ((one >>> 0) % HIGH) + 1
}

function mixed(one: number, other: number): number {
  return Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)
}
