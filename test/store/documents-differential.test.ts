// Random complete queries of every document: the same answer from SQLite, from PostgreSQL, and from plain objects.
// FUZZ_RUNS multiplies the queries of each document, TABULARIUM_SEED reproduces a run with its rows.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isWrittenBackAlike, LongNumber } from '../../src/base/numbers/long-number.ts'
import type { DocumentDefinition } from '../../src/model/document.ts'
import { AttributeRelation } from '../../src/model/records/attribute-relation.ts'
import { AttributeValue } from '../../src/model/records/attribute-value.ts'
import { attributeDocument } from '../../src/objects/documents/attributes.ts'
import { companyDocument } from '../../src/objects/documents/companies.ts'
import { ledgerDocument } from '../../src/objects/documents/general-ledger-transactions.ts'
import { valueListDocument } from '../../src/objects/documents/value-list.ts'
import { readOptions } from '../../src/query/options.ts'
import { parseFilter } from '../../src/query/parse/filter.ts'
import { parseOrderBy } from '../../src/query/parse/order-by.ts'
import { parseSelect } from '../../src/query/parse/select.ts'
import { planCollection } from '../../src/query/plan.ts'
import { customerDocument } from '../../src/records/customers/customer-document.ts'
import { customDefinition, externalTableDefinition } from '../../src/setup/rules/custom-document.ts'
import { cellsOf, compileCollection, compileCount } from '../../src/store/compile/compile-query.ts'
import type { KeyFilter } from '../../src/store/compile/compiled-query.ts'
import type { Dialect } from '../../src/store/dialects/dialect.ts'
import { type AnswerFormat, INTERNAL_CALLER, type Store } from '../../src/store/store.ts'
import { edgeCaseRows } from '../support/edge-case-rows.ts'
import { JOBS, jobRows, jobStatements } from '../support/external-jobs.ts'
import { insertRows } from '../support/object-records.ts'
import { plainRecords } from '../support/plain-records.ts'
import { choose, evaluate, inOrder, type Row } from '../support/query-evaluator.ts'
import { queriesOf, type RandomQuery, typesOf } from '../support/random-query.ts'
import { STORE_KINDS, startWorld, type World } from '../support/world.ts'

const RUNS = 80 * Number(process.env.FUZZ_RUNS ?? 1)
const SEED = Number(process.env.TABULARIUM_SEED ?? Math.floor(Math.random() * 2 ** 31))
const SETUP = 'test/fixtures/objects.yaml'
const COMPANY = 'EN'
/** The last one has no descriptions. */
const LANGUAGES = ['EN', 'NO', 'SV'] as const

const rows = { ...edgeCaseRows(SEED), foreign_job: jobRows(SEED) }
const records = Object.fromEntries(LANGUAGES.map((one) => [one, plainRecords(rows, COMPANY, one)]))
const recordsOf = (name: string, language: string) => records[language]?.[name] ?? []

type Started = Awaited<ReturnType<typeof startWorld>>

const worlds: Started[] = []
const jobs = new Map<World, DocumentDefinition>()

beforeAll(async () => {
  for (const kind of STORE_KINDS) {
    const world = await startWorld(kind, SETUP)
    worlds.push(world)
    const { foreign_job, ...own } = rows
    for (const [table, lines] of Object.entries(own)) {
      await world.query(`delete from ${table}`)
      await insertRows(world, table, lines as never)
    }
    for (const statement of jobStatements(kind, foreign_job)) await world.query(statement)
    jobs.set(world, externalTableDefinition(JOBS, await world.application.service.store.columnsOf('foreign_job')))
  }
})

afterAll(async () => {
  for (const world of worlds) await world.stop()
})

interface Document {
  readonly name: string
  readonly of: (world: World) => DocumentDefinition
  readonly scope?: KeyFilter
  /** Whether a record is in the document's scope. */
  readonly isInScope?: (record: Row) => boolean
  /** Members with the same value in every record. */
  readonly fixed?: Row
}

const rulesOf = (world: World) => world.application.service.companies.require(COMPANY)
const STATES = ['posted', 'historical']
const today = companyDocument({ constant: 202_611 })
const workOrders = customDefinition(parse(readFileSync(SETUP, 'utf8')).documents[0])

