import type { Caller } from '../../access/caller.ts'
import { revisionNotFound } from './document.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, findSeen } from './document-sight.ts'
import { type FoundRevision, findRevision } from './revision-store.ts'

/** One revision of a document. Throws 404, code 1040, naming the company, the id and the number. */
export async function readRevision(
  { store, companies }: DocumentService,
  caller: Caller,
  companyId: string,
  documentId: string,
  revisionNo: number,
): Promise<FoundRevision> {
  const company = companies.require(companyId)
  const sight = documentSight(caller, company, 'read')
  const tx = store.reading(company.id)
  // Of a document that is not seen there are no revisions.
  const isSeen = !sight.isPartial || (await findSeen(tx, sight, documentId)) !== undefined
  const found = isSeen ? await findRevision(tx, documentId, revisionNo) : undefined
  if (!found) throw revisionNotFound(company.id, documentId, revisionNo)
  return found
}
