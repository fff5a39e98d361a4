import type { Caller, ReadRequest } from '../../../access/caller.ts'
import { peekFirst } from '../../../base/byte-stream.ts'
import type { RecordAccess } from '../../shared/record-access.ts'
import { revisionNotFound } from '../document.ts'
import { documentAccess, findVisible, redactedParts } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import type { FoundDocument } from '../document-store.ts'
import { readRevisionListOptions } from '../list-options.ts'
import { type FoundRevision, findRevision, listRevisions } from '../revision-store.ts'
import { acquireMemory, type ContentReader, enveloped, type RecordParts, withContents } from './content-stream.ts'
import { revisionParts } from './revision-record.ts'

/** Maximum number of revisions that are read with one statement. */
const BATCH_SIZE = 200

/** Lists a page of a document's revisions with their contents. The page of an unknown or hidden document is empty. */
export async function listDocumentRevisions(
  service: DocumentService,
  request: ReadRequest & ContentReader,
  documentId: string,
) {
  const company = service.companies.require(request.companyId)
  const { start, limit } = readRevisionListOptions(request.query)
  const access = documentAccess(request.caller, company, 'read')
  const document = await findVisible(service.store.reading(company.id), access, documentId)
  // Revision numbers start at 1 and have no gaps.
  const total = document?.revision_no ?? 0
  const count = Math.max(Math.min(limit, total - start), 0)
  const head = `{"start":${start},"limit":${limit},"count":${count},"total":${total},"items":[`
  if (count === 0) return { body: `${head}]}` }

  await acquireMemory(service, request)
  const items = withContents(service, company.id, partsOf(service, company.id, documentId, { start, count }, access))
  const body = await peekFirst(enveloped(head, items))
  request.onClosed(() => void body.return().catch(() => {}))
  return { body, isIncompressible: true }
}

async function* partsOf(
  { store }: DocumentService,
  companyId: string,
  documentId: string,
  { start, count }: { start: number; count: number },
  access: RecordAccess,
): AsyncGenerator<RecordParts, void, void> {
  for (let above = start; above < start + count; above += BATCH_SIZE) {
    const size = Math.min(BATCH_SIZE, start + count - above)
    for (const revision of await listRevisions(store.reading(companyId), documentId, above, size)) {
      yield redactedParts(access, revisionParts(revision))
    }
  }
}

/**
 * Returns one revision with the state of its document, which decides whether the next one may be added. Throws 404,
 * code 1040, with the company, the id and the number.
 */
export async function readRevision(
  { store, companies }: DocumentService,
  caller: Caller,
  companyId: string,
  documentId: string,
  revisionNo: number,
): Promise<FoundRevision & Pick<FoundDocument, 'change_no'>> {
  const company = companies.require(companyId)
  const tx = store.reading(company.id)
  // The revisions of a hidden document are hidden too.
  const document = await findVisible(tx, documentAccess(caller, company, 'read'), documentId)
  const found = document && (await findRevision(tx, documentId, revisionNo))
  if (!found) throw revisionNotFound(company.id, documentId, revisionNo)
  return { ...found, change_no: document.change_no }
}
