// Who sees a batch operation, and what is answered to others.
import type { Caller, Permission } from '../access/caller.ts'
import { entityNotFound, notAuthorised } from '../errors/catalogue.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ReadTx } from '../store/store.ts'
import type { BatchOperation, BatchOptions } from './batch-operation.ts'
import { findOperation } from './operation-store.ts'

type RecordOperation = 'create' | 'update' | 'delete'

export function permissionFor(document: string, operation: RecordOperation = 'create'): Permission {
  return `${document}:${operation}`
}

/** What an operation does with its records. */
export function neededFor({ update, patch }: BatchOptions): readonly ('create' | 'update')[] {
  if (patch) return ['update']
  return update ? ['create', 'update'] : ['create']
}

/** Throws 403 for who may not keep ids that a series gives: it takes an administrator, who sees all such records. */
export function requireKeeping(caller: Caller, company: CompanyRules, document: string): void {
  if (!caller.isAdministrator) throw notAuthorised('only administrators keep numbers that a series gives')
  requireAll(caller, company, document)
}

/** Throws 403 for who may not add the codes that records of the document need. */
export function requireAdding(caller: Caller, company: CompanyRules, document: string): void {
  requireAll(caller, company, document)
  requireAll(caller, company, 'attribute-values')
}

/** Throws 403 for who may not do so with each of the records. */
export function requireAll(caller: Caller, company: CompanyRules, document: string, operation?: RecordOperation): void {
  const permission = requirePermission(caller, company, document, operation)
  if (caller.rulesFor(company.id, permission) !== undefined)
    throw notAuthorised(`the roles of the caller hide ${document}`)
}

export function requirePermission(
  caller: Caller,
  { id }: CompanyRules,
  document: string,
  operation?: RecordOperation,
): Permission {
  const permission = permissionFor(document, operation)
  if (!caller.may(id, permission)) throw notAuthorised(`no role of the caller in the company has ${permission}`)
  return permission
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
  if (operation && isVisibleTo(caller, tx.companyId, operation)) return operation
  throw entityNotFound({ Company: tx.companyId, BatchOperation: id })
}
