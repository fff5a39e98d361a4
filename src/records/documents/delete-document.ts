import type { Caller } from '../../access/caller.ts'
import { writeEntry } from '../../store/journal.ts'
import { requireUnchanged } from '../shared/require-unchanged.ts'
import { writeRecord } from '../shared/write-record.ts'
import { DELETED_STATUS, documentNotFound, ENTITY } from './document.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, findSeen } from './document-sight.ts'
import { closeDocument, findDocument } from './document-store.ts'
import { journalTextOf } from './journal-text.ts'
import { forgetTexts } from './text-store.ts'

export interface DeleteRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly documentId: string
  readonly ifMatch: string | undefined
}

/** Takes a document out of every list; it stays readable by its id with status T. Once more changes nothing (decision 4). */
export async function deleteDocument(service: DocumentService, request: DeleteRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  const { documentId } = request
  const sight = documentSight(request.caller, company, 'delete')
  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const before = await findSeen(tx, sight, documentId)
    if (!before) throw documentNotFound(company.id, documentId)
    await requireUnchanged(tx, before, request.ifMatch, [{ entity: ENTITY, firstParts: [documentId] }], sight)
    if (before.is_deleted) return
    await closeDocument(tx, documentId, DELETED_STATUS)
    await forgetTexts(tx, documentId)
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
