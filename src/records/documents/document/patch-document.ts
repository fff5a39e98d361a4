import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../../access/caller.ts'
import type { JsonValue } from '../../../base/strict-json.ts'
import { Findings } from '../../../errors/findings.ts'
import { readStored, withDefaults } from '../../../model/fill-record.ts'
import { Document } from '../../../model/records/document.ts'
import type { GivenOf } from '../../../model/schema.ts'
import { applyOperations } from '../../../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../../../patch/operations.ts'
import type { PatchRule } from '../../../patch/rules.ts'
import type { CompanyRules, DocumentTypeRules } from '../../../setup/rules/rules.ts'
import { writeEntry } from '../../../store/journal/journal.ts'
import type { Tx } from '../../../store/store.ts'
import type { RecordAccess } from '../../shared/access/record-access.ts'
import { checkLengths } from '../../shared/check-lengths.ts'
import { patchRefused } from '../../shared/pipeline/refuse-patch.ts'
import { requireUnchanged } from '../../shared/pipeline/require-unchanged.ts'
import { writeRecord } from '../../shared/pipeline/write-record.ts'
import { required } from '../../shared/required-field.ts'
import { DocumentDraft, documentIsDeleted, documentNotFound, ENTITY } from '../document.ts'
import { documentAccess, findVisible, keyFilterOf } from '../document-access.ts'
import type { DocumentService } from '../document-service.ts'
import { journalTextOf } from '../journal-text.ts'
import { reindex } from '../search/text-store.ts'
import { checkIndexValues, checkSequenceNumbers, completeIndexes } from './check-indexes.ts'
import { type FoundDocument, findDocument, putIndexes, updateDocument } from './document-store.ts'

/** The fields that a patch may change (specification, documents 7). */
const RULES: readonly PatchRule[] = [
  { path: '/title' },
  { path: '/description' },
  { path: '/indexes', ops: ['replace', 'add'] },
  { path: '/indexes/*/indexValue' },
]

interface PatchRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly documentId: string
  readonly body: JsonValue | undefined
  readonly ifMatch: string | undefined
}

/** Changes the title, the description and the indexes of a document: all operations or none. Returns the new state. */
export async function patchDocument(service: DocumentService, request: PatchRequest): Promise<FoundDocument> {
  const company = service.companies.require(request.companyId)
  const operations = parseOperations(request.body ?? null)
  const { documentId } = request
  const access = documentAccess(request.caller, company, 'update')
  return writeRecord(service, company.id, request, async (tx) => {
    const before = await findVisible(tx, access, documentId)
    if (!before) throw documentNotFound(company.id, documentId)
    await requireUnchanged(tx, before, request.ifMatch, [{ entity: ENTITY, firstParts: [documentId] }], access)
    if (before.is_deleted) throw documentIsDeleted(documentId)
    const stored = draftOf(before)
    const given = apply(stored, operations, access)
    const draft = await checkedDraft(tx, company, before, stored, given, access)
    // Without a change nothing is written: no journal entry, no new tag and no new lastUpdated.
    const after = isDeepStrictEqual(draft, stored) ? before : await save(tx, before, draft)
    await access.requireVisible(tx, keyFilterOf(documentId))
    return after
  })
}

type GivenDraft = GivenOf<typeof DocumentDraft>

function draftOf({ before, after }: FoundDocument): DocumentDraft {
  return readStored(DocumentDraft, `${before.slice(0, -1)},${after.slice(1)}`)
}

/**
 * Paths are resolved against the schema of the complete document: read-only members exist, but are rejected like
 * unknown ones.
 */
function apply(stored: DocumentDraft, operations: readonly PatchOperation[], access: RecordAccess): GivenDraft {
  const { record, failures } = applyOperations(access.schema(Document.schema), RULES, stored, operations)
  if (!failures) return access.restoreHidden(record as GivenDraft, stored)
  // An illegal value is 422 and an illegal path 400; if both occur, the status is 422 (decision 1).
  const status = failures.some(({ code }) => code === 4030 || code === 3010) ? 422 : 400
  throw patchRefused(status, failures)
}

async function checkedDraft(
  tx: Tx,
  company: CompanyRules,
  found: FoundDocument,
  stored: DocumentDraft,
  given: GivenDraft,
  access: RecordAccess,
): Promise<DocumentDraft> {
  const findings = new Findings()
  const type = typeWith(stored, found.doc_type, company.documentTypes.get(found.doc_type))
  const draft = withDefaults(DocumentDraft, given)
  if (draft.title === '') findings.add('title', 1010, required('title'))
  const { title, description } = draft
  checkLengths({ title, description }, stored, company.textLengths, (path, message) => {
    findings.add(path, 1010, message, 400)
  })
  checkGiven(given, stored, findings)
  checkSequenceNumbers(type, draft.indexes, findings)
  const indexes = completeIndexes(type, draft.indexes)
  if (!findings.has('indexes')) await checkIndexValues(tx, company, type, indexes, stored.indexes, findings)
  if (findings.size > 0) throw access.refusal({ id: found.document_id, docType: found.doc_type, ...draft }, findings)
  return { ...draft, indexes }
}

/** Checks that every written index has a value. An optional one is cleared by `remove` or by omitting it. */
function checkGiven({ indexes = [] }: GivenDraft, stored: DocumentDraft, findings: Findings): void {
  for (const [position, { sequenceNo, indexValue }] of indexes.entries()) {
    const isUnchanged = stored.indexes.some((one) => one.sequenceNo === sequenceNo && one.indexValue === indexValue)
    if (indexValue !== '' || isUnchanged) continue
    const path = ['indexes', position, 'indexValue']
    findings.add(path, 1010, required(path))
  }
}

/**
 * The type with all stored indexes: a setup may have removed the type or an index since, but documents keep their index
 * values.
 */
function typeWith(stored: DocumentDraft, id: string, type: DocumentTypeRules | undefined): DocumentTypeRules {
  const current = type?.indexes ?? []
  const removed = stored.indexes
    .filter((one) => !current.some(({ sequenceNo }) => sequenceNo === one.sequenceNo))
    .map(({ sequenceNo, indexValue }) => ({
      sequenceNo,
      name: `index ${sequenceNo}`,
      attributeId: undefined,
      maxLength: indexValue.length,
      required: false,
    }))
  const indexes = [...current, ...removed].sort((one, other) => one.sequenceNo - other.sequenceNo)
  return { description: '', retentionMonths: undefined, ...type, id, indexes }
}

async function save(tx: Tx, before: FoundDocument, draft: DocumentDraft): Promise<FoundDocument> {
  const { document_id: documentId } = before
  await updateDocument(tx, documentId, draft)
  await putIndexes(tx, documentId, draft.indexes)
  await reindex(tx, documentId)
  const after = await findDocument(tx, documentId)
  if (!after) throw new Error('the document cannot be found after its update')
  await writeEntry(tx, {
    entity: ENTITY,
    key: [documentId],
    operation: 'update',
    before: journalTextOf(before),
    after: journalTextOf(after),
  })
  return after
}
