// Checks emptied entries of a chain against the entries that name them. This file has no database access.
import { createHash, type Hash } from 'node:crypto'
import type { AuditEntryView } from '../../sql/service-tables.ts'
import type { EntryMembers } from '../chain/audit-chain.ts'
import { addTo, ERASE, isEmptied, NamedEntries, readErasure } from './erased-entry.ts'

/** An entry that names emptied ones. */
interface Erasure {
  readonly entryNo: number
  readonly digest: string
  readonly keepsKeys: boolean
  readonly seen: Hash
  isConfirmed: boolean
  /** True when later ones have named all of its entries again. */
  isReplaced: boolean
}

interface ErasureFault {
  readonly entryNo: number
  readonly message: string
}

/** The erasures of a chain. Each is confirmed when the chain reaches its entry. */
export class Erasures {
  readonly #named = new NamedEntries<Erasure>()
  readonly #all = new Map<number, Erasure>()
  /** Erased entries that were met, and those that have lost their texts alone. */
  count = 0
  countWithKeys = 0

  /** `entries` are those with the operation `erase`, in the order of their numbers. */
  constructor(entries: readonly Pick<EntryMembers, 'entry_no' | 'after'>[] = []) {
    for (const { entry_no: entryNo, after } of entries) {
      const { entries: ranges, digest, keepsKeys = false } = readErasure(after)
      const seen = createHash('sha256')
      const isReplaced = ranges.length > 0
      const erasure = { entryNo, digest, keepsKeys, seen, isConfirmed: false, isReplaced }
      this.#all.set(entryNo, erasure)
      for (const range of ranges) this.#named.add(range, erasure)
    }
    for (const erasure of this.#named.namers()) erasure.isReplaced = false
  }

  /** Whether a later entry says that this one, which does not fit its hash, was emptied. */
  accept(entry: AuditEntryView): boolean {
    const erasure = this.#named.find(entry.entry_no)
    if (!erasure || erasure.entryNo <= entry.entry_no || !isEmptied(entry, erasure.keepsKeys)) return false
    addTo(erasure.seen, entry, erasure.keepsKeys)
    if (erasure.keepsKeys) this.countWithKeys += 1
    else this.count += 1
    return true
  }

  /** An entry of the chain fits its hash. */
  confirm({ entry_no, operation }: EntryMembers): void {
    const erasure = operation === ERASE ? this.#all.get(entry_no) : undefined
    if (erasure) erasure.isConfirmed = true
  }

  /** The first erasure up to the end of the chain that says something else than what is there. */
  faultUpTo(end: number): ErasureFault | undefined {
    for (const { entryNo, isConfirmed, isReplaced, seen, digest } of this.#all.values()) {
      // Later ones may have come while the chain was read.
      if (entryNo > end) continue
      if (isConfirmed && (isReplaced || seen.digest('hex') === digest)) continue
      return { entryNo, message: 'what is left of the entries that it names as erased is not what it was' }
    }
    return undefined
  }
}
