import { documentNotFound } from './document.ts'
import type { DocumentService } from './document-service.ts'
import { type FoundDocument, findDocument } from './document-store.ts'

/** One document, also a deleted one. Throws 404, code 1040, naming the company and the id. */
export async function readDocument(
  { store, companies }: DocumentService,
  companyId: string,
  documentId: string,
): Promise<FoundDocument> {
  const company = companies.require(companyId)
  const found = await findDocument(store.reading(company.id), documentId)
  if (!found) throw documentNotFound(company.id, documentId)
  return found
}
