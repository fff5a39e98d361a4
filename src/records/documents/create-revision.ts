import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { foldName } from '../../base/text.ts'
import { malformed } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import type { GivenContent } from '../../http/file-body/received.ts'
import { readRecord } from '../../model/read-record.ts'
import { writeEntry } from '../../store/journal.ts'
import type { Tx } from '../../store/store.ts'
import { checkLength } from '../shared/check-lengths.ts'
import { requireFileRoom } from '../shared/quotas.ts'
import { requireUnchanged } from '../shared/require-unchanged.ts'
import { writeRecord } from '../shared/write-record.ts'
import { checkFile, contentOf } from './check-file.ts'
import { documentIsDeleted, documentNotFound, ENTITY, REVISION_ENTITY, Revision } from './document.ts'
import { requireDocumentId } from './document-id.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, findSeen, rowWith } from './document-sight.ts'
import { type FoundDocument, findDocument, followNewest } from './document-store.ts'
import { journalTextOf } from './journal-text.ts'
import { type Kept, keepContent } from './keep-content.ts'
import { readDocument } from './read-document.ts'
import { checkRequired } from './required.ts'
import { revisionMembers } from './revision-record.ts'
import { type FoundRevision, insertRevision, type NewRevision } from './revision-store.ts'
import { noteFile } from './text-store.ts'

export interface CreateRevisionRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  /** Of the path, where it has one. */
  readonly documentId: string | undefined
  readonly body: JsonValue | undefined
  readonly content: GivenContent
  readonly isTrial?: boolean
  readonly ifMatch: string | undefined
}

export interface CreatedRevision extends FoundRevision {
  /** Of the document. */
  readonly change_no: number
}

/** Adds the next revision, which the document follows from then on. Numbers are consecutive, however many come at once. */
export async function createRevision(
  service: DocumentService,
  request: CreateRevisionRequest,
): Promise<Kept<CreatedRevision>> {
  const company = service.companies.require(request.companyId)
  const sight = documentSight(request.caller, company, 'update')
  const findings = new Findings()
  const { fileContent: _content, ...given } = readRecord(sight.schema(Revision), request.body ?? null, findings)
  const documentId = documentIdOf(given.id, request.documentId, findings)
  if (documentId !== undefined) {
    const document = await readDocument(service, request.caller, company.id, documentId, 'update')
    if (document.is_deleted) throw documentIsDeleted(documentId)
  }

  const content = contentOf(request.content, findings)
  const comment = given.comment ?? ''
  checkRequired('comment', comment, findings)
  checkLength('comment', comment, company.textLengths, findings)
  const file = await checkFile(given.fileName ?? '', content, findings, true)
  if (findings.size > 0 || !content || !file || documentId === undefined) throw sight.refused(given, findings)

  await requireFileRoom(company, service.store.reading(company.id), file.doc_size)
  const created = await keepContent(service, company.id, { ...request, content }, (isStillThere) =>
    writeRecord(service, company.id, request, async (tx) => {
      await isStillThere(tx)
      await requireFileRoom(company, tx, file.doc_size)
      const before = await findSeen(tx, sight, documentId)
      if (!before) throw documentNotFound(company.id, documentId)
      await requireUnchanged(tx, before, request.ifMatch, [{ entity: ENTITY, firstParts: [documentId] }], sight)
      if (before.is_deleted) throw documentIsDeleted(documentId)
      const revision = { document_id: documentId, revision_no: before.revision_no + 1, comment, ...file }
      const change_no = tx.entryNo
      const inserted = await insertNext(tx, before, revision)
      await sight.requireSeen(tx, rowWith(documentId))
      return { ...inserted, change_no }
    }),
  )
  service.onFileAdded(company.id, file.mime_type)
  return created
}

/** In the path, in the body, or the same in both. */
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
  await noteFile(tx, documentId, file.mime_type)
  const after = await findDocument(tx, documentId)
  if (!after) throw new Error('the document is not there after its revision was inserted')
  const change = { entity: ENTITY, key: [documentId], operation: 'update' } as const
  await writeEntry(tx, { ...change, before: journalTextOf(before), after: journalTextOf(after) })
  await writeEntry(await tx.next(), {
    entity: REVISION_ENTITY,
    key: [documentId, revisionNo],
    operation: 'create',
    before: '',
    after: JSON.stringify({ ...revisionMembers(inserted), fileHash: inserted.file_hash }),
  })
  return inserted
}
