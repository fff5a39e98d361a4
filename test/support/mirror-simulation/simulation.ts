// A source and a mirror of it in one process, whose clock only the simulation turns: people write at the source between
// the requests of the mirror and during them, requests fail, the mirror's process ends and begins again. In between there
// are rests, after which the mirror must have what the source has.
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../../src/base/strict-json.ts'
import { DocumentMirror } from '../../../src/mirror/document-mirror.ts'
import { ErpSource, SourceFailure } from '../../../src/mirror/source/source.ts'
import { sourceRules } from '../../../src/setup/rules/source.ts'
import { LeaseLost } from '../../../src/store/lease-table.ts'
import { Erp } from '../erp/erp.ts'
import type { Fault } from '../erp/faults.ts'
import { type Row, stamp } from '../erp/kind.ts'
import { fractions } from '../erp/random.ts'
import { DOCUMENTS, HABITS, type Simulated } from './simulated-documents.ts'
import { Crash, SimulatedStore } from './simulated-store.ts'
import { SourceHistory } from './source-history.ts'

const FAULTS: readonly Fault[] = ['404', '429', '500', '503', 'refused', 'lost', 'slow', 'cut', 'truncated']
const MINUTE_MS = 60_000
/** Most transactions take no longer; what takes longer is found by the next look for removed records. */
const LONG_COMMIT_MS = 2 * MINUTE_MS
const LONGEST_COMMIT_MS = 30 * MINUTE_MS
/** Nor do clocks differ by more. */
const MOST_OFFSET_MS = MINUTE_MS
const REST_EVERY = 150
/** Just below the limit of the source's own. */
const SLOW_MS = 200_000
/** The source answers no more records at once, whatever it is asked for. */
const BOUND = 8
const SWEEP_SECONDS = 3_600

export interface SimulationFigures {
  steps: number
  requests: number
  crashes: number
  rests: number
  removals: number
  takeovers: number
}

export class Simulation {
  readonly figures: SimulationFigures = { steps: 0, requests: 0, crashes: 0, rests: 0, removals: 0, takeovers: 0 }
  readonly #seed: number
  readonly #next: () => number
  readonly #store = new SimulatedStore()
  readonly #erp: Erp
  readonly #source: ErpSource
  /** A row of each document. */
  readonly #first = new Map<string, Row>()
  #now = Date.parse('2026-06-01T00:00:00Z')
  /** Larger than any number of the rows at the beginning. */
  #version = 1_000_000_000
  readonly #history = new SourceHistory()
  /** The row of each document that was removed last: clients like to create it again. */
  readonly #removed = new Map<string, Row>()
  /** What was stored before its client was answered: how each record was written then. */
  readonly #written = new Map<string, unknown>()
  /** What has gone wrong within a request, where nobody but the mirror would hear of it. */
  readonly #wrong: unknown[] = []
  readonly #late: { readonly due: number; commit(): void }[] = []
  /** Since which step a row has been at the source, by document and key; absent: from the beginning. */
  readonly #presentSince = new Map<string, number>()
  /** The step at which the look began that may remove records. */
  #lookedAt = 0
  #lookedBefore = 0
  #isResting = false
  /** Whether the mirror is in the middle of a look. */
  #isAsking = false
  #crashIn = 0
  #mirrors = new Map<string, DocumentMirror>()
  #depth = 0
  /** Where the mirror is. */
  #looking: Simulated | undefined

  constructor(seed: number) {
    this.#seed = seed
    this.#next = fractions(seed)
    const clock = { now: () => this.#now, sleep: async (ms: number) => this.#advance(ms) }
    const sizes = { ledger: 24, customers: 12, values: 4, documents: 2, others: 10 }
    const habits = HABITS[seed % HABITS.length]!
    const collation = seed % 3 === 0 ? 'no-case' : 'code-point'
    this.#erp = new Erp({ seed, sizes, clock, habits, collation, tellsState: seed % 2 === 0 })
    const rules = sourceRules(
      { url: 'http://erp', clientIdEnv: 'C', secretEnv: 'S', tokenUrl: 'http://erp/oauth/token', share: 1 },
      'EN',
    )
    this.#source = new ErpSource({
      rules,
      environment: { C: 'mirror', S: 'mirror-secret' },
      now: () => this.#now,
      sleep: async (ms) => this.#advance(ms),
      fetch: (input, init) => this.#fetch(String(input), init),
    })
    this.#erp.faults.slowMs = SLOW_MS
    // Nothing is known of a source that is empty.
    for (const { asked } of DOCUMENTS) this.#first.set(asked.name, [...this.#erp.rows(asked.name)][0]!)
    for (const document of DOCUMENTS) {
      for (const row of this.#erp.rows(document.asked.name)) this.#note(document, row, { isLate: false })
    }
    if (seed % 5 === 0) for (const document of DOCUMENTS) this.#empty(document)
    this.#store.beforeCommit = () => this.#maybeCrash()
    this.#store.afterCommit = () => this.#maybeCrash()
  }

