// Does one batch operation while this process holds its lease: in small parts, between which others write.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../access/caller.ts'
import type { Directory } from '../access/directory.ts'
import { Problem } from '../errors/problem.ts'
import { type ByteRange, MissingFile } from '../files/file-store.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { BatchOperationMetrics } from '../observe/background-metrics.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { LeasedWork } from '../store/held-leases.ts'
import { type Lease, LeaseLost } from '../store/lease-table.ts'
import { importRows } from '../transfer/import-rows.ts'
import { importerOf } from '../transfer/importer-of.ts'
import { JoinedFile } from '../transfer/joined-file.ts'
import type { CompletedPart, ImportProgress } from '../transfer/progress.ts'
import { FileError } from '../transfer/rows/text-lines.ts'
import { type BatchOperation, isOpen } from './batch-operation.ts'
import type { BatchOperationService } from './batch-operation-service.ts'
import { beginOperation, type End, endOperation, putReadWith } from './held-operation-store.ts'
import { importedDocument } from './imported-document.ts'
import { inspectBody, readWithOf } from './inspect-body.ts'
import { neededFor, permissionFor, requireAdding, requireKeeping } from './operation-access.ts'
import { type OperationProgress, progressOf } from './operation-progress.ts'
import { findOperation } from './operation-store.ts'

/** Rows in one write, for which all other writes wait. */
const ROWS_AT_ONCE = 100
/** Rows that are checked together, where nothing is stored. */
const CHECKED_ROWS = 500
/** After an error of the store. */
const TRY_AGAIN_MS = 1_000
/** How often it is begun without completing a part, by processes that have ended in the middle. */
const MAX_ATTEMPTS = 25
const SERVER_ERROR = 500

export interface RunParts extends Omit<BatchOperationService, 'operations' | 'newId'> {
  readonly directory: Pick<Directory, 'callerOf'>
  readonly metrics: BatchOperationMetrics
}

/** The service ends the operation: the message says why. */
class NotPossible extends Error {}
/** The service stops: whoever holds the lease next goes on. */
class Stopped extends Error {}
/** Another setup is in force: the rows that are left are imported under it. */
class RulesChanged extends Error {}

/** What holds for the rows now. */
interface Rules {
  readonly company: CompanyRules
  readonly caller: Caller
  readonly definition: DocumentDefinition
}

export class OperationRun implements LeasedWork {
  readonly lease: Lease
  validUntil: number
  readonly #parts: RunParts
  #isStopped = false

  constructor(lease: Lease, validUntil: number, parts: RunParts) {
    this.lease = lease
    this.validUntil = validUntil
    this.#parts = parts
  }

