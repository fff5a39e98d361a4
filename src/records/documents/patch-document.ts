import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import { readStored, withDefaults } from '../../model/fill-record.ts'
import type { GivenOf } from '../../model/schema.ts'
import { applyOperations } from '../../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../../patch/operations.ts'
import type { PatchRule } from '../../patch/rules.ts'
import type { CompanyRules, DocumentTypeRules } from '../../setup/rules.ts'
import { writeEntry } from '../../store/journal.ts'
import type { Tx } from '../../store/store.ts'
import { checkLengths } from '../shared/check-lengths.ts'
import { patchRefused } from '../shared/refuse-patch.ts'
import { requireUnchanged } from '../shared/require-unchanged.ts'
import type { Sight } from '../shared/sight.ts'
import { writeRecord } from '../shared/write-record.ts'
import { checkIndexValues, checkSequenceNumbers, wholeIndexes } from './check-indexes.ts'
import { Document, DocumentDraft, documentIsDeleted, documentNotFound, ENTITY } from './document.ts'
import type { DocumentService } from './document-service.ts'
import { documentSight, findSeen, rowWith } from './document-sight.ts'
import { type FoundDocument, findDocument, putIndexes, updateDocument } from './document-store.ts'
import { journalTextOf } from './journal-text.ts'
import { required } from './required.ts'
import { noteTexts } from './text-store.ts'

/** All that can be changed (specification, documents 7). */
const RULES: readonly PatchRule[] = [
  { path: '/title' },
  { path: '/description' },
  { path: '/indexes', ops: ['replace', 'add'] },
  { path: '/indexes/*/indexValue' },
]

export interface PatchRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly documentId: string
  readonly body: JsonValue | undefined
  readonly ifMatch: string | undefined
}

/** Changes what describes a document: all operations or none. Gives its new state. */
export async function patchDocument(service: DocumentService, request: PatchRequest): Promise<FoundDocument> {
  const company = service.companies.require(request.companyId)
  const operations = parseOperations(request.body ?? null)
  const { documentId } = request
  const sight = documentSight(request.caller, company, 'update')
  return writeRecord(service, company.id, request, async (tx) => {
    const before = await findSeen(tx, sight, documentId)
    if (!before) throw documentNotFound(company.id, documentId)
    await requireUnchanged(tx, before, request.ifMatch, [{ entity: ENTITY, firstParts: [documentId] }], sight)
    if (before.is_deleted) throw documentIsDeleted(documentId)
    const stored = draftOf(before)
    const given = apply(stored, operations, sight)
    const draft = await checked(tx, company, before, stored, given, sight)
    // What does not change is not written: no entry, no new tag, no new lastUpdated.
    const after = isDeepStrictEqual(draft, stored) ? before : await save(tx, before, draft)
    await sight.requireSeen(tx, rowWith(documentId))
    return after
  })
}

type GivenDraft = GivenOf<typeof DocumentDraft>

function draftOf({ before, after }: FoundDocument): DocumentDraft {
  return readStored(DocumentDraft, `${before.slice(0, -1)},${after.slice(1)}`)
}

/** Paths are resolved against the whole document, so that one that is read-only is told from one that is none by nobody. */
function apply(stored: DocumentDraft, operations: readonly PatchOperation[], sight: Sight): GivenDraft {
  const { record, failures } = applyOperations(sight.schema(Document), RULES, stored, operations)
  if (!failures) return sight.kept(record as GivenDraft, stored)
  // A value that does not fit is 422, a path 400; of both kinds, 422 (decision 1).
  const status = failures.some(({ code }) => code === 4030 || code === 3010) ? 422 : 400
  throw patchRefused(status, failures)
}

async function checked(
  tx: Tx,
  company: CompanyRules,
  found: FoundDocument,
  stored: DocumentDraft,
  given: GivenDraft,
  sight: Sight,
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
  const indexes = wholeIndexes(type, draft.indexes)
  if (!findings.has('indexes')) await checkIndexValues(tx, company, type, indexes, stored.indexes, findings)
  if (findings.size > 0) throw sight.refused({ id: found.document_id, docType: found.doc_type, ...draft }, findings)
  return { ...draft, indexes }
}

/** An index that is written must have a value; one that is optional is emptied by `remove`, or by leaving it out. */
function checkGiven({ indexes = [] }: GivenDraft, stored: DocumentDraft, findings: Findings): void {
  for (const [place, { sequenceNo, indexValue }] of indexes.entries()) {
    const isAsStored = stored.indexes.some((one) => one.sequenceNo === sequenceNo && one.indexValue === indexValue)
    if (indexValue !== '' || isAsStored) continue
    const path = ['indexes', place, 'indexValue']
    findings.add(path, 1010, required(path))
  }
}

/** A setup may have taken the type away since, or an index of it: what a document is filed by, it keeps. */
function typeWith(stored: DocumentDraft, id: string, type: DocumentTypeRules | undefined): DocumentTypeRules {
  const known = type?.indexes ?? []
  const gone = stored.indexes
    .filter((one) => !known.some(({ sequenceNo }) => sequenceNo === one.sequenceNo))
    .map(({ sequenceNo, indexValue }) => ({
      sequenceNo,
      name: `index ${sequenceNo}`,
      attributeId: undefined,
      maxLength: indexValue.length,
      required: false,
    }))
  const indexes = [...known, ...gone].sort((one, other) => one.sequenceNo - other.sequenceNo)
  return { description: '', retentionMonths: undefined, ...type, id, indexes }
}

async function save(tx: Tx, before: FoundDocument, draft: DocumentDraft): Promise<FoundDocument> {
  const { document_id: documentId } = before
  await updateDocument(tx, documentId, draft)
  await putIndexes(tx, documentId, draft.indexes)
  await noteTexts(tx, documentId)
  const after = await findDocument(tx, documentId)
  if (!after) throw new Error('the document is not there after it was changed')
  await writeEntry(tx, {
    entity: ENTITY,
    key: [documentId],
    operation: 'update',
    before: journalTextOf(before),
    after: journalTextOf(after),
  })
  return after
}