  async run(steps: number): Promise<SimulationFigures> {
    while (this.figures.steps < steps) {
      this.#step()
      await this.#mirrorStep()
      if (this.#wrong.length > 0) throw this.#wrong[0]
      if (this.figures.steps % REST_EVERY < 3) await this.#rest()
    }
    await this.#rest()
    return this.figures
  }

  #advance(ms: number): void {
    this.#now += Math.max(ms, 0)
    for (const one of this.#late.filter(({ due }) => due <= this.#now)) this.#commit(one)
  }

  #commit(one: { readonly due: number; commit(): void }): void {
    this.#late.splice(this.#late.indexOf(one), 1)
    one.commit()
  }

  #pick<T>(things: readonly T[]): T {
    return things[Math.floor(this.#next() * things.length)]!
  }

  #chance(of: number): boolean {
    return this.#next() < of
  }

  /** What happens at the source, or with the time. */
  #step(): void {
    this.figures.steps += 1
    const kind = this.#next()
    if (kind < 0.6) this.#writeSomething()
    else if (kind < 0.75) this.#advance(this.#next() * 30_000)
    else if (this.#isResting) return
    else if (kind < 0.85) this.#orderFault(this.#pick(FAULTS))
    else if (kind < 0.9) this.#erp.clockOffsetMs = (this.#next() * 2 - 1) * MOST_OFFSET_MS
    else if (kind < 0.93) this.#erp.faults.mostRows = this.#pick([3, 15, Number.POSITIVE_INFINITY])
    else if (kind < 0.95) this.#erp.faults.isAway = !this.#erp.faults.isAway
    else if (kind < 0.99) this.#hideOrShow()
    else this.#erp.faults.slowMs = this.#pick([2_000, SLOW_MS, 300_000])
  }

  /** Rights are lost at any time, and given back between two looks. */
  #hideOrShow(): void {
    const isHidden = this.#chance(0.3)
    const { name } = this.#near().asked
    if (isHidden || !this.#isAsking) this.#erp.hide(name, isHidden)
  }

