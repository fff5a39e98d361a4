// Entries of the change log that have lost something: they keep their number, time, author, kind and hash, to which the
// next entry commits. Erased ones lose everything personal, others their texts alone. A later entry names them, with a
// digest of what is left, so that no entry can be emptied or changed without a trace. This file has no database access.
import { createHash, type Hash } from 'node:crypto'
import type { AuditEntryView } from '../../sql/service-tables.ts'
import type { EntryMembers } from '../chain/audit-chain.ts'

/** The key of an erased entry. */
export const ERASED_KEY = '["(erased)"]'
/** The operation of the entry that names erased ones. */
export const ERASE = 'erase'

/** First and last number of entries without a gap. */
type NumberRange = readonly [first: number, last: number]

/** What the entry of an erasure says, as JSON. */
export interface ErasureText {
  /** The entries that have lost something. When entries of an earlier erasure are named again, all of them are. */
  readonly entries: readonly NumberRange[]
  /** The digest of what is left of them. */
  readonly digest: string
  readonly reason: string
  /** True when they have lost their texts alone: the digest is also of their keys and request ids. */
  readonly keepsKeys?: boolean
  /** A digest of the record, by which it is erased again from a restored backup; absent when entries got too old. */
  readonly record?: string
}

/** What may be left of an entry, with the hash of the previous one: nothing else binds it to what stands before it. */
export type LeftMembers = Omit<AuditEntryView, 'company_id' | 'before' | 'after'>

/** Whether this is what is left of an entry. */
export function isEmptied(entry: EntryMembers, keepsKeys: boolean): boolean {
  const { record_key, request_id, before, after } = entry
  return before === '' && after === '' && (keepsKeys || (record_key === ERASED_KEY && request_id === ''))
}

export function addTo(digest: Hash, entry: LeftMembers, keepsKeys: boolean): void {
  const { entry_no, entity, operation, user_id, client_id, at, previous_hash, hash, record_key, request_id } = entry
  const left = [entry_no, entity, operation, user_id, client_id, at, previous_hash, hash]
  digest.update(`${JSON.stringify(keepsKeys ? [...left, record_key, request_id] : left)}\n`)
}

/** The digest of what is left of some entries, in the order of their numbers. */
export function digestOf(entries: readonly LeftMembers[], keepsKeys: boolean): string {
  const hash = createHash('sha256')
  for (const entry of entries) addTo(hash, entry, keepsKeys)
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

interface NamedPart<Namer> {
  readonly first: number
  readonly last: number
  readonly namer: Namer
}

/** Which of several that name entries by their numbers has named each of them last. */
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
