import { readStored } from '../../model/fill-record.ts'
import { Customer } from '../../model/records/customer.ts'
import { ENTITY, schemaFor } from '../../records/customers/customer.ts'
import { rowOf } from '../../store/record-statements.ts'
import type { ChangeKind } from '../change-kind.ts'
import { RELATION_TABLE, relatedRows } from './related-rows.ts'

export const customerKind: ChangeKind = {
  name: Customer.document.name,
  journalEntity: ENTITY,
  document: Customer.document.name,
  keyNames: ['customerId'],
  hasEtag: true,
  showsStamp: true,
  rowOf(company, text, unseen) {
    const customer = readStored(schemaFor(company), text)
    const attributeId = company.customers?.attributeId ?? ''
    const owner = { attributeId, attributeValue: customer.customerId }
    return {
      columns: {
        ...rowOf(Customer.fields, customer),
        company_id: company.id,
        attribute_id: attributeId,
        ...unseen,
      },
      items: { [RELATION_TABLE]: relatedRows(company, owner, customer.relatedValues) },
    }
  },
}
