// Adds the demo documents to the archive under the usual rules.

import { createReadStream } from 'node:fs'
import type { Application } from '../app/application.ts'
import type { JsonObject } from '../base/strict-json.ts'
import { Document } from '../model/records/document.ts'
import { createDocument } from '../records/documents/document/create-document.ts'
import { createRevision } from '../records/documents/document/create-revision.ts'
import { UPLOAD_FORMAT } from '../records/documents/document.ts'
import { findPage } from '../records/documents/find-page.ts'
import { INTERNAL_CALLER } from '../store/store.ts'
import { demoCaller, readDemoRecords, type TellProgress } from './demo-records.ts'

const FILES = new URL('../../examples/demo/documents/', import.meta.url)

/** A line of the file: the body of a document, its file, and its later revisions. */
interface DocumentLine {
  readonly companyId: string
  readonly docType: string
  readonly title: string
  readonly file: string
  readonly revisions: readonly { readonly file: string; readonly fileName: string; readonly comment: string }[]
}

/** Creates the documents that do not exist yet; `progress` is called with the number of processed lines. */
export async function loadDocuments(
  application: Pick<Application, 'service' | 'intake'>,
  progress: TellProgress,
): Promise<void> {
  const lines = readDemoRecords<DocumentLine & JsonObject>('documents')
  for (const [at, line] of lines.entries()) {
    if (!(await exists(application, line))) await load(application, line)
    progress(at + 1, lines.length)
  }
}

async function exists({ service }: Pick<Application, 'service'>, { companyId, docType, title }: DocumentLine) {
  const filter = { docType, title, indexes: [], id: undefined, search: undefined, archive: Document.document }
  return (await findPage(service.store, companyId, filter, { start: 0, limit: 1 }, INTERNAL_CALLER)).total > 0
}

async function load(
  { service, intake }: Pick<Application, 'service' | 'intake'>,
  { file, revisions, ...body }: DocumentLine & JsonObject,
): Promise<void> {
  const { companyId } = body
  const caller = demoCaller(companyId)
  const request = { caller, companyId, requestId: 'demo' }
  const take = (name: string) => intake.take(createReadStream(new URL(name, FILES)), UPLOAD_FORMAT.maxBytes)
  const created = await createDocument(service, { ...request, body, content: await take(file) })
  await created.content.return()
  const documentId = created.written.document_id
  for (const revision of revisions) {
    const { file: later, ...rest } = revision
    const content = await take(later)
    const revised = await createRevision(service, { ...request, documentId, body: rest, content, ifMatch: undefined })
    await revised.content.return()
  }
}