const DOCUMENTS: readonly Document[] = [
  { name: 'attribute-values', of: () => AttributeValue.document },
  { name: 'attribute-relations', of: () => AttributeRelation.document },
  { name: 'attributes', of: () => attributeDocument },
  { name: 'companies', of: () => companyDocument({ column: 'current_period' }) },
  { name: 'companies', of: () => today, fixed: { currentAccountingPeriod: 202_611 } },
  { name: 'value-list', of: () => valueListDocument, scope: [['is_fallback', 0]] },
  { name: 'customers', of: (world) => customerDocument(rulesOf(world)) },
  { name: 'general-ledger-transactions', of: (world) => ledgerDocument(customerDocument(rulesOf(world))) },
  {
    name: 'general-ledger-transactions',
    of: (world) => ledgerDocument(customerDocument(rulesOf(world))),
    scope: [['state', STATES]],
    isInScope: ({ state }) => STATES.includes(String(state)),
  },
  { name: 'work-orders', of: () => workOrders },
  { name: 'jobs', of: (world) => jobs.get(world) ?? workOrders },
]

interface Asked extends RandomQuery {
  readonly language: string
  readonly format: AnswerFormat
}

/** The expected answer, computed from plain objects. */
function meantBy(asked: Asked, { name, isInScope = () => true, fixed = {} }: Document, definition: DocumentDefinition) {
  const types = typesOf(definition.properties)
  const tree = asked.filter === '' ? undefined : parseFilter(asked.filter)
  const all = recordsOf(name, asked.language).map((row) => ({ ...row, ...fixed }))
  const met = all.filter((row) => isInScope(row) && (!tree || evaluate(tree, row, types)))
  const sorted = inOrder(met, asked.orderBy === '' ? [] : parseOrderBy(asked.orderBy), definition.key)
  const page = sorted.slice(asked.offset, asked.limit === undefined ? undefined : asked.offset + asked.limit)
  const select = asked.select === '' ? undefined : parseSelect(asked.select)
  return { total: met.length, page: page.map((row) => choose(row, definition.properties, select)) }
}

/** The answer of a store: the body, and the total count. */
async function answerOf(world: World, document: Document, asked: Asked) {
  const { store } = world.application.service
  const definition = document.of(world)
  const scope: KeyFilter = [[definition.companyColumn, COMPANY], ...(document.scope ?? [])]
  const { language, format, limit, ...texts } = asked
  const pairs = Object.entries({ ...texts, ...(limit === undefined ? {} : { limit }) })
  const plan = planCollection(definition, readOptions(pairs.map(([name, value]) => [`$${name}`, String(value)])))
  const { content } = await store.collect(COMPANY, {
    format,
    cells: format === 'csv' ? cellsOf(plan.select) : [],
    compile: (engine, form) => compileCollection(plan, scope, engine, { language, form }),
    ...INTERNAL_CALLER,
    isUrgent: false,
  })
  // A chunk may end within a letter.
  const body = await textOf(content)
  const compile = (engine: Dialect) => compileCount(definition, plan.filter, scope, engine)
  return { body, total: (await store.count(COMPANY, { compile, ...INTERNAL_CALLER })).content }
}

async function textOf(answer: Awaited<ReturnType<Store['collect']>>['content']): Promise<string> {
  if (typeof answer === 'string') return answer
  return Buffer.concat(answer instanceof Uint8Array ? [answer] : await Array.fromAsync(answer)).toString()
}

async function check(document: Document, asked: Asked): Promise<void> {
  const [first] = worlds
  if (!first) throw new Error('no store has started')
  const { total, page } = meantBy(asked, document, document.of(first))
  const bodies: string[] = []
  for (const world of worlds) {
    const answer = await answerOf(world, document, asked)
    expect(answer.total).toBe(total)
    if (asked.format !== 'csv') {
      const found = asked.format === 'json' ? parsed(answer.body) : answer.body.split('\n').slice(0, -1).map(parsed)
      if (written(found) !== written(page)) expect(found).toEqual(page)
      expect(written(found)).toBe(written(page))
    }
    const numbers = asked.format === 'csv' ? NUMBER_IN_CELL : STRING_OR_NUMBER
    bodies.push(answer.body.replaceAll(numbers, (text) => (text.startsWith('"') ? text : written(numberIn(text)))))
  }
  // Byte for byte, apart from the notation of numbers (1e+15 or 1000000000000000).
  for (const body of bodies) expect(body).toBe(bodies[0])
}

