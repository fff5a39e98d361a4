// The SQL that the service itself runs, for the floors to run the same.
import { ledgerDocument } from '../src/objects/documents/general-ledger-transactions.ts'
import { statesScope } from '../src/objects/ledger-states.ts'
import { MAX_LIMIT, readOptions } from '../src/query/options.ts'
import { planCollection } from '../src/query/plan.ts'
import { attributeValueDocument, baseDataOf } from '../src/records/attribute-values/attribute-value-document.ts'
import '../src/records/attribute-values/attribute-value-store.ts'
import '../src/records/customers/customer-store.ts'
import { customerDocument } from '../src/records/customers/customer-document.ts'
import { CompanyRules } from '../src/setup/rules.ts'
import { compileCollection } from '../src/store/compile/compile-query.ts'
import type { Expressions } from '../src/store/compile/expressions.ts'
import { sqliteCompiler } from '../src/store/dialects/sqlite/compiler.ts'
import { sqliteEngine } from '../src/store/dialects/sqlite/engine.ts'
import { sqliteExpressions } from '../src/store/dialects/sqlite/expressions.ts'
import { compileStatement, declaredStatements } from '../src/store/statement.ts'
import type { AnswerForm, CompiledQuery } from '../src/store/store.ts'

/** The text of a fixed statement of the service. */
export function statementText(name: string): string {
  const declared = declaredStatements().find((statement) => statement.name === name)
  if (!declared) throw new Error(`the service has no statement ${name}`)
  return compileStatement(sqliteCompiler, sqliteEngine, declared).text
}

/** The statement of a query string on the values of attribute C1. */
export function collectionQuery(query: string): CompiledQuery {
  const options = readOptions([...new URLSearchParams(query)])
  const plan = planCollection(baseDataOf(attributeValueDocument), {
    ...options,
    limit: options.limit ?? MAX_LIMIT,
  })
  const scope = [
    ['company_id', 'EN'],
    ['attribute_id', 'C1'],
  ] as const
  return compileCollection(plan, scope, sqliteExpressions)
}

const RULES = new CompanyRules({ id: 'EN', name: 'Benchmark' }, [], [], {
  attributeId: 'A4',
  legalValues: { countryCode: { valueList: 'COUNTRY' }, currencyCode: { valueList: 'CURRENCY' } },
})
const customers = customerDocument(RULES)
const ledger = ledgerDocument(customers)

/** The statement of a question to an object endpoint, given as path and query. */
export function documentQuery(
  url: string,
  form: AnswerForm = 'array',
  engine: Expressions = sqliteExpressions,
): CompiledQuery {
  const [path = '', query = ''] = url.split('?')
  const pairs = [...new URLSearchParams(query)]
  const definition = path.endsWith('/customers') ? customers : ledger
  const company = ['company_id', 'EN'] as const
  const scope = definition === ledger ? [company, ...statesScope(pairs)] : [company]
  const plan = planCollection(definition, readOptions(pairs))
  return compileCollection(plan, scope, engine, {
    language: 'EN',
    form,
    cap: form === 'array' ? MAX_LIMIT : undefined,
  })
}
