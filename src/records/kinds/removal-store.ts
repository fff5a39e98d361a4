// The SQL that removes records for good, or the values of those that stay.
import { sql } from 'kysely'
import { statement } from '../../sql/statement.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import type { ValueName } from './kind.ts'

type DocumentKey = { companyId: string; documentId: string }

/** A content of a removed document, once for each revision that had it. */
export interface FormerContent {
  readonly file_hash: string
  readonly doc_size: number
}

const contentsOf = statement<DocumentKey, FormerContent>('list_document_contents', (db, p) =>
  db
    .selectFrom('document_revision')
    .select(['file_hash', 'doc_size'])
    .where('company_id', '=', p('companyId'))
    .where('document_id', '=', p('documentId'))
    // A mirror may not have fetched it.
    .where('file_hash', '<>', sql.lit('')),
)

export function listContents(tx: ReadTx, documentId: string): Promise<FormerContent[]> {
  return tx.all(contentsOf, { companyId: tx.companyId, documentId })
}

const DOCUMENT_TABLES = ['document_index', 'document_revision', 'document_text', 'document'] as const

const removeDocument = DOCUMENT_TABLES.map((table) =>
  statement<DocumentKey>(`remove_rows_of_${table}`, (db, p) =>
    db.deleteFrom(table).where('company_id', '=', p('companyId')).where('document_id', '=', p('documentId')),
  ),
)

/** Removes the rows of a document; its words must have left the word index before. */
export function removeDocumentRows(tx: Tx, documentId: string): void {
  for (const one of removeDocument) tx.send(one, { companyId: tx.companyId, documentId })
}

type Value = { companyId: string; attributeId: string; attributeValue: string }

const removeRelations = statement<Value>('remove_relations_of_value', (db, p) =>
  db
    .deleteFrom('attribute_relation')
    .where('company_id', '=', p('companyId'))
    .where('attribute_id', '=', p('attributeId'))
    .where('attribute_value', '=', p('attributeValue')),
)

export function removeRelationRows(tx: Tx, value: ValueName): void {
  tx.send(removeRelations, { companyId: tx.companyId, ...value })
}

const emptyValue = statement<Value & { description: string; at: string; by: string; changeNo: number }>(
  'empty_attribute_value',
  (db, p) =>
    db
      .updateTable('attribute_value')
      .set({
        description: p('description'),
        owner: sql.lit(''),
        custom_value: sql.lit(0),
        contact_points: sql.lit('[]'),
        status: sql.lit('C'),
        updated_at: p('at'),
        updated_by: p('by'),
        change_no: p('changeNo'),
      })
      .where('company_id', '=', p('companyId'))
      .where('attribute_id', '=', p('attributeId'))
      .where('attribute_value', '=', p('attributeValue')),
)

/** In the place of texts that a record must have. */
export const ERASED_TEXT = '(erased)'

/** Empties and closes all periods of a value, and removes its relations. */
export function emptyPeriods(tx: Tx, value: ValueName): void {
  const stamp = { at: tx.at, by: tx.actor.userId, changeNo: tx.entryNo }
  tx.send(emptyValue, { companyId: tx.companyId, ...value, description: ERASED_TEXT, ...stamp })
  removeRelationRows(tx, value)
}
