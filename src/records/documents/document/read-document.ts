import type { Caller } from '../../../access/caller.ts'
import { documentNotFound } from '../document.ts'
import { documentAccess, findVisible } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import type { FoundDocument } from './document-store.ts'

/**
 * Returns one document, even if it is deleted; it is not redacted. Throws 404, code 1040, with the company and the id.
 */
export async function readDocument(
  { store, companies }: DocumentService,
  caller: Caller,
  companyId: string,
  documentId: string,
  operation: 'read' | 'update' = 'read',
): Promise<FoundDocument> {
  const company = companies.require(companyId)
  const access = documentAccess(caller, company, operation)
  const found = await findVisible(store.reading(company.id), access, documentId)
  if (!found) throw documentNotFound(company.id, documentId)
  return found
}
