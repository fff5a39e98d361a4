// The tables found in the text of a statement, compared with those that SQLite reports when it compiles it.

import { constants, DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtInDocuments } from '../../src/app/setup/built-in-documents.ts'
import { migrateToLatest } from '../../src/databases/migrations/migrate.ts'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { rowInsertText as postgresRowInsertText } from '../../src/databases/postgres/sessions/transaction.ts'
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts'
import { addFunctions } from '../../src/databases/sqlite/dialect/functions.ts'
import { addJournalText } from '../../src/databases/sqlite/dialect/journal-text.ts'
import { SchemaDialect, sqliteSchema } from '../../src/databases/sqlite/dialect/schema.ts'
import { rowInsertText as sqliteRowInsertText } from '../../src/databases/sqlite/writing/session.ts'
import { planOf } from '../../src/query/known-plans.ts'
import { compileCollection } from '../../src/sql/compile/compile-query.ts'
import { compileStatement, declaredStatements, type Statement } from '../../src/sql/statement.ts'
import { tablesChangedBy, tablesReadBy } from '../../src/sql/statement-tables.ts'
import { DOCUMENT_TABLES } from '../../src/sql/tables.ts'
import '../../src/app/app.ts'

const db = new DatabaseSync(':memory:')
const touched = { read: new Set<string>(), changed: new Set<string>() }
const CHANGES: ReadonlySet<number> = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
])

/** With lists, descriptions, associations and filters along them. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  'attribute-values': [
    '',
    'select=*,contactPoints,relatedValues,attributeId',
    "filter=contains(description,'a')&orderby=description",
  ],
  'attribute-relations': ['', 'select=*,attributeValue[T],relationValue[C;T]', 'filter=attributeName eq attributeId'],
  attributes: ['', 'select=*'],
  'audit-entries': ['', "filter=entity eq 'customer'&orderby=at desc&limit=5"],
  companies: ['', 'select=*'],
  customers: ['', 'select=*,contactPoints,relatedValues', "filter=relatedValues/any(r: r/relatedValue eq 'x')"],
  'document-archive': ['', 'select=*,indexes'],
  'general-ledger-transactions': [
    '',
    'select=*,customer(*,contactPoints,relatedValues),accountingInformation(account[T])',
    "filter=customer/countryCode eq 'NO'&orderby=customer/customerName desc",
  ],
  'value-list': ['', 'select=*'],
}

beforeAll(async () => {
  addFunctions(db)
  await migrateToLatest(new Kysely<unknown>({ dialect: new SchemaDialect(db) }), sqliteSchema)
  addJournalText(db)
  db.setAuthorizer((action, table) => {
    if (action === constants.SQLITE_READ) touched.read.add(String(table))
    else if (CHANGES.has(action)) touched.changed.add(String(table))
    return constants.SQLITE_OK
  })
})
afterAll(() => db.close())

const all = () => declaredStatements() as readonly Statement<never, unknown>[]
const onSqlite = (one: Statement<never, unknown>) => compileStatement(sqliteDialect, one).text
const onPostgres = (one: Statement<never, unknown>) => compileStatement(postgresDialect, one).text

/** The tables that a statement reads and changes, according to SQLite. */
function tablesIn(text: string): { read: string[]; changed: string[] } {
  touched.read.clear()
  touched.changed.clear()
  db.prepare(text)
  return { read: [...touched.read].sort(), changed: [...touched.changed].sort() }
}

it('names the tables of documents that each statement changes', () => {
  const found = all().filter((one) => tablesChangedBy(onSqlite(one)).length > 0)
  expect(found.length).toBeGreaterThan(20)
  for (const one of all()) {
    const { changed } = tablesIn(onSqlite(one))
    const ofDocuments = changed.filter((table) => DOCUMENT_TABLES.has(table))
    expect({
      name: one.name,
      changed: tablesChangedBy(onSqlite(one)).filter((table) => DOCUMENT_TABLES.has(table)),
    }).toEqual({
      name: one.name,
      changed: ofDocuments,
    })
  }
})

