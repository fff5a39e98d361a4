// Fills one company from its source while this process holds the lease of the company: each document by itself, so many
// at a time.
import { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { OutdatedRules, Problem } from '../errors/problem.ts'
import type { MirroredFigures, MirrorMetrics } from '../observe/background-metrics.ts'
import type { Observe } from '../observe/observation.ts'
import type { DeclaredRecords } from '../records/shared/service.ts'
import type { Companies } from '../setup/rules/companies.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { LeasedWork } from '../store/held-leases.ts'
import { type Lease, LeaseLost } from '../store/lease-table.ts'
import { type ContentParts, contentsLook } from './archive-contents.ts'
import { DocumentMirror } from './document-mirror.ts'
import { NEW_DOCUMENT } from './document-state.ts'
import { addDocuments, documentStates } from './mirror-store.ts'
import { ARCHIVE, mirroredDocuments } from './mirrored-documents.ts'
import { type QuotaKeeper, quotaKeeper } from './quota-keeper.ts'
import type { CompanySources } from './source/company-sources.ts'
import { type ErpSource, SourceFailure } from './source/source.ts'
import type { QuotaUse } from './source/source-quota.ts'

export interface MirrorParts extends ContentParts {
  readonly companies: Companies
  readonly documents: DeclaredRecords
  readonly observe: Observe
  readonly metrics: MirrorMetrics
  readonly sources: CompanySources
  /** Rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Documents that are asked for at once. */
const AT_ONCE = 2
/** Looks for changes between two counts, which find removed records before the next sweep. */
const FOLLOWS_BETWEEN_COUNTS = 10
const MIN_BACKOFF_MS = 5_000
const MAX_BACKOFF_MS = 5 * 60_000
/** Contents that came up since the last look wait at most as long. */
const CONTENTS_MS = 2_000
/** A document that is not there, or may not be read, is looked for again; sooner where it has been there. */
const ABSENT_MS = 60 * 60_000
const MISSED_MS = 10 * 60_000
/** It is looked as often whether other rules are in force. */
const RULES_MS = 1_000
/** The same problem is told again after as long. */
const TELL_AGAIN_MS = 60 * 60_000

function backoffMs(failures: number): number {
  return Math.min(MIN_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
}

/**
 * What is shown is as of the beginning of the last look that has ended. The next one begins so early that it is no
 * older than `followMs` when that ends, if it takes as long; the source has at least half of that time to itself.
 */
function untilNextLook(followMs: number, tookMs: number): number {
  return Math.max(followMs / 2, 0.98 * followMs - 2 * tookMs)
}

/** What the source says of a document as a whole. */
const ABSENT: ReadonlySet<number> = new Set([400, 403, 404, 405, 422, 501])

export class CompanyMirror implements LeasedWork {
  readonly lease: Lease
  validUntil: number
  readonly #parts: MirrorParts
  readonly #stop = new AbortController()
  readonly #slots = new AdmissionQueue({
    inFlight: AT_ONCE,
    waiting: Number.POSITIVE_INFINITY,
    refusal: () => new Error('no document is refused'),
  })
  /** Its source belongs to the rules in force, which a setup may replace. */
  #keeper: QuotaKeeper | undefined
  /** Those that are filled now. */
  #documents: readonly DocumentMirror[] = []
  /** When each problem was told last: once, not for every document and minute. */
  readonly #told = new Map<string, number>()

  constructor(lease: Lease, validUntil: number, parts: MirrorParts) {
    this.lease = lease
    this.validUntil = validUntil
    this.#parts = parts
  }

  /** What the mirror uses of the source's quotas. */
  get used(): QuotaUse | undefined {
    return this.#keeper?.source.quota.used(this.#parts.now())
  }

  get figures(): readonly MirroredFigures[] {
    const now = this.#parts.now()
    return this.#documents.map(({ name, state: { rows, asOf } }) => ({
      document: name,
      rows,
      ageSeconds: asOf === '' ? undefined : Math.max(0, (now - Date.parse(asOf)) / 1000),
    }))
  }

  async run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const company = this.#parts.companies.find(this.lease.companyId)
      if (!company?.source) return
      const rules = new AbortController()
      const signal = AbortSignal.any([this.#stop.signal, rules.signal])
      try {
        await this.#fill(company, signal)
      } catch (error) {
        if (error instanceof LeaseLost) return
        if (!(this.#stop.signal.aborted || error instanceof OutdatedRules)) this.#observeFailure('', error)
      } finally {
        rules.abort()
      }
      await this.#parts.sleep(RULES_MS / 2, this.#stop.signal).catch(() => {})
    }
  }

  stop(): void {
    this.#stop.abort()
  }

  leave(): void {
    this.stop()
  }

  /** Until the rules of the company change, or this process is not to fill it any more. */
  async #fill(company: CompanyRules, signal: AbortSignal): Promise<void> {
    const { store, companies, documents, sources, now } = this.#parts
    if (!company.source) return
    // Both of the same setup: there is no waiting between them.
    const { setupVersion } = companies
    const source = sources.of(company.id, company.source)
    const mirrored = mirroredDocuments(company, company.source, documents)
    await addDocuments(store, company.id, [...mirrored.keys()])
    const states = await documentStates(store.reading(company.id))
    const parts = { store, companyId: company.id, source, setupVersion, lease: this.lease, now }
    this.#keeper = quotaKeeper(source, store, this.lease, now)
    this.#documents = [...mirrored].map(
      ([name, one]) => new DocumentMirror({ ...parts, ...one }, states.get(name) ?? NEW_DOCUMENT),
    )
    await this.#keeper.start()
    const ended = new AbortController()
    const all = AbortSignal.any([signal, ended.signal])
    const { follow, sweep, contents } = company.source
    const work = this.#documents.map((document) => this.#keep(document, follow, sweep, all))
    const archive = contents === 'lazy' ? undefined : this.#documents.find(({ name }) => name === ARCHIVE)
    if (archive) work.push(this.#keepContents(archive, source, all))
    // One that ends, ends all: the rules have changed, or the lease is lost.
    const works = [...work, this.#untilOutdated(setupVersion, all)].map((one) => one.finally(() => ended.abort()))
    const results = await Promise.allSettled(works)
    await this.#keeper.stop()
    for (const result of results) {
      if (result.status === 'rejected' && result.reason instanceof LeaseLost) throw result.reason
    }
  }

  /** Documents may wait for long. */
  async #untilOutdated(setupVersion: number, signal: AbortSignal): Promise<void> {
    const { companies, sleep } = this.#parts
    while (companies.setupVersion === setupVersion) await sleep(RULES_MS, signal)
  }

  /** Loads a document, then follows it. Ends when the rules change; throws `LeaseLost`, and when it is stopped. */
  async #keep(
    document: DocumentMirror,
    followSeconds: number,
    sweepSeconds: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { now } = this.#parts
    let failures = 0
    for (let pass = 1; ; pass += 1) {
      signal.throwIfAborted()
      const began = now()
      let waitMs: number
      try {
        await this.#slots.run({ group: this.lease.companyId, member: '' }, 1, () =>
          this.#pass(document, pass, sweepSeconds, signal),
        )
        failures = 0
        await document.tell('')
        waitMs = untilNextLook(followSeconds * 1000, now() - began)
      } catch (error) {
        if (error instanceof OutdatedRules) return
        if (error instanceof LeaseLost || signal.aborted) throw error
        failures += 1
        const isAbsent = error instanceof SourceFailure && ABSENT.has(error.status)
        const absentMs = document.state.phase === 'following' ? MISSED_MS : ABSENT_MS
        waitMs = isAbsent ? absentMs : backoffMs(failures)
        await this.#tell(document, error, isAbsent)
      }
      await this.#parts.sleep(waitMs, signal)
    }
  }

  /** Fetches contents, from when all documents are known. Throws when it is stopped. */
  async #keepContents(archive: DocumentMirror, source: ErpSource, signal: AbortSignal): Promise<void> {
    const look = contentsLook(this.#parts, source, this.lease.companyId)
    for (let failures = 0; ; ) {
      try {
        if (archive.state.phase === 'following') await look(signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) throw error
        failures += 1
      }
      await this.#parts.sleep(failures === 0 ? CONTENTS_MS : backoffMs(failures), signal)
    }
  }

  async #pass(document: DocumentMirror, pass: number, sweepSeconds: number, signal: AbortSignal): Promise<void> {
    if (document.state.phase !== 'following') {
      await document.load(signal)
      return
    }
    await document.follow(signal)
    const isCounted = pass % FOLLOWS_BETWEEN_COUNTS === 0
    const isDue = document.isSweepDue(sweepSeconds) || (isCounted && (await document.isMiscounted(signal)))
    if (isDue) await document.sweep(signal)
  }

  #observeFailure(document: string, error: unknown): void {
    this.#parts.observe({ kind: 'mirror-failed', companyId: this.lease.companyId, document, error })
  }

  /** A document that was complete stays what it was: reads go on, and say how old it is. */
  async #tell(document: DocumentMirror, error: unknown, isAbsent: boolean): Promise<void> {
    const { name, state } = document
    const isOfStore = error instanceof Problem
    const isOfSource = error instanceof SourceFailure
    if (!(isOfSource || isOfStore)) this.#observeFailure(name, error)
    const problem = isOfSource || isOfStore ? error.message : 'An error of the service, which its log has.'
    const isOfAll = isOfStore || (isOfSource && OF_ALL.has(error.status))
    this.#tellOnce(isOfAll ? `${isOfStore} ${error.status}` : `${name} ${problem}`, name, problem)
    try {
      await document.tell(problem, isAbsent && state.phase === 'loading' ? 'absent' : state.phase)
    } catch (failure) {
      if (failure instanceof LeaseLost) throw failure
      // A store that takes nothing now is told by those who need it.
    }
  }

  #tellOnce(key: string, document: string, problem: string): void {
    const now = this.#parts.now()
    for (const [told, at] of this.#told) if (now - at >= TELL_AGAIN_MS) this.#told.delete(told)
    if (this.#told.has(key)) return
    this.#told.set(key, now)
    this.#parts.observe({ kind: 'mirror-problem', companyId: this.lease.companyId, document, problem })
  }
}

/** Answers, and none, that are the same for all documents. */
const OF_ALL: ReadonlySet<number> = new Set([0, 401, 429, 503])
