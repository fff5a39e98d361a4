// A doorkeeper in front of a cache, as in TinyLFU: a key is cached only when it is requested again.

/** Number of remembered hashes; a newer one overwrites the older one in its slot. */
const SLOTS = 2 ** 15

export class Doorkeeper {
  readonly #hashes = new Int32Array(SLOTS)

  /** Whether the text was passed before, as far as is remembered; false positives are harmless. The hash is FNV-1a. */
  hasSeen(text: string): boolean {
    let hash = 0x811c9dc5
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
    const slot = hash & (SLOTS - 1)
    if (this.#hashes[slot] === hash) return true
    this.#hashes[slot] = hash
    return false
  }
}
