import type { Caller } from '../../access/caller.ts'
import { dayOf, monthsAfter } from '../../base/calendar.ts'
import { OPEN_TO } from '../../base/dates.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import type { GivenContent } from '../../http/file-body/received.ts'
import { readRecord } from '../../model/read-record.ts'
import type { TextLengths } from '../../model/text-lengths.ts'
import type { CompanyRules, DocumentTypeRules } from '../../setup/rules.ts'
import { writeEntry } from '../../store/journal.ts'
import type { Tx } from '../../store/store.ts'
import { checkLength } from '../shared/check-lengths.ts'
import { requireFileRoom } from '../shared/quotas.ts'
import { writeRecord } from '../shared/write-record.ts'
import { checkFile, contentOf } from './check-file.ts'
import { checkIndexValues, checkSequenceNumbers, type IndexValue, wholeIndexes } from './check-indexes.ts'
import { Document, ENTITY, type GivenDocument } from './document.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, rowWith, shownParts } from './document-sight.ts'
import { type FoundDocument, findDocument, insertDocument, type NewDocument, putIndexes } from './document-store.ts'
import { journalTextOf } from './journal-text.ts'
import { type Kept, keepContent } from './keep-content.ts'
import { checkRequired, required } from './required.ts'
import { insertRevision } from './revision-store.ts'
import { noteDocument } from './text-store.ts'

export interface CreateRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonValue | undefined
  readonly content: GivenContent
  readonly isTrial?: boolean
}

/** Takes a document in. All findings are answered together; what is acknowledged is on disk, the content before the record. */
export async function createDocument(service: DocumentService, request: CreateRequest): Promise<Kept<FoundDocument>> {
  const company = service.companies.require(request.companyId)
  const sight = documentSight(request.caller, company, 'create')
  const findings = new Findings()
  const { fileContent: _content, ...given } = readRecord(sight.schema(Document), request.body ?? null, findings)
  const content = contentOf(request.content, findings)
  const type = checkType(company, given, findings)
  const indexes = type ? wholeIndexes(type, given.indexes ?? []) : []
  const file = await checkFile(given.fileName ?? '', content, findings)
  checkTexts(given, company.textLengths, findings)
  checkExpiry(given, service.clock().toISOString(), findings)
  if (type) {
    checkGivenIndexes(type, given, findings)
    await checkValues(service.store.reading(company.id))
  }
  if (findings.size > 0 || !content || !file || !type) throw sight.refused(given, findings)

  const document = { documentId: service.newId(), ...textsOf(given), ...file, docType: type.id }
  await requireFileRoom(company, service.store.reading(company.id), file.doc_size)
  const created = await keepContent(service, company.id, { ...request, content }, (isStillThere) =>
    writeRecord(service, company.id, request, async (tx) => {
      await isStillThere(tx)
      await requireFileRoom(company, tx, file.doc_size)
      await checkValues(tx)
      if (findings.size > 0) throw sight.refused(given, findings)
      const inserted = await insertWhole(tx, { ...document, expiryDate: expiryOf(type, given, tx.at) }, indexes)
      await sight.requireSeen(tx, rowWith(inserted.document_id))
      return shownParts(sight, inserted)
    }),
  )
  service.onFileAdded(company.id, file.mime_type)
  return created

  function checkValues(tx: Parameters<typeof checkIndexValues>[0]): Promise<void> {
    return type && !findings.has('indexes')
      ? checkIndexValues(tx, company, type, indexes, [], findings)
      : Promise.resolve()
  }
}

function checkType(
  company: CompanyRules,
  { docType = '' }: GivenDocument,
  findings: Findings,
): DocumentTypeRules | undefined {
  if (!checkRequired('docType', docType, findings)) return undefined
  const type = company.documentTypes.get(docType)
  if (!type) findings.add('docType', 3010, `${docType.slice(0, 80)} is not a legal DocType`, 400)
  return type
}

function checkTexts({ title = '', description = '' }: GivenDocument, lengths: TextLengths, findings: Findings): void {
  checkRequired('title', title, findings)
  checkLength('title', title, lengths, findings)
  checkLength('description', description, lengths, findings)
}

function checkExpiry({ expiryDate }: GivenDocument, now: string, findings: Findings): void {
  if (expiryDate === undefined || expiryDate >= dayOf(now)) return
  findings.add('expiryDate', 3010, 'The expiry date must be after today', 400)
}

/** A value that is given must be one: empty is not (specification, documents 1). */
function checkGivenIndexes(type: DocumentTypeRules, { indexes = [] }: GivenDocument, findings: Findings): void {
  for (const [place, { indexValue = '' }] of indexes.entries()) {
    const path = ['indexes', place, 'indexValue']
    if (indexValue === '' && !findings.has(path)) findings.addUnreadable(path, required(path))
  }
  checkSequenceNumbers(type, indexes, findings)
}

function textsOf({ title = '', description = '' }: GivenDocument) {
  return { title, description }
}

/** As given, or as the document type decides; else open (decision 4). */
function expiryOf({ retentionMonths }: DocumentTypeRules, { expiryDate }: GivenDocument, now: string): string {
  if (expiryDate !== undefined) return expiryDate
  return retentionMonths === undefined ? OPEN_TO : monthsAfter(dayOf(now), retentionMonths)
}

async function insertWhole(tx: Tx, document: NewDocument, indexes: readonly IndexValue[]): Promise<FoundDocument> {
  const { documentId, file_name, mime_type, doc_size, file_hash } = document
  await insertDocument(tx, document)
  await putIndexes(tx, documentId, indexes)
  const file = { file_name, mime_type, doc_size, file_hash }
  await insertRevision(tx, { document_id: documentId, revision_no: 1, comment: '', ...file })
  await noteDocument(tx, documentId, mime_type)
  const created = await findDocument(tx, documentId)
  if (!created) throw new Error('the document is not there after it was inserted')
  await writeEntry(tx, {
    entity: ENTITY,
    key: [documentId],
    operation: 'create',
    before: '',
    after: journalTextOf(created),
  })
  return created
}
