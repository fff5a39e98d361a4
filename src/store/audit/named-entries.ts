// Which of several that name entries by their numbers has named each of them last. This file has no database access.
import type { NumberRange } from './erased-entry.ts'

interface NamedPart<Namer> {
  readonly first: number
  readonly last: number
  readonly namer: Namer
}

export class NamedEntries<Namer> {
  /** In the order of their numbers; they never overlap. */
  readonly #parts: NamedPart<Namer>[] = []

  /** Names entries; whoever has named some of them before no longer does. */
  add([first, last]: NumberRange, namer: Namer): void {
    const from = this.#indexOf(first)
    let to = from
    while ((this.#parts[to]?.first ?? Number.POSITIVE_INFINITY) <= last) to++
    const replaced = this.#parts.slice(from, to)
    const before = replaced.filter((part) => part.first < first).map((part) => ({ ...part, last: first - 1 }))
    const after = replaced.filter((part) => part.last > last).map((part) => ({ ...part, first: last + 1 }))
    this.#parts.splice(from, to - from, ...before, { first, last, namer }, ...after)
  }

  find(entryNo: number): Namer | undefined {
    const part = this.#parts[this.#indexOf(entryNo)]
    return part && part.first <= entryNo ? part.namer : undefined
  }

  /** Those that still name an entry. */
  namers(): Set<Namer> {
    return new Set(this.#parts.map(({ namer }) => namer))
  }

  /** The index of the first part that ends at this number or later. */
  #indexOf(entryNo: number): number {
    let [low, high] = [0, this.#parts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#parts[middle]?.last ?? 0) < entryNo) low = middle + 1
      else high = middle
    }
    return low
  }
}
