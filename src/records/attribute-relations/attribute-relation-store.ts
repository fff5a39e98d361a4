// The SQL of attribute relations, except the statements shared with related values. Only this file uses the query
// builder.

import { sql } from 'kysely'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { fromRecord, recordJson } from '../../sql/record-statements.ts'
import { statement, whereEqual } from '../../sql/statement.ts'
import type { AttributeRelationTable } from '../../sql/tables.ts'
import type { ReadTx } from '../../store/store.ts'
import type { Reading } from '../../store/table-versions.ts'
import type { StoredRecord } from '../engine/record-store.ts'
import type { RelationKey } from '../shared/master-data/relation-store.ts'
import type { RecordKey } from '../shared/record-type.ts'

type KeyParameters = Record<keyof RelationKey | 'companyId', string>

/** Columns that are not part of the resource and keep their values when the relation changes. */
export type InternalColumns = Pick<AttributeRelationTable, 'relation_id' | 'unit_value' | 'created_no'>

export interface FoundRelation extends InternalColumns, StoredRecord {}

const single = statement<KeyParameters, FoundRelation>(
  'find_attribute_relation',
  (_db, p, dialect) => sql`
    select ${recordJson(AttributeRelation.fields, dialect, p('companyId'))} as body, m.relation_id, m.unit_value, m.created_no,
      m.change_no
    ${fromRecord(AttributeRelation.document, p('companyId'))}
    where m.company_id = ${p('companyId')} and m.attribute_id = ${p('attributeId')}
      and m.attribute_value = ${p('attributeValue')} and m.related_attribute_id = ${p('relatedAttributeId')}
      and m.relation_value = ${p('relationValue')}`,
)

/** The statements of the single GET. */
export const relationReadings: readonly Reading[] = [single]

/** Returns the relation with this key, or undefined. */
export function findRelation(tx: ReadTx, { texts }: RecordKey): Promise<FoundRelation | undefined> {
  const [attributeId = '', attributeValue = '', relatedAttributeId = '', relationValue = ''] = texts
  return tx.first(single, { companyId: tx.companyId, attributeId, attributeValue, relatedAttributeId, relationValue })
}

const overlapping = statement<
  Omit<KeyParameters, 'relationValue'> & { except: string; dateFrom: string; dateTo: string },
  Pick<AttributeRelationTable, 'relation_value'>
>('list_overlapping_relations', (db, p) =>
  db
    .selectFrom('attribute_relation')
    .select('relation_value')
    .$call(whereEqual(p, 'companyId', 'attributeId', 'attributeValue', 'relatedAttributeId'))
    .where('relation_value', '<>', p('except'))
    .where('date_from', '<=', p('dateTo'))
    .where('date_to', '>=', p('dateFrom'))
    .orderBy('date_from')
    .orderBy('relation_value'),
)

/** The related values, other than `except`, whose relation to this value overlaps the given validity. */
export async function listOverlaps(
  tx: ReadTx,
  {
    attributeId,
    attributeValue,
    relatedAttributeId,
    dateFrom,
    dateTo,
  }: Omit<AttributeRelation, 'attributeValueFrom' | 'attributeValueTo'>,
  except: string,
): Promise<string[]> {
  const subject = { companyId: tx.companyId, attributeId, attributeValue, relatedAttributeId }
  return (await tx.all(overlapping, { ...subject, except, dateFrom, dateTo })).map((row) => row.relation_value)
}
