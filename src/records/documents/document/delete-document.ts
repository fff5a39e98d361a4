import type { Caller } from '../../../access/caller.ts'
import { writeEntry } from '../../../store/journal/journal.ts'
import { requireUnchanged } from '../../shared/pipeline/require-unchanged.ts'
import { writeRecord } from '../../shared/pipeline/write-record.ts'
import { DELETED_STATUS, documentNotFound, ENTITY } from '../document.ts'
import { documentAccess, findVisible } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import { journalTextOf } from '../journal-text.ts'
import { removeFromIndex } from '../search/text-store.ts'
import { closeDocument, findDocument } from './document-store.ts'

interface DeleteRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly documentId: string
  readonly ifMatch: string | undefined
}

/**
 * Removes a document from every list; it stays readable by its id with status T. A second deletion changes nothing
 * (decision 4).
 */
export async function deleteDocument(service: DocumentService, request: DeleteRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  const { documentId } = request
  const access = documentAccess(request.caller, company, 'delete')
  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const before = await findVisible(tx, access, documentId)
    if (!before) throw documentNotFound(company.id, documentId)
    await requireUnchanged(tx, before, request.ifMatch, [{ entity: ENTITY, firstParts: [documentId] }], access)
    if (before.is_deleted) return
    await closeDocument(tx, documentId, DELETED_STATUS)
    await removeFromIndex(tx, documentId)
    const after = await findDocument(tx, documentId)
    await writeEntry(tx, {
      entity: ENTITY,
      key: [documentId],
      operation: 'delete',
      before: journalTextOf(before),
      after: after ? journalTextOf(after) : '',
    })
  })
}
