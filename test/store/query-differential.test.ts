// Random filters, selections, orders and pages: the same answer from a plain evaluator, from SQLite and from
// PostgreSQL.

import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { firstColumn, prepareArrays } from '../../src/databases/sqlite/dialect/connection.ts'
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts'
import { addFunctions } from '../../src/databases/sqlite/dialect/functions.ts'
import { AttributeValue } from '../../src/model/records/attribute-value.ts'
import { readOptions } from '../../src/query/options.ts'
import { parseFilter } from '../../src/query/parse/filter.ts'
import { planCollection, planFilter } from '../../src/query/plan.ts'
import { compileCollection, compileCount } from '../../src/sql/compile/compile-query.ts'
import type { Dialect, SqlValue } from '../../src/sql/dialect.ts'
import type { CompiledQuery } from '../../src/sql/rows/compiled-query.ts'
import { indexStatements } from '../support/index-statements.ts'
import { compare, evaluate, type Row, type Types } from '../support/query-evaluator.ts'
import { SEED } from '../support/reliability-test.ts'
import { queryOn } from '../support/test-database.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? 400)
const SCOPE = [['company_id', 'EN']] as const

const TYPES: Types = {
  attributeId: 'string',
  attributeName: 'string',
  attributeValue: 'string',
  description: 'string',
  owner: 'string',
  status: 'string',
  ownerAttributeName: 'string',
  periodFrom: 'integer',
  periodTo: 'integer',
  customValue: 'number',
  'lastUpdated/updatedAt': 'date-time',
  'lastUpdated/updatedBy': 'string',
}
const pathsOf = (...types: string[]) => Object.keys(TYPES).filter((path) => types.includes(TYPES[path] ?? ''))

const TEXTS = [
  '',
  ' ',
  'a',
  'A',
  'ab',
  'Ab',
  'aB ',
  ' ab',
  "o'hara",
  '100%',
  'a_b',
  '10019',
  '007',
  '\u00e6\u00f8\u00e5',
  '\u00c6\u00d8\u00c5',
  '\u00e9',
  'e\u0301',
  '\u0130',
  'i',
  'I',
  '\u0131',
  '\u00df',
  'SS',
  '\u1e9e',
  '\ud83d\ude00',
  '\ud83d\ude00b',
  '\uffff',
  '\ufffd',
  '\ud7ff',
  '\ue000',
  '\udbff\udfff',
  '\u03a3\u03c3\u03c2',
  'null',
  'true',
  '2026-01-31',
  '\\',
  '"',
  '\n',
  '\u01c5',
  '\u4eac',
]
const NUMBERS = [0, 1, -1, 0.5, 12.5, -0.001, 1e15, 123456789.012345, 1e-7, 1e300, 209912, 202601]
const DATES = [
  '1900-01-01T00:00:00.000Z',
  '2026-01-31T00:00:00.000Z',
  '2026-01-31T23:59:59.999Z',
  '2024-02-29T12:30:00.000Z',
  '2099-12-31T00:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
]

const pick = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value

/** Every text and number occurs in some row, in no order. */
const rows: Row[] = Array.from({ length: 90 }, (_, index) => ({
  attributeId: index % 3 === 0 ? 'C2' : 'C1',
  attributeName: index % 3 === 0 ? 'DEPT' : 'COSTC',
  attributeValue: `${pick(TEXTS, index * 7)}${index}`,
  companyId: 'EN',
  customValue: pick(NUMBERS, index * 5),
  description: pick(TEXTS, index),
  lastUpdated: { updatedAt: pick(DATES, index), updatedBy: pick(TEXTS, index * 3) },
  owner: pick(TEXTS, index * 11),
  ownerAttributeId: index % 3 === 0 ? '' : 'C2',
  ownerAttributeName: index % 3 === 0 ? '' : 'DEPT',
  periodFrom: pick([0, 202601, 209912], index),
  periodTo: pick([209912, 202612], index),
  status: pick(['N', 'P', 'C'], index),
}))

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const word = (text: string) => fc.constantFrom(text, text.toUpperCase(), text[0]?.toUpperCase() + text.slice(1))
const blanks = fc.constantFrom(' ', '  ', '   ')
const text = fc
  .oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'grapheme', maxLength: 3 }))
  .filter((one) => one.isWellFormed() && !one.includes('\u0000'))
