// Puts the demo's documents into the archive, by the rules that hold for everybody.
import { createReadStream, readFileSync } from 'node:fs'
import { Caller } from '../../access/caller.ts'
import type { Application } from '../../app.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import { CONTENT_LIMIT_BYTES } from '../../http/file-body/received.ts'
import { createDocument } from '../../records/documents/create-document.ts'
import { createRevision } from '../../records/documents/create-revision.ts'
import { archiveDocument } from '../../records/documents/document-archive.ts'
import { findPage } from '../../records/documents/document-list.ts'
import { NOBODY } from '../../store/store.ts'

const LINES = new URL('../../../examples/demo/documents.ndjson', import.meta.url)
const FILES = new URL('../../../examples/demo/documents/', import.meta.url)

/** A line of the file: the body of a document, its file, and what it became later. */
interface DocumentLine {
  readonly companyId: string
  readonly docType: string
  readonly title: string
  readonly file: string
  readonly revisions: readonly { readonly file: string; readonly fileName: string; readonly comment: string }[]
}

/** Makes the documents that are not there yet; `progress` is told how many lines are done. */
export async function loadDocuments(
  application: Pick<Application, 'service' | 'intake'>,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const lines = readFileSync(LINES, 'utf8').trim().split('\n')
  for (const [at, text] of lines.entries()) {
    const line = JSON.parse(text) as DocumentLine & JsonObject
    if (!(await isThere(application, line))) await load(application, line)
    progress(at + 1, lines.length)
  }
}

async function isThere({ service }: Pick<Application, 'service'>, { companyId, docType, title }: DocumentLine) {
  const filter = { docType, title, indexes: [], id: undefined, words: undefined, archive: archiveDocument }
  return (await findPage(service.store, companyId, filter, { start: 0, limit: 1 }, NOBODY)).total > 0
}

async function load(
  { service, intake }: Pick<Application, 'service' | 'intake'>,
  { file, revisions, ...body }: DocumentLine & JsonObject,
): Promise<void> {
  const { companyId } = body
  const caller = new Caller({ id: 'demo', defaultCompany: companyId }, 'demo', new Map())
  const request = { caller, companyId, requestId: 'demo' }
  const take = (name: string) => intake.take(createReadStream(new URL(name, FILES)), CONTENT_LIMIT_BYTES)
  const made = await createDocument(service, { ...request, body, content: await take(file) })
  await made.content.return()
  const documentId = made.written.document_id
  for (const revision of revisions) {
    const { file: later, ...rest } = revision
    const content = await take(later)
    const revised = await createRevision(service, { ...request, documentId, body: rest, content, ifMatch: undefined })
    await revised.content.return()
  }
}
