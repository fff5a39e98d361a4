import { dayOf, monthsAfter, OPEN_TO } from '../../../base/dates.ts'
import { Findings } from '../../../errors/findings.ts'
import type { GivenContent } from '../../../files/file-store.ts'
import { readRecord } from '../../../model/read-record.ts'
import { Document } from '../../../model/records/document.ts'
import type { TextLengths } from '../../../model/records/text-lengths.ts'
import type { CompanyRules, DocumentTypeRules } from '../../../setup/rules/rules.ts'
import { writeEntry } from '../../../store/journal/journal.ts'
import type { Tx } from '../../../store/store.ts'
import { checkLength } from '../../shared/check-lengths.ts'
import { requireFileRoom } from '../../shared/quotas.ts'
import { checkRequired } from '../../shared/required-field.ts'
import { type CreateRequest, writeRecord } from '../../shared/write-record.ts'
import { checkIndexValues, checkSequenceNumbers, completeIndexes, type IndexValue } from '../check-indexes.ts'
import { ENTITY, type GivenDocument } from '../document.ts'
import { documentAccess, keyFilterOf, redactedParts } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import {
  type FoundDocument,
  findDocument,
  insertDocument,
  journalTextOf,
  type NewDocument,
  putIndexes,
} from '../document-store.ts'
import { insertRevision } from '../revision-store.ts'
import { indexDocument } from '../text-store.ts'
import { checkFile, contentOf } from './check-file.ts'
import { type StoredContent, storeContent } from './store-content.ts'

/** What the service sets, whatever a client sends (specification, document fields). */
const OF_SERVICE = ['id', 'status', 'revisionNo', 'docSize']

/**
 * Creates a document and reports all findings together. The content is stored before the record; both are durable at
 * the end.
 */
export async function createDocument(
  service: DocumentService,
  request: CreateRequest & { readonly content: GivenContent },
): Promise<StoredContent<FoundDocument>> {
  const company = service.companies.require(request.companyId)
  const access = documentAccess(request.caller, company, 'create')
  const findings = new Findings()
  const { fileContent, ...given } = readRecord(
    access.schema(Document.schema),
    request.body ?? null,
    findings,
    OF_SERVICE,
  )
  const content = contentOf(request.content, fileContent, findings)
  const type = checkType(company, given, findings)
  const indexes = type ? completeIndexes(type, given.indexes ?? []) : []
  const file = await checkFile(given.fileName ?? '', content, findings)
  checkTexts(given, company.textLengths, findings)
  checkExpiry(given, service.clock().toISOString(), findings)
  if (type) {
    checkGivenIndexes(type, given, findings)
    await checkValues(service.store.reading(company.id))
  }
  if (findings.size > 0 || !content || !file || !type) throw access.refusal(given, findings)

  const { title = '', description = '' } = given
  const document = { documentId: service.newId(), title, description, ...file, docType: type.id }
  await requireFileRoom(company, service.store.reading(company.id), file.doc_size)
  const created = await storeContent(service, company.id, { ...request, content }, (isStillThere) =>
    writeRecord(service, company.id, request, async (tx) => {
      await isStillThere(tx)
      await requireFileRoom(company, tx, file.doc_size)
      await checkValues(tx)
      if (findings.size > 0) throw access.refusal(given, findings)
      const inserted = await insertWithRevision(tx, { ...document, expiryDate: expiryOf(type, given, tx.at) }, indexes)
      await access.requireVisible(tx, keyFilterOf(inserted.document_id))
      return redactedParts(access, inserted)
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

/** Checks that each given value has a number and is not empty (specification, documents 1). */
function checkGivenIndexes(type: DocumentTypeRules, { indexes = [] }: GivenDocument, findings: Findings): void {
  for (const [position, { sequenceNo, indexValue = '' }] of indexes.entries()) {
    if (!sequenceNo) checkRequired(['indexes', position, 'sequenceNo'], '', findings)
    checkRequired(['indexes', position, 'indexValue'], indexValue, findings)
  }
  checkSequenceNumbers(type, indexes, findings)
}

/** The given expiry date, else that of the document type's retention, else open (decision 4). */
function expiryOf({ retentionMonths }: DocumentTypeRules, { expiryDate }: GivenDocument, now: string): string {
  if (expiryDate !== undefined) return expiryDate
  return retentionMonths === undefined ? OPEN_TO : monthsAfter(dayOf(now), retentionMonths)
}

async function insertWithRevision(
  tx: Tx,
  document: NewDocument,
  indexes: readonly IndexValue[],
): Promise<FoundDocument> {
  const { documentId, file_name, mime_type, doc_size, file_hash } = document
  await insertDocument(tx, document)
  await putIndexes(tx, documentId, indexes)
  const file = { file_name, mime_type, doc_size, file_hash }
  await insertRevision(tx, { document_id: documentId, revision_no: 1, comment: '', ...file })
  await indexDocument(tx, documentId, mime_type)
  const created = await findDocument(tx, documentId)
  if (!created) throw new Error('the document cannot be found after its insertion')
  writeEntry(tx, {
    entity: ENTITY,
    key: [documentId],
    operation: 'create',
    before: '',
    after: journalTextOf(created),
  })
  return created
}
