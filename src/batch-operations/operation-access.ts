// Who sees a batch operation, and what is answered to others.
import type { Caller, Permission } from '../access/caller.ts'
import { entityNotFound } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import type { ReadTx } from '../store/store.ts'
import type { JobOperation } from './batch-operation.ts'
import { findOperation } from './operation-store.ts'

export function permissionFor(document: string, operation: 'create' | 'update' = 'create'): Permission {
  return `${document}:${operation}`
}

/**
 * Who may create such records sees the operations with them. They name records, so those of others are hidden from a
 * caller whose roles hide any.
 */
export function isVisibleTo(caller: Caller, companyId: string, operation: JobOperation): boolean {
  const permission = permissionFor(operation.document)
  if (!caller.may(companyId, permission)) return false
  const isOwn = caller.clientId === operation.clientId && caller.userId === operation.userId
  return isOwn || caller.rulesFor(companyId, permission) === undefined
}

/** Throws 404 for one that is not there, or not for the caller. */
export async function requireOperation(tx: ReadTx, caller: Caller, id: string): Promise<JobOperation> {
  const operation = await findOperation(tx, id)
  if (!operation || !isVisibleTo(caller, tx.companyId, operation)) throw operationNotFound(tx.companyId, id)
  return operation
}

function operationNotFound(companyId: string, id: string): Problem {
  return entityNotFound({ Company: companyId, BatchOperation: id })
}
