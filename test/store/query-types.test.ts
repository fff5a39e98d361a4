// A document with every type, nested groups, two joins and awkward names, in a database whose own order is not that of
// code points: a plain evaluator, SQLite and PostgreSQL return the same answer.
// FUZZ_RUNS sets how many filters are tried, TABULARIUM_SEED reproduces a run.

import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts'
import { firstColumn, prepareArrays } from '../../src/databases/sqlite/dialect/connection.ts'
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts'
import { addFunctions } from '../../src/databases/sqlite/dialect/functions.ts'
import { type DocumentDefinition, group, value } from '../../src/model/document.ts'
import { bindFilter } from '../../src/query/bind.ts'
import { readOptions } from '../../src/query/options.ts'
import { parseFilter } from '../../src/query/parse/filter.ts'
import type { Call, Comparison, Expression, Literal, Operand } from '../../src/query/parse/tree.ts'
import { planCollection } from '../../src/query/plan.ts'
import { compileCollection, compileCount } from '../../src/sql/compile/compile-query.ts'
import type { Dialect } from '../../src/sql/dialect.ts'
import type { CompiledQuery } from '../../src/sql/rows/compiled-query.ts'
import { indexStatements } from '../support/index-statements.ts'
import { compare, evaluate, type Types } from '../support/query-evaluator.ts'
import { SEED } from '../support/reliability-test.ts'
import { queryOn } from '../support/test-database.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? 300)
const settings = (numRuns: number) => ({ numRuns, seed: SEED })

const COMPANY = 'EN'
const scope = [['company_id', COMPANY]] as const

const other = (column: string) => ({ table: 'o', column })
const further = (column: string) => ({ table: 'f', column })

/** Every type, in groups and behind joins; `r` and `g` are names that a statement might use for itself. */
const definition: DocumentDefinition = {
  name: 'things',
  version: 1,
  description: '',
  table: 'thing',
  companyColumn: 'company_id',
  joins: {
    o: {
      table: 'other',
      on: [[{ column: 'other_id' }, 'other_id']],
    },
    f: {
      table: 'other',
      on: [[other('next_id'), 'other_id']],
    },
  },
  key: ['part', 'no'],
  indexes: [
    { name: 'thing_text', columns: ['company_id', 'text_one', 'part', 'no'] },
    {
      name: 'thing_title',
      columns: ['company_id', 'text_two', 'part', 'no'],
      without: { column: 'text_two', value: '' },
    },
    { name: 'thing_since', columns: ['company_id', 'since', 'total', 'part', 'no'], descending: ['since'] },
    { name: 'thing_amount', columns: ['company_id', 'amount', 'total', 'no', 'part'] },
  ],
  properties: {
    part: value('string', 'part'),
    no: value('integer', 'no'),
    r: value('string', 'text_one'),
    title: value('string', 'text_two'),
    amount: value('number', 'amount'),
    price: value('number', 'price'),
    total: value('integer', 'total'),
    isOpen: value('boolean', 'is_open'),
    since: value('date-time', 'since'),
    otherId: value('string', 'other_id'),
    g: group({
      g: value('string', 'text_two'),
      at: value('date-time', 'at'),
      deep: group({ g: value('string', 'text_one'), isOpen: value('boolean', 'is_open') }),
    }),
    near: group({
      text: value('string', other('text_one')),
      amount: value('number', other('amount')),
      count: value('integer', other('total')),
      isOpen: value('boolean', other('is_open')),
      since: value('date-time', other('since')),
    }),
    far: value('string', further('text_one')),
  },
}

