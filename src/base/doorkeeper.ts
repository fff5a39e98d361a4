// A doorkeeper before a cache, as in TinyLFU: what comes for the first time is not worth a place in it.

/** Hashes that are remembered; a newer one takes the place of an older one. */
const PLACES = 2 ** 15

export class Doorkeeper {
  readonly #seen = new Int32Array(PLACES)

  /** Whether the text came before, as far as is remembered; a wrong yes does no harm. The hash is FNV-1a. */
  hasSeen(text: string): boolean {
    let hash = 0x811c9dc5
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    const place = hash & (PLACES - 1)
    if (this.#seen[place] === hash) return true
    this.#seen[place] = hash
    return false
  }
}
