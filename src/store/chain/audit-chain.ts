// The hash chain of the change log: the hash of an entry covers its members and the hash of the previous entry of its
// company, so that no entry can be changed, removed or inserted without changing all later ones. This file has no
// database access.
import { hash } from 'node:crypto'
import type { AuditEntryView } from '../../sql/service-tables.ts'
import type { WriteMemory } from './journal-memory.ts'

/** The previous hash of a company's first entry. */
export const START = ''

/** The end of a company's chain. */
export interface ChainHead {
  /** 0 when there is no entry yet. */
  readonly entryNo: number
  readonly hash: string
  /** The number of entries in the chain; entry numbers have gaps. */
  readonly count: number
}

export const HASH_BYTES = 32
/**
 * The stored part of the previous hash, in hexadecimal digits: it distinguishes a fault in the entry from one before
 * it.
 */
const LINK_DIGITS = 8

export type EntryMembers = Omit<AuditEntryView, 'previous_hash' | 'hash'>

/** An entry in the chain, with hashes in hexadecimal. */
export interface LinkedEntry extends EntryMembers {
  readonly hash: string
  readonly link: string
}

export function linkTo(previousHash: string): string {
  return previousHash === START ? '0'.repeat(LINK_DIGITS) : previousHash.slice(0, LINK_DIGITS)
}

/**
 * The hash of an entry in hexadecimal: SHA-256 over the previous hash and the members as a JSON array in this order.
 */
export function hashOf(previousHash: string, entry: EntryMembers): string {
  const members = [
    entry.company_id,
    entry.entry_no,
    entry.entity,
    entry.record_key,
    entry.operation,
    entry.user_id,
    entry.client_id,
    entry.at,
    entry.request_id,
    entry.before,
    entry.after,
  ]
  return hash('sha256', `${previousHash}${JSON.stringify(members)}`)
}

export interface ChainStart extends Pick<NewEntries, 'journalBytes' | 'dictionaryAge'> {
  readonly head: ChainHead
}

/** The entries that one write adds to the chain of its company, chained in the order of their numbers. */
export class NewEntries {
  /** The end of the chain when the company was locked for the write, then the end of what was chained since. */
  head: ChainHead | undefined
  /** The size of the company's journal in bytes, including what this write has written so far. */
  journalBytes = 0
  /** Dictionaries that were cached at another age may be gone. */
  dictionaryAge = 0
  /** The cached rows that entries refer to. */
  readonly memory: WriteMemory
  #pending: EntryMembers[] = []
  #hasEnded = false

  constructor(memory: WriteMemory) {
    this.memory = memory
  }

  /** Sets the start of the chain. Called with each number that the write takes; only the first call counts. */
  start({ head, journalBytes, dictionaryAge }: ChainStart): void {
    if (this.head) return
    this.head = head
    this.journalBytes = journalBytes
    this.dictionaryAge = dictionaryAge
  }

  add(entry: EntryMembers): void {
    if (this.#hasEnded) throw new Error('an entry was added to the journal after the end of its write')
    this.#pending.push(entry)
  }

  /** The number of the waiting entry that has this text as the record after the change. */
  numberOf(after: string): number | undefined {
    return this.#pending.find((entry) => entry.after === after)?.entry_no
  }

  /** The number of the company's last entry, with those of this write. */
  get lastNumber(): number {
    return Math.max(this.head?.entryNo ?? 0, ...this.#pending.map(({ entry_no }) => entry_no))
  }

  /** Ends the write: no further entries may be added. */
  end(): void {
    this.#hasEnded = true
  }

  /**
   * Returns the entries added since the last call, with their hashes, and the new end of the chain; undefined when
   * there are none. Later entries must have higher numbers.
   */
  chain(): { readonly entries: readonly LinkedEntry[]; readonly head: ChainHead } | undefined {
    if (!this.head) throw new Error('the company of the write is not locked')
    if (this.#pending.length === 0) return undefined
    const entries: LinkedEntry[] = []
    let head = this.head
    for (const members of this.take()) {
      const entry = { ...members, link: linkTo(head.hash), hash: hashOf(head.hash, members) }
      head = { entryNo: entry.entry_no, hash: entry.hash, count: head.count + 1 }
      entries.push(entry)
    }
    this.head = head
    return { entries, head }
  }

  /** Returns the entries added since the last call, in their order, to be chained elsewhere. */
  take(): readonly EntryMembers[] {
    const taken = this.#pending.sort((one, other) => one.entry_no - other.entry_no)
    this.#pending = []
    return taken
  }
}