const TEXTS = [
  ...['', ' ', 'a', 'A', 'ab', 'aB', 'abc', 'abcabc', 'b', 'a ', ' a', 'a  ', ' a ', 'z', 'Z', '_', '%', 'a%b', 'a_b'],
  ...['100%', "it's", "'", "''", '"', '\\', '\\u0041', '{"a":1}', '[1]', '\t', '\n', '\r\n', '\u0001', '\u007f'],
  ...['\u2028', '\u00a0a\u00a0', '\u3000', 'i', 'I', '\u0130', '\u0131', 'i\u0307', 'I\u0307', '\u00df', '\u1e9e'],
  ...['ss', 'SS', 'stra\u00dfe', 'STRASSE', '\u00e9', '\u00c9', 'e\u0301', 'E\u0301', '\u01c5', '\u01c4', '\u03c2'],
  ...['\u03c3', '\u03a3', '\u212a', 'k', '\u00b5', '\u039c', '\ufb01', '\u0149', '\ud7ff', '\ue000', '\ufffd'],
  ...['\uffff', '\u{10000}', '\u{10ffff}', '\u{10ffff}\u{10ffff}', '\ud7ff\u{1f600}', '\u{1f600}', '\u{1f600}a'],
  ...['\u{10400}', '\u{10428}', '0', '1', '10', '10019', '9', '+5', '1.0', '1e2', '.5', 'true', 'null', '2026-01-31'],
  ...["'; drop table thing; --", '$1', '?', '*'],
]
const NUMBERS = [
  ...[0, 1, -1, 2, 10, 0.1, 0.2, 0.30000000000000004, -2.5, 1e2, 123_456.789, 1e15, 1e16, 1e20, 1e21, 1e22, -1e21],
  ...[2 ** 53 - 1, 2 ** 53, -(2 ** 53), 2 ** 63, -(2 ** 63), 2 ** 64, 1e300, -1e300, Number.MAX_VALUE, 2 / 3, 1 / 3],
  ...[Number.MIN_VALUE, 2.2250738585072014e-308, 1e-7, 1e-5, 5e-7, 4.35, 0.1 + 0.7, 1.1e-300],
]
const INTEGERS = [0, 1, -1, 3, 202_601, 209_912, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
const INSTANTS = [
  ...['1900-01-01T00:00:00.000Z', '2099-12-31T00:00:00.000Z', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
  ...['2024-02-29T12:30:00.500Z', '2024-02-29T12:30:00.000Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
]

const OTHER_IDS = ['', 'A', 'B', 'C', '\u{1f600}', 'none']

interface Cells {
  readonly text_one: string
  readonly text_two: string
  readonly amount: number
  readonly price: number
  readonly total: number
  readonly is_open: boolean
  readonly since: string
  readonly at: string
}

interface ThingRow extends Cells {
  readonly part: string
  readonly no: number
  readonly other_id: string
}

interface OtherRow extends Cells {
  readonly other_id: string
  readonly next_id: string
}

const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS)).map((both) => both.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }).map((text) => text.replaceAll('\0', '')) },
)
const anyNumber = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0) },
)
const anyInstant = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...INSTANTS) },
  {
    weight: 1,
    arbitrary: fc
      .date({ min: new Date('1900-01-01T00:00Z'), max: new Date('2100-01-01T00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  },
)

const anyCells: fc.Arbitrary<Cells> = fc.record({
  text_one: anyText,
  text_two: anyText,
  amount: anyNumber,
  price: anyNumber,
  total: fc.constantFrom(...INTEGERS),
  is_open: fc.boolean(),
  since: anyInstant,
  at: anyInstant,
})

const anyData = fc.record({
  things: fc.uniqueArray(
    fc
      .tuple(anyCells, anyText, fc.constantFrom(...INTEGERS), fc.constantFrom(...OTHER_IDS))
      .map(([cells, part, no, other_id]): ThingRow => ({ ...cells, part, no, other_id })),
    { minLength: 120, maxLength: 160, selector: ({ part, no }) => JSON.stringify([part, no]) },
  ),
  others: fc.tuple(
    ...OTHER_IDS.filter((id) => id !== 'none').map((other_id) =>
      fc
        .tuple(anyCells, fc.constantFrom(...OTHER_IDS))
        .map(([cells, next_id]): OtherRow => ({ ...cells, other_id, next_id })),
    ),
  ),
})

const [data] = fc.sample(anyData, { numRuns: 1, seed: SEED })
if (!data) throw new Error('no rows were made')
const { things, others } = data

const ABSENT: Cells & { next_id: string } = {
  ...{ text_one: '', text_two: '', amount: 0, price: 0, total: 0, is_open: false, next_id: 'none' },
  ...{ since: '1900-01-01T00:00:00.000Z', at: '1900-01-01T00:00:00.000Z' },
}

const found = (id: string) => others.find(({ other_id }) => other_id === id) ?? ABSENT

/** The expected object for a row. */
function objectOf(row: ThingRow) {
  const near = found(row.other_id)
  return {
    part: row.part,
    no: row.no,
    r: row.text_one,
    title: row.text_two,
    amount: row.amount,
    price: row.price,
    total: row.total,
    isOpen: row.is_open,
    since: row.since,
    otherId: row.other_id,
    g: { g: row.text_two, at: row.at, deep: { g: row.text_one, isOpen: row.is_open } },
    near: { text: near.text_one, amount: near.amount, count: near.total, isOpen: near.is_open, since: near.since },
    far: found(near.next_id).text_one,
  }
}

type Tree = { readonly [name: string]: string | number | boolean | Tree }
type Kind = 'string' | 'number' | 'boolean' | 'date-time' | 'day'

function typesIn(properties: DocumentDefinition['properties'], before = ''): Types {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      if (property.kind === 'group') return Object.entries(typesIn(property.properties, `${before}${name}/`))
      return property.kind === 'value' ? [[`${before}${name}`, property.type] as const] : []
    }),
  )
}