/** A number of a list, whose quotes are doubled in a cell. */
const NUMBER_IN_CELL = /(?<="":)-?\d[\d.eE+-]*/g
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** An integer that no number holds is a bigint. */
function numberIn(text: string): number | bigint | LongNumber {
  const isLarge = /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))
  if (isLarge) return BigInt(text)
  return isWrittenBackAlike(text, Number(text)) ? Number(text) : new LongNumber(text)
}

function parsed(body: string): unknown {
  const reviver = (_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? numberIn(context?.source ?? '') : value
  return JSON.parse(body, reviver as (name: string, value: unknown) => unknown)
}

const written = (value: unknown) => JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? `${one}n` : one))

const ALL_OF_A_POINT = 'contactPoints(additionalContactInfo,address,contactPointType,phoneNumber,sequenceNumber)'

/** Regressions, and queries that are rarely generated at random. */
const FIXED: readonly [name: string, question: Partial<Asked>][] = [
  // An integer that no number holds is compared as it is written.
  ...[
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '9007199254740993',
    '9007199254740992',
  ].flatMap((long): [string, Partial<Asked>][] => [
    ['attribute-relations', { filter: `attributeValueFrom eq ${long}` }],
    ['attribute-relations', { filter: `attributeValueTo ge '${long}'` }],
    ['attribute-relations', { filter: `not (attributeValueFrom in (0.5, ${long}, 7))` }],
  ]),
  // Digits in CSV cells are not rounded either.
  ['attribute-relations', { select: 'attributeValue,attributeValueFrom', format: 'csv' }],
  // A constant must not be read as the position of a column to order by.
  ['companies', { orderBy: 'currentAccountingPeriod desc' }],
  // A stored list cannot be returned where other names are selected, and a missing record has none.
  ['customers', { select: ALL_OF_A_POINT }],
  ['general-ledger-transactions', { select: `customer(${ALL_OF_A_POINT})` }],
  ['general-ledger-transactions', { select: 'customerId,customer(contactPoints,relatedValues)' }],
  // A prefix is searched as a range, which ends before the next text with another prefix.
  ...['a', 'b', '\ud7ff', '\u{10ffff}', ''].map((text): [string, Partial<Asked>] => [
    'work-orders',
    { filter: `startswith(workOrderId,'${text}')` },
  ]),
  // Anything but 0 is true in a column of an external table.
  ['jobs', { filter: 'isLate', orderBy: 'isLate' }],
  ['jobs', { filter: 'isLate eq true or not isLate', orderBy: 'isLate desc' }],
  // The answered value of a number of four bytes finds it.
  ['jobs', { filter: 'work/share eq 0.1', select: 'id,work' }],
  // An invalid day reads as the absent value; fractions below milliseconds are cut.
  ['jobs', { filter: 'times/closesOn eq null', select: 'id,times' }],
  ['jobs', { filter: 'times/endsAt eq 2026-02-01T12:30:00.256Z', select: 'id,times', orderBy: 'times/closesOn' }],
]

it.each(FIXED)('%s %j is answered alike everywhere', async (name, question) => {
  const whole = {
    select: '',
    filter: '',
    orderBy: '',
    offset: 0,
    limit: undefined,
    language: 'EN',
    format: 'json',
  } as const
  for (const document of DOCUMENTS.filter((one) => one.name === name)) await check(document, { ...whole, ...question })
})

describe.each(DOCUMENTS.map((document, index) => ({ title: `${document.name} (${index})`, document })))(
  '$title',
  ({ document }) => {
    it(`is answered alike everywhere (TABULARIUM_SEED=${SEED})`, async () => {
      const [first] = worlds
      if (!first) throw new Error('no store has started')
      const queries = queriesOf(document.of(first).properties, recordsOf(document.name, 'EN'))
      const format = fc.constantFrom<AnswerFormat[]>('json', 'json', 'json', 'json', 'ndjson', 'csv')
      const asked = fc
        .tuple(queries, fc.constantFrom(...LANGUAGES), format)
        .map(([one, language, form]): Asked => ({ ...one, language, format: form }))
      await fc.assert(
        fc.asyncProperty(asked, (one) => check(document, one)),
        { numRuns: RUNS, seed: SEED },
      )
    })
  },
)
