// Every statement there is, fixed and compiled from random questions, on both databases: each reference to a table of
// records has the company as a parameter or literal of its own. On a distributed database it is then asked of one node.
// (External tables are left out: they have a column of their own for the company, and no node.)
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { builtInDocuments } from '../../src/app/setup/built-in-documents.ts'
import '../../src/app/app.ts'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts'
import type { DocumentDefinition, Properties, Property } from '../../src/model/document.ts'
import { associatedWith, restricted } from '../../src/model/restricted.ts'
import { unfolded } from '../../src/model/unfolded.ts'
import { withSupplier } from '../../src/objects/general-ledger-transactions.ts'
import { QueryError } from '../../src/query/parse/query-error.ts'
import { findPage } from '../../src/records/documents/find-page.ts'
import { declaredRecordsOf } from '../../src/setup/rules/declared-record.ts'
import type { Dialect } from '../../src/sql/dialect.ts'
import type { CompiledQuery } from '../../src/sql/rows/compiled-query.ts'
import { compileStatement, declaredStatements } from '../../src/sql/statement.ts'
import { TABLE_NAMES } from '../../src/sql/tables.ts'
import { INTERNAL_CALLER, type Store } from '../../src/store/store.ts'
import { SERVICE_WIDE, tablesWithoutCompany } from '../support/company-predicates.ts'
import { compiledTexts, planOf, type Question } from '../support/compiled-texts.ts'
import { queriesOf, type RandomQuery } from '../support/random-query.ts'
import { SEED, triesOf } from '../support/reliability-test.ts'
import { setupStatementTexts } from '../support/setup-statement-texts.ts'

const RUNS = triesOf({ smoke: 10, long: 25, full: 25 }) * Number(process.env.FUZZ_RUNS ?? 1)

const recordsIn = (fixture: string) =>
  declaredRecordsOf(parse(readFileSync(`test/fixtures/${fixture}.yaml`, 'utf8')).documents)
const OWN = recordsIn('own-records')
const ORDERS = recordsIn('order-lines')
const orders = ORDERS.get('purchase-orders')?.record.document as DocumentDefinition
const own = (name: string) => OWN.get(name)?.record.document as DocumentDefinition
const builtIn = builtInDocuments(() => new Date()).map(({ common }) => common)
const named = (name: string) => builtIn.find((one) => one.name === name) as DocumentDefinition
const ledger = withSupplier(named('general-ledger-transactions'), own('suppliers'))

/** With a text index, as a setup may declare one. */
const indexed = (definition: DocumentDefinition, column: string): DocumentDefinition => ({
  ...definition,
  name: `${definition.name} with a text index`,
  textIndexes: [{ name: 'setup_text_x', column, key: ['attribute_id', 'attribute_value', 'period_from'] }],
})

/** Seen through rules of a role: of its own rows, and of those that it is associated with. */
function ruled(definition: DocumentDefinition): DocumentDefinition {
  const rule = { filters: ["lastUpdated/updatedBy eq 'me'"], hidden: new Set<string>() }
  const rules = new Map([definition.name, ...associatedWith(definition)].map((name) => [name, rule]))
  return { ...restricted(definition, rules), name: `${definition.name} of a role` }
}

const lists = (definition: DocumentDefinition) =>
  Object.keys(definition.properties).flatMap((name) => unfolded(definition, name) ?? [])

const DOCUMENTS: readonly DocumentDefinition[] = [
  ...builtIn.filter((one) => one.name !== ledger.name),
  ledger,
  ...[...OWN.values()].map(({ record }) => record.document),
  orders,
  indexed(named('attribute-values'), 'description'),
  ...[ledger, own('suppliers'), own('contracts'), named('attribute-values'), named('audit-entries'), orders].map(ruled),
  ...[named('customers'), named('attribute-values'), named('document-archive'), own('suppliers')].flatMap(lists),
]

/** The path of each property whose codes are described. */
function groupPaths(properties: Properties, before = ''): string[] {
  return Object.entries(properties).flatMap(([name, property]): string[] => {
    if (property.kind === 'group') return groupPaths(property.properties, `${before}${name}/`)
    const isDescribed = property.kind === 'value' && property.codes && !('attributeIdIn' in property.codes)
    return isDescribed ? [`${before}${name}[C;T]`] : []
  })
}

