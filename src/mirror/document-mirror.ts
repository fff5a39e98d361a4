// One document of a mirror: loads it, follows its changes, and has what was removed looked for.
// Every page is one write, or several, each with how far the document has come then: whoever is interrupted goes on
// there.
import { hash } from 'node:crypto'
import { type DocumentPages, documentPages } from './document-pages.ts'
import { DocumentReader, isRefused, NotFiltered, NotOrdered, ShowsNothing, statesOf } from './document-reader.ts'
import { type DocumentState, NEW_DOCUMENT } from './document-state.ts'
import { DocumentSweep } from './document-sweep.ts'
import { DocumentWriter, type WriterParts } from './document-writer.ts'
import type { KeySet } from './key-set.ts'
import { RemovedRecords } from './removed-records.ts'
import type { ErpSource } from './source/source.ts'
import { type AskedDocument, countRecords, type SourcePage } from './source/source-pages.ts'
import { rowsIn } from './source/source-rows.ts'
import { aheadOf, changedSince, earlierBy, isZoneless, newestOf, OVERLAP_MS, stampsOf } from './source/stamps.ts'

interface MirroredParts extends Omit<WriterParts, 'name' | 'keyNames'> {
  readonly source: ErpSource
  readonly asked: AskedDocument
  /** Parameters of the source, of which each is asked for by itself; empty: it has none. */
  readonly states: readonly string[]
  readonly now: () => number
}

/** Sweeps look back so much further for changes: transactions may take long, and clocks are put back. */
const LOOK_BACK_MS = 60 * 60_000
/** After a sweep during which pages have shifted, the next one comes as soon. */
const SWEEP_AGAIN_MS = 10 * 60_000
/** So many of the newest records tell how the clock of the source runs. */
const NEWEST = 20
/** A look for changes that finds more does not go back as far again while nothing changes. */
const MANY = 1_000
/** A single record tells of no order. */
const FEWEST = 2

export class DocumentMirror {
  readonly #parts: MirroredParts
  readonly #reader: DocumentReader
  readonly #writer: DocumentWriter
  readonly #removed: RemovedRecords
  readonly #pages: DocumentPages
  /** Where the source does not find records by their keys: what was not among its records at the last sweep. */
  #missed: KeySet | undefined
  /** When the latest change was seen first, and how many there were then. */
  #seen = { latest: '', at: 0, rows: 0 }
  #notBefore = 0

