import type { Clock } from '../base/clock.ts'
import { AttributeRelation } from '../model/records/attribute-relation.ts'
import { AttributeValue } from '../model/records/attribute-value.ts'
import { Document } from '../model/records/document.ts'
import { attributeDocument } from '../objects/documents/attributes.ts'
import { auditEntryDocument } from '../objects/documents/audit-entries.ts'
import { companyDocument } from '../objects/documents/companies.ts'
import { ledgerDocument } from '../objects/documents/general-ledger-transactions.ts'
import { valueListDocument } from '../objects/documents/value-list.ts'
import { type EnterpriseDocument, forEachCompany, sameForAll } from '../objects/enterprise-document.ts'
import { stateParameters, statesScope } from '../objects/ledger-states.ts'
import { mentions } from '../query/mentions.ts'
import { customerDocument } from '../records/customers/customer-document.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'

/** The Enterprise Documents that every company has. */
export function builtInDocuments(clock: Clock): EnterpriseDocument[] {
  const customers = forEachCompany(customerDocument)
  return [
    sameForAll(attributeDocument),
    sameForAll(AttributeRelation.document),
    sameForAll(AttributeValue.document),
    sameForAll(auditEntryDocument),
    companies(clock),
    customers,
    archive,
    {
      ...forEachCompany((company) => ledgerDocument(company ? customers.of(company) : customers.common)),
      parameters: stateParameters,
      scopeOf: statesScope,
    },
    sameForAll(valueListDocument, [['is_fallback', 0]]),
  ]
}

/** Deleted documents are included only when the caller's filter mentions the status. */
const archive: EnterpriseDocument = {
  ...sameForAll(Document.document),
  scopeOf: (_query, { askedFilter }) =>
    mentions(askedFilter, Document.document.properties.status) ? [] : [['is_deleted', 0]],
}

function companies(clock: Clock): EnterpriseDocument {
  const stored = companyDocument({ column: 'current_period' })
  const of = (company: CompanyRules) =>
    company.setPeriod === 0 ? companyDocument({ constant: company.currentPeriod(clock()) }) : stored
  const timeOf = (company: CompanyRules) => (company.setPeriod === 0 ? String(company.currentPeriod(clock())) : '')
  return { common: stored, of, timeOf }
}