const types = typesIn(definition.properties)
const paths = Object.keys(types)

type Answered = ReturnType<typeof objectOf>

const byKey = (left: Answered, right: Answered) => compare(left.part, right.part) || compare(left.no, right.no)
const known = things.map(objectOf).sort(byKey)

// Random filters: first the tree, then a text that says it.

const at = { position: 0 }
const pathsOf = (wanted: Kind) =>
  paths.filter((path) => (types[path] === 'integer' ? 'number' : types[path]) === wanted)
const property = (wanted: Kind): fc.Arbitrary<Operand> =>
  fc
    .constantFrom(...pathsOf(wanted))
    .map((path) => ({ kind: 'property', names: path.split('/'), positions: [], ...at }))
const call = (name: string, ...args: Operand[]): Call => ({ kind: 'call', name, args, ...at })
const literal = (type: Literal['type'], text: string): Literal => ({ kind: 'literal', type, text, ...at })
const nothing = fc.constantFrom('null', 'NULL', 'Null').map((text) => literal('null', text))

const numberText = anyNumber.chain((number) =>
  fc.constantFrom(
    String(number),
    number.toExponential(),
    number.toExponential().toUpperCase(),
    number < 0 ? String(number) : `+${number}`,
    Number.isInteger(number) && Math.abs(number) < 1e21 ? `${number}.` : String(number),
    Number.isInteger(number) && Math.abs(number) < 1e21 ? `${number}.00` : String(number),
    String(number).replace(/^(-?)0\./, '$1.'),
  ),
)
const dateText = anyInstant.chain((instant) =>
  fc.constantFrom(
    instant,
    instant.toLowerCase(),
    instant.slice(0, 10),
    instant.slice(0, 16),
    instant.slice(0, 19),
    instant.slice(0, -1),
    `${instant.slice(0, -1)}999Z`,
    ...(/^(19[1-9]|20[0-8])/.test(instant)
      ? [`${instant.slice(0, 19)}+02:00`, `${instant.slice(0, 16)}-0530`, `${instant.slice(0, -1)}+14:00`]
      : []),
  ),
)

const literalFor: Readonly<Record<Kind, fc.Arbitrary<Literal>>> = {
  string: fc.oneof(
    { weight: 8, arbitrary: anyText.map((text) => literal('string', text)) },
    { weight: 1, arbitrary: numberText.map((text) => literal('number', text)) },
    { weight: 1, arbitrary: dateText.map((text) => literal('date', text)) },
    { weight: 1, arbitrary: nothing },
  ),
  number: fc.oneof(
    { weight: 8, arbitrary: numberText.map((text) => literal('number', text)) },
    { weight: 2, arbitrary: fc.constantFrom(...INTEGERS).map((number) => literal('number', String(number))) },
    { weight: 2, arbitrary: numberText.map((text) => literal('string', text)) },
    { weight: 1, arbitrary: nothing },
  ),
  boolean: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('true', 'false', 'True', 'FALSE').map((text) => literal('boolean', text)),
    },
    { weight: 1, arbitrary: fc.constantFrom('true', 'false').map((text) => literal('string', text)) },
    { weight: 1, arbitrary: nothing },
  ),
  'date-time': fc.oneof(
    { weight: 4, arbitrary: dateText.map((text) => literal('date', text)) },
    { weight: 1, arbitrary: dateText.map((text) => literal('string', text)) },
    { weight: 1, arbitrary: nothing },
  ),
  day: fc.oneof(
    { weight: 4, arbitrary: dateText.map((text) => literal('date', text)) },
    { weight: 1, arbitrary: dateText.map((text) => literal('string', text)) },
    { weight: 1, arbitrary: nothing },
  ),
}