const comparison = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le').chain(word)

const stringOperand = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...pathsOf('string')) },
  fc
    .tuple(fc.constantFrom('tolower', 'toupper', 'trim').chain(word), fc.constantFrom(...pathsOf('string')))
    .map(([name, path]) => `${name}(${path})`),
)
const numberOperand = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...pathsOf('integer', 'number')) },
  stringOperand.map((operand) => `length(${operand})`),
  fc.constantFrom('year', 'month', 'day').map((name) => `${name}(lastUpdated/updatedAt)`),
)
const stringLiteral = fc.oneof({ weight: 5, arbitrary: text.map(quoted) }, fc.constantFrom('null', '10019', '007'))
const numberLiteral = fc.oneof(
  fc.constantFrom(...NUMBERS).map(String),
  fc.integer({ min: 0, max: 8 }).map(String),
  fc.constantFrom("'12.5'", 'null', '+1', '1e3', '-0.5'),
)
const dateLiteral = fc.constantFrom(
  ...DATES,
  ...DATES.map(quoted),
  '2026-01-31',
  "datetime'2026-01-31T00:00:00'",
  '2024-02-29T12:30:00',
  'null',
)

const leaf = fc.oneof(
  fc.tuple(stringOperand, blanks, comparison, blanks, stringLiteral).map((parts) => parts.join('')),
  fc.tuple(numberOperand, blanks, comparison, blanks, numberLiteral).map((parts) => parts.join('')),
  fc
    .tuple(
      numberLiteral.filter((one) => one !== 'null' && !one.startsWith("'")),
      blanks,
      comparison,
      blanks,
      numberOperand,
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constant('lastUpdated/updatedAt'), blanks, comparison, blanks, dateLiteral)
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constant('date(lastUpdated/updatedAt)'),
      blanks,
      comparison,
      blanks,
      fc.constantFrom('2026-01-31', "'2024-02-29'"),
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('contains', 'startswith', 'endswith').chain(word),
      stringOperand,
      text,
      fc.constantFrom('', ' eq true', ' eq false', ' ne true'),
    )
    .map(([name, operand, part, rest]) => `${name}(${operand}, ${quoted(part)})${rest}`),
  fc.tuple(text, stringOperand).map(([part, operand]) => `substringof(${quoted(part)},${operand})`),
  fc
    .tuple(fc.constantFrom('startswith', 'endswith', 'contains'), stringOperand, stringOperand)
    .map(([name, one, other]) => `${name}(${one},${other})`),
  fc.tuple(stringOperand, comparison, stringOperand).map((parts) => parts.join(' ')),
  fc
    .tuple(stringOperand, word('in'), fc.array(stringLiteral, { minLength: 1, maxLength: 4 }))
    .map(([operand, inWord, list]) => `${operand} ${inWord} (${list.join(' , ')})`),
  fc
    .tuple(numberOperand, fc.array(numberLiteral, { minLength: 1, maxLength: 4 }))
    .map(([operand, list]) => `${operand} in (${list.join(',')})`),
)
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('filter'), blanks, fc.constantFrom('and', 'or').chain(word), blanks, tie('filter'))
      .map((parts) => parts.join('')),
    tie('filter').map((inner) => `( ${inner} )`),
    fc.tuple(word('not'), tie('filter')).map(([not, inner]) => `${not} (${inner})`),
  ),
}))

const sqlite = new DatabaseSync(':memory:')
let postgres: pg.Client | undefined

const COLUMNS = {
  company_id: 'companyId',
  attribute_id: 'attributeId',
  attribute_value: 'attributeValue',
  period_from: 'periodFrom',
  period_to: 'periodTo',
  description: 'description',
  owner: 'owner',
  status: 'status',
  custom_value: 'customValue',
}
const ddl = (words: string, integer: string, number: string, tail: string) => [
  `create table attribute (company_id ${words}, attribute_id ${words}, name ${words}, owner_attribute_id ${words}, primary key (company_id, attribute_id))${tail}`,
  `create table attribute_value (company_id ${words}, attribute_id ${words}, attribute_value ${words}, period_from ${integer}, period_to ${integer}, description ${words}, owner ${words}, status ${words}, custom_value ${number}, updated_at ${words}, updated_by ${words}, primary key (company_id, attribute_id, attribute_value, period_from))${tail}`,
  ...indexStatements(AttributeValue.document),
  `insert into attribute values ('EN', 'C1', 'COSTC', 'C2'), ('EN', 'C2', 'DEPT', ''), ('SV', 'C1', 'OTHER', '')`,
]
const valuesOf = (row: Row) => {
  const { updatedAt, updatedBy } = row.lastUpdated as { updatedAt: string; updatedBy: string }
  return [...Object.values(COLUMNS).map((name) => row[name]), updatedAt, updatedBy]
}
const names = [...Object.keys(COLUMNS), 'updated_at', 'updated_by']