it('names the table that whole rows are added to', () => {
  const columns = [{ name: 'transaction_number', type: 'integer' as const }]
  const target = { table: 'ledger_transaction', columns, key: ['transaction_number'] }
  expect(tablesIn(sqliteRowInsertText(target)).changed).toEqual(['ledger_transaction'])
  expect(tablesChangedBy(sqliteRowInsertText(target))).toEqual(['ledger_transaction'])
  expect(tablesChangedBy(postgresRowInsertText(target))).toEqual(['ledger_transaction'])
})

it('names all tables that each statement reads, or none', () => {
  let named = 0
  for (const one of all()) {
    const { read, changed } = tablesIn(onSqlite(one))
    const tables = tablesReadBy(onSqlite(one))
    if (changed.length > 0 || tables === undefined) continue
    named += 1
    const known = read.filter((table) => !table.startsWith('json_'))
    expect({ name: one.name, tables }).toEqual({ name: one.name, tables: expect.arrayContaining(known) })
  }
  expect(named).toBeGreaterThan(15)
})

it('finds the same on PostgreSQL', () => {
  for (const one of all()) {
    // The search text is a column on PostgreSQL, and a table on SQLite.
    const [here, there] = [onSqlite(one), onPostgres(one)]
    if (here.includes('document_words') || tablesIn(here).changed.length > 0) continue
    expect([one.name, tablesReadBy(there)]).toEqual([one.name, tablesReadBy(here)])
  }
  for (const one of all()) {
    const [here, there] = [tablesChangedBy(onSqlite(one)), tablesChangedBy(onPostgres(one))]
    expect([one.name, there]).toEqual([one.name, here.includes('document_words') ? ['document_text'] : here])
  }
})

it.each(Object.entries(QUESTIONS))('names all tables that queries of %s read', (name, questions) => {
  const document = builtInDocuments(() => new Date()).find(({ common }) => common.name === name)
  if (!document) throw new Error(`there is no document ${name}`)
  for (const question of questions) {
    const { plan } = planOf(document.common, [...new URLSearchParams(question)])
    const { text } = compileCollection(plan, [['company_id', 'EN']], sqliteDialect)
    const known = tablesIn(text).read.filter((table) => !table.startsWith('json_'))
    expect([text, tablesReadBy(text)]).toEqual([text, known])
  }
})

it.each([
  ['select 1 from "customer" t left join "value_list" r1 on 1 = 1', ['customer', 'value_list']],
  ["select 'from secret' from customer", ['customer']],
  [
    'with keys as (select 1 from customer), more as materialized (select 2 from relation) select * from keys join more',
    ['customer', 'relation'],
  ],
  ['select 1 from json_each(t."x") i1 join own_orders o', ['own_orders']],
  ['select 1 from customer join erp.job j', undefined],
  ['select 1 from "erp"."customer" c', undefined],
  ['select 1 from setup_item', undefined],
])('reads %s', (text, tables) => {
  expect(tablesReadBy(text)).toEqual(tables)
})

it('finds the entries of a key by the index on keys, whatever else is asked of them', () => {
  const byKey = all()
    .map(onSqlite)
    .filter((text) => /\brecord_key"? (=|>=|in) /.test(text) && text.includes('journal_entry'))
  expect(byKey.length).toBeGreaterThan(3)
  for (const text of byKey.filter((one) => !/^\s*(insert|update)/i.test(one))) {
    const plan = db.prepare(`explain query plan ${text}`).all()
    const found = plan
      .map(({ detail }) => String(detail))
      .filter((detail) => /\bjournal_entry |(SEARCH|SCAN) [et] /.test(detail))
    expect([text, found]).toEqual([text, [expect.stringContaining('USING INDEX journal_entry_record (')]])
  }
})
