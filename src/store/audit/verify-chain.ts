// Verifies the chain of a company from its first entry and reports the first fault.
import { type ChainHead, hashOf, type LinkedEntry, linkTo, START } from '../chain/audit-chain.ts'
import type { ChainEnd } from './audit-store.ts'
import { Erasures } from './erasures.ts'

/** An entry that was noted outside of the database. */
export type NotedEntry = Pick<ChainHead, 'entryNo' | 'hash'>

export interface ChainFault {
  readonly kind: 'changed' | 'missing' | 'inserted' | 'reordered' | 'cut' | 'appended' | 'end' | 'noted'
  readonly entryNo: number
  readonly message: string
}

/** The number of entries before a fault that are remembered, to find inserted ones. */
const REMEMBERED = 1_000

type Pages = AsyncGenerator<readonly LinkedEntry[]>

/**
 * Returns the first fault of the chain, and every noted entry that is no longer part of it. `progress` gets the number
 * of entries read. An erased entry is no fault when one of the erasures names it.
 */
export async function verifyChain(
  pages: Pages,
  end: ChainEnd,
  noted: readonly NotedEntry[],
  progress: (entries: number) => void,
  erasures: Erasures = new Erasures(),
): Promise<ChainFault[]> {
  const walk = new Walk(noted, erasures)
  for await (const page of pages) {
    for (const [index, entry] of page.entries()) {
      if (walk.follow(entry)) continue
      const next = await pages.next()
      return [walk.faultAt(entry, [...page.slice(index + 1), ...(next.done ? [] : next.value)])]
    }
    progress(walk.count)
  }
  const fault = walk.faultAtEnd(end)
  return fault ? [fault] : walk.notedFaults()
}

class Walk {
  count = 0
  readonly #recent: NotedEntry[] = []
  /** The noted entries that were not found yet. */
  readonly #missing: NotedEntry[]
  readonly #erasures: Erasures

  constructor(noted: readonly NotedEntry[], erasures: Erasures) {
    this.#missing = [...noted]
    this.#erasures = erasures
  }

  get #last(): NotedEntry {
    return this.#recent.at(-1) ?? { entryNo: 0, hash: START }
  }

  /** Advances to the entry if it is intact and follows the previous one. */
  follow(entry: LinkedEntry): boolean {
    const { hash: previous_hash } = this.#last
    if (entry.link !== linkTo(previous_hash)) return false
    if (fits(previous_hash, entry)) this.#erasures.confirm(entry)
    else if (!this.#erasures.accept({ ...entry, previous_hash })) return false
    this.count += 1
    this.#recent.push({ entryNo: entry.entry_no, hash: entry.hash })
    if (this.#recent.length > REMEMBERED) this.#recent.shift()
    for (const [index, { entryNo, hash }] of this.#missing.entries()) {
      if (entryNo !== entry.entry_no || hash !== entry.hash) continue
      this.#missing.splice(index, 1)
      break
    }
    return true
  }

  /** Classifies the fault of an entry that could not be followed, by its neighbours. */
  faultAt(entry: LinkedEntry, following: readonly LinkedEntry[]): ChainFault {
    const { entry_no: entryNo, link } = entry
    const last = this.#last
    if (following.some((other) => other.link === linkTo(last.hash))) {
      return following.some((other) => linkTo(other.hash) === link)
        ? fault('reordered', entryNo, 'the entry stands before one that it followed')
        : fault('inserted', entryNo, `the entry was put in: another one follows ${named(last.entryNo)}`)
    }
    const followsLast = link === linkTo(last.hash)
    const firstInserted = followsLast ? undefined : this.#entryAfter(link)
    if (firstInserted !== undefined) {
      return fault('inserted', firstInserted, `the entry was put in: ${named(entryNo)} follows the one before it`)
    }
    if (followsLast || link === '' || fits(last.hash, entry))
      return fault('changed', entryNo, 'the entry does not fit its hash')
    if (last.entryNo > 0 && last.entryNo === entryNo - 1) {
      return fault('changed', last.entryNo, `the entry and its hash were changed: ${named(entryNo)} followed another`)
    }
    return fault('missing', entryNo, `what stood between ${named(last.entryNo)} and the entry is missing`)
  }

  faultAtEnd({ entryNo, hash, count, firstBeyond }: ChainEnd): ChainFault | undefined {
    const last = this.#last
    if (last.entryNo < entryNo) {
      return fault('cut', last.entryNo, `the chain is cut off behind the entry: it ended at ${named(entryNo)}`)
    }
    if (last.hash !== hash) {
      return fault('changed', last.entryNo, 'the entry, the last one, does not fit the end that was kept of the chain')
    }
    if (firstBeyond !== undefined) {
      return fault('appended', firstBeyond, `the entry was added behind the end of the chain, ${named(entryNo)}`)
    }
    if (this.count === count) return this.#erasureFault(entryNo)
    return fault('end', entryNo, `${this.count} entries are there, ${count} were counted: the count was changed`)
  }

  #erasureFault(end: number): ChainFault | undefined {
    const found = this.#erasures.faultUpTo(end)
    return found && fault('changed', found.entryNo, found.message)
  }

  notedFaults(): ChainFault[] {
    return this.#missing.map(({ entryNo }) =>
      entryNo > this.#last.entryNo
        ? fault('noted', entryNo, 'the entry was noted and is not there: the end of the chain is cut off')
        : fault('noted', entryNo, 'the entry is not what was noted: the chain was made anew from it or from before it'),
    )
  }

  /** The number of the entry after the one that a link refers to, if both are among the remembered ones. */
  #entryAfter(link: string): number | undefined {
    if (link === linkTo(START)) return this.#recent.length === this.count ? this.#recent[0]?.entryNo : undefined
    const index = this.#recent.findLastIndex((other) => linkTo(other.hash) === link)
    return index < 0 ? undefined : this.#recent[index + 1]?.entryNo
  }
}

function fits(previousHash: string, entry: LinkedEntry): boolean {
  return hashOf(previousHash, entry) === entry.hash
}

function named(entryNo: number): string {
  return entryNo === 0 ? 'the beginning' : `entry ${entryNo}`
}

function fault(kind: ChainFault['kind'], entryNo: number, message: string): ChainFault {
  return { kind, entryNo, message }
}
