// The chain of the change log: an entry's hash covers its members and the hash of the entry before it in its company,
// so that none can be changed, taken out or put in without all that follow. This file knows no database.
import { hash } from 'node:crypto'
import type { AuditEntryView } from '../tables.ts'
import type { WriteMemory } from './journal-memory.ts'

/** The hash before the first entry of a company. */
export const START = ''

/** Where the chain of a company ends. */
export interface ChainHead {
  /** 0 when there is no entry yet. */
  readonly entryNo: number
  readonly hash: string
  /** How many entries the chain has: their numbers have gaps. */
  readonly count: number
}

export const HASH_BYTES = 32
/** As much of the hash before is stored with an entry: it tells a fault of the entry from one before it. */
const LINK_DIGITS = 8

export type EntryMembers = Omit<AuditEntryView, 'previous_hash' | 'hash'>

/** An entry as it stands in the chain, hashes in hexadecimal. */
export interface LinkedEntry extends EntryMembers {
  readonly hash: string
  readonly link: string
}

export function linkTo(previousHash: string): string {
  return previousHash === START ? '0'.repeat(LINK_DIGITS) : previousHash.slice(0, LINK_DIGITS)
}

/**
 * What an entry's hash is: SHA-256 over the hash before and the members as a JSON array in this order, in hexadecimal.
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

/** What one write adds to the chain of its company. It is chained in the order of the numbers. */
export class NewEntries {
  /** The end of the chain as it was when the company was locked for the write, and then with what was chained since. */
  head: ChainHead | undefined
  /** Of the company's journal, with what this write has written so far. */
  journalBytes = 0
  /** Of the rows that entries refer to. */
  readonly memory: WriteMemory
  #waiting: EntryMembers[] = []
  #isOver = false

  constructor(memory: WriteMemory) {
    this.memory = memory
  }

  /** Tells where the company stands, with each number that the write takes: the first counts. */
  begin({ head, journalBytes }: { readonly head: ChainHead; readonly journalBytes: number }): void {
    if (this.head) return
    this.head = head
    this.journalBytes = journalBytes
  }

  add(entry: EntryMembers): void {
    if (this.#isOver) throw new Error('an entry was added to the journal after the end of its write')
    this.#waiting.push(entry)
  }

  /** The number of the entry that has added this record as it is afterwards. */
  numberOf(after: string): number | undefined {
    return this.#waiting.find((entry) => entry.after === after)?.entry_no
  }

  /** The write is over. */
  end(): void {
    this.#isOver = true
  }

  /**
   * The entries that were added since the last call, with their hashes, and where the chain then ends; nothing when
   * there are none. Those that follow must have higher numbers.
   */
  chain(): { readonly entries: readonly LinkedEntry[]; readonly head: ChainHead } | undefined {
    if (!this.head) throw new Error('the company of the write is not locked')
    if (this.#waiting.length === 0) return undefined
    const entries: LinkedEntry[] = []
    let head = this.head
    for (const members of this.#waiting.sort((one, other) => one.entry_no - other.entry_no)) {
      const entry = { ...members, link: linkTo(head.hash), hash: hashOf(head.hash, members) }
      head = { entryNo: entry.entry_no, hash: entry.hash, count: head.count + 1 }
      entries.push(entry)
    }
    this.#waiting = []
    this.head = head
    return { entries, head }
  }
}
