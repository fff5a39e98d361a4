import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { RelatedValue } from '../../model/records/related-value.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { rowOf } from '../../sql/record-statements.ts'
import type { Columns, ValueName } from './kind.ts'

export const RELATION_TABLE = AttributeRelation.document.table

/** The rows behind the related values of a record, which keep the order of the list. */
export function relatedRows(company: CompanyRules, owner: ValueName, items: readonly RelatedValue[]): Columns[] {
  return items.map((item, index) => ({
    ...rowOf(RelatedValue.fields, item),
    company_id: company.id,
    attribute_id: owner.attributeId,
    attribute_value: owner.attributeValue,
    related_attribute_id: company.relationById(item.relationId)?.relatedAttributeId ?? '',
    created_no: index + 1,
  }))
}
