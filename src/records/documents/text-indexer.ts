// Extracts the text of files for the full-text search in the background, in separate processes with limited time and
// memory. The pending files are recorded in the database, so they survive a restart.
import { UsedTime } from '../../base/concurrency/fair-queue.ts'
import { type FileStore, MissingFile } from '../../files/file-store.ts'
import { JobFailed, JobKilled } from '../../files/processes/job-faults.ts'
import { JobPool } from '../../files/processes/job-pool.ts'
import { mayHoldText } from '../../files/text/text-types.ts'
import { tokenize } from '../../model/words.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Companies } from '../../setup/rules/companies.ts'
import type { Actor, Store } from '../../store/store.ts'
import { type FoundDocument, findDocument } from './document-store.ts'
import { findWaitingFile, putFileWords, removeFromIndex, startReading, type WaitingFile } from './text-store.ts'

/** Interval of the search for files that failed or that another process has left pending. */
const SCAN_INTERVAL_MS = 30_000
/** An attempt that has not ended after this time is considered failed. */
const ATTEMPT_EXPIRES_MS = 5 * 60_000
const MAX_ATTEMPTS = 3
const TIMEOUT_MS = 20_000
const MEMORY_BYTES = 256 * 1024 * 1024
/** Each of another company: a file that is made to take as long as it may delays its own company alone. */
const READ_AT_A_TIME = 2
const ACTOR: Actor = { userId: 'system', clientId: '', requestId: 'text' }

interface TextIndexerParts {
  readonly store: Store
  readonly companies: Companies
  readonly files: FileStore
  readonly observe: Observe
}

export class TextIndexer {
  readonly #parts: TextIndexerParts
  readonly #pool = new JobPool({ processes: READ_AT_A_TIME, memoryBytes: MEMORY_BYTES, queue: READ_AT_A_TIME })
  /** Companies that may have pending files. */
  readonly #waiting = new Set<string>()
  /** Companies of which a file is read now. */
  readonly #reading = new Map<string, Promise<void>>()
  /** How long files of each company were read since there was nothing to read. */
  readonly #used = new UsedTime()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: TextIndexerParts) {
    this.#parts = parts
  }

  /** Starts to search for pending files regularly. */
  start(): void {
    const scan = () => {
      for (const { id } of this.#parts.companies.all) this.wake(id)
    }
    this.#timer = setInterval(scan, SCAN_INTERVAL_MS).unref()
    scan()
  }

  /** Processes the pending files of a company in the background. */
  wake(companyId: string): void {
    if (this.#isStopped) return
    this.#waiting.add(companyId)
    this.#readNextCompanies()
  }

  /** Resolves when no pending file can be read now. */
  async settle(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all(this.#reading.values())
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#pool.close()
    await this.settle()
  }

  #readNextCompanies(): void {
    if (this.#waiting.size + this.#reading.size === 0) this.#used.clear()
    while (!this.#isStopped && this.#reading.size < READ_AT_A_TIME) {
      const companyId = this.#nextCompany()
      if (companyId === undefined) return
      this.#waiting.delete(companyId)
      this.#reading.set(companyId, this.#readOneOf(companyId))
    }
  }

  /** The one whose files took the least time: the first that had none, because most of many companies have none. */
  #nextCompany(): string | undefined {
    let next: { readonly companyId: string; readonly usedMs: number } | undefined
    for (const companyId of this.#waiting) {
      if (this.#reading.has(companyId)) continue
      const usedMs = this.#used.of(companyId)
      if (usedMs === 0) return companyId
      if (!next || usedMs < next.usedMs) next = { companyId, usedMs }
    }
    return next?.companyId
  }

  async #readOneOf(companyId: string): Promise<void> {
    // The work must not run within the request that called `wake`.
    await new Promise(setImmediate)
    const startedAt = performance.now()
    try {
      if (await this.#readNext(companyId)) {
        this.#waiting.add(companyId)
        this.#used.add(companyId, performance.now() - startedAt)
      }
    } catch (error) {
      if (!this.#isStopped) this.#report(companyId, error)
    }
    this.#reading.delete(companyId)
    this.#readNextCompanies()
  }

  /** Reads one pending file of a company; returns false if there was none. */
  async #readNext(companyId: string): Promise<boolean> {
    const startedBefore = new Date(Date.now() - ATTEMPT_EXPIRES_MS).toISOString()
    const file = await findWaitingFile(this.#parts.store.reading(companyId), startedBefore)
    if (!file) return false
    await this.#read(companyId, file)
    return true
  }

  async #read(companyId: string, file: WaitingFile): Promise<void> {
    const { store } = this.#parts
    const isStarted = await store.write(companyId, ACTOR, async (tx) => {
      const document = await findDocument(tx, file.document_id)
      if (isNewest(document, file)) return await startReading(tx, file.document_id, MAX_ATTEMPTS)
      if (document?.is_deleted) await removeFromIndex(tx, file.document_id)
      return false
    })
    const words = isStarted ? await this.#wordsIn(companyId, file) : []
    if (!words) return
    await store.write(companyId, ACTOR, async (tx) => {
      if (isNewest(await findDocument(tx, file.document_id), file)) await putFileWords(tx, file.document_id, words)
    })
  }

  /** Returns the words of a file, or undefined if it should be read again later. */
  async #wordsIn(companyId: string, file: WaitingFile): Promise<string[] | undefined> {
    if (!mayHoldText(file.mime_type)) return []
    const { files } = this.#parts
    const flow = { group: companyId, member: '' }
    const job = { kind: 'text', options: { mimeType: file.mime_type }, timeoutMs: TIMEOUT_MS }
    try {
      const text = await this.#pool.run(flow, job, {
        sizeBytes: file.doc_size,
        read: () => files.read(companyId, file.file_hash),
      })
      this.#parts.observe({ kind: 'text-read', companyId })
      return tokenize(Buffer.from(text).toString())
    } catch (error) {
      if (this.#isStopped) return undefined
      this.#report(companyId, error)
      return isFileFault(error) ? [] : undefined
    }
  }

  #report(companyId: string, error: unknown): void {
    const reason = reasonOf(error)
    this.#parts.observe({ kind: 'text-not-read', companyId, reason })
  }
}

function isFileFault(error: unknown): boolean {
  if (error instanceof JobKilled) return error.reason !== 'stopped'
  return error instanceof JobFailed || error instanceof MissingFile
}

/** The reason for the log. Messages of file parsers are not used, because they may quote the file. */
function reasonOf(error: unknown): string {
  if (error instanceof JobFailed) return 'the content cannot be read'
  if (error instanceof JobKilled) return `reading it was stopped: ${error.reason}`
  return error instanceof Error ? error.message : String(error)
}

/** Whether the file is still the newest of its document; a newer one is pending itself. */
function isNewest(document: FoundDocument | undefined, { revision_no }: WaitingFile): boolean {
  return document !== undefined && !document.is_deleted && document.revision_no === revision_no
}
