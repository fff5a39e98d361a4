// The SQL of attribute relations, except the statements shared with related values. Only this file uses the query
// builder.

import { sql } from 'kysely'
import type { Dialect } from '../../store/dialects/dialect.ts'
import { statement } from '../../store/statement.ts'
import type { ReadTx } from '../../store/store.ts'
import type { AttributeRelationTable } from '../../store/tables.ts'
import type { Reading } from '../../store/versions/table-versions.ts'
import type { RelationKey } from '../shared/master-data/relation-store.ts'

type KeyParameters = {
  companyId: string
  attributeId: string
  attributeValue: string
  relatedAttributeId: string
  relationValue: string
}

/** Columns that are not part of the resource and keep their values when the relation changes. */
export type InternalColumns = Pick<AttributeRelationTable, 'relation_id' | 'unit_value' | 'created_no'>

/** The relation as JSON for the single GET, built by the database, and the number of its last journal entry. */
export interface FoundRelation extends InternalColumns {
  readonly body: string
  readonly change_no: number
}

const single = statement<KeyParameters, FoundRelation>(
  'find_attribute_relation',
  (_db, p, engine) => sql`
    select r.change_no, r.relation_id, r.unit_value, r.created_no, ${sql.raw(singleBody(engine))} as body
    from attribute_relation r
    join attribute a on a.company_id = r.company_id and a.attribute_id = r.attribute_id
    join attribute o on o.company_id = r.company_id and o.attribute_id = r.related_attribute_id
    where r.company_id = ${p('companyId')} and r.attribute_id = ${p('attributeId')}
      and r.attribute_value = ${p('attributeValue')} and r.related_attribute_id = ${p('relatedAttributeId')}
      and r.relation_value = ${p('relationValue')}`,
)

function singleBody(engine: Dialect): string {
  return engine.jsonObject([
    ['attributeId', 'r.attribute_id'],
    ['attributeName', 'a.name'],
    ['attributeValue', 'r.attribute_value'],
    ['attributeValueFrom', asInteger('r.attribute_value')],
    ['attributeValueTo', asInteger('r.attribute_value')],
    ['companyId', 'r.company_id'],
    ['dateFrom', 'r.date_from'],
    ['dateTo', 'r.date_to'],
    ['percentage', engine.jsonNumber('r.percentage')],
    ['relatedAttributeId', 'r.related_attribute_id'],
    ['relatedAttributeName', 'o.name'],
    ['relationValue', 'r.relation_value'],
  ])
}

/**
 * SQL for a text as an integer if it is a 64-bit integer of at most 20 characters, else 0 (decision 3). It works on
 * both engines.
 */
function asInteger(text: string): string {
  const isNegative = `substr(${text}, 1, 1) = '-'`
  const magnitude = `case when ${isNegative} then substr(${text}, 2) else ${text} end`
  const digits = `ltrim(${magnitude}, '0')`
  const largest = `case when ${isNegative} then '9223372036854775808' else '9223372036854775807' end`
  const isInteger = `length(${text}) <= 20 and ${magnitude} <> '' and ltrim(${magnitude}, '0123456789') = ''`
  const fits = `(length(${digits}) < 19 or (length(${digits}) = 19 and ${digits} <= ${largest}))`
  return `case when ${isInteger} and ${fits} then cast(${text} as bigint) else 0 end`
}

/** The statements of the single GET. */
export const relationReadings: readonly Reading[] = [single]

/** Returns the relation with this key, or undefined. */
export function findRelation(tx: ReadTx, key: RelationKey): Promise<FoundRelation | undefined> {
  const { attributeId, attributeValue, relatedAttributeId, relationValue } = key
  return tx.first(single, { companyId: tx.companyId, attributeId, attributeValue, relatedAttributeId, relationValue })
}

const overlapping = statement<
  Omit<KeyParameters, 'relationValue'> & { except: string; dateFrom: string; dateTo: string },
  Pick<AttributeRelationTable, 'relation_value'>
>('list_overlapping_relations', (db, p) =>
  db
    .selectFrom('attribute_relation')
    .select('relation_value')
    .where('company_id', '=', p('companyId'))
    .where('attribute_id', '=', p('attributeId'))
    .where('attribute_value', '=', p('attributeValue'))
    .where('related_attribute_id', '=', p('relatedAttributeId'))
    .where('relation_value', '<>', p('except'))
    .where('date_from', '<=', p('dateTo'))
    .where('date_to', '>=', p('dateFrom'))
    .orderBy('date_from')
    .orderBy('relation_value'),
)

interface Validity {
  readonly dateFrom: string
  readonly dateTo: string
}

/** The related values, other than `except`, whose relation to this value overlaps the given validity. */
export async function listOverlaps(
  tx: ReadTx,
  key: RelationKey,
  { dateFrom, dateTo }: Validity,
  except: string,
): Promise<string[]> {
  const { attributeId, attributeValue, relatedAttributeId } = key
  const subject = { companyId: tx.companyId, attributeId, attributeValue, relatedAttributeId }
  return (await tx.all(overlapping, { ...subject, except, dateFrom, dateTo })).map((row) => row.relation_value)
}
