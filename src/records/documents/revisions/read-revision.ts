import type { Caller } from '../../../access/caller.ts'
import { revisionNotFound } from '../document.ts'
import { documentAccess, findVisible } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import { type FoundRevision, findRevision } from './revision-store.ts'

/** Returns one revision of a document. Throws 404, code 1040, with the company, the id and the number. */
export async function readRevision(
  { store, companies }: DocumentService,
  caller: Caller,
  companyId: string,
  documentId: string,
  revisionNo: number,
): Promise<FoundRevision> {
  const company = companies.require(companyId)
  const access = documentAccess(caller, company, 'read')
  const tx = store.reading(company.id)
  // The revisions of a hidden document are hidden too.
  const isVisible = !access.hasRowRule || (await findVisible(tx, access, documentId)) !== undefined
  const found = isVisible ? await findRevision(tx, documentId, revisionNo) : undefined
  if (!found) throw revisionNotFound(company.id, documentId, revisionNo)
  return found
}