  constructor(parts: MirroredParts, stored: DocumentState) {
    this.#parts = parts
    const { source, asked, now } = parts
    const { rows, requests, bound } = stored
    const isAlike = stored.asked === askedBy(parts)
    // Another setup asks for something else: all of it is asked for again.
    const state = isAlike ? stored : { ...NEW_DOCUMENT, rows, requests, bound, asked: askedBy(parts) }
    this.#reader = new DocumentReader(source, asked, now, state)
    const keyNames = this.#reader.keyNames
    this.#writer = new DocumentWriter({ ...parts, name: asked.name, keyNames }, state)
    const { kind, states } = parts
    const [reader, writer] = [this.#reader, this.#writer]
    this.#removed = new RemovedRecords({ name: asked.name, kind, states: statesOf(states), reader, writer })
    this.#pages = documentPages(reader, writer, this.#removed)
  }

  get name(): string {
    return this.#parts.asked.name
  }

  get state(): DocumentState {
    return this.#writer.state
  }

  /** Writes all records that the source has, from where it was interrupted. */
  load(signal: AbortSignal): Promise<void> {
    return this.#asAble(() => this.#loadWhole(signal))
  }

  /** Writes what has changed since the newest change that is here. */
  follow(signal: AbortSignal): Promise<void> {
    return this.#unlessEmpty(signal, async () => {
      const { hasStamps, isKnown, newest } = this.state
      if (!isKnown) await this.#followUnknown(signal)
      else if (hasStamps) await this.#followStamps(newest, signal)
      else await this.#compareNext(signal)
    })
  }

  /**
   * Reads all keys of the source: writes those that are missing here, and removes those that are only here. A record
   * is taken for removed only when a read of its own key says so.
   */
  sweep(signal: AbortSignal): Promise<void> {
    return this.#unlessEmpty(signal, async () => {
      const began = this.#moment()
      const hasMissedChanges = await this.#lookBack(signal)
      const [reader, writer, pages, removed] = [this.#reader, this.#writer, this.#pages, this.#removed]
      const swept = new DocumentSweep({ kind: this.#parts.kind, states: this.#states, reader, writer, pages, removed })
      const isSure = await this.#removeAfter(swept, signal)
      if (swept.hasShifted || hasMissedChanges || !isSure) {
        this.#notBefore = this.#parts.now() + SWEEP_AGAIN_MS
        return
      }
      const counted = this.state.sourceRows < 0 ? undefined : await this.#count(signal)
      const uncounted = counted === undefined ? 0 : Math.max(0, this.state.rows - counted)
      const { newest: sweptNewest } = this.state
      await this.#save({ sweptAt: began, sourceRows: counted ?? swept.size, uncounted, sweptNewest })
    })
  }

  /** Removes what a sweep does not see. Returns whether nothing is left of which the source has not said what it is. */
  async #removeAfter(swept: DocumentSweep, signal: AbortSignal): Promise<boolean> {
    const { isFiltered } = this.#reader.abilities
    await (isFiltered ? swept.readKeys(signal) : swept.readRecords(signal))
    if (swept.size === 0 && this.state.rows > 0) throw new ShowsNothing(this.name)
    if (isFiltered) {
      await this.#save({ rows: await swept.removeUnseen(signal) })
      return true
    }
    const { rows, isSure, missed } = await swept.removeMissed(this.#missed, signal)
    if (!swept.hasShifted) this.#missed = missed
    await this.#save({ rows })
    return isSure
  }

  /** Whether removed records have not been looked for in so many seconds. */
  isSweepDue(seconds: number): boolean {
    const now = this.#parts.now()
    return now >= this.#notBefore && !(now - Date.parse(this.state.sweptAt) < seconds * 1000)
  }

  /** Whether more records are here than the source counts. New ones come with the next look for changes. */
  async isMiscounted(signal: AbortSignal): Promise<boolean> {
    const counted = await this.#count(signal)
    if (counted === undefined) return false
    await this.#save({ sourceRows: counted })
    return this.state.rows > counted + this.state.uncounted && this.#parts.now() >= this.#notBefore
  }

  /** How many records the source has; undefined where it does not tell. */
  async #count(signal: AbortSignal): Promise<number | undefined> {
    let rows = 0
    for (const state of this.#states) {
      const counted = await countRecords(this.#parts.source, this.#parts.asked, state, signal)
      if (counted === undefined) return undefined
      rows += counted
    }
    return rows
  }

  /**
   * Reads the record with this key again, for a client that waits for it. `isGone`: the source has just said that it
   * has removed it.
   */
  refresh(key: readonly string[], gone?: { readonly isGone: boolean }): Promise<void> {
    return this.#removed.refresh(key, gone)
  }

  /** Tells why the document is not fresh; empty: nothing is wrong. */
  async tell(problem: string, phase = this.state.phase): Promise<void> {
    if (problem !== this.state.problem || phase !== this.state.phase) await this.#save({ problem, phase })
  }

  get #states(): readonly string[] {
    return statesOf(this.#parts.states)
  }

  #moment(): string {
    return new Date(this.#parts.now()).toISOString()
  }

  async #save(change: Partial<DocumentState>): Promise<void> {
    const { abilities } = this.#reader
    const { isOrdered, isFiltered, hasSingles, hasLists, bound } = abilities
    const requests = this.state.requests + this.#reader.requests
    this.#reader.requests = 0
    await this.#writer.save({ isOrdered, isFiltered, hasSingles, hasLists, bound, requests, ...change })
  }

  /** What the source cannot do after all is done in another way, from the beginning. */
  async #asAble(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (error instanceof NotOrdered) {
        this.#reader.abilities = { ...this.#reader.abilities, isOrdered: false }
      } else if (!(error instanceof NotFiltered)) throw error
      await this.#save({ places: {} })
      await work()
    }
  }

  /** A source that shows nothing has nothing, where each record that is here is gone by a path of its own. */
  async #unlessEmpty(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await this.#asAble(work)
    } catch (error) {
      if (!(error instanceof ShowsNothing)) throw error
      const rows = await this.#removed.removeLast(signal)
      if (rows === undefined) throw error
      await this.#save({ rows })
    }
  }

  /** Finds out what the source can do, and the newest change there is now: later ones are followed from there. */
  async #begin(signal: AbortSignal): Promise<void> {
    const { phase: before, asOf: known } = this.state
    const asOf = before === 'following' ? known : this.#moment()
    const page = await this.#probe(signal)
    const stamps = await this.#newestStamps(page, signal)
    const sourceRows = (await this.#count(signal)) ?? -1
    const rows = await this.#writer.count()
    const phase = before === 'absent' ? 'loading' : before
    const isKnown = page.rows.length >= FEWEST
    // What was here before may have been removed there.
    const sweptAt = rows === 0 ? asOf : ''
    await this.#save({ ...stamps, phase, asOf, sweptAt, sourceRows, rows, isKnown })
  }

  /** The first records of the first state that has any. */
  async #probe(signal: AbortSignal): Promise<SourcePage> {
    let page: SourcePage | undefined
    for (const state of this.#states) {
      page = await this.#reader.probe(state, signal)
      if (page.rows.length >= FEWEST) break
    }
    return page ?? NO_PAGE
  }

  async #newestStamps({ rows, date }: SourcePage, signal: AbortSignal) {
    const now = date ?? this.#parts.now()
    const first = stampsOf(rows)
    const form = { isZoneless: isZoneless(rows) }
    const [state = ''] = this.#states
    const hasStamps = first.length > 0 && (await this.#filtersByStamp(state, form, signal))
    const latest = hasStamps ? await this.#latest(signal) : []
    const stamps = [...first, ...latest]
    const aheadMs = aheadOf(stamps, now, 0)
    const newest = newestOf(stamps, now, aheadMs) || new Date(0).toISOString()
    return { ...form, hasStamps, aheadMs, newest }
  }

  async #latest(signal: AbortSignal): Promise<readonly string[]> {
    try {
      const rows = await this.#reader.newest(this.#states, signal, NEWEST)
      return stampsOf(rows)
    } catch (error) {
      if (isRefused(error)) return []
      throw error
    }
  }

  /** Whether nothing has changed in the future. */
  async #filtersByStamp(state: string, form: { isZoneless: boolean }, signal: AbortSignal): Promise<boolean> {
    try {
      const filters = [changedSince('9000-01-01T00:00:00.000Z', form)]
      return (await this.#reader.some({ state, filters }, 1, signal)).length === 0
    } catch (error) {
      if (isRefused(error)) return false
      throw error
    }
  }

  async #loadWhole(signal: AbortSignal): Promise<void> {
    if (this.state.newest === '') await this.#begin(signal)
    for (const state of this.#states) {
      while (this.state.places[state] !== 'end') await this.#loadPage(state, signal)
    }
    const { hasShifted, newest } = this.state
    const sweptAt = hasShifted ? '' : this.state.sweptAt
    await this.#save({ phase: 'following', places: {}, sweptAt, sweptNewest: newest, hasShifted: false })
  }

  /** Whether nothing is here of what there was. */
  get #isEmpty(): boolean {
    return this.state.phase === 'following' && this.state.rows === 0
  }

  async #loadPage(state: string, signal: AbortSignal): Promise<void> {
    const known = this.state.places[state]
    const place = known === 'end' ? undefined : known
    const since = await this.#writer.lastEntry()
    let page = await this.#reader.pageAt({ state }, place, signal, true)
    if (!place && page.rows.length === 0 && this.state.isKnown && !this.#isEmpty) {
      await this.#reader.requireShown(this.#states, signal)
      page = await this.#reader.pageAt({ state }, place, signal, true)
    }
    const hasShifted = this.state.hasShifted || page.hasShifted
    await this.#pages.write({ ...page, state, since }, signal, {
      places: { ...this.state.places, [state]: page.next },
      hasShifted,
    })
    page.rows.free()
  }

  async #followStamps(newest: string, signal: AbortSignal): Promise<void> {
    const began = this.#moment()
    const isQuiet = this.#parts.now() - this.#seen.at > 2 * OVERLAP_MS
    const overlap = isQuiet && this.#seen.rows > MANY ? 0 : OVERLAP_MS
    const { reached, latest, rows, hasShifted, aheadMs } = await this.#changesFrom(earlierBy(newest, overlap), signal)
    if (hasShifted) {
      await this.#save({ aheadMs })
      return
    }
    const next = reached > newest ? reached : newest
    if (this.#seen.latest !== latest) this.#seen = { latest, at: this.#parts.now(), rows }
    await this.#save({ newest: next, aheadMs, asOf: began })
  }

  /** Writes what has changed since a moment; returns the latest one up to which no change can have been missed. */
  async #changesFrom(from: string, signal: AbortSignal) {
    const { now } = this.#parts
    const began = now()
    const filters = [changedSince(from, this.state)]
    let { aheadMs } = this.state
    let [reached, latest, rows, hasShifted] = ['', '', 0, false]
    let hasNone = false
    for (const state of this.#states) {
      const before = rows
      for await (const page of this.#pages.read({ state, filters }, signal)) {
        const elapsed = now() - began
        const clock = page.date ?? now()
        const stamps = stampsOf(page.rows)
        aheadMs = aheadOf(stamps, clock, aheadMs)
        const newest = newestOf(stamps, clock, aheadMs)
        if (newest > latest) latest = newest
        // What has changed since the first question may have been missed.
        const sure = newest && earlierBy(newest, elapsed)
        if (sure > reached) reached = sure
        rows += page.rows.length
        hasShifted ||= page.hasShifted
        await this.#pages.write({ ...page, state }, signal)
      }
      hasNone ||= rows === before
    }
    // The newest record is among them, unless it was removed.
    if (hasNone && this.state.rows > 0) await this.#reader.requireShown(this.#states, signal)
    return { reached, latest, rows, hasShifted, aheadMs }
  }

  /** Too little was there to find out what the source can do: it is all on one page, or it can be found out now. */
  async #followUnknown(signal: AbortSignal): Promise<void> {
    const began = this.#moment()
    let rows = 0
    for (const state of this.#states) {
      const since = await this.#writer.lastEntry()
      const page = await this.#reader.pageAt({ state }, undefined, signal)
      rows += page.rows.length
      await this.#pages.write({ ...page, state, since }, signal)
    }
    if (rows < FEWEST) {
      await this.#save({ asOf: began })
      return
    }
    // It is loaded as a new one is, also by whoever goes on after an interruption: how old all of it is, nobody knows.
    await this.#save({ phase: 'loading', newest: '', places: {}, sweptAt: '' })
    await this.#loadWhole(signal)
  }

  /** Compares one page of records in rotation, where records do not tell when they were changed. */
  async #compareNext(signal: AbortSignal): Promise<void> {
    if (this.state.roundAt === '') await this.#save({ roundAt: this.#moment(), hasShifted: false })
    const open = this.#states.find((state) => this.state.places[state] !== 'end')
    if (open !== undefined) await this.#loadPage(open, signal)
    if (this.#states.some((state) => this.state.places[state] !== 'end')) return
    const { hasShifted, roundAt, asOf } = this.state
    // What has slipped away is found by the next round.
    await this.#save({ places: {}, asOf: hasShifted ? asOf : roundAt, roundAt: '', hasShifted: false })
  }

  /**
   * Writes changes that were committed later than the last looks for them could see. Returns whether some may have been
   * missed, because pages have shifted.
   */
  async #lookBack(signal: AbortSignal): Promise<boolean> {
    const { hasStamps, isKnown, sweptNewest } = this.state
    if (!hasStamps || !isKnown || sweptNewest === '') return false
    const { aheadMs, hasShifted } = await this.#changesFrom(earlierBy(sweptNewest, LOOK_BACK_MS), signal)
    await this.#save({ aheadMs })
    return hasShifted
  }
}

const NO_PAGE: SourcePage = { rows: rowsIn(Buffer.from(new ArrayBuffer(0)), true), size: 0, date: undefined }

/** What is asked for, by which another setup is known. */
function askedBy({ source, asked, states }: MirroredParts): string {
  const { url, companyId } = source.rules
  return hash('sha256', JSON.stringify([url, companyId, asked, states]), 'base64url')
}