const stringOperand = (depth: number): fc.Arbitrary<Operand> =>
  depth === 0
    ? property('string')
    : fc.oneof(
        { weight: 3, arbitrary: property('string') },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom('tolower', 'toupper', 'trim'), stringOperand(depth - 1))
            .map(([name, arg]) => call(name, arg)),
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom('tolower', 'toupper', 'trim'), literalFor.string)
            .map(([name, arg]) => call(name, arg)),
        },
      )
const dateOperand = fc.oneof(
  { weight: 5, arbitrary: property('date-time') },
  { weight: 1, arbitrary: literalFor['date-time'] },
)
const stringOrLiteral = fc.oneof<fc.Arbitrary<Operand>[]>(stringOperand(2), literalFor.string)
const match = fc
  .tuple(fc.constantFrom('contains', 'startswith', 'endswith', 'substringof'), stringOrLiteral, stringOrLiteral)
  .map(([name, whole, part]) => (name === 'substringof' ? call(name, part, whole) : call(name, whole, part)))

const operandFor: Readonly<Record<Kind, fc.Arbitrary<Operand>>> = {
  string: stringOperand(2),
  number: fc.oneof<fc.Arbitrary<Operand>[]>(
    property('number'),
    stringOrLiteral.map((arg) => call('length', arg)),
    fc.tuple(fc.constantFrom('year', 'month', 'day'), dateOperand).map(([name, arg]) => call(name, arg)),
  ),
  boolean: fc.oneof<fc.Arbitrary<Operand>[]>(property('boolean'), match),
  'date-time': property('date-time'),
  day: dateOperand.map((arg) => call('date', arg)),
}

const anyKind = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Kind>('string') },
  { weight: 1, arbitrary: fc.constantFrom<Kind>('number', 'boolean', 'date-time', 'day') },
)
const anyOp = fc.constantFrom<Comparison>('eq', 'ne', 'gt', 'ge', 'lt', 'le')

const { filter: anyFilter } = fc.letrec<{ filter: Expression; leaf: Expression }>((tie) => ({
  leaf: fc.oneof(
    {
      weight: 5,
      arbitrary: anyKind.chain((kind) =>
        fc
          .tuple(
            anyOp,
            operandFor[kind],
            fc.oneof<fc.Arbitrary<Operand>[]>(literalFor[kind], literalFor[kind], operandFor[kind]),
            fc.boolean(),
          )
          .map(
            ([op, one, two, isTurned]): Expression => ({
              ...{ kind: 'compare', op, ...at },
              ...(isTurned ? { left: two, right: one } : { left: one, right: two }),
            }),
          ),
      ),
    },
    {
      weight: 2,
      arbitrary: anyKind.chain((kind) =>
        fc
          .tuple(operandFor[kind], fc.array(literalFor[kind], { minLength: 1, maxLength: 8 }))
          .map(([operand, values]): Expression => ({ kind: 'in', operand, values, ...at })),
      ),
    },
    { weight: 3, arbitrary: operandFor.boolean.map((operand): Expression => ({ kind: 'test', operand, ...at })) },
  ),
  filter: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: tie('leaf') },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
        .map(([kind, terms]): Expression => ({ kind, terms })),
    },
    { weight: 1, arbitrary: tie('filter').map((term): Expression => ({ kind: 'not', term })) },
  ),
}))

