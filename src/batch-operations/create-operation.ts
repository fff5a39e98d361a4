import type { Caller } from '../access/caller.ts'
import { malformed, tooMany } from '../errors/catalogue.ts'
import type { GivenContent, StagedFile } from '../files/file-store.ts'
import { storeContent } from '../records/documents/document/store-content.ts'
import { requireFileRoom } from '../records/shared/quotas.ts'
import { type WriteRequest, writeRecord } from '../records/shared/write-record.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { Tx } from '../store/store.ts'
import { takesCodes, updateRefusal } from '../transfer/importer-of.ts'
import { addingRefusal } from '../transfer/missing-codes.ts'
import type { BatchOperation, BatchOptions } from './batch-operation.ts'
import type { BatchOperationService } from './batch-operation-service.ts'
import { importedDocument } from './imported-document.ts'
import { requireAdding, requireKeeping, requirePermission } from './operation-access.ts'
import { countOperations, insertOperation } from './operation-store.ts'

/** A company may have as many that are new or under way: they are done one after the other. */
export const MAX_OPEN = 20
/** The bodies of a company that are still there. */
const MAX_KEPT_BYTES = 1024 ** 3
const RETRY_AFTER_SECONDS = 60

interface NewOperation extends WriteRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly document: string
  readonly content: GivenContent
  readonly options: BatchOptions
}

/** Takes the rows of a body to be imported in the background. */
export async function createOperation(service: BatchOperationService, request: NewOperation): Promise<BatchOperation> {
  const { caller, document, options, requestId } = request
  const company = service.companies.require(request.companyId)
  requireUpdatable(service, company, request)
  requireMovable(service, company, request)
  const content = requireRows(request.content)
  const { written, content: stored } = await storeContent(service, company.id, { content }, (requireNotSwept) =>
    // That nothing is stored holds for the records: the operation itself tells what would come of them.
    writeRecord(service, company.id, { ...request, validateOnly: false }, async (tx) => {
      await requireNotSwept(tx)
      await requireFileRoom(company, tx, content.size)
      const number = (await requireRoom(tx, content.size)) + 1
      const operation = {
        ...NEW,
        id: service.newId(),
        document,
        options,
        clientId: caller.clientId,
        userId: caller.userId,
        requestId,
        file: { hash: content.hash, size: content.size },
        createdAt: tx.at,
        updatedAt: tx.at,
      }
      insertOperation(tx, number, operation)
      return operation
    }),
  )
  await stored.return()
  service.operations.wake(company.id)
  return written
}

const NEW = {
  state: 'N',
  message: '',
  readWith: undefined,
  codes: [],
  line: 0,
  written: 0,
  unchanged: 0,
  rejected: 0,
  attempts: 0,
  startedAt: '',
  endedAt: '',
} as const

function requireUpdatable(service: BatchOperationService, company: CompanyRules, request: NewOperation): void {
  const { caller, document, options } = request
  if (!options.update) return
  const definition = importedDocument(service, company, document)
  const refusal = definition && updateRefusal(definition)
  if (refusal !== undefined) throw malformed(`The query option 'update' cannot be used: ${refusal}.`)
  requirePermission(caller, company, document, 'update')
}

/** Numbers that are kept, and codes that are added, are for whoever moves a company in. */
function requireMovable(service: BatchOperationService, company: CompanyRules, request: NewOperation): void {
  const { document, options } = request
  const { keepIds = false, addCodes = [] } = options
  const definition = importedDocument(service, company, document)
  if (keepIds) requireKeeping(request.caller, company, document)
  if (addCodes.length === 0 || !definition) return
  if (options.update || !takesCodes(definition)) {
    throw malformed(
      `The query option 'addCodes' cannot be used ${options.update ? 'together with update' : 'but for customers and documents of the setup'}.`,
    )
  }
  const refusal = addCodes.map((id) => addingRefusal(company, id)).find((problem) => problem !== undefined)
  if (refusal !== undefined) throw malformed(`The query option 'addCodes' cannot be used: ${refusal}.`)
  requireAdding(request.caller, company, document)
}

function requireRows(content: GivenContent): StagedFile {
  if (typeof content !== 'string' && content.size > 0) return content
  throw malformed('The request body is empty: expected a record in each line, or CSV with a line of names first.')
}

/** Throws 429 when the company has as much to do as it may; returns the number of the newest operation. */
async function requireRoom(tx: Tx, size: number): Promise<number> {
  const { open, bytes, last_no } = await countOperations(tx)
  if (open >= MAX_OPEN) {
    throw tooMany(`The company has ${MAX_OPEN} batch operations to be done, which is the most.`, RETRY_AFTER_SECONDS)
  }
  if (bytes + size > MAX_KEPT_BYTES) {
    throw tooMany(
      `The bodies of the company's batch operations have more than ${MAX_KEPT_BYTES} bytes together; they are removed an hour after the end.`,
      RETRY_AFTER_SECONDS,
    )
  }
  return last_no
}
