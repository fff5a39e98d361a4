// Who sees a batch operation, and what is answered to others.
import type { Caller, Permission } from '../access/caller.ts'
import { entityNotFound, notAuthorised } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ReadTx } from '../store/store.ts'
import type { BatchOperation, BatchOptions } from './batch-operation.ts'
import { findOperation } from './operation-store.ts'

export function permissionFor(document: string, operation: 'create' | 'update' | 'delete' = 'create'): Permission {
  return `${document}:${operation}`
}

/** What an operation does with its records. */
export function neededFor({ update, patch }: BatchOptions): readonly ('create' | 'update')[] {
  if (patch) return ['update']
  return update ? ['create', 'update'] : ['create']
}

/** Throws 403 for who may not keep ids that a series gives: it takes an administrator, who sees all such records. */
export function requireKeeping(caller: Caller, { id }: CompanyRules, document: string): void {
  if (!caller.isAdministrator) throw notAuthorised('only administrators keep numbers that a series gives')
  requireAll(caller, id, document)
}

/** Throws 403 for who may not add the codes that records of the document need. */
export function requireAdding(caller: Caller, { id }: CompanyRules, document: string): void {
  requireAll(caller, id, document)
  requireAll(caller, id, 'attribute-values')
}

function requireAll(caller: Caller, companyId: string, document: string): void {
  const permission = permissionFor(document)
  if (!caller.may(companyId, permission)) throw notAuthorised(`no role of the caller in the company has ${permission}`)
  if (caller.rulesFor(companyId, permission) !== undefined)
    throw notAuthorised(`the roles of the caller hide ${document}`)
}

/**
 * Who may create such records sees the operations with them, and who may change them those that change them alone. They
 * name records, so those of others are hidden from a caller whose roles hide any.
 */
export function isVisibleTo(caller: Caller, companyId: string, operation: BatchOperation): boolean {
  const permission = permissionFor(operation.document, neededFor(operation.options)[0])
  if (!caller.may(companyId, permission)) return false
  const isOwn = caller.clientId === operation.clientId && caller.userId === operation.userId
  return isOwn || caller.rulesFor(companyId, permission) === undefined
}

/** Throws 404 for one that is not there, or not for the caller. */
export async function requireOperation(tx: ReadTx, caller: Caller, id: string): Promise<BatchOperation> {
  const operation = await findOperation(tx, id)
  if (!operation || !isVisibleTo(caller, tx.companyId, operation)) throw operationNotFound(tx.companyId, id)
  return operation
}

function operationNotFound(companyId: string, id: string): Problem {
  return entityNotFound({ Company: companyId, BatchOperation: id })
}
