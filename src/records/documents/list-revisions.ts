import { begun } from '../../http/begun.ts'
import type { Call } from '../../http/edge.ts'
import type { Reply } from '../../http/send.ts'
import type { Sight } from '../shared/sight.ts'
import { enveloped, type RecordParts, takeMemory, withContents } from './content-reply.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, findSeen, shownParts } from './document-sight.ts'
import { readRevisionListOptions } from './list-options.ts'
import { revisionParts } from './revision-record.ts'
import { listRevisions } from './revision-store.ts'

/** Revisions that are read at once. */
const CHUNK = 200

/** A page of a document's revisions with their contents; of a document that is not the company's, an empty one. */
export async function listDocumentRevisions(service: DocumentService, call: Call, documentId: string): Promise<Reply> {
  const company = service.companies.require(call.companyId)
  const { start, limit } = readRevisionListOptions(call.query)
  const sight = documentSight(call.caller, company, 'read')
  const document = await findSeen(service.store.reading(company.id), sight, documentId)
  // Numbers begin at 1 and have no gaps.
  const total = document?.revision_no ?? 0
  const count = Math.max(Math.min(limit, total - start), 0)
  const head = `{"start":${start},"limit":${limit},"count":${count},"total":${total},"items":[`
  if (count === 0) return { status: 200, body: `${head}]}` }

  await takeMemory(service, call)
  const items = withContents(service, company.id, partsOf(service, company.id, documentId, { start, count }, sight))
  const body = await begun(enveloped(head, items))
  call.onClosed(() => void body.return().catch(() => {}))
  return { status: 200, body, isIncompressible: true }
}

async function* partsOf(
  { store }: DocumentService,
  companyId: string,
  documentId: string,
  { start, count }: { start: number; count: number },
  sight: Sight,
): AsyncGenerator<RecordParts, void, void> {
  for (let above = start; above < start + count; above += CHUNK) {
    const most = Math.min(CHUNK, start + count - above)
    for (const revision of await listRevisions(store.reading(companyId), documentId, above, most)) {
      yield shownParts(sight, revisionParts(revision))
    }
  }
}
