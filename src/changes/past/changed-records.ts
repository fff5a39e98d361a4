// The records of one kind that have changed since a moment, each with the state that it had then.
import type { Steps } from '../../base/concurrency/steps.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import type { JournaledKind } from '../../records/kinds/kind.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import type { ChangedRows } from '../../sql/rows/past-rows.ts'
import type { ReadTx, Store } from '../../store/store.ts'
import { ChangesGone } from '../changes-gone.ts'
import { inSteps, type LogTx } from '../log/log-source.ts'
import { findLogEnd, measureEntries } from '../log/log-store.ts'
import { readChanges } from '../log/read-changes.ts'
import { ALL_PARTS, type RecordChange } from '../record-change.ts'
import { lastStamps } from './last-stamps.ts'

/** What an answer of the past may have to go through, because all of it is in memory at once. */
export interface PastBounds {
  readonly changes: number
  /** Of the texts of the states of then, in characters. */
  readonly characters: number
}

/** Many, because each page reads what is around it as well. */
const CHANGES_AT_ONCE = 4_000
/** Entries that are counted at once: a few milliseconds. */
const COUNTED_AT_ONCE = 5_000
const STAMPS_AT_ONCE = 100
/** What a row takes besides its texts. */
const ROW_SIZE = 1_000

export class ChangedRecords {
  readonly company: CompanyRules
  readonly kind: JournaledKind
  readonly since: number
  readonly #bounds: PastBounds
  /** By the key as JSON; undefined for a record that was not there. */
  readonly #states = new Map<string, RowState | undefined>()
  #changes = 0
  #characters = 0
  /** All changes up to this number are known. */
  #upTo: number

  constructor(company: CompanyRules, kind: JournaledKind, since: number, bounds: PastBounds) {
    this.company = company
    this.kind = kind
    this.since = since
    this.#upTo = since
    this.#bounds = bounds
  }

  /**
   * Reads the changes up to the newest one; whether any of them is of a record whose state of then was not known.
   * Throws 400 when too much has changed, and `ChangesGone` when a state is no longer kept.
   */
  async readOn(store: Store, steps: Steps): Promise<boolean> {
    const source = inSteps(store, steps)
    const known = this.#states.size
    await this.#requireFew(source.reading(this.company.id))
    let position = { number: this.#upTo, part: ALL_PARTS }
    for (;;) {
      const page = await readChanges(source, this.company, position, CHANGES_AT_ONCE, [this.kind])
      for (const change of page.changes) {
        this.#add(change)
        await steps.pause()
      }
      position = page.next
      if (page.isAtEnd) break
    }
    this.#upTo = Math.max(this.#upTo, position.number)
    const added = [...this.#states.keys()].slice(known)
    if (!this.kind.showsStamp) await this.#stamp(source.reading(this.company.id), added)
    return added.length > 0
  }

  /** Most moments that are too far back are found so before any text is read: that would take many times as long. */
  async #requireFew(tx: LogTx): Promise<void> {
    const { last } = await findLogEnd(tx)
    let changes = this.#changes
    for (let after = this.#upTo; after < last; after += COUNTED_AT_ONCE) {
      const entities = [this.kind.journalEntity]
      const wanted = { after, upTo: after + COUNTED_AT_ONCE, entities, most: COUNTED_AT_ONCE }
      changes += (await measureEntries(tx, wanted)).entries
      if (changes > this.#bounds.changes) throw tooMuch(this.kind, this.#bounds)
    }
  }

  async #stamp(tx: ReadTx, keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += STAMPS_AT_ONCE) {
      const some = keys.slice(start, start + STAMPS_AT_ONCE)
      const stamps = await lastStamps(tx, this.kind, some, this.since)
      for (const key of some) {
        const state = this.#states.get(key)
        const stamp = stamps.get(key)
        if (state && stamp) this.#states.set(key, { ...state, columns: { ...state.columns, ...stamp } })
      }
    }
  }

  get upTo(): number {
    return this.#upTo
  }

  /** About what the states take in memory, in characters. */
  get size(): number {
    return this.#characters + this.#states.size * ROW_SIZE
  }

  /** Undefined when nothing has changed. */
  rowsIn(steps: Steps): ChangedRows | undefined {
    if (this.#states.size === 0) return undefined
    return {
      keys: [...this.#states.keys()],
      states: [...this.#states.values()].filter((state) => state !== undefined),
      steps,
    }
  }

  #add({ kind, key, before, unseen, isBeforeUnknown }: RecordChange): void {
    this.#changes += 1
    const name = JSON.stringify(key)
    if (!this.#states.has(name)) {
      if (isBeforeUnknown) throw new ChangesGone([kind.name])
      this.#characters += before.length
      this.#states.set(name, before === '' ? undefined : kind.rowOf(this.company, before, unseen.before))
    }
    const { changes, characters } = this.#bounds
    if (this.#changes > changes || this.#characters > characters) throw tooMuch(this.kind, this.#bounds)
  }
}

function tooMuch({ name }: JournaledKind, { changes }: PastBounds) {
  return invalidOption(
    `More than ${changes} changes of ${name}, or too large ones, were made since asOf: choose a later moment, or read GET /v1/changes from there.`,
  )
}
