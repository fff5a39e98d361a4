// The text of a statement: the same for every query of one shape, with nothing in it of what a caller wrote.

import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { firstColumn, prepareArrays } from '../../src/databases/sqlite/dialect/connection.ts'
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts'
import { type DocumentDefinition, group, value } from '../../src/model/document.ts'
import { AttributeValue } from '../../src/model/records/attribute-value.ts'
import { readOptions } from '../../src/query/options.ts'
import { planCollection } from '../../src/query/plan.ts'
import { compileCollection } from '../../src/sql/compile/compile-query.ts'

const ENGINES = [
  ['SQLite', sqliteDialect],
  ['PostgreSQL', postgresDialect],
] as const

const compiled = (options: Record<string, string>, company: string, engine: (typeof ENGINES)[number][1]) =>
  compileCollection(
    planCollection(AttributeValue.document, readOptions(Object.entries(options))),
    [['company_id', company]],
    engine,
  )

it.each(ENGINES)('is the same on %s whatever the literals, the company and the page', (_name, engine) => {
  const one = { filter: "startswith(owner,'Xq1') and periodFrom in (7001,7002)", limit: '7003', offset: '7004' }
  const other = { filter: "STARTSWITH( OWNER , 'z''; --' )AND  PeriodFrom IN(1,2)", top: '1', skip: '0' }
  const first = compiled(one, 'Xq2', engine)
  expect(compiled(other, 'EN', engine).text).toBe(first.text)
  expect(first.text).not.toMatch(/Xq|700/)
  // The end of the range that starts at Xq1 is Xq2, like the company.
  expect(first.parameters).toEqual(['Xq2', 'Xq1', 'Xq2', 7001, 7002, 7003, 7004])
})

it('joins a table only where a query needs it', () => {
  for (const [, engine] of ENGINES) {
    const plain = compiled({ select: 'description', filter: "status eq 'N'" }, 'EN', engine)
    expect(plain.text).not.toContain('join')
    const second = compiled({ select: 'description', orderby: 'ownerAttributeName' }, 'EN', engine)
    expect(second.text.match(/left join/g)).toHaveLength(2)
  }
})

it('keeps names of a definition names, whatever stands in them', () => {
  const odd: DocumentDefinition = {
    name: 'odd',
    version: 1,
    description: '',
    table: 'o"dd',
    companyColumn: 'company_id',
    joins: {},
    key: ["it's"],
    properties: { "it's": value('string', 'a"b'), 'say "g"': group({ "x'": value('integer', 'select') }) },
  }
  const sqlite = new DatabaseSync(':memory:')
  sqlite.exec(`create table "o""dd" (company_id text, "a""b" text, "select" integer)`)
  sqlite.exec(`insert into "o""dd" values ('EN', 'v', 5)`)
  const plan = planCollection(odd, readOptions([]))
  const { text, parameters } = compileCollection(plan, [['company_id', 'EN']], sqliteDialect)
  const body = firstColumn(prepareArrays(sqlite, text), parameters)
  expect(JSON.parse(String(body))).toEqual([{ "it's": 'v', 'say "g"': { "x'": 5 } }])
  const onPostgres = compileCollection(plan, [['company_id', 'EN']], postgresDialect)
  expect(onPostgres.text).toContain('t."a""b" as "it\'s"')
  expect(onPostgres.text).toContain('as "say ""g"""')
})