/** Chooses between spellings; the same number always chooses the same. */
class Style {
  #state: number
  constructor(seed: number) {
    this.#state = seed
  }
  below(count: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * count)
  }
  blank(): string {
    return ['', '', ' ', '  ', '\t', '\r\n'][this.below(6)] ?? ''
  }
  gap(): string {
    return [' ', ' ', ' ', '  ', '\t ', '\n'][this.below(6)] ?? ' '
  }
  cased(word: string): string {
    const way = this.below(4)
    if (way === 0) return word.toUpperCase()
    return way === 1 ? Array.from(word, (letter) => (this.below(2) ? letter.toUpperCase() : letter)).join('') : word
  }
}

const BINDING = { or: 0, and: 1, not: 2 } as const

function print(expression: Expression, style: Style, outer = 0): string {
  const own = expression.kind in BINDING ? BINDING[expression.kind as keyof typeof BINDING] : 3
  const text = printed(expression, style, own)
  const mustBracket = own < outer
  return mustBracket || style.below(8) === 0 ? `(${style.blank()}${text}${style.blank()})` : text
}

function printed(expression: Expression, style: Style, own: number): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      // A term of the same kind needs its brackets: without them it would be one chain.
      return expression.terms
        .map((term) => print(term, style, own + 1))
        .reduce((all, term) => `${all}${style.gap()}${style.cased(expression.kind)}${style.gap()}${term}`)
    case 'not':
      return `${style.cased('not')}${style.gap()}${print(expression.term, style, own)}`
    case 'test':
      return printOperand(expression.operand, style)
    case 'compare':
      return `${printOperand(expression.left, style)}${style.gap()}${style.cased(expression.op)}${style.gap()}${printOperand(expression.right, style)}`
    case 'in':
      return `${printOperand(expression.operand, style)}${style.gap()}${style.cased('in')}${style.blank()}(${list(expression.values, style)})`
    default:
      throw new Error(`${expression.kind} is not printed`)
  }
}

function list(operands: readonly Operand[], style: Style): string {
  return operands.map((one) => `${style.blank()}${printOperand(one, style)}${style.blank()}`).join(',')
}

function printOperand(operand: Operand, style: Style): string {
  if (operand.kind === 'property') {
    return operand.names.map((name) => style.cased(name)).join(`${style.blank()}/${style.blank()}`)
  }
  if (operand.kind === 'call') return `${style.cased(operand.name)}${style.blank()}(${list(operand.args, style)})`
  if (operand.type === 'string') return `'${operand.text.replaceAll("'", "''")}'`
  if (operand.type === 'date' && style.below(3) === 0) return `${style.cased('datetime')}'${operand.text}'`
  return operand.text
}

/** A tree without source positions, with names in lower case. */
function bare(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (name, inner) =>
      name === 'position' || name === 'positions'
        ? undefined
        : name === 'names'
          ? inner.map((one: string) => one.toLowerCase())
          : inner,
    ),
  )
}

const written = fc
  .tuple(anyFilter, fc.integer({ min: 0, max: 2 ** 31 - 1 }))
  .map(([tree, seed]) => ({ tree, text: print(tree, new Style(seed)) }))

// The engines.

interface Engine {
  readonly name: string
  readonly expressions: Dialect
  run(query: CompiledQuery): Promise<string | number>
  close(): Promise<void>
}

const COLUMNS: Readonly<Record<keyof Cells, string>> = {
  text_one: 'text',
  text_two: 'text',
  amount: 'number',
  price: 'number',
  total: 'integer',
  is_open: 'boolean',
  since: 'text',
  at: 'text',
}

function tablesOf(types: Readonly<Record<string, string>>): string[] {
  const cells = Object.entries(COLUMNS)
    .map(([column, type]) => `${column} ${types[type]}`)
    .join(', ')
  return [
    `create table thing (company_id ${types.text}, part ${types.text}, no ${types.integer}, other_id ${types.text}, ${cells},
      primary key (company_id, part, no))${types.tail}`,
    `create table other (company_id ${types.text}, other_id ${types.text}, next_id ${types.text}, ${cells},
      primary key (company_id, other_id))${types.tail}`,
    ...indexStatements(definition),
  ]
}

