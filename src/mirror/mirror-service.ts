// What requests to a mirrored company need to know of it: how fresh each document is, and a record as the source has it
// at this moment.

import { AdmissionQueue } from '../base/concurrency/admission-queue.ts'
import { getOrInsert } from '../base/memo.ts'
import { unavailable } from '../errors/catalogue.ts'
import { listDocumentsWithoutFile } from '../records/documents/copied-document-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ReadTx, Store } from '../store/store.ts'
import { fetchContents, type WantedContents } from './archive-contents.ts'
import type { MirrorParts } from './company-mirror.ts'
import { DocumentMirror } from './document-mirror.ts'
import { NotFiltered } from './document-reader.ts'
import { type DocumentState, NEW_DOCUMENT } from './document-state.ts'
import { documentStates } from './mirror-store.ts'
import { type MirroredDocument, mirroredDocuments } from './mirrored-documents.ts'
import type { ErpSource } from './source/source.ts'

const FILES_AT_ONCE = 2
const WAITING_FILES = 16
const MAX_FILE_WAIT_MS = 10_000
/** How far documents are is read as often: other processes fill the company. */
const STATES_MS = 500

interface KnownStates {
  readonly at: number
  readonly states: ReadonlyMap<string, DocumentState>
}

export class MirrorService {
  readonly #parts: MirrorParts
  readonly #states = new Map<string, KnownStates>()
  /** Reads of single records under way, by company, document and key. */
  readonly #reads = new Map<string, Promise<string>>()
  readonly #stop = new AbortController()
  /** Forwarded writes with a file: the answer to each has it again, in memory. */
  readonly files = new AdmissionQueue({
    inFlight: FILES_AT_ONCE,
    waiting: WAITING_FILES,
    maxWaitMs: MAX_FILE_WAIT_MS,
    refusal: () => unavailable('Too many files are on their way to the source.', 5),
  })
  readonly #clearing = new Set<Promise<void>>()
  readonly #documents = new WeakMap<CompanyRules, ReadonlyMap<string, MirroredDocument>>()

  constructor(parts: MirrorParts) {
    this.#parts = parts
  }

  get store(): Store {
    return this.#parts.store
  }

  get now(): number {
    return this.#parts.now()
  }

  /** The documents that the company mirrors. */
  documentsOf(company: CompanyRules): ReadonlyMap<string, MirroredDocument> {
    return getOrInsert(this.#documents, company, () =>
      company.source ? mirroredDocuments(company, company.source, this.#parts.documents) : new Map(),
    )
  }

  async statesOf(company: CompanyRules): Promise<ReadonlyMap<string, DocumentState>> {
    const known = this.#states.get(company.id)
    const now = performance.now()
    if (known && now - known.at < STATES_MS) return known.states
    const states = await documentStates(this.reading(company))
    this.#states.set(company.id, { at: now, states })
    return states
  }

  /** Whether the company has such a document, mirrored or not. */
  knows(company: CompanyRules, name: string): boolean {
    return this.#parts.documents.definitionOf(name, company) !== undefined
  }

  reading(company: CompanyRules): ReadTx {
    return this.#parts.store.reading(company.id)
  }

  sourceOf({ id, source }: CompanyRules): ErpSource | undefined {
    return source && this.#parts.sources.of(id, source)
  }

  /** Ends what is under way. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#clearing)
  }

  /**
   * Writes the record with this key as the source has it now; whoever asks for one that is just being read waits for
   * that. Returns a moment at which it was so. Throws `SourceFailure`.
   */
  read(record: MirroredRecord): Promise<string> {
    const { company, name, key } = record
    const id = JSON.stringify([company.id, name, key])
    return getOrInsert(this.#reads, id, () => {
      const at = new Date(this.now).toISOString()
      return this.refresh(record)
        .then(() => at)
        .finally(() => this.#reads.delete(id))
    })
  }

  /** Fetches contents of a document that are not here, for a client that waits for them. Throws `SourceFailure`. */
  async fetchContents(company: CompanyRules, documentId: string, wanted: WantedContents): Promise<void> {
    const source = this.sourceOf(company)
    if (source) await fetchContents(this.#parts, source, company.id, documentId, wanted, { isUrgent: true })
  }

  /** Whether the contents of all documents are here. */
  async hasContents(company: CompanyRules): Promise<boolean> {
    return (await listDocumentsWithoutFile(this.reading(company), '', 1)).length === 0
  }

  /** Writes the record with this key as the source has it now. Throws `SourceFailure`. */
  async refresh(record: MirroredRecord): Promise<void> {
    const { company, name, key, requestId, setupVersion = this.#parts.companies.setupVersion, isGone = false } = record
    const { store, now } = this.#parts
    const document = this.documentsOf(company).get(name)
    const source = this.sourceOf(company)
    if (!document || !source) return
    const states = await this.statesOf(company)
    const parts = { ...document, store, companyId: company.id, source, setupVersion, lease: undefined, requestId, now }
    await new DocumentMirror(parts, states.get(name) ?? NEW_DOCUMENT).refresh(key, { isGone })
  }

  /** The number by which the state of the record is known here; undefined: it is not here. */
  async changeNoOf({ company, name, key }: MirroredRecord): Promise<number | undefined> {
    const kind = this.documentsOf(company).get(name)?.kind
    const known = kind?.keyFrom(key)
    return known && kind?.changeNoOf(this.reading(company), known)
  }

  /** Reads the record until it is clear what the source has. */
  refreshUntilClear(record: MirroredRecord): void {
    const clearing = this.#refreshAgain(record).finally(() => this.#clearing.delete(clearing))
    this.#clearing.add(clearing)
  }

  async #refreshAgain(record: MirroredRecord): Promise<void> {
    const { signal } = this.#stop
    for (let attempt = 0; attempt < CLEARING_ATTEMPTS && !signal.aborted; attempt += 1) {
      try {
        // The rules may have changed meanwhile.
        const company = this.#parts.companies.find(record.company.id)
        if (!company?.source) return
        await this.refresh({ ...record, company, setupVersion: undefined })
        return
      } catch (error) {
        // The source answers no single record.
        if (error instanceof NotFiltered) return
        const ms = Math.min(CLEARING_MS * 2 ** attempt, MAX_CLEARING_MS)
        await this.#parts.sleep(ms, signal).catch(() => {})
      }
    }
  }
}

/** A record that a client waits for. */
export interface MirroredRecord {
  readonly company: CompanyRules
  readonly name: string
  readonly key: readonly string[]
  readonly requestId: string
  /** That of the rules of the company. */
  readonly setupVersion?: number | undefined
  /** The source has just said that it has removed it. */
  readonly isGone?: boolean
}

const CLEARING_MS = 1_000
const MAX_CLEARING_MS = 60_000
/** An hour; then it is left to the looks for changes. */
const CLEARING_ATTEMPTS = 64
