// The records of one kind that have changed since a moment, each with the state that it had then.
import type { Steps } from '../../base/concurrency/steps.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import type { JournaledKind } from '../../records/kinds/kind.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import type { ChangedRows } from '../../sql/rows/past-rows.ts'
import type { ReadTx, Store } from '../../store/store.ts'
import { ChangesGone } from '../changes-gone.ts'
import { inSteps, type LogTx } from '../log-source.ts'
import { findLogEnd, measureEntries } from '../log-store.ts'
import { readChanges } from '../read-changes.ts'
import { ALL_PARTS, type RecordChange } from '../record-change.ts'
import { KnownRecords } from './known-records.ts'
import { lastStamps } from './record-state.ts'

/** What an answer of the past may have to go through, because all of it is in memory at once. */
export interface PastBounds {
  readonly changes: number
  /** How many characters the texts of the states of then may have. */
  readonly characters: number
}

/** Many, because each page reads what is around it as well. */
const CHANGES_AT_ONCE = 4_000
/** Entries that are counted at once: a few milliseconds. */
const COUNTED_AT_ONCE = 5_000
const STAMPS_AT_ONCE = 100
/** What a row takes besides its texts, and what a key takes. */
const ROW_SIZE = 1_000
const KEY_SIZE = 200

export class ChangedRecords {
  readonly company: CompanyRules
  readonly kind: JournaledKind
  readonly since: number
  readonly #bounds: PastBounds
  /** All that has changed. */
  readonly #known: KnownRecords
  /** The records of these that were there, by their keys. */
  readonly #states = new Map<string, RowState>()
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
    this.#known = new KnownRecords(company, kind)
  }

  /**
   * Reads the changes up to the newest one; whether any of them is of a record whose state of then was not known.
   * Throws 400 when too much has changed, and `ChangesGone` when a state is no longer kept.
   */
  async readOn(store: Store, steps: Steps): Promise<boolean> {
    const source = inSteps(store, steps)
    const known = this.#known.size
    const found: string[] = []
    const tx = source.reading(this.company.id)
    await this.#requireFew(tx)
    let position = { number: this.#upTo, part: ALL_PARTS }
    for (;;) {
      const passed = position.part === ALL_PARTS ? await this.#known.passOver(tx, position.number) : undefined
      if (passed) {
        this.#count(passed.changes, 0)
        position = { number: Math.max(passed.upTo, position.number), part: ALL_PARTS }
        if (passed.isAtEnd) break
        continue
      }
      const page = await readChanges(source, this.company, position, CHANGES_AT_ONCE, [this.kind])
      for (const change of page.changes) {
        const added = this.#add(change)
        if (added !== undefined) found.push(added)
        await steps.pause()
      }
      position = page.next
      if (page.isAtEnd) break
    }
    this.#upTo = Math.max(this.#upTo, position.number)
    if (!this.kind.showsStamp) await this.#stamp(tx, found)
    return this.#known.size > known
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
    return this.#characters + this.#states.size * ROW_SIZE + this.#known.size * KEY_SIZE
  }

  /** Undefined when nothing has changed. */
  rowsIn(steps: Steps): ChangedRows | undefined {
    if (this.#known.size === 0) return undefined
    return { keys: this.#known.text, states: [...this.#states.values()], steps }
  }

  /** The key of a record that was there, and of which nothing was known. */
  #add({ kind, key, before, unseen, isBeforeUnknown }: RecordChange): string | undefined {
    const name = JSON.stringify(key)
    const isNew = !this.#known.has(name)
    if (isNew && isBeforeUnknown) throw new ChangesGone([kind.name])
    this.#count(1, isNew ? before.length : 0)
    if (!isNew) return undefined
    this.#known.add(name)
    if (before === '') return undefined
    this.#states.set(name, kind.rowOf(this.company, before, unseen.before))
    return name
  }

  #count(changes: number, characters: number): void {
    this.#changes += changes
    this.#characters += characters
    const { changes: most, characters: longest } = this.#bounds
    if (this.#changes > most || this.#characters > longest) throw tooMuch(this.kind, this.#bounds)
  }
}

function tooMuch({ name }: JournaledKind, { changes }: PastBounds) {
  return invalidOption(
    `More than ${changes} changes of ${name}, or too large ones, were made since asOf: choose a later moment, or read GET /v1/changes from there.`,
  )
}
