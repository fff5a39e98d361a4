// T4: every declared statement restricts each table of records that it uses to a company. (Statements that are built
// from queries are recorded while T2 runs.)

import { expect, it } from 'vitest'
import { postgresDialect } from '../../../src/databases/postgres/dialect/dialect.ts'
import { sqliteDialect } from '../../../src/databases/sqlite/dialect/dialect.ts'
import '../../../src/app/app.ts'
import { compileStatement, declaredStatements } from '../../../src/sql/statement.ts'
import { tablesWithoutCompany } from '../../support/company-predicates.ts'

it.each([
  ['sqlite', sqliteDialect],
  ['postgres', postgresDialect],
] as const)('T4 every declared statement is restricted to a company on %s', async (_kind, dialect) => {
  const declared = declaredStatements()
  expect(declared.length).toBeGreaterThan(50)
  const wrong = declared.flatMap((statement) => {
    const { text } = compileStatement(dialect, statement)
    return tablesWithoutCompany(text).map((table) => `${statement.name}: ${table} in ${text}`)
  })
  expect(wrong).toEqual([])
})

it('T4 finds a table that is not restricted to a company', () => {
  const wrong = (sql: string) => tablesWithoutCompany(sql)
  expect(wrong('select * from customer where customer_id = ?')).toEqual(['customer customer'])
  expect(wrong('select * from "customer" as "c" where "c"."company_id" = $1')).toEqual([])
  expect(wrong('select * from customer c join relation r on r.relation_id = c.x where c.company_id = ?')).toEqual([
    'relation r',
  ])
  expect(
    wrong('select * from customer c join relation r on r.company_id = c.company_id where c.company_id = ?'),
  ).toEqual(['relation r'])
  expect(wrong('select * from customer c join relation r on r.company_id = ?1 where c.company_id = ?1')).toEqual([])
  expect(wrong('select * from customer c join relation r on r.company_id = c.company_id')).toEqual([
    'customer c',
    'relation r',
  ])
  expect(
    wrong("select (select title from value_list where name = 'x') from customer c where c.company_id = ?"),
  ).toEqual(['value_list value_list'])
  expect(
    wrong(
      'select (select title from value_list where company_id = c.company_id) from customer c where c.company_id = ?',
    ),
  ).toEqual(['value_list value_list'])
  expect(wrong('select 1 from document d, customer c where d.company_id = ?')).toEqual(['customer c'])
  expect(wrong('delete from document where document_id = $1')).toEqual(['document document'])
  expect(wrong('update document set title = ? where company_id = ? and document_id = ?')).toEqual([])
  expect(wrong('select 1 from customer where company_id = ? union select 1 from customer')).toEqual([
    'customer customer',
  ])
})