  async run(): Promise<void> {
    let isBegun = false
    while (!this.#isStopped) {
      try {
        if (!isBegun) await beginOperation(this.#parts.store, this.lease, this.#now)
        isBegun = true
        await this.#importRows()
        return
      } catch (error) {
        if (await this.#isOver(error)) return
      }
    }
  }

  stop(): void {
    this.#isStopped = true
  }

  leave(): void {
    this.stop()
  }

  get #now(): string {
    return this.#parts.clock().toISOString()
  }

  async #importRows(): Promise<void> {
    const { store } = this.#parts
    const tx = store.reading(this.lease.companyId)
    const operation = await findOperation(tx, this.lease.id)
    if (!operation || !isOpen(operation)) throw new LeaseLost()
    if (operation.attempts > MAX_ATTEMPTS) {
      throw new NotPossible(`The service has ended ${MAX_ATTEMPTS} times at the rows after line ${operation.line}.`)
    }
    const rules = this.#rulesFor(operation)
    const { definition } = rules
    const { rows, lists } = await inspectBody(operation.options, definition, (range) => this.#bytesOf(operation, range))
    const readWith = readWithOf(rows)
    await putReadWith(store, this.lease, { ...readWith, codes: operation.codes })
    const progress = await progressOf(tx, this.lease, operation, { definition, readWith })
    const joined: JoinedFile[] = []
    try {
      for (const list of lists) joined.push(await JoinedFile.read(list, definition, rules.company.id))
      await importRows({
        ...rows,
        bytes: rows.open(),
        joined,
        importer: this.#importerFor(operation, rules, progress),
        doneUpTo: operation.line,
        onPart: (part) => this.#completed(operation, rules, progress, part),
      })
    } finally {
      for (const file of joined) file.close()
    }
    await this.#end({ state: 'C', message: '' })
  }

  #importerFor(operation: BatchOperation, rules: Rules, progress: OperationProgress) {
    const { document, id, requestId, options } = operation
    const { company, caller, definition } = rules
    const { userId, clientId } = caller
    const isDryRun = options.validateOnly
    const destination = {
      store: this.#parts.store,
      companyId: company.id,
      company,
      setupVersion: this.#parts.companies.setupVersion,
      document,
      source: id,
      actor: { userId, clientId, requestId },
      caller,
      // What a dry run stores is rolled back: its progress is stored behind each part.
      progress: isDryRun ? withoutStoring(progress) : progress,
      rowsAtOnce: isDryRun ? CHECKED_ROWS : ROWS_AT_ONCE,
      isDryRun,
    }
    const { update, keepIds = false, addCodes, patch } = options
    const manner = { isUpdate: update, keepsIds: keepIds, addedCodes: new Set(addCodes), patch }
    return importerOf(this.#parts, definition, destination, manner)
  }

  async #completed(operation: BatchOperation, rules: Rules, progress: OperationProgress, part: CompletedPart) {
    const { userId, clientId } = rules.caller
    if (operation.options.validateOnly) {
      const actor = { userId, clientId, requestId: operation.requestId }
      await this.#parts.store.write(this.lease.companyId, actor, (tx) => progress.put(tx, part))
    }
    progress.completed(part)
    this.#parts.metrics.rows(part)
    await nextTurn()
    if (this.#isStopped) throw new Stopped()
    const now = this.#rulesFor(operation)
    if (now.caller !== rules.caller || now.company !== rules.company) throw new RulesChanged()
  }

  /** The rights of the client are those that it has now. Throws `NotPossible`. */
  #rulesFor(operation: BatchOperation): Rules {
    const { companies, directory } = this.#parts
    const { document, options } = operation
    const company = companies.find(this.lease.companyId)
    const caller = directory.callerOf(operation)
    if (!company || !caller) throw new NotPossible('The client that has sent the rows cannot be used any more.')
    for (const needed of neededFor(options)) {
      const permission = permissionFor(document, needed)
      if (!caller.may(company.id, permission)) {
        throw new NotPossible(`The client that has sent the rows may not do so any more: it has no ${permission}.`)
      }
    }
    try {
      if (options.keepIds) requireKeeping(caller, company, document)
      if (options.addCodes) requireAdding(caller, company, document)
    } catch {
      throw new NotPossible('The client that has sent the rows may not keep numbers, or add codes, any more.')
    }
    const definition = importedDocument(this.#parts, company, document)
    if (!definition) throw new NotPossible(`There is no ${document} any more.`)
    return { company, caller, definition }
  }

  async *#bytesOf({ file }: BatchOperation, range?: ByteRange): AsyncGenerator<Buffer> {
    if (file.hash === '') throw new NotPossible('The body is not kept any more: send it again.')
    yield* (await this.#parts.files.read(this.lease.companyId, file.hash, range)) as AsyncIterable<Buffer>
  }

  async #end(end: End): Promise<void> {
    const { store, observe, metrics } = this.#parts
    const { companyId, id: operationId } = this.lease
    await endOperation(store, this.lease, end, this.#now)
    metrics.ended(end.state)
    observe({ kind: 'batch-operation-ended', companyId, operationId, state: end.state })
  }

  /** Whether nothing is left to be done here after the error. */
  async #isOver(error: unknown): Promise<boolean> {
    if (error instanceof LeaseLost || error instanceof Stopped) return true
    if (error instanceof RulesChanged) return false
    // The store that takes no writes now is told by those who need an answer.
    const isOfStore = error instanceof Problem && error.status >= SERVER_ERROR
    try {
      if (!isOfStore) {
        await this.#end(this.#endAfter(error))
        return true
      }
    } catch (again) {
      if (again instanceof LeaseLost) return true
    }
    await delay(TRY_AGAIN_MS, undefined, { ref: false })
    return false
  }

  #endAfter(error: unknown): End {
    if (error instanceof FileError) return { state: 'E', message: error.sentence }
    if (error instanceof NotPossible) return { state: 'T', message: error.message }
    if (error instanceof MissingFile) return { state: 'T', message: 'The body is not there any more: send it again.' }
    const { companyId, id: operationId } = this.lease
    this.#parts.observe({ kind: 'batch-operation-failed', companyId, operationId, error })
    return { state: 'E', message: 'An error of the service, which its log has under the id of the operation.' }
  }
}

function withoutStoring({ doneUpTo }: ImportProgress): ImportProgress {
  return { doneUpTo, put: async () => {}, putRow: async () => {}, hasRow: () => false }
}