  /** A source that is slow is so for long: a look for changes takes longer than it looks back. */
  #orderFault(fault: Fault): void {
    this.#erp.faults.order(fault, (fault === 'slow' ? 5 : 1) + Math.floor(this.#next() * 3))
  }

  /** More happens where the mirror is looking. */
  #near(): Simulated {
    return this.#looking && this.#chance(0.5) ? this.#looking : this.#pick(DOCUMENTS)
  }

  #writeSomething(): void {
    const document = this.#near()
    const { asked, version } = document
    const rows = [...this.#erp.rows(asked.name)]
    const row = this.#pick(rows) ?? this.#first.get(asked.name)!
    const how = this.#next()
    this.#version += 1
    const next = { [version.member]: version.write(this.#version) } as Row
    if (rows.length < 6 || how < 0.21) this.#create(document, { ...row, ...this.#newKey(document), ...next })
    else if (how < 0.23 && rows.length > 12) for (const one of rows.slice(-4)) this.#remove(document, one)
    else if (how < 0.4 && rows.length > 8) this.#remove(document, row)
    else if (how < 0.5 && document.isStamped) this.#writeLate(document, { ...row, ...next })
    else if (how < 0.6 && document.states.length > 0) this.#write(document, { ...row, ...next, ...later(row) })
    else this.#write(document, { ...row, ...next })
  }

  #write(document: Simulated, row: Row, { isLate = false } = {}): void {
    const before = this.#erp.find(document.asked.name, row)
    // Some sources take a key in other letters for the same one.
    if (before && this.#idOf(document, before) !== this.#idOf(document, row)) this.#noteRemoval(document, before)
    this.#note(document, this.#erp.write(document.asked.name, row), { isLate })
  }

  /** `isLate`: so much later than its stamp tells that looks for changes do not find it. */
  #note(document: Simulated, row: Row, { isLate }: { isLate: boolean }): void {
    const { member, read } = document.version
    this.#history.note(this.#idOf(document, row), { at: this.#now, version: read(row[member]), isLate })
  }

  #newKey({ asked: { key, name } }: Simulated): Row {
    const at = Math.floor(this.#next() * 60)
    const parts = key.map((part, index) => {
      if (part.name === 'dateFrom') return [part.name, stamp(Date.UTC(2026, 0, 1 + at), this.#erp.kind(name).zone)]
      if (!part.isText) return [part.name, index === 0 ? 5_000_000 + at : 1 + (at % 3)]
      const letters = this.#chance(0.5) ? 'New' : 'NEW'
      return [part.name, part.name === 'currencyCode' ? 'CHF' : `${letters}'${at}`]
    })
    return Object.fromEntries(parts)
  }

  #create(document: Simulated, row: Row): void {
    const { name } = document.asked
    if (this.#erp.find(name, row)) return
    this.#write(document, row)
    this.#presentSince.set(this.#idOf(document, row), this.figures.steps)
  }

  #remove(document: Simulated, row: Row): void {
    this.#erp.remove(document.asked.name, row)
    this.#noteRemoval(document, row)
    this.#presentSince.set(this.#idOf(document, row), Number.POSITIVE_INFINITY)
  }

  #noteRemoval(document: Simulated, row: Row): void {
    this.#removed.set(document.asked.name, row)
    this.#history.note(this.#idOf(document, row), { at: this.#now, version: undefined, isLate: false })
  }

  #empty(document: Simulated): void {
    for (const row of [...this.#erp.rows(document.asked.name)]) this.#remove(document, row)
  }

  /** Written now, seen later, unless it was removed meanwhile. */
  #writeLate(document: Simulated, row: Row): void {
    const { name } = document.asked
    const { member, read } = document.version
    const commit = this.#erp.commitLate(name, row)
    const [began, isLong] = [this.#now, this.#chance(0.2)]
    this.#late.push({
      due: began + this.#next() * (isLong ? LONGEST_COMMIT_MS : LONG_COMMIT_MS),
      commit: () => {
        const now = this.#erp.find(name, row)
        if (!now || read(now[member]) >= read(row[member])) return
        this.#note(document, commit(), { isLate: this.#now - began > LONG_COMMIT_MS })
      },
    })
  }

  #idOf({ asked: { name, key } }: Simulated, row: Row): string {
    return `${name} ${JSON.stringify(key.map((part) => String(row[part.name])))}`
  }

  /** Others write before a request is heard, and while its answer is on its way. */
  async #fetch(input: string, init?: RequestInit): Promise<Response> {
    this.figures.requests += 1
    this.#advance(this.#next() * 500)
    const bounded = input.replace(/limit=(\d+)/, (_all, limit) => `limit=${Math.min(Number(limit), BOUND)}`)
    while (!this.#isResting && this.#chance(0.2)) this.#step()
    const isFirst = !this.#isResting && this.#depth === 0 && !input.includes('/oauth/')
    const asked = this.#now
    const response = await this.#erp.fetch(bounded, init)
    while (!this.#isResting && this.#chance(this.#now - asked > MINUTE_MS ? 0.7 : 0.1)) this.#step()
    // Whoever waits for the token of another cannot be waited for by that.
    if (isFirst && this.#chance(0.08)) await this.#nested(() => this.#readAsClient())
    if (isFirst && this.#looking && this.#chance(0.005)) await this.#nested(() => this.#takeOver(this.#looking!))
    return response
  }

  /** What happens while the mirror waits for an answer. */
  async #nested(work: () => Promise<void>): Promise<void> {
    this.#depth += 1
    const [before, crashIn] = [this.#lookedAt, this.#crashIn]
    this.#lookedAt = this.figures.steps
    this.#crashIn = 0
    try {
      await work()
    } catch (error) {
      if (!(error instanceof SourceFailure)) this.#wrong.push(error)
    } finally {
      this.#depth -= 1
      this.#lookedAt = before
      this.#crashIn = crashIn
    }
  }

  /** Another process takes the lease, and looks for changes, while this one waits for its answer. */
  async #takeOver(document: Simulated): Promise<void> {
    this.figures.takeovers += 1
    this.#store.leaseNo += 1
    this.#mirrors.clear()
    await this.#pass(document)
  }

  /** That of the record that was removed last, or any. */
  #keyOfNew(document: Simulated): Row {
    const { name, key } = document.asked
    const removed = this.#removed.get(name)
    if (!removed || this.#chance(0.2)) return this.#newKey(document)
    return Object.fromEntries(key.map((part) => [part.name, removed[part.name]!]))
  }

  /** A record is changed, closed, removed or created, and read again before whoever wrote it is answered. */
  async #readAsClient(): Promise<void> {
    const document = this.#near()
    const { asked, version } = document
    const known = this.#pick([...this.#erp.rows(asked.name)]) ?? this.#first.get(asked.name)!
    this.#version += 1
    const written = this.#version
    const how = this.#next()
    const [isRemoved, isClosed] = [how < 0.2, how < 0.3 && 'payment' in known]
    const changed: Row = {
      ...known,
      [version.member]: version.write(written),
      ...(how > 0.7 && this.#keyOfNew(document)),
    }
    const row: Row = isClosed ? { ...changed, payment: { ...(changed.payment as Row), status: 'C' } } : changed
    const before = this.#erp.find(asked.name, row)
    const isNew = !before || this.#idOf(document, before) !== this.#idOf(document, row)
    if (isRemoved) this.#remove(document, row)
    else this.#write(document, row)
    const id = this.#idOf(document, row)
    if (isNew && !isRemoved) this.#presentSince.set(id, this.figures.steps)
    const last = this.#history.lastOf(id)
    const key = asked.key.map((part) => String(row[part.name]))
    // A record that is closed there has been removed, as its source answers.
    await this.#mirrorOf(document, 'a request').refresh(key, { isGone: isRemoved || isClosed })
    if (!isRemoved) this.#written.set(id, last)
    // Others have changed it meanwhile, or nothing is here that tells an empty answer from a record that is gone.
    const isAlone = !this.#history.idsOf(asked.name).some((one) => one !== id && this.#store.records.has(one))
    if (isAlone || this.#history.lastOf(id) !== last) return
    const here = this.#store.records.get(id)
    if (isRemoved && here) throw new Error(`${id} was removed and is here`)
    if (!isRemoved && (!here || version.read(here[version.member]) < written)) {
      throw new Error(`${id} was written as ${written} and is ${JSON.stringify(here)}`)
    }
  }

  #maybeCrash(): void {
    if (this.#crashIn > 0 && --this.#crashIn === 0) throw new Crash()
  }

  #mirrorOf(document: Simulated, requestId?: string): DocumentMirror {
    const { name } = document.asked
    const known = this.#mirrors.get(name)
    if (known && requestId === undefined) return known
    const kind = this.#store.kindOf(document.asked, {
      put: (_name, key, after, before) => this.#checkPut(document, key, after, before),
      remove: (_name, key) => this.#checkRemoval(document, key),
    })
    const lease = { companyId: 'EN', id: '', leaseNo: this.#store.leaseNo }
    const parts = { ...document, kind, source: this.#source, companyId: 'EN', setupVersion: 1, now: () => this.#now }
    const by = requestId === undefined ? { lease } : { lease: undefined, requestId }
    const mirror = new DocumentMirror({ ...parts, ...by, store: this.#store.store }, this.#store.stateOf(name))
    if (requestId === undefined) this.#mirrors.set(name, mirror)
    return mirror
  }

  /** What was written for a client is never overwritten with what was there before. */
  #checkPut({ version: { member, read } }: Simulated, key: readonly string[], after: JsonObject, before?: JsonObject) {
    if (before && read(after[member]) < read(before[member])) {
      throw new Error(`${key.join('/')} goes back from ${read(before[member])} to ${read(after[member])}`)
    }
  }

  #checkRemoval(document: Simulated, key: readonly string[]): void {
    const { name, key: parts } = document.asked
    this.figures.removals += 1
    const named = Object.fromEntries(parts.map((part, at) => [part.name, part.isText ? key[at]! : Number(key[at])]))
    const row = this.#erp.find(name, named)
    if (!row || this.#idOf(document, row) !== `${name} ${JSON.stringify(key)}`) return
    const id = this.#idOf(document, row)
    if (this.#written.get(id) === this.#history.lastOf(id))
      throw new Error(`${id} is removed, and a client has written it`)
    const since = this.#presentSince.get(id) ?? 0
    // Without a read of its own key, two looks must have missed it.
    const { isFiltered, hasSingles } = this.#store.stateOf(name)
    if (since <= (isFiltered || hasSingles ? this.#lookedAt : this.#lookedBefore))
      throw new Error(`${name} ${key.join('/')} is removed, and has been there all along`)
  }

  async #mirrorStep(): Promise<void> {
    this.figures.steps += 1
    const document = this.#pick(DOCUMENTS)
    if (this.#chance(0.02)) this.#forget(document)
    if (this.#chance(0.1)) this.#crashIn = 1 + Math.floor(this.#next() * 8)
    this.#isAsking = true
    try {
      await this.#pass(document)
    } catch (error) {
      if (error instanceof Crash) {
        this.figures.crashes += 1
        this.#mirrors.clear()
      } else if (!(error instanceof SourceFailure || error instanceof LeaseLost)) throw error
    } finally {
      this.#crashIn = 0
      this.#isAsking = false
    }
    this.#checkPromises(document)
  }

  /** What the mirror says of its age is so. */
  #checkPromises(document: Simulated): void {
    const { name } = document.asked
    const state = this.#store.stateOf(name)
    // Nobody can tell an empty document from one that is not shown.
    if (!state.isKnown || state.phase !== 'following') return
    // Without single records two looks are needed.
    const sweptAt = state.isFiltered || state.hasSingles ? state.sweptAt : ''
    // What slips away while pages are counted is found by the first look for removed records.
    const asOf = state.isOrdered || state.sweptAt !== '' ? state.asOf : ''
    const said = { asOf, sweptAt }
    for (const id of this.#history.idsOf(name)) {
      const here = this.#store.records.get(id)
      const { member, read } = document.version
      const why = this.#history.brokenBy(id, here && read(here[member]), said)
      if (why) throw new Error(`seed ${this.#seed}, step ${this.figures.steps}: ${id} ${why}; ${JSON.stringify(state)}`)
    }
  }

  /** The document is loaded again, as after another setup, or into a company that has nothing. */
  #forget({ asked: { name } }: Simulated): void {
    this.#store.states.delete(name)
    this.#mirrors.delete(name)
    if (this.#chance(0.5)) return
    for (const id of [...this.#store.records.keys()]) if (id.startsWith(`${name} `)) this.#store.records.delete(id)
  }

  async #pass(document: Simulated): Promise<void> {
    const mirror = this.#mirrorOf(document)
    const { signal } = new AbortController()
    this.#looking = document
    if (mirror.state.phase !== 'following') await mirror.load(signal)
    else await mirror.follow(signal)
    if (!(mirror.isSweepDue(SWEEP_SECONDS) || this.#chance(0.1) || (await mirror.isMiscounted(signal)))) return
    this.#lookedBefore = this.#lookedAt
    this.#lookedAt = this.figures.steps
    await mirror.sweep(signal)
  }

  /** Nothing happens any more, and the mirror comes to rest: it has what the source has. */
  async #rest(): Promise<void> {
    this.#isResting = true
    const { faults } = this.#erp
    faults.clear()
    faults.isAway = false
    faults.mostRows = Number.POSITIVE_INFINITY
    for (const { asked } of DOCUMENTS) this.#erp.hide(asked.name, false)
    this.#advance(LONGEST_COMMIT_MS)
    for (const document of DOCUMENTS) {
      await this.#followAll(document)
      for (let round = 0; round < 4; round += 1) {
        this.#advance(SWEEP_SECONDS * 1000)
        await this.#pass(document)
      }
      this.#compare(document)
    }
    this.figures.rests += 1
    this.#isResting = false
  }

  /** All that has changed is found without a look for removed records, where the source pages by key. */
  async #followAll(document: Simulated): Promise<void> {
    const mirror = this.#mirrorOf(document)
    const { signal } = new AbortController()
    if (mirror.state.phase !== 'following') await mirror.load(signal)
    for (let round = 0; round < 8; round += 1) await mirror.follow(signal)
    if (mirror.state.isOrdered) this.#compare(document, false)
  }

  /** `hasSwept`: what was removed is gone too. */
  #compare(document: Simulated, hasSwept = true): void {
    const { name } = document.asked
    const shown = (row: Row) => JSON.stringify({ ...row, relatedValues: [], state: row.state ?? '' })
    const there = new Map([...this.#erp.rows(name)].map((row) => [this.#idOf(document, row), shown(row)]))
    const all = [...this.#store.records].filter(([id]) => id.startsWith(`${name} `))
    const here = new Map(all.map(([id, row]) => [id, shown(row as Row)]))
    for (const id of new Set([...there.keys(), ...here.keys()])) {
      const [left, right] = [there.get(id), here.get(id)].map((one) => one && JSON.parse(one))
      const isOpen = !hasSwept && (left === undefined || this.#history.isLate(id, this.#store.stateOf(name)))
      if (isDeepStrictEqual(left, right) || isOpen) continue
      const state = JSON.stringify(this.#mirrorOf(document).state)
      throw new Error(
        `seed ${this.#seed}, step ${this.figures.steps}: ${id} is\n${JSON.stringify(right)}\nhere, and\n${JSON.stringify(left)}\nthere; ${state}`,
      )
    }
  }
}

/** The next state of a ledger line. */
function later({ state }: Row): Row {
  return { state: state === 'registered' ? 'posted' : 'historical' }
}
