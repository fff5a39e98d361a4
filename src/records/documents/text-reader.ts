// Reads the text of files for the full-text search, one after the other, when nobody waits for it: in a process of its
// own, bounded in time and memory. What is to be read stands in the database, so nothing is forgotten by a restart.
import { type FileStore, MissingFile } from '../../files/file-store.ts'
import { JobFailed, JobKilled } from '../../files/jobs/job-faults.ts'
import { JobPool } from '../../files/jobs/job-pool.ts'
import type { Observe } from '../../observe/observation.ts'
import type { Companies } from '../../setup/companies.ts'
import type { Actor, Store, Tx } from '../../store/store.ts'
import { findDocument } from './document-store.ts'
import { beginReading, findWaitingFile, putFileWords, type WaitingFile } from './text-store.ts'
import { wordsOf } from './words.ts'

/** What another process has left, or could not be read, is looked for so often. */
const LOOK_MS = 30_000
/** One that began to read and has not ended by now never will. */
const GIVEN_UP_MS = 5 * 60_000
const MOST_ATTEMPTS = 3
const TIMEOUT_MS = 20_000
const MEMORY_BYTES = 256 * 1024 * 1024
const ACTOR: Actor = { userId: 'system', clientId: '', requestId: 'text' }

export interface TextReaderParts {
  readonly store: Store
  readonly companies: Companies
  readonly files: FileStore
  readonly observe: Observe
}

export class TextReader {
  readonly #parts: TextReaderParts
  readonly #pool = new JobPool({ processes: 1, memoryBytes: MEMORY_BYTES, queue: 1 })
  readonly #companies = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined
  #isStopped = false

  constructor(parts: TextReaderParts) {
    this.#parts = parts
  }

  /** Looks for files that wait from now on. */
  start(): void {
    const look = () => {
      for (const { id } of this.#parts.companies.all) this.wake(id)
    }
    this.#timer = setInterval(look, LOOK_MS).unref()
    look()
  }

  /** A file of the company waits. */
  wake(companyId: string): void {
    if (this.#isStopped) return
    this.#companies.add(companyId)
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
      // One may have come after the last look.
      for (const id of this.#companies) this.wake(id)
    })
  }

  /** Resolves when nothing waits that could be read now. */
  async settle(): Promise<void> {
    while (this.#working) await this.#working
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#pool.close()
    await this.#working
  }

  async #work(): Promise<void> {
    // Not within the request that woke us.
    await new Promise(setImmediate)
    // Companies take turns: who has more that waits is behind the others again.
    for (const companyId of this.#companies) {
      this.#companies.delete(companyId)
      try {
        if (await this.#readNext(companyId)) this.#companies.add(companyId)
      } catch (error) {
        if (!this.#isStopped) this.#tell(companyId, error)
      }
      if (this.#isStopped) return
    }
  }

  /** Reads one file of a company, and tells whether there was one. */
  async #readNext(companyId: string): Promise<boolean> {
    const notSince = new Date(Date.now() - GIVEN_UP_MS).toISOString()
    const file = await findWaitingFile(this.#parts.store.reading(companyId), notSince)
    if (!file) return false
    await this.#read(companyId, file)
    return true
  }

  async #read(companyId: string, file: WaitingFile): Promise<void> {
    const { store } = this.#parts
    const mayTry = await store.write(
      companyId,
      ACTOR,
      async (tx) => (await isNewest(tx, file)) && (await beginReading(tx, file.document_id, MOST_ATTEMPTS)),
    )
    const words = mayTry ? await this.#wordsIn(companyId, file) : []
    if (!words) return
    await store.write(companyId, ACTOR, async (tx) => {
      if (await isNewest(tx, file)) await putFileWords(tx, file.document_id, words)
    })
  }

  /** Nothing when it should be tried again later. */
  async #wordsIn(companyId: string, file: WaitingFile): Promise<string[] | undefined> {
    const { files } = this.#parts
    const flow = { group: companyId, member: '' }
    const job = { kind: 'text', options: { mimeType: file.mime_type }, timeoutMs: TIMEOUT_MS }
    try {
      const text = await this.#pool.run(flow, job, {
        sizeBytes: file.doc_size,
        read: () => files.read(companyId, file.file_hash),
      })
      this.#parts.observe({ kind: 'text-read', companyId })
      return wordsOf(Buffer.from(text).toString())
    } catch (error) {
      if (this.#isStopped) return undefined
      this.#tell(companyId, error)
      const isOfFile = error instanceof JobFailed || error instanceof JobKilled || error instanceof MissingFile
      return isOfFile ? [] : undefined
    }
  }

  #tell(companyId: string, error: unknown): void {
    const reason = reasonOf(error)
    this.#parts.observe({ kind: 'text-not-read', companyId, reason })
  }
}

/** What a reader of files says may repeat what stands in them. */
function reasonOf(error: unknown): string {
  if (error instanceof JobFailed) return 'the content cannot be read'
  if (error instanceof JobKilled) return `reading it was stopped: ${error.reason}`
  return error instanceof Error ? error.message : String(error)
}

/** Meanwhile there may be a newer file, which waits itself. */
async function isNewest(tx: Tx, { document_id, revision_no }: WaitingFile): Promise<boolean> {
  const document = await findDocument(tx, document_id)
  return document !== undefined && !document.is_deleted && document.revision_no === revision_no
}