/** All rows as inserts: for the company, and again for another whose rows must never be visible. */
function insertsOf(placeholder: (position: number) => string): [text: string, values: (string | number | boolean)[]][] {
  const insert = (table: string, row: object): [string, (string | number | boolean)[]] => {
    const columns = Object.keys(row)
    const marks = columns.map((_, index) => placeholder(index + 1)).join(', ')
    return [`insert into ${table} (${columns.join(', ')}) values (${marks})`, Object.values(row)]
  }
  return [COMPANY, 'ZZ'].flatMap((company_id) => [
    ...things.map((row) => insert('thing', { company_id, ...row })),
    ...others.map((row) => insert('other', { company_id, ...row })),
  ])
}

async function openSqlite(): Promise<Engine> {
  const sqlite = new DatabaseSync(':memory:')
  addFunctions(sqlite)
  const columns = {
    text: `text not null default ''`,
    integer: 'integer not null default 0',
    number: 'real not null default 0',
    boolean: 'integer not null default 0',
    tail: ' strict, without rowid',
  }
  for (const statement of tablesOf(columns)) sqlite.exec(statement)
  for (const [text, values] of insertsOf(() => '?')) {
    sqlite.prepare(text).run(...values.map((one) => (typeof one === 'boolean' ? Number(one) : one)))
  }
  return {
    name: 'SQLite',
    expressions: sqliteDialect,
    run: async ({ text, parameters }) => firstColumn(prepareArrays(sqlite, text), parameters) as string | number,
    close: async () => void sqlite.close(),
  }
}

async function openPostgres(admin: string): Promise<Engine> {
  const name = `query_types_${process.pid}_${Date.now()}`
  // Its own order of texts is not that of code points: what is answered must not depend on it.
  const english = "template template0 locale_provider icu icu_locale 'en-US' locale 'C'"
  await queryOn(`${admin}/postgres`, `create database ${name} ${english}`)
  const client = new pg.Client({ connectionString: `${admin}/${name}` })
  await client.connect()
  const columns = {
    text: `text collate "C" not null default ''`,
    integer: 'bigint not null default 0',
    number: 'double precision not null default 0',
    boolean: 'boolean not null default false',
    tail: '',
  }
  for (const statement of tablesOf(columns)) await client.query(statement)
  for (const [text, values] of insertsOf((position) => `$${position}`)) await client.query(text, values)
  return {
    name: 'PostgreSQL',
    expressions: postgresDialect,
    async run({ text, parameters }) {
      const { rows } = await client.query({ text, values: [...parameters], rowMode: 'array' })
      const found: unknown = rows[0]?.[0]
      return text.startsWith('select count') ? Number(found) : String(found)
    },
    close: () => client.end(),
  }
}

const engines: Engine[] = []

beforeAll(async () => {
  engines.push(await openSqlite())
  const admin = inject('postgresAdmin')
  if (admin !== '') engines.push(await openPostgres(admin))
})

afterAll(async () => {
  for (const engine of engines) await engine.close()
})

const collection = (engine: Engine, options: Readonly<Record<string, string>>) =>
  engine.run(
    compileCollection(planCollection(definition, readOptions(Object.entries(options))), scope, engine.expressions),
  ) as Promise<string>

const count = (engine: Engine, filter: string) =>
  engine.run(compileCount(definition, bindFilter(definition, parseFilter(filter)), scope, engine.expressions))

const keyOf = ({ part, no }: { part: string; no: number }) => JSON.stringify([part, no])

