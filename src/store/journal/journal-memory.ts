// What is known of rows that entries of the change log refer to: origins, and the newest dictionary of each kind of
// record. Such rows are never changed or taken away, so what is committed stays true, whoever else writes.
import { LRUCache } from 'lru-cache'
import { KnownDictionary, type StoredDictionary } from './dictionaries.ts'

/** Of all companies, some hundred bytes each. */
const MOST_ORIGINS = 5_000
/** Of all companies, some 12 KiB each. */
const MOST_DICTIONARIES = 200

export class JournalMemory {
  readonly origins = new LRUCache<string, number>({ max: MOST_ORIGINS })
  readonly dictionaries = new LRUCache<string, KnownDictionary>({ max: MOST_DICTIONARIES })
}

/** What the write at hand, or the transaction with what was kept of it, has read or made itself. */
class Found {
  readonly origins = new Map<string, number>()
  readonly dictionaries = new Map<string, KnownDictionary>()

  moveTo({ origins, dictionaries }: Found | JournalMemory): void {
    for (const [key, no] of this.origins) origins.set(key, no)
    for (const [key, known] of this.dictionaries) dictionaries.set(key, known)
    this.clear()
  }

  clear(): void {
    this.origins.clear()
    this.dictionaries.clear()
  }
}

/** The same within a transaction: others know what it has found when that is committed. */
export class WriteMemory {
  readonly #shared: JournalMemory
  readonly #kept = new Found()
  readonly #current = new Found()

  constructor(shared: JournalMemory) {
    this.#shared = shared
  }

  origin(key: string): number | undefined {
    return this.#shared.origins.get(key) ?? this.#current.origins.get(key) ?? this.#kept.origins.get(key)
  }

  addOrigin(key: string, no: number): number {
    this.#current.origins.set(key, no)
    return no
  }

  /** Newer ones come first. */
  dictionary(key: string): KnownDictionary | undefined {
    return this.#current.dictionaries.get(key) ?? this.#kept.dictionaries.get(key) ?? this.#shared.dictionaries.get(key)
  }

  addDictionary(key: string, stored: StoredDictionary): KnownDictionary {
    const known = new KnownDictionary(stored)
    this.#current.dictionaries.set(key, known)
    return known
  }

  /** The write at hand has succeeded. */
  keep(): void {
    this.#current.moveTo(this.#kept)
  }

  /** The write at hand was undone. */
  undo(): void {
    this.#current.clear()
  }

  /** The transaction is on disk. */
  committed(): void {
    this.keep()
    this.#kept.moveTo(this.#shared)
  }

  /** When a transaction begins, or was rolled back. */
  forget(): void {
    this.#current.clear()
    this.#kept.clear()
  }
}