/** What random questions may name: associations lead back to where they come from. */
function askable(properties: Properties, depth = 2): Properties {
  const all = Object.entries(properties).flatMap(([name, property]): [string, Property][] => {
    if (property.kind === 'value') return property.filterable ? [[name, property]] : []
    if (property.kind !== 'association') {
      const inside = askable(property.properties, depth)
      return Object.keys(inside).length > 0 ? [[name, { ...property, properties: inside }]] : []
    }
    const { document } = property
    if (depth === 0) return []
    return [[name, { ...property, document: { ...document, properties: askable(document.properties, depth - 1) } }]]
  })
  return Object.fromEntries(all)
}

/** All of a document, groups of it, and random ones. */
function questionsOf(definition: DocumentDefinition): Question[] {
  const { properties, textIndexes } = definition
  const random = fc.sample(queriesOf(askable(properties), []), { numRuns: RUNS, seed: SEED })
  const groups = groupPaths(properties).map((groupby) => ({ groupby, aggregate: 'count() as number' }))
  const all = Object.entries(properties).map(([name, { kind }]) => (kind === 'association' ? `${name}(*)` : name))
  const sought = textIndexes ? [{ filter: "contains(description,'harbour')" }] : []
  return [
    { select: all.join(','), limit: '10', offset: '500' },
    { aggregate: 'count() as number' },
    ...groups,
    ...sought,
    ...random.map(asTexts).filter((question) => isLegal(definition, question)),
  ]
}

function asTexts({ offset, limit = 100, ...texts }: RandomQuery): Question {
  const given = Object.entries({ ...texts, offset: String(offset), limit: String(limit) })
  return Object.fromEntries(given.filter(([, text]) => text !== ''))
}

/** A random question may ask of a list inside itself. */
function isLegal(definition: DocumentDefinition, question: Question): boolean {
  try {
    return planOf(definition, question) !== undefined
  } catch (error) {
    if (error instanceof QueryError) return false
    throw error
  }
}

/** What is wrong with some texts, each once. */
function wrongIn(texts: Iterable<string>): string[] {
  return [...new Set(texts)].flatMap((text) => tablesWithoutCompany(text).map((table) => `${table} in ${text}`))
}

const DIALECTS = [
  ['SQLite', sqliteDialect],
  ['PostgreSQL', postgresDialect],
] as const

describe.each(DIALECTS)('On %s the company is a parameter or literal of each table', (_name, dialect) => {
  it('in every declared statement', () => {
    const texts = declaredStatements().map((one) => compileStatement(dialect, one).text)
    expect(texts.length).toBeGreaterThan(150)
    expect(wrongIn(texts)).toEqual([])
  })

  it("in every statement on the table of a setup's document", async () => {
    const statements = await setupStatementTexts(new Map([...ORDERS, ...OWN]), dialect)
    const kinds = new Set(statements.map(({ name }) => name.replace(/_(?:in_)?own_.*$/, '')))
    expect([...kinds].sort()).toMatchInlineSnapshot(`
      [
        "find",
        "find_contract",
        "find_contract_id_of",
        "find_contract_no_of",
        "find_currency_code_of",
        "find_order",
        "find_order_no_of",
        "find_parent",
        "find_place",
        "find_place_id_of",
        "find_project",
        "find_project_id_of",
        "find_shipment",
        "find_supplier",
        "find_supplier_id_of",
        "find_tag_of",
        "find_whole",
        "has",
        "insert",
        "list",
        "list_lines_of",
        "list_open_lines_of",
        "list_present",
        "remove",
        "touch_owner_of",
        "touch_related",
        "touch_related_customer",
        "touch_related_value",
        "update",
      ]
    `)
    expect(wrongIn(statements.map(({ text }) => text))).toEqual([])
  })

  it.each(DOCUMENTS.map((one) => [one.name, one] as const))(
    `in whatever questions of %s are compiled to (TABULARIUM_SEED=${SEED})`,
    async (_document, definition) => {
      const compiled = questionsOf(definition).map((one) => compiledTexts(definition, one, dialect))
      const texts = new Set((await Promise.all(compiled)).flat())
      expect(texts.size).toBeGreaterThan(20)
      expect(wrongIn(texts)).toEqual([])
    },
  )

  it('in the pages of the document list', async () => {
    const texts = await pageTexts(dialect)
    expect(texts.length).toBeGreaterThanOrEqual(3)
    expect(wrongIn(texts)).toEqual([])
  })
})

