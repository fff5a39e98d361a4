// Random complete queries of every document: the same answer from SQLite, from PostgreSQL, and from plain objects.
// FUZZ_RUNS multiplies the queries of each document, TABULARIUM_SEED reproduces a run with its rows.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDefinition } from '../../src/model/document.ts'
import { readOptions } from '../../src/query/options.ts'
import { parseFilter } from '../../src/query/parse/filter.ts'
import { parseOrderBy } from '../../src/query/parse/order-by.ts'
import { parseSelect } from '../../src/query/parse/select.ts'
import { planCollection } from '../../src/query/plan.ts'
import { compileCollection, compileCount } from '../../src/sql/compile/compile-query.ts'
import { cellsOf } from '../../src/sql/compile/members.ts'
import type { Dialect } from '../../src/sql/dialect.ts'
import type { KeyFilter } from '../../src/sql/rows/compiled-query.ts'
import type { AnswerFormat } from '../../src/store/answer-bytes.ts'
import { INTERNAL_CALLER } from '../../src/store/store.ts'
import { compiledByShape } from '../support/by-shape.ts'
import {
  alikeEverywhere,
  COMPANY,
  DOCUMENTS,
  LANGUAGES,
  parsed,
  recordsOf,
  type ServedDocument,
  startWorlds,
  stopWorlds,
  textOf,
  worlds,
  written,
} from '../support/differential-worlds.ts'
import { choose, evaluate, inOrder } from '../support/query-evaluator.ts'
import { queriesOf, type RandomQuery, typesOf } from '../support/random-query.ts'
import { SEED, triesOf } from '../support/reliability-test.ts'
import type { World } from '../support/world.ts'

const RUNS = triesOf({ smoke: 15, long: 80, full: 80 }) * Number(process.env.FUZZ_RUNS ?? 1)

beforeAll(startWorlds)
afterAll(stopWorlds)

interface Asked extends RandomQuery {
  readonly language: string
  readonly format: AnswerFormat
}

/** The expected answer, computed from plain objects. */
function meantBy(
  asked: Asked,
  { name, isInScope = () => true, fixed = {} }: ServedDocument,
  definition: DocumentDefinition,
) {
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
async function answerOf(world: World, document: ServedDocument, asked: Asked) {
  const { store } = world.application.service
  const definition = document.of(world)
  const scope: KeyFilter = [[definition.companyColumn, COMPANY], ...(document.scope ?? [])]
  const { language, format, limit, otherFilter, ...texts } = asked
  const options = Object.entries({ ...texts, ...(limit === undefined ? {} : { limit }) })
  const pairs = options.map(([name, value]) => [`$${name}`, String(value)] as const)
  const plan = planCollection(definition, readOptions(pairs))
  const { content } = await store.collect(COMPANY, {
    format,
    cells: format === 'csv' ? cellsOf(plan.select) : [],
    compile: (engine, form) =>
      compiledByShape(definition, pairs, otherFilter, (one) =>
        compileCollection(one, scope, engine, { language, form }),
      ),
    ...INTERNAL_CALLER,
    isUrgent: false,
  })
  // A chunk may end within a letter.
  const body = await textOf(content)
  const compile = (engine: Dialect) =>
    compiledByShape(definition, pairs, otherFilter, (one) => compileCount(definition, one.filter, scope, engine))
  return { body, total: (await store.count(COMPANY, { compile, ...INTERNAL_CALLER })).content }
}

async function check(document: ServedDocument, asked: Asked): Promise<void> {
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
    bodies.push(alikeEverywhere(answer.body, asked.format))
  }
  for (const body of bodies) expect(body).toBe(bodies[0])
}

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
    otherFilter: question.filter ?? '',
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
