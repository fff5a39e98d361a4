import { foldName } from '../../../base/text.ts'
import { malformed } from '../../../errors/catalogue.ts'
import { Findings } from '../../../errors/findings.ts'
import type { GivenContent } from '../../../files/file-store.ts'
import { readRecord } from '../../../model/read-record.ts'
import { Revision } from '../../../model/records/document.ts'
import { writeEntry } from '../../../store/journal/journal.ts'
import type { Tx } from '../../../store/store.ts'
import { checkLength } from '../../shared/check-lengths.ts'
import { requireFileRoom } from '../../shared/quotas.ts'
import { getRecord } from '../../shared/record-pipeline.ts'
import { checkRequired } from '../../shared/required-field.ts'
import { type CreateRequest, requireUnchanged, writeRecord } from '../../shared/write-record.ts'
import { documentIsDeleted, documentNotFound, ENTITY, REVISION_ENTITY } from '../document.ts'
import { documentAccess, findVisible, keyFilterOf } from '../document-access.ts'
import { requireDocumentId } from '../document-id.ts'
import { documentRecord } from '../document-record.ts'
import type { DocumentService } from '../document-service.ts'
import { type FoundDocument, findDocument, followNewest, journalTextOf } from '../document-store.ts'
import { type FoundRevision, insertRevision, type NewRevision } from '../revision-store.ts'
import { indexFile } from '../text-store.ts'
import { checkFile, contentOf } from './check-file.ts'
import { revisionMembers } from './revision-record.ts'
import { type StoredContent, storeContent } from './store-content.ts'

interface CreateRevisionRequest extends CreateRequest {
  /** The id in the path, if there is one. */
  readonly documentId: string | undefined
  readonly content: GivenContent
  readonly ifMatch: string | undefined
}

export interface CreatedRevision extends FoundRevision {
  /** The last journal entry of the document. */
  readonly change_no: number
}

/** What the service sets, whatever a client sends (specification, document revisions 4). */
const OF_SERVICE = ['revisionNo']

/**
 * Adds the next revision, whose file becomes that of the document. Numbers are consecutive, even under concurrent
 * requests.
 */
export async function createRevision(
  service: DocumentService,
  request: CreateRevisionRequest,
): Promise<StoredContent<CreatedRevision>> {
  const company = service.companies.require(request.companyId)
  const access = documentAccess(request.caller, company, 'update')
  const findings = new Findings()
  const { fileContent, ...given } = readRecord(
    access.schema(Revision.schema),
    request.body ?? null,
    findings,
    OF_SERVICE,
  )
  const documentId = documentIdOf(given.id, request.documentId, findings)
  if (documentId !== undefined) {
    const document = await getRecord(service, documentRecord, { ...request, key: [documentId] }, 'update')
    if (document.is_deleted) throw documentIsDeleted(documentId)
  }

  const content = contentOf(request.content, fileContent, findings)
  const comment = given.comment ?? ''
  checkRequired('comment', comment, findings)
  checkLength('comment', comment, company.textLengths, findings)
  const file = await checkFile(given.fileName ?? '', content, findings, true)
  if (findings.size > 0 || !content || !file || documentId === undefined) throw access.refusal(given, findings)

  await requireFileRoom(company, service.store.reading(company.id), file.doc_size)
  const created = await storeContent(service, company.id, { ...request, content }, (requireNotSwept) =>
    writeRecord(service, company.id, request, async (tx) => {
      await requireNotSwept(tx)
      await requireFileRoom(company, tx, file.doc_size)
      const before = await findVisible(tx, access, documentId)
      if (!before) throw documentNotFound(company.id, documentId)
      await requireUnchanged(tx, before, request.ifMatch, [{ entity: ENTITY, firstParts: [documentId] }], access)
      if (before.is_deleted) throw documentIsDeleted(documentId)
      const revision = { document_id: documentId, revision_no: before.revision_no + 1, comment, ...file }
      const change_no = tx.entryNo
      const inserted = await insertNext(tx, before, revision)
      await access.requireVisible(tx, keyFilterOf(documentId))
      return { ...inserted, change_no }
    }),
  )
  service.onFileAdded(company.id, file.mime_type)
  return created
}

/** The document id from the path or the body; if both have it, they must be equal. */
function documentIdOf(inBody: string | undefined, inPath: string | undefined, findings: Findings): string | undefined {
  if (inPath === undefined && !checkRequired('id', inBody ?? '', findings)) return undefined
  if (inPath !== undefined && inBody && foldName(inBody) !== foldName(inPath)) {
    throw malformed(`The id '${inPath.slice(0, 80)}' of the path and '${inBody.slice(0, 80)}' of the body differ.`)
  }
  return requireDocumentId(inPath ?? inBody ?? '')
}

async function insertNext(tx: Tx, before: FoundDocument, revision: NewRevision): Promise<FoundRevision> {
  const { document_id: documentId, revision_no: revisionNo, comment: _comment, ...file } = revision
  const inserted = await insertRevision(tx, revision)
  await followNewest(tx, documentId, revisionNo, file)
  await indexFile(tx, documentId, file.mime_type)
  const after = await findDocument(tx, documentId)
  if (!after) throw new Error('the document cannot be found after the insertion of its revision')
  const change = { entity: ENTITY, key: [documentId], operation: 'update' } as const
  writeEntry(tx, { ...change, before: journalTextOf(before), after: journalTextOf(after) })
  writeEntry(tx.nextEntry(), {
    entity: REVISION_ENTITY,
    key: [documentId, revisionNo],
    operation: 'create',
    before: '',
    after: JSON.stringify({ ...revisionMembers(inserted), fileHash: inserted.file_hash }),
  })
  return inserted
}
