// The distinct values of one column in a group of rows, as the bytes that they were sent as. Rows repeat most of their
// values, so that each is decoded once. A hash table over bytes costs a fraction of a map of strings, because no string
// is made.

const FIRST_SLOTS = 256
const FIRST_BYTES = 4 * 1024
/** Slots in use at which the table grows, as a share. */
const LOAD = 0.5

export class DistinctTexts {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** Where each text ends. */
  #ends = new Uint32Array(FIRST_SLOTS * LOAD)
  #hashes = new Int32Array(FIRST_SLOTS * LOAD)
  /** The number of a text plus 1; 0 for a free slot. */
  #slots = new Int32Array(FIRST_SLOTS)
  /** The number of distinct texts. */
  count = 0

  /** The number of a text, counted from 0 in the order in which texts first occurred. `hash` is any hash of it. */
  numberOf(source: Uint8Array, from: number, to: number, hash: number): number {
    const mask = this.#slots.length - 1
    // Multiplied, because neighbouring slots of similar texts would make long chains.
    let slot = (Math.imul(hash, 0x9e3779b1) >>> 8) & mask
    for (;;) {
      const found = (this.#slots[slot] as number) - 1
      if (found < 0) return this.#add(source, from, to, hash, slot)
      if (this.#hashes[found] === hash && this.#isEqual(found, source, from, to)) return found
      slot = (slot + 1) & mask
    }
  }

  /** A view of a text, valid until others are added. */
  textAt(number: number): Buffer {
    return this.#bytes.subarray(this.#startOf(number), this.#ends[number])
  }

  /** The size of all texts. */
  get bytes(): number {
    return this.#startOf(this.count)
  }

  clear(): void {
    this.count = 0
    this.#slots.fill(0)
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number)
  }

  #isEqual(number: number, source: Uint8Array, from: number, to: number): boolean {
    let at = this.#startOf(number)
    if ((this.#ends[number] as number) - at !== to - from) return false
    for (let other = from; other < to; other++, at++) if (this.#bytes[at] !== source[other]) return false
    return true
  }

  #add(source: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const number = this.count
    const start = this.#startOf(number)
    const end = start + to - from
    if (end > this.#bytes.length) this.#growBytes(end)
    this.#bytes.set(source.subarray(from, to), start)
    this.#ends[number] = end
    this.#hashes[number] = hash
    this.#slots[slot] = number + 1
    this.count += 1
    if (this.count === this.#ends.length) this.#growSlots()
    return number
  }

  #growBytes(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    larger.set(this.#bytes)
    this.#bytes = larger
  }

  #growSlots(): void {
    const [ends, hashes] = [new Uint32Array(2 * this.#ends.length), new Int32Array(2 * this.#ends.length)]
    ends.set(this.#ends)
    hashes.set(this.#hashes)
    this.#ends = ends
    this.#hashes = hashes
    const slots = new Int32Array(2 * this.#slots.length)
    const mask = slots.length - 1
    for (let number = 0; number < this.count; number++) {
      let slot = (Math.imul(hashes[number] as number, 0x9e3779b1) >>> 8) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}