beforeAll(async () => {
  addFunctions(sqlite)
  for (const statement of ddl('text not null', 'integer not null', 'real not null', ' strict, without rowid'))
    sqlite.exec(statement)
  const insert = sqlite.prepare(`insert into attribute_value (${names.join()}) values (${names.map(() => '?').join()})`)
  // Rows of another company are interspersed: they must never be visible.
  for (const row of rows) insert.run(...(valuesOf(row) as SqlValue[]))
  for (const row of rows.slice(0, 20)) insert.run(...(valuesOf({ ...row, companyId: 'SV' }) as SqlValue[]))
  const admin = inject('postgresAdmin')
  if (!admin) return
  const name = `fuzz_${process.pid}_${Date.now()}`
  await queryOn(`${admin}/postgres`, `create database ${name}`)
  postgres = new pg.Client({ connectionString: `${admin}/${name}` })
  await postgres.connect()
  for (const statement of ddl('text collate "C" not null', 'bigint not null', 'double precision not null', ''))
    await postgres.query(statement)
  for (const row of [...rows, ...rows.slice(0, 20).map((one) => ({ ...one, companyId: 'SV' }))]) {
    await postgres.query(
      `insert into attribute_value (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()})`,
      valuesOf(row),
    )
  }
})

afterAll(async () => postgres?.end())

/** The value that each engine returns, and PostgreSQL by one plan for all values too. */
async function answers(compile: (engine: Dialect) => CompiledQuery): Promise<unknown[]> {
  const onSqlite = compile(sqliteDialect)
  const found: unknown[] = [firstColumn(prepareArrays(sqlite, onSqlite.text), onSqlite.parameters)]
  if (!postgres) return found
  const onPostgres = compile(postgresDialect)
  for (const { text, parameters } of [onPostgres, ...(onPostgres.onePlan ? [onPostgres.onePlan] : [])]) {
    const { rows: answered } = await postgres.query({ text, values: [...parameters], rowMode: 'array' })
    found.push(answered[0]?.[0])
  }
  return found
}

const keyOf = (row: Row) => [row.attributeId, row.attributeValue, row.periodFrom]
const inKeyOrder = (one: Row, other: Row) =>
  compare(String(one.attributeId), String(other.attributeId)) ||
  compare(String(one.attributeValue), String(other.attributeValue)) ||
  Number(one.periodFrom) - Number(other.periodFrom)
const property = fc.asyncProperty

const checked = (arbitrary: Parameters<typeof fc.assert>[0]) =>
  fc.assert(arbitrary as never, { numRuns: RUNS, seed: SEED, endOnFailure: false })

it(`answers a filter alike everywhere (TABULARIUM_SEED=${SEED})`, async () => {
  await checked(
    property(filter, async (asked) => {
      const tree = parseFilter(asked)
      const expected = rows.filter((row) => evaluate(tree, row, TYPES)).sort(inKeyOrder)
      const options = readOptions([
        ['$filter', asked],
        ['$select', 'attributeId,attributeValue,periodFrom'],
      ])
      const plan = planCollection(AttributeValue.document, options)
      const wanted = JSON.stringify(
        expected.map((row) => ({
          attributeId: row.attributeId,
          attributeValue: row.attributeValue,
          periodFrom: row.periodFrom,
        })),
      )
      for (const body of await answers((engine) => compileCollection(plan, SCOPE, engine))) {
        expect(JSON.parse(String(body))).toEqual(JSON.parse(wanted))
      }
      const bound = planFilter(AttributeValue.document, asked)
      for (const total of await answers((engine) => compileCount(AttributeValue.document, bound, SCOPE, engine))) {
        expect(Number(total)).toBe(expected.length)
      }
    }),
  )
})

