// A customer is a value of its company's customer attribute (decision 5), and a record of the setup one of the
// attribute that is declared for it: selectable as a related value, describable by the attribute's id, and closed with
// the record.

import { type Kysely, sql } from 'kysely'
import { OPEN_PERIOD_TO } from '../../../model/records/attribute-value.ts'
import type { Placeholder } from '../../../sql/dialect.ts'
import { excluded, statement } from '../../../sql/statement.ts'
import type { Tables } from '../../../sql/tables.ts'
import { writeEntry } from '../../../store/journal/journal.ts'
import type { Tx } from '../../../store/store.ts'

export interface RecordValue {
  readonly attributeId: string
  /** The id of the record. */
  readonly attributeValue: string
  /** The record's name describes the value. */
  readonly description: string
  readonly status: string
}

const VALUE_ENTITY = 'attribute-value'

type Columns = {
  companyId: string
  attributeId: string
  attributeValue: string
  description: string
  status: string
  at: string
  by: string
  changeNo: number
}

const insertion = (db: Kysely<Tables>, p: Placeholder<Columns>) =>
  db.insertInto('attribute_value').values({
    company_id: p('companyId'),
    attribute_id: p('attributeId'),
    attribute_value: p('attributeValue'),
    period_from: sql.lit(0),
    period_to: sql.lit(OPEN_PERIOD_TO),
    description: p('description'),
    owner: sql.lit(''),
    status: p('status'),
    custom_value: sql.lit(0),
    contact_points: sql.lit('[]'),
    updated_at: p('at'),
    updated_by: p('by'),
    change_no: p('changeNo'),
  })

/** For a value that is not there, of which many are inserted at once. */
const insert = statement<Columns>('insert_record_value', (db, p) => insertion(db, p))

const put = statement<Columns>('put_record_value', (db, p) =>
  insertion(db, p).onConflict((conflict) =>
    conflict
      .columns(['company_id', 'attribute_id', 'attribute_value', 'period_from'])
      .doUpdateSet(excluded(['description', 'status', 'updated_at', 'updated_by', 'change_no'])),
  ),
)

/** Updates the value of a changed record, with a separate journal entry. */
export function changeRecordValue(write: Tx, before: RecordValue, after: RecordValue): void {
  if (before.description === after.description && before.status === after.status) return
  const tx = write.nextEntry()
  putRecordValue(tx, before, after, tx.entryNo)
}

/**
 * Creates or updates the value of a record. `tag` is the number of the entry that becomes its last change; `isAbsent`:
 * no such value is there.
 */
export function putRecordValue(
  tx: Tx,
  before: RecordValue | undefined,
  after: RecordValue,
  tag: number,
  isAbsent = false,
): void {
  tx.send(isAbsent ? insert : put, {
    companyId: tx.companyId,
    attributeId: after.attributeId,
    attributeValue: after.attributeValue,
    description: after.description,
    status: after.status,
    at: tx.at,
    by: tx.actor.userId,
    changeNo: tag,
  })
  writeEntry(tx, {
    entity: VALUE_ENTITY,
    key: [after.attributeId, after.attributeValue, 0],
    operation: before ? 'update' : 'create',
    before: before ? journaledText(before) : '',
    after: journaledText(after),
  })
}

function journaledText({ attributeId, attributeValue, description, status }: RecordValue): string {
  return JSON.stringify({ attributeId, attributeValue, periodFrom: 0, description, status })
}
