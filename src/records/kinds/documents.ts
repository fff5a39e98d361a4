import { readStored } from '../../model/fill-record.ts'
import { Document, DocumentIndex } from '../../model/records/document.ts'
import { folded } from '../../model/word-parts.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import type { RowState } from '../../sql/rows/given-rows.ts'
import type { ReadTx } from '../../store/store.ts'
import { DELETED_STATUS, ENTITY, REVISION_ENTITY } from '../documents/document.ts'
import { findDocument, journalTextOf } from '../documents/document-store.ts'
import { documentText } from './document-text.ts'
import type { Columns, JournaledKind, JournalKey, RecordText, RemovableKind } from './kind.ts'
import { removeDocument } from './removal-store.ts'

const INDEX_TABLE = 'document_index'

export const documentKind: RemovableKind = {
  name: Document.document.name,
  journalEntity: ENTITY,
  document: Document.document.name,
  record: Document,
  keyNames: ['id'],
  hasEtag: true,
  showsStamp: true,
  showsRelations: false,
  valueBehind: () => undefined,
  find: findText,
  rowOf: documentRow,
  word: 'document',
  partEntity: REVISION_ENTITY,
  remove: (tx, _company, { texts: [id = ''] }) => removeDocument(tx, id),
  // Nothing refers to a document.
  empty: async () => {},
}

/** Who may see a document may see its revisions. */
export const revisionKind: JournaledKind = {
  name: 'document-revisions',
  journalEntity: REVISION_ENTITY,
  document: Document.document.name,
  keyNames: ['id', 'revisionNo'],
  hasEtag: false,
  showsStamp: true,
  showsRelations: false,
  valueBehind: () => undefined,
  find: findText,
  rowOf: documentRow,
}

async function findText(tx: ReadTx, _company: CompanyRules, [id]: JournalKey): Promise<RecordText> {
  const found = await findDocument(tx, String(id))
  return documentText(found ? journalTextOf(found) : '')
}

function documentRow(company: CompanyRules, text: string, unseen: Columns): RowState {
  const document = readStored(Document.schema, text)
  const owner = { company_id: company.id, document_id: document.id }
  return {
    columns: {
      ...rowOf(Document.fields, document),
      company_id: company.id,
      title_key: folded(document.title),
      is_deleted: document.status === DELETED_STATUS ? 1 : 0,
      updated_at: document.lastUpdate.updatedAt,
      updated_by: document.lastUpdate.updatedBy,
      ...unseen,
    },
    items: {
      [INDEX_TABLE]: document.indexes.map((item, place) => ({
        ...rowOf(DocumentIndex.fields, item),
        ...owner,
        place,
        index_key: folded(item.indexValue),
      })),
    },
  }
}
