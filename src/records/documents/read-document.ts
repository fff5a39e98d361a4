import type { Caller } from '../../access/caller.ts'
import { documentNotFound } from './document.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, findSeen } from './document-sight.ts'
import type { FoundDocument } from './document-store.ts'

/** One document, also a deleted one, whole. Throws 404, code 1040, naming the company and the id. */
export async function readDocument(
  { store, companies }: DocumentService,
  caller: Caller,
  companyId: string,
  documentId: string,
  operation: 'read' | 'update' = 'read',
): Promise<FoundDocument> {
  const company = companies.require(companyId)
  const sight = documentSight(caller, company, operation)
  const found = await findSeen(store.reading(company.id), sight, documentId)
  if (!found) throw documentNotFound(company.id, documentId)
  return found
}
