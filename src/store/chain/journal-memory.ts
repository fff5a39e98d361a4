// A cache of rows that entries of the change log refer to: origins, and the newest dictionary of each kind of record.
// Origins are never changed, so committed ones stay valid, whoever else writes; dictionaries stay valid as long as the
// company's are of the same age.
import { LRUCache } from 'lru-cache'
import { lastUsed } from '../../base/last-used.ts'
import { KnownDictionary, type StoredDictionary } from './dictionaries.ts'

/** For all companies; about a hundred bytes each. */
const MAX_ORIGINS = 5_000
/** For all companies; about 12 KiB each. */
const MAX_DICTIONARIES = 200

export class JournalMemory {
  readonly origins = lastUsed<string, number>(MAX_ORIGINS)
  readonly dictionaries = new LRUCache<string, KnownDictionary>({ max: MAX_DICTIONARIES })
}

/** The rows that a write or a transaction has read or created itself. */
class CachedRows {
  readonly origins = new Map<string, number>()
  readonly dictionaries = new Map<string, KnownDictionary>()

  copyTo({ origins, dictionaries }: CachedRows | JournalMemory): void {
    for (const [key, no] of this.origins) origins.set(key, no)
    for (const [key, known] of this.dictionaries) dictionaries.set(key, known)
  }

  /** Most writes add none, and to clear a map that is empty costs as much as another. */
  moveTo(other: CachedRows | JournalMemory): void {
    if (this.origins.size === 0 && this.dictionaries.size === 0) return
    this.copyTo(other)
    this.clear()
  }

  clear(): void {
    this.origins.clear()
    this.dictionaries.clear()
  }
}

/** The cache within a transaction. Its new rows are shared when it is committed. */
export class WriteMemory {
  readonly #shared: JournalMemory
  readonly #accepted = new CachedRows()
  readonly #current = new CachedRows()

  constructor(shared: JournalMemory) {
    this.#shared = shared
  }

  origin(key: string): number | undefined {
    return this.#shared.origins.get(key) ?? this.#current.origins.get(key) ?? this.#accepted.origins.get(key)
  }

  addOrigin(key: string, no: number): number {
    this.#current.origins.set(key, no)
    return no
  }

  /** The newest dictionary: those of the current write first. */
  dictionary(key: string): KnownDictionary | undefined {
    return (
      this.#current.dictionaries.get(key) ?? this.#accepted.dictionaries.get(key) ?? this.#shared.dictionaries.get(key)
    )
  }

  addDictionary(key: string, stored: StoredDictionary): KnownDictionary {
    const known = new KnownDictionary(stored)
    this.#current.dictionaries.set(key, known)
    return known
  }

  /** The current write has succeeded. */
  acceptWrite(): void {
    this.#current.moveTo(this.#accepted)
  }

  /** The current write was rolled back. */
  undoWrite(): void {
    this.#current.clear()
  }

  /** Remembers what the current write has added; the function that is returned forgets what came after. */
  mark(): () => void {
    const marked = new CachedRows()
    this.#current.copyTo(marked)
    return () => {
      this.#current.clear()
      marked.copyTo(this.#current)
    }
  }

  /** The transaction is durable. */
  committed(): void {
    this.acceptWrite()
    this.#accepted.moveTo(this.#shared)
  }

  /** A transaction has started or was rolled back. */
  reset(): void {
    this.#current.clear()
    this.#accepted.clear()
  }
}
