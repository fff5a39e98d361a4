import { revisionNotFound } from './document.ts'
import type { DocumentService } from './document-service.ts'
import { type FoundRevision, findRevision } from './revision-store.ts'

/** One revision of a document. Throws 404, code 1040, naming the company, the id and the number. */
export async function readRevision(
  { store, companies }: DocumentService,
  companyId: string,
  documentId: string,
  revisionNo: number,
): Promise<FoundRevision> {
  const company = companies.require(companyId)
  const found = await findRevision(store.reading(company.id), documentId, revisionNo)
  if (!found) throw revisionNotFound(company.id, documentId, revisionNo)
  return found
}
