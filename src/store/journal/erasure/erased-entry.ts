// Erased entries: an entry of the change log keeps its number, its time, its author, its kind and its hash, to which
// the next entry commits, and loses everything personal. A later entry names it, with a digest of what is left, so that
// no entry can be emptied or changed without a trace. This file has no database access.
import { createHash, type Hash } from 'node:crypto'
import type { AuditEntryView } from '../../service-tables.ts'
import type { EntryMembers } from '../audit-chain.ts'

/** The key of an erased entry. */
export const ERASED_KEY = '["(erased)"]'
/** The operation of the entry that names erased ones. */
export const ERASE = 'erase'

/** First and last number of entries without a gap. */
type NumberRange = readonly [first: number, last: number]

/** What the entry of an erasure says, as JSON. */
export interface ErasureText {
  /** The erased entries. */
  readonly entries: readonly NumberRange[]
  /** Of what is left of them. */
  readonly digest: string
  readonly reason: string
  /** A digest of the record, by which it is erased again from a restored backup; absent when entries got too old. */
  readonly record?: string
}

/** What is left of an entry, with the hash of the previous one: nothing else binds it to what stands before it. */
export type LeftMembers = Pick<
  AuditEntryView,
  'entry_no' | 'entity' | 'operation' | 'user_id' | 'client_id' | 'at' | 'previous_hash' | 'hash'
>

export function isErased(entry: EntryMembers): boolean {
  const { record_key, request_id, before, after } = entry
  return record_key === ERASED_KEY && request_id === '' && before === '' && after === ''
}

function addTo(digest: Hash, entry: LeftMembers): void {
  const { entry_no, entity, operation, user_id, client_id, at, previous_hash, hash } = entry
  digest.update(`${JSON.stringify([entry_no, entity, operation, user_id, client_id, at, previous_hash, hash])}\n`)
}

/** The digest of what is left of some entries, in the order of their numbers. */
export function digestOf(entries: readonly LeftMembers[]): string {
  const hash = createHash('sha256')
  for (const entry of entries) addTo(hash, entry)
  return hash.digest('hex')
}

/** Ascending numbers as ranges. */
export function rangesOf(numbers: readonly number[]): NumberRange[] {
  const ranges: [number, number][] = []
  for (const no of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] === no - 1) last[1] = no
    else ranges.push([no, no])
  }
  return ranges
}

/** An entry that names erased ones. */
interface Erasure {
  readonly entryNo: number
  readonly digest: string
  readonly seen: Hash
  isConfirmed: boolean
}

export interface ErasureFault {
  readonly entryNo: number
  readonly message: string
}

/** The erasures of a chain. Each is confirmed when the chain reaches its entry. */
export class Erasures {
  /** In the order of their first numbers; they never overlap. */
  readonly #ranges: { readonly range: NumberRange; readonly erasure: Erasure }[] = []
  readonly #all: Erasure[] = []
  /** Erased entries that were met. */
  count = 0

  /** `entries` are those with the operation `erase`, in the order of their numbers. */
  constructor(entries: readonly Pick<EntryMembers, 'entry_no' | 'after'>[] = []) {
    for (const { entry_no: entryNo, after } of entries) {
      const { entries: ranges, digest } = readErasure(after)
      const erasure = { entryNo, digest, seen: createHash('sha256'), isConfirmed: false }
      this.#all.push(erasure)
      for (const range of ranges) this.#ranges.push({ range, erasure })
    }
    this.#ranges.sort((one, other) => one.range[0] - other.range[0])
  }

  /** Whether a later entry says that this one, which does not fit its hash, was erased. */
  accept(entry: AuditEntryView): boolean {
    if (!isErased(entry)) return false
    const erasure = this.#find(entry.entry_no)
    if (!erasure || erasure.entryNo <= entry.entry_no) return false
    addTo(erasure.seen, entry)
    this.count += 1
    return true
  }

  /** An entry of the chain fits its hash. */
  confirm({ entry_no, operation }: EntryMembers): void {
    if (operation !== ERASE) return
    for (const erasure of this.#all) if (erasure.entryNo === entry_no) erasure.isConfirmed = true
  }

  /** The first erasure up to the end of the chain that says something else than what is there. */
  faultUpTo(end: number): ErasureFault | undefined {
    for (const { entryNo, isConfirmed, seen, digest } of this.#all) {
      // Later ones may have come while the chain was read.
      if (entryNo > end) continue
      if (isConfirmed && seen.digest('hex') === digest) continue
      return { entryNo, message: 'what is left of the entries that it names as erased is not what it was' }
    }
    return undefined
  }

  #find(entryNo: number): Erasure | undefined {
    let [low, high] = [0, this.#ranges.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ranges[middle]?.range[0] ?? 0) <= entryNo) low = middle + 1
      else high = middle
    }
    const found = this.#ranges[low - 1]
    return found && found.range[1] >= entryNo ? found.erasure : undefined
  }
}

const NOTHING: ErasureText = { entries: [], digest: '', reason: '' }

/** A damaged text names nothing: then its own hash does not fit either. */
export function readErasure(after: string): ErasureText {
  try {
    const { entries, digest, ...rest } = JSON.parse(after)
    const isRange = (one: unknown) => Array.isArray(one) && one.length === 2 && one.every(Number.isSafeInteger)
    return Array.isArray(entries) && entries.every(isRange) ? { ...rest, entries, digest: String(digest) } : NOTHING
  } catch {
    return NOTHING
  }
}
