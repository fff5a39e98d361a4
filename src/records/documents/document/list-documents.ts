import type { ReadRequest } from '../../../access/caller.ts'
import { peekFirst } from '../../../base/byte-stream.ts'
import { joinedObjects, shortened } from '../../../base/text.ts'
import { malformed } from '../../../errors/catalogue.ts'
import { searchedWords } from '../../../model/words.ts'
import type { RecordAccess } from '../../shared/record-access.ts'
import { documentAccess, redactedParts } from '../document-access.ts'
import { requireDocumentId } from '../document-id.ts'
import type { DocumentService } from '../document-service.ts'
import { findDocuments, type ListedDocument } from '../document-store.ts'
import { findPage } from '../find-page.ts'
import { readDocumentListOptions } from '../list-options.ts'
import { acquireMemory, type ContentReader, enveloped, withContents } from './content-stream.ts'

/** Maximum number of documents that are read with one statement; they are sent before the next are read. */
const BATCH_SIZE = 200

/**
 * Lists a page of documents in an envelope. Large pages are streamed, so that only the limit bounds their size. The
 * change number is that of the statement which finds the page: a document may be read later, with changes that a reader
 * who goes on from there is told again, but none is left out.
 */
export async function listDocuments(service: DocumentService, request: ReadRequest & ContentReader) {
  const company = service.companies.require(request.companyId)
  const access = documentAccess(request.caller, company, 'read')
  const { docType, title, indexes, id, search, start, limit, withFileContent } = readDocumentListOptions(
    request.query,
    access,
  )
  if (docType !== undefined && !company.documentTypes.has(docType)) {
    throw malformed(`The value '${shortened(docType, 40)}' is not valid for docType.`)
  }
  const filter = {
    docType,
    title,
    indexes,
    id: id === undefined ? undefined : requireDocumentId(id),
    archive: access.document,
    search: search === undefined ? undefined : searchedWords(search),
  }
  const { total, ids, changeNumber } = await findPage(
    service.store,
    company.id,
    filter,
    { start, limit },
    request.requester,
  )
  const head = `{"start":${start},"limit":${limit},"count":${ids.length},"total":${total},"items":[`
  if (withFileContent && ids.length > 0) {
    await acquireMemory(service, request)
    const parts = partsOf(documentsOf(service, company.id, ids, access))
    const body = await peekFirst(enveloped(head, withContents(service, company.id, parts)))
    request.onClosed(() => void body.return().catch(() => {}))
    return { body, changeNumber, isIncompressible: true }
  }
  if (ids.length > BATCH_SIZE) {
    return {
      changeNumber,
      body: await peekFirst(enveloped(head, arrayText(documentsOf(service, company.id, ids, access)))),
    }
  }
  let items = ''
  for await (const document of documentsOf(service, company.id, ids, access)) items += (items && ',') + itemOf(document)
  return { changeNumber, body: `${head}${items}]}` }
}

/** Yields the documents in the order of the given ids, read in batches. */
async function* documentsOf(
  { store }: DocumentService,
  companyId: string,
  ids: readonly string[],
  access: RecordAccess,
): AsyncGenerator<ListedDocument, void, void> {
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const batch = ids.slice(at, at + BATCH_SIZE)
    const rows = await findDocuments(store.reading(companyId), batch)
    const found = new Map(rows.map((row) => [row.document_id, row]))
    for (const id of batch) {
      const document = found.get(id)
      // Rows of documents are never deleted.
      if (!document) throw new Error(`document ${id} is missing`)
      yield redactedParts(access, document)
    }
  }
}

async function* partsOf(documents: AsyncIterable<ListedDocument>) {
  for await (const { before, after, file_hash, doc_size } of documents) {
    yield { before, after, file: { hash: file_hash, size: doc_size } }
  }
}

async function* arrayText(documents: AsyncIterable<ListedDocument>): AsyncGenerator<Uint8Array, void, void> {
  let text = ''
  let isFirst = true
  for await (const document of documents) {
    text += (isFirst ? '' : ',') + itemOf(document)
    isFirst = false
    if (text.length < CHUNK_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** Length of a streamed chunk in characters. */
const CHUNK_LENGTH = 64 * 1024

function itemOf({ before, after }: ListedDocument): string {
  return joinedObjects(before, after)
}
