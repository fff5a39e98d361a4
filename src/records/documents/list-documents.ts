import { shortened } from '../../base/text.ts'
import { malformed } from '../../errors/catalogue.ts'
import { begun } from '../../http/begun.ts'
import type { Call } from '../../http/edge.ts'
import type { Reply } from '../../http/send.ts'
import type { Sight } from '../shared/sight.ts'
import { enveloped, joined, takeMemory, withContents } from './content-reply.ts'
import { requireDocumentId } from './document-id.ts'
import { findPage } from './document-list.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, shownParts } from './document-sight.ts'
import { findDocuments, type ListedDocument } from './document-store.ts'
import { readDocumentListOptions } from './list-options.ts'
import { searchedWords } from './words.ts'

/** Documents that are read at once: what has been read is sent before more is. */
const CHUNK = 200

/** A page of the documents, in an envelope; piece by piece, so that its size is bounded by nothing but the limit. */
export async function listDocuments(service: DocumentService, call: Call): Promise<Reply> {
  const company = service.companies.require(call.companyId)
  const sight = documentSight(call.caller, company, 'read')
  const { docType, title, indexes, id, search, start, limit, withFileContent } = readDocumentListOptions(
    call.query,
    sight,
  )
  if (docType !== undefined && !company.documentTypes.has(docType)) {
    throw malformed(`The value '${shortened(docType, 40)}' is not valid for docType.`)
  }
  const filter = {
    docType,
    title,
    indexes,
    id: id === undefined ? undefined : requireDocumentId(id),
    archive: sight.document,
    words: search === undefined ? undefined : searchedWords(search),
  }
  const { total, ids } = await findPage(service.store, company.id, filter, { start, limit }, call.asker)
  const head = `{"start":${start},"limit":${limit},"count":${ids.length},"total":${total},"items":[`
  if (withFileContent && ids.length > 0) {
    await takeMemory(service, call)
    const parts = partsOf(documentsOf(service, company.id, ids, sight))
    const body = await begun(enveloped(head, withContents(service, company.id, parts)))
    call.onClosed(() => void body.return().catch(() => {}))
    return { status: 200, body, isIncompressible: true }
  }
  if (ids.length > CHUNK) {
    return { status: 200, body: await begun(enveloped(head, textOf(documentsOf(service, company.id, ids, sight)))) }
  }
  let items = ''
  for await (const document of documentsOf(service, company.id, ids, sight)) items += (items && ',') + itemOf(document)
  return { status: 200, body: `${head}${items}]}` }
}

/** The documents in the order of their ids, read in chunks. */
async function* documentsOf(
  { store }: DocumentService,
  companyId: string,
  ids: readonly string[],
  sight: Sight,
): AsyncGenerator<ListedDocument, void, void> {
  for (let at = 0; at < ids.length; at += CHUNK) {
    const wanted = ids.slice(at, at + CHUNK)
    const rows = await findDocuments(store.reading(companyId), wanted)
    const found = new Map(rows.map((row) => [row.document_id, row]))
    for (const id of wanted) {
      const document = found.get(id)
      // Rows of documents are never taken away.
      if (!document) throw new Error(`document ${id} is not there any more`)
      yield shownParts(sight, document)
    }
  }
}

async function* partsOf(documents: AsyncIterable<ListedDocument>) {
  for await (const { before, after, file_hash, doc_size } of documents) {
    yield { before, after, file: { hash: file_hash, size: doc_size } }
  }
}

async function* textOf(documents: AsyncIterable<ListedDocument>): AsyncGenerator<Uint8Array, void, void> {
  let text = ''
  let isFirst = true
  for await (const document of documents) {
    text += (isFirst ? '' : ',') + itemOf(document)
    isFirst = false
    if (text.length < PIECE) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** In characters. */
const PIECE = 64 * 1024

function itemOf({ before, after }: ListedDocument): string {
  return joined(before, after)
}