/** No blank outside of strings. */
const isCompact = (json: string) => !/\s/.test(json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'))

describe('a filter', () => {
  it('means the same to the evaluator and to every engine', async () => {
    await fc.assert(
      fc.asyncProperty(written, async ({ tree, text }) => {
        fc.pre(text.length <= 8_000)
        expect(bare(parseFilter(text))).toEqual(bare(tree))
        const expected = known.filter((row) => evaluate(tree, row, types)).map(keyOf)
        for (const engine of engines) {
          const body = await collection(engine, { filter: text, select: 'part,no' })
          expect([engine.name, JSON.parse(body).map(keyOf)]).toEqual([engine.name, expected])
          expect([engine.name, await count(engine, text)]).toEqual([engine.name, expected.length])
        }
      }),
      settings(RUNS),
    )
  })

  const chain = (terms: number) => Array.from({ length: terms }, (_, index) => `total ne ${index}`)
  const limits: readonly [title: string, filter: string][] = [
    ['a chain of 166 terms', chain(166).join(' and ')],
    [
      '70 pairs in brackets',
      chain(70)
        .map((term) => `(${term} or ${term})`)
        .join(' and '),
    ],
    ['64 brackets', `${'('.repeat(64)}total ne 7${')'.repeat(64)}`],
    ['64 negations', `${'not '.repeat(64)}total ne 7`],
    ['64 calls', `${'tolower('.repeat(64)}r${')'.repeat(64)} ne 'x'`],
    ['1,000 values', `total in (${Array.from({ length: 1_000 }, (_, index) => index).join(',')})`],
    ['99 tests of an end', Array.from({ length: 99 }, () => `endswith(tolower(r),'a')`).join(' or ')],
  ]
  it.each(limits)('at the bounds of the grammar is answered by every engine: %s', async (_, filter) => {
    const tree = parseFilter(filter)
    const expected = known.filter((row) => evaluate(tree, row, types)).length
    for (const engine of engines) expect([engine.name, await count(engine, filter)]).toEqual([engine.name, expected])
  })
})

describe('an answer', () => {
  it('holds every value as it is stored, in compact JSON', async () => {
    for (const engine of engines) {
      const body = await collection(engine, {})
      expect([engine.name, JSON.parse(body)]).toEqual([engine.name, known])
      expect([engine.name, isCompact(body)]).toEqual([engine.name, true])
    }
  })

  it('is an empty array when no row is left', async () => {
    for (const engine of engines) expect(await collection(engine, { filter: 'no ne no' })).toBe('[]')
  })

  const anyPage = fc.record({
    select: fc.subarray([...paths, 'g', 'near', 'g/deep'], { minLength: 1 }),
    order: fc.array(fc.tuple(fc.constantFrom(...paths), fc.constantFrom('', ' asc', ' desc', ' DESC')), {
      maxLength: 4,
    }),
    limit: fc.integer({ min: 20, max: 80 }),
    filter: fc.constantFrom('', 'isOpen', `tolower(r) ge 'a'`, 'near/amount ge 0'),
  })

  it('in pages is complete, in the order of code points, with what is selected', async () => {
    await fc.assert(
      fc.asyncProperty(anyPage, async ({ select, order, limit, filter }) => {
        const tree = filter === '' ? undefined : parseFilter(filter)
        const expected = known
          .filter((row) => !tree || evaluate(tree, row, types))
          .sort((left, right) => byOrder(order, left, right) || byKey(left, right))
          .map((row) => chosen(row, select))
        const orderBy = order.map(([path, direction]) => path + direction).join(' , ')
        const options = { filter, select: select.join(', '), $orderBy: orderBy }
        for (const engine of engines) {
          const whole = await collection(engine, options)
          expect([engine.name, JSON.parse(whole)]).toEqual([engine.name, expected])
          expect([engine.name, isCompact(whole)]).toEqual([engine.name, true])
          const pages: unknown[] = []
          for (let offset = 0; offset <= expected.length; offset += limit) {
            const page = await collection(engine, { ...options, top: String(limit), skip: String(offset) })
            pages.push(...JSON.parse(page))
          }
          expect([engine.name, pages]).toEqual([engine.name, expected])
        }
      }),
      settings(Math.ceil(RUNS / 10)),
    )
  })

  function byOrder(order: readonly (readonly [string, string])[], left: Answered, right: Answered): number {
    for (const [path, direction] of order) {
      const difference = compare(valueAt(left, path), valueAt(right, path))
      if (difference !== 0) return /desc/i.test(direction) ? -difference : difference
    }
    return 0
  }

  function valueAt(row: Tree, path: string): string | number | boolean {
    const found = path.split('/').reduce<Tree[string]>((inner, name) => (inner as Tree)[name] as Tree[string], row)
    return found as string | number | boolean
  }

  /** The parts of an object at these paths or inside them. */
  function chosen(tree: Tree, select: readonly string[], before = ''): Tree {
    return Object.fromEntries(
      Object.entries(tree).flatMap(([name, inner]) => {
        const path = `${before}${name}`
        if (select.includes(path)) return [[name, inner]]
        if (typeof inner !== 'object' || !select.some((one) => one.startsWith(`${path}/`))) return []
        return [[name, chosen(inner, select, `${path}/`)]]
      }),
    )
  }
})
