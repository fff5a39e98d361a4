import type { Caller } from '../access/caller.ts'
import { conflict } from '../errors/catalogue.ts'
import type { DocumentDefinition } from '../model/document.ts'
import { type WriteRequest, writeRecord } from '../records/shared/write-record.ts'
import { type BatchOperation, isOpen, type RejectedRow } from './batch-operation.ts'
import type { BatchOperationService } from './batch-operation-service.ts'
import { importedDocument } from './imported-document.ts'
import { isVisibleTo, requireOperation } from './operation-access.ts'
import { cancelOperation, listOperations, listResults } from './operation-store.ts'

export interface OperationTarget {
  readonly caller: Caller
  readonly companyId: string
  readonly id: string
}

/** How far an operation is. Throws 404. */
export function readOperation(
  { store, companies }: BatchOperationService,
  target: OperationTarget,
): Promise<BatchOperation> {
  return requireOperation(store.reading(companies.require(target.companyId).id), target.caller, target.id)
}

/** The newest operations of the company that the caller sees, the newest first. */
export async function readOperations(
  { store, companies }: BatchOperationService,
  { caller, companyId }: Omit<OperationTarget, 'id'>,
  limit: number,
): Promise<BatchOperation[]> {
  const { id } = companies.require(companyId)
  const all = await listOperations(store.reading(id), limit)
  return all.filter((operation) => isVisibleTo(caller, id, operation))
}

/** Rejected rows of an operation, from a line on, with the document that they are of. */
export async function readResults(
  service: BatchOperationService,
  { caller, companyId, id }: OperationTarget,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<{ readonly rows: readonly RejectedRow[]; readonly document: DocumentDefinition | undefined }> {
  const company = service.companies.require(companyId)
  const tx = service.store.reading(company.id)
  const { document } = await requireOperation(tx, caller, id)
  return { rows: await listResults(tx, id, from, limit), document: importedDocument(service, company, document) }
}

/** Cancels an operation: what is stored stays, and nothing is added. Throws 409 when it has ended by itself. */
export async function stopOperation(
  service: BatchOperationService,
  request: OperationTarget & WriteRequest,
): Promise<BatchOperation> {
  const { id: companyId } = service.companies.require(request.companyId)
  return writeRecord(service, companyId, { ...request, isRemoval: true }, async (tx) => {
    const operation = await requireOperation(tx, request.caller, request.id)
    if (operation.state !== 'K' && !isOpen(operation)) throw conflict('The batch operation has ended already.')
    await cancelOperation(tx, operation.id, tx.at)
    return requireOperation(tx, request.caller, request.id)
  })
}