/** A store that takes down what it is asked. */
async function pageTexts(dialect: Dialect): Promise<string[]> {
  const texts: string[] = []
  const take = ({ text, scanEstimate }: CompiledQuery) => texts.push(text, scanEstimate?.edge(10).text ?? text)
  const store = {
    collect: async (_company: string, query: { compile(engine: Dialect, form: string): CompiledQuery }) => {
      for (const form of ['array', 'rows']) take(query.compile(dialect, form))
      return { content: '[]', changeNumber: 0 }
    },
    count: async (_company: string, query: { compile(engine: Dialect): CompiledQuery }) => {
      take(query.compile(dialect))
      return { content: 0, changeNumber: 0 }
    },
  } as unknown as Store
  const archive = ruled(named('document-archive'))
  const word = { word: 'harbour', isPrefix: true }
  const search = [word]
  const asked = { docType: 'A', title: 'a', indexes: ['1', '2', '3', '4', '5', '6', '7'], id: 'x', search, archive }
  await findPage(store, 'EN', asked, { start: 1, limit: 1 }, INTERNAL_CALLER)
  return texts
}

describe('The check', () => {
  it.each([
    ['select * from customer where customer_id = ?', 'customer customer'],
    ['select 1 from customer where company_id = ? or status = ?', 'customer customer'],
    ['select 1 from customer where not (company_id = ?)', 'customer customer'],
    ['select 1 from customer c where (c.company_id = ? or 1 = 1)', 'customer c'],
    ['select 1 from customer c join relation r on r.company_id = c.company_id where c.company_id = ?1', 'relation r'],
    ['select 1 from customer c left join relation r on c.company_id = ?1 where r.company_id = ?1', 'customer c'],
    ['select 1 from customer c, relation r where r.company_id = ?1', 'customer c'],
    [
      'select (select title from value_list where company_id = c.company_id) from customer c where c.company_id = $1',
      'value_list value_list',
    ],
    [
      'select 1 from "customer" t where "t"."company_id" = ($1::text) and exists (select 1 from document d where d.document_id = t.x)',
      'document d',
    ],
    ['with x as (select 1 from customer) select 1 from x', 'customer customer'],
    ['select 1 from customer where company_id = ? union all select 1 from customer', 'customer customer'],
    ['update document set title = ? where document_id = ?', 'document document'],
    ['update customer set company_id = ? where customer_id = ?', 'customer customer'],
    ['delete from "document" where "document_id" = $1', 'document document'],
    ['insert into document (document_id, company_id) values (?, (select 1))', 'document document'],
    ['insert into document (company_id) select company_id from customer where company_id = ?', 'document document'],
    ['insert into document (company_id) select ?1 from customer', 'customer customer'],
    ['select 1 from own_orders o where o.order_no = ?', 'own_orders o'],
    ['select 1 from no_known_table n where n.company_id = ?', 'no_known_table n'],
  ])('finds what is wrong in %s', (text, found) => {
    expect(tablesWithoutCompany(text)).toEqual([found])
  })

  it.each([
    'select 1 from customer where company_id = ?',
    "select 1 from customer c left join relation r on r.company_id = 'EN' and r.x = c.x where c.company_id = $1",
    'select 1 from customer as c, relation r where c.company_id = ?1 and (r.x = 1 or r.y = 2) and r.company_id = ?1',
    'with x(a) as (select 1 from customer where company_id = ?) select 1 from x, json_each(x.a) j',
    'insert into document (document_id, company_id) values ($1, $2) on conflict do nothing returning company_id',
    'insert into document (company_id, x) select ?1, coalesce(max(x), 0) + 1 from document where company_id = ?1',
    'select 1 from setup_item',
  ])('finds nothing wrong in %s', (text) => {
    expect(tablesWithoutCompany(text)).toEqual([])
  })

  it('knows each table that is of the service as a whole, and none that is not there', () => {
    const others = Object.keys(SERVICE_WIDE).filter((name) => !TABLE_NAMES.includes(name))
    expect(others).toEqual(['answer', 'document_words', 'pragma_table_info'])
  })
})
