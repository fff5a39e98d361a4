// How single documents are read, changed and deleted.
import { joinedObjects } from '../../base/text.ts'
import { Findings } from '../../errors/findings.ts'
import { readStored, withDefaults } from '../../model/fill-record.ts'
import { Document } from '../../model/records/document.ts'
import type { GivenOf } from '../../model/schema.ts'
import { patchRules } from '../../patch/rules.ts'
import type { DocumentTypeRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import { checkLengths } from '../shared/check-lengths.ts'
import type { RecordType } from '../shared/record-type.ts'
import { required } from '../shared/required-field.ts'
import { checkIndexValues, checkSequenceNumbers, completeIndexes } from './check-indexes.ts'
import { DELETED_STATUS, DocumentDraft, documentIsDeleted, documentNotFound, ENTITY } from './document.ts'
import { documentAccess, keyFilterOf } from './document-access.ts'
import {
  closeDocument,
  type FoundDocument,
  findDocument,
  journalTextOf,
  putIndexes,
  updateDocument,
} from './document-store.ts'
import { reindex, removeFromIndex } from './text-store.ts'

type GivenDraft = GivenOf<typeof DocumentDraft>

/** Found documents are not redacted, because their contents are streamed between their members. */
export const documentRecord: RecordType<FoundDocument, DocumentDraft> = {
  access: documentAccess,
  keyOf: (_company, texts) => ({ texts, stored: texts }),
  filterOf: ({ texts: [id = ''] }) => keyFilterOf(id),
  find: (tx, _company, { texts: [id = ''] }) => findDocument(tx, id),
  readings: () => [],
  notFound: (company, [id = '']) => documentNotFound(company.id, id),
  redacted: (_access, found) => found,
  journalRanges: ({ stored }) => [{ entity: ENTITY, firstParts: stored }],
  /** Read-only members exist, but are refused like unknown ones. */
  schema: () => Document.schema,
  patchRules: patchRules(Document.fields),
  /** An illegal value is 422 and an illegal path 400; if both occur, the status is 422 (decision 1). */
  patchStatus: (failures) => (failures.some(({ code }) => code === 4030 || code === 3010) ? 422 : 400),
  stored(_company, { document_id, before, after, is_deleted }) {
    if (is_deleted) throw documentIsDeleted(document_id)
    return readStored(DocumentDraft, joinedObjects(before, after))
  },
  draftOf: (_company, given) => withDefaults(DocumentDraft, given),

  async check({ tx, company, access, found, stored, given, draft }) {
    const findings = new Findings()
    const type = typeWith(stored, found.doc_type, company.documentTypes.get(found.doc_type))
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
  },

  async save({ tx, found, draft }) {
    const { document_id: documentId } = found
    await updateDocument(tx, documentId, draft)
    await putIndexes(tx, documentId, draft.indexes)
    await reindex(tx, documentId)
    const after = await findDocument(tx, documentId)
    if (!after) throw new Error('the document cannot be found after its update')
    const entry = { entity: ENTITY, key: [documentId], operation: 'update' } as const
    writeEntry(tx, { ...entry, before: journalTextOf(found), after: journalTextOf(after) })
    return after
  },

  /** Removes the document from every list; it stays readable by its id with status T (decision 4). */
  async remove({ tx, found }) {
    if (!found.is_deleted) await removeFromLists(tx, found)
  },
}

export async function removeFromLists(tx: Tx, found: FoundDocument): Promise<void> {
  const { document_id: documentId } = found
  await closeDocument(tx, documentId, DELETED_STATUS)
  await removeFromIndex(tx, documentId)
  const after = await findDocument(tx, documentId)
  const entry = { entity: ENTITY, key: [documentId], operation: 'delete' } as const
  writeEntry(tx, { ...entry, before: journalTextOf(found), after: after ? journalTextOf(after) : '' })
}

/** Checks that every written index has a value. An optional one is cleared by `remove` or by omitting it. */
function checkGiven({ indexes = [] }: GivenDraft, stored: DocumentDraft, findings: Findings): void {
  for (const [position, { sequenceNo, indexValue }] of indexes.entries()) {
    const numberPath = ['indexes', position, 'sequenceNo']
    // A number that is left out has been filled with 0, which no index has.
    if (!sequenceNo) findings.add(numberPath, 1010, required(numberPath))
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
