// The SQL that removes records for good.
import { statement } from '../sql/statement.ts'
import type { ReadTx, Tx } from '../store/store.ts'

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
    .where('document_id', '=', p('documentId')),
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

const removeCustomer = statement<{ companyId: string; customerId: string }>('remove_customer', (db, p) =>
  db.deleteFrom('customer').where('company_id', '=', p('companyId')).where('customer_id', '=', p('customerId')),
)

export function removeCustomerRow(tx: Tx, customerId: string): void {
  tx.send(removeCustomer, { companyId: tx.companyId, customerId })
}

type Value = { companyId: string; attributeId: string; attributeValue: string }

const removeValue = statement<Value & { periodFrom: number }>('remove_attribute_value', (db, p) =>
  db
    .deleteFrom('attribute_value')
    .where('company_id', '=', p('companyId'))
    .where('attribute_id', '=', p('attributeId'))
    .where('attribute_value', '=', p('attributeValue'))
    .where('period_from', '=', p('periodFrom')),
)

export function removeValueRow(tx: Tx, attributeId: string, attributeValue: string, periodFrom: number): void {
  tx.send(removeValue, { companyId: tx.companyId, attributeId, attributeValue, periodFrom })
}

const removeRelations = statement<Value>('remove_relations_of_value', (db, p) =>
  db
    .deleteFrom('attribute_relation')
    .where('company_id', '=', p('companyId'))
    .where('attribute_id', '=', p('attributeId'))
    .where('attribute_value', '=', p('attributeValue')),
)

export function removeRelationRows(tx: Tx, attributeId: string, attributeValue: string): void {
  tx.send(removeRelations, { companyId: tx.companyId, attributeId, attributeValue })
}
