// The queries of the plan tests, compiled: every document with the scope that its endpoint adds.
import type { DocumentDefinition } from '../../../src/model/document.ts'
import { AttributeRelation } from '../../../src/model/records/attribute-relation.ts'
import { AttributeValue } from '../../../src/model/records/attribute-value.ts'
import { Document } from '../../../src/model/records/document.ts'
import { auditEntryDocument } from '../../../src/objects/audit-entries.ts'
import { ledgerDocument } from '../../../src/objects/general-ledger-transactions.ts'
import { statesScope } from '../../../src/objects/ledger-states.ts'
import { attributeDocument, companyDocument, valueListDocument } from '../../../src/objects/setup-documents.ts'
import { type CollectionOptions, MAX_LIMIT, readOptions } from '../../../src/query/options.ts'
import { planCollection } from '../../../src/query/plan.ts'
import { customerDocument } from '../../../src/records/kinds/customer-document.ts'
import type { DocumentSetup } from '../../../src/setup/file/setup-schema.ts'
import { declaredDefinition } from '../../../src/setup/rules/external-document.ts'
import { CompanyRules } from '../../../src/setup/rules/rules.ts'
import { compileCollection, compileCount } from '../../../src/sql/compile/compile-query.ts'
import type { Dialect } from '../../../src/sql/dialect.ts'
import type { CompiledQuery, KeyFilter } from '../../../src/sql/rows/compiled-query.ts'
import type { PlanQuery } from './queries.ts'

export const ORDERS: DocumentSetup = {
  name: 'orders',
  properties: {
    companyId: { type: 'string' },
    orderNo: { type: 'integer' },
    customerId: { type: 'string' },
  },
  key: ['companyId', 'orderNo'],
}

const customers = customerDocument(
  new CompanyRules({ id: 'EN', name: 'Company' }, [], [], {
    attributeId: 'A4',
    legalValues: { countryCode: { valueList: 'LIST1' } },
  }),
)

export const DOCUMENTS: Readonly<Record<string, { definition: DocumentDefinition; scope?: KeyFilter }>> = {
  attributes: { definition: attributeDocument },
  'attribute-relations': { definition: AttributeRelation.document },
  'attribute-values': { definition: AttributeValue.document },
  'audit-entries': { definition: auditEntryDocument },
  companies: { definition: companyDocument({ column: 'current_period' }) },
  customers: { definition: customers },
  'document-archive': { definition: Document.document, scope: [['is_deleted', 0]] },
  ledger: { definition: ledgerDocument(customers) },
  orders: { definition: declaredDefinition(ORDERS) },
  'value-list': { definition: valueListDocument, scope: [['is_fallback', 0]] },
}

const LIMIT = 50

export function compiled(query: PlanQuery, company: string, expressions: Dialect): CompiledQuery {
  const { document, states, isCount, visits: _visits, postgres: _postgres, ...options } = query
  const { definition, scope = [] } = DOCUMENTS[document] ?? { definition: attributeDocument }
  const stated = states ? statesScope(states.map((state) => [state, 'true'])) : []
  const whole: KeyFilter = [[definition.companyColumn, company], ...stated, ...scope]
  const pairs = Object.entries({ limit: LIMIT, ...options }).map(([name, value]) => [name, String(value)] as const)
  const plan = planCollection(definition, readOptions(pairs as never) as CollectionOptions)
  return isCount
    ? compileCount(definition, plan.filter, whole, expressions)
    : compileCollection(plan, whole, expressions, { language: 'EN', cap: MAX_LIMIT })
}