it(`answers selections, orders and pages alike everywhere (TABULARIUM_SEED=${SEED})`, async () => {
  const order = fc.array(fc.tuple(fc.constantFrom(...Object.keys(TYPES)), fc.constantFrom('', ' asc', ' DESC')), {
    maxLength: 3,
  })
  const select = fc.constantFrom(
    '*',
    '',
    'description,customValue',
    'lastUpdated(updatedAt),attributeValue',
    'lastUpdated/updatedBy , STATUS',
    'lastUpdated',
  )
  await checked(
    property(
      order,
      select,
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 1, max: 100 }),
      async (orders, selected, offset, limit) => {
        const orderBy = orders.map((parts) => parts.join('')).join(' , ')
        const options = readOptions([
          ['orderby', orderBy],
          ['select', selected],
          ['offset', String(offset)],
          ['limit', String(limit)],
        ])
        const plan = planCollection(AttributeValue.document, options)
        const at = (row: Row, path: string) =>
          path.split('/').reduce<unknown>((value, name) => (value as Row)[name], row) as string | number
        const sorted = rows.toSorted((one, other) => {
          for (const [path, direction] of orders) {
            const difference = compare(at(one, path), at(other, path))
            if (difference !== 0) return direction === ' DESC' ? -difference : difference
          }
          return inKeyOrder(one, other)
        })
        const page = sorted.slice(offset, offset + limit)
        const bodies = await answers((engine) => compileCollection(plan, SCOPE, engine))
        for (const body of bodies) {
          const found = JSON.parse(String(body)) as Row[]
          if (selected === '*' || selected === '') expect(found).toEqual(page)
          else expect(found.length).toBe(page.length)
          if (selected === 'description,customValue')
            expect(found).toEqual(page.map(({ customValue, description }) => ({ customValue, description })))
          if (selected.startsWith('lastUpdated('))
            expect(found.map((row) => row.attributeValue)).toEqual(page.map((row) => row.attributeValue))
          // Compact: no blank outside strings.
          expect(String(body).replace(/"(?:[^"\\]|\\.)*"/g, '""')).not.toMatch(/\s/)
        }
        expect(bodies.map((body) => JSON.parse(String(body)))).toEqual(bodies.map(() => JSON.parse(String(bodies[0]))))
      },
    ),
  )
})

it('searches the key by its index for comparisons and starts of names', () => {
  for (const asked of [
    "attributeValue eq 'a'",
    "attributeValue ge 'a' and attributeValue lt 'b'",
    "startswith(attributeValue,'a')",
  ]) {
    const plan = planCollection(AttributeValue.document, readOptions([['$filter', asked]]))
    const scope = [
      ['company_id', 'EN'],
      ['attribute_id', 'C1'],
    ] as const
    const { text: sql, parameters } = compileCollection(plan, scope, sqliteDialect)
    const steps = sqlite.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
    const details = steps.map((step) => step.detail).join('\n')
    expect(details).toMatch(/SEARCH t USING PRIMARY KEY \(company_id=\? AND attribute_id=\? AND attribute_value/)
    expect(details).not.toContain('TEMP B-TREE')
  }
})

it('searches the key by its index on PostgreSQL too', async () => {
  if (!postgres) return
  await postgres.query('set enable_seqscan = off')
  for (const [asked, condition] of [
    ["attributeValue eq 'a' and periodFrom eq 202601", /attribute_value = .* AND \(period_from = /],
    ["attributeValue eq 'a' and periodFrom in (0, 202601)", /attribute_value = .* AND \(period_from = ANY/],
    ["startswith(attributeValue,'a')", /attribute_value >= .* AND \(attribute_value < /],
  ] as const) {
    const plan = planCollection(AttributeValue.document, readOptions([['$filter', asked]]))
    const scope = [
      ['company_id', 'EN'],
      ['attribute_id', 'C1'],
    ] as const
    const { text: sql, parameters } = compileCollection(plan, scope, postgresDialect)
    const { rows: steps } = await postgres.query({ text: `explain ${sql}`, values: [...parameters], rowMode: 'array' })
    expect(steps.join('\n')).toMatch(condition)
  }
  await postgres.query('reset enable_seqscan')
})

it('knows the keys of all its rows', () => {
  expect(new Set(rows.map((row) => JSON.stringify(keyOf(row)))).size).toBe(rows.length)
})
