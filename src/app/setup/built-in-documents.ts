import type { Clock } from '../../base/clock.ts'
import { AttributeRelation } from '../../model/records/attribute-relation.ts'
import { AttributeValue } from '../../model/records/attribute-value.ts'
import { Document } from '../../model/records/document.ts'
import { auditEntryDocument } from '../../objects/audit-entries.ts'
import type { DeclaredDocuments } from '../../objects/declared-documents.ts'
import { type EnterpriseDocument, forEachCompany, sameForAll } from '../../objects/enterprise-document.ts'
import { LEDGER, ledgerDocument, SUPPLIERS, withSupplier } from '../../objects/general-ledger-transactions.ts'
import { stateParameters, statesScope } from '../../objects/ledger-states.ts'
import { attributeDocument, companyDocument, valueListDocument } from '../../objects/setup-documents.ts'
import { mentions } from '../../query/mentions.ts'
import { BUILT_IN_KINDS } from '../../records/kinds/built-in.ts'
import { customerDocument } from '../../records/kinds/customer-document.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'

/** The Enterprise Documents that every company has. `custom` is asked each time: a setup may be replaced. */
export function builtInDocuments(
  clock: Clock,
  custom: () => DeclaredDocuments | undefined = () => undefined,
): EnterpriseDocument[] {
  const records = BUILT_IN_KINDS.map(({ documentOf }) => forEachCompany(documentOf))
  return [
    sameForAll(attributeDocument),
    sameForAll(AttributeRelation.document),
    sameForAll(AttributeValue.document),
    sameForAll(auditEntryDocument),
    companies(clock),
    ...records,
    archive,
    ledger(custom),
    sameForAll(valueListDocument, [['is_fallback', 0]]),
  ]
}

/**
 * Lines are associated with the suppliers of the setup, where it declares them. A setup of mirrors may declare the
 * ledger itself, as their ERP system has it.
 */
function ledger(custom: () => DeclaredDocuments | undefined): EnterpriseDocument {
  const lines = forEachCompany((company) => ledgerDocument(customerDocument(company)))
  const declaredLedger = () => custom()?.find(`v${lines.common.version}`, LEDGER)
  return {
    get common() {
      return declaredLedger()?.common ?? lines.common
    },
    of(company) {
      const ledger = declaredLedger()
      if (ledger) return ledger.of(company)
      const documents = custom()
      const declared = documents?.records.get(SUPPLIERS)
      const suppliers = declared && documents?.find(`v${declared.version}`, SUPPLIERS)
      return suppliers ? withSupplier(lines.of(company), suppliers.of(company)) : lines.of(company)
    },
    parameters: stateParameters,
    scopeOf(query) {
      const scope = statesScope(query)
      const { properties } = declaredLedger()?.common ?? lines.common
      return properties.state ? scope : []
    },
  }
}

/** Deleted documents are included only when the caller's filter mentions the status. */
const archive: EnterpriseDocument = {
  ...sameForAll(Document.document),
  scopeOf: (_query, { requestedFilter }) =>
    mentions(requestedFilter, Document.document.properties.status) ? [] : [['is_deleted', 0]],
}

function companies(clock: Clock): EnterpriseDocument {
  const stored = companyDocument({ column: 'current_period' })
  const of = (company: CompanyRules) =>
    company.setPeriod === 0 ? companyDocument({ constant: company.currentPeriod(clock()) }) : stored
  const timeOf = (company: CompanyRules) => (company.setPeriod === 0 ? String(company.currentPeriod(clock())) : '')
  return { common: stored, of, timeOf }
}
