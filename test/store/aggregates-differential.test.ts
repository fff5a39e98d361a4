// Random groups, aggregates, conditions on them, orders and pages: the same answer from SQLite, from PostgreSQL, and from
// plain objects with BigInt arithmetic. FUZZ_RUNS multiplies the queries of each document.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ABSENT, type DocumentDefinition, type Properties, type ValueProperty } from '../../src/model/document.ts'
import { readOptions } from '../../src/query/options.ts'
import { parseFilter } from '../../src/query/parse/filter.ts'
import { parseOrderBy } from '../../src/query/parse/order-by.ts'
import { type Plan, planCollection } from '../../src/query/plan.ts'
import { compileCollection, compileTotal } from '../../src/sql/compile/compile-query.ts'
import { cellsOf } from '../../src/sql/compile/members.ts'
import type { Dialect } from '../../src/sql/dialect.ts'
import type { CompiledQuery, KeyFilter } from '../../src/sql/rows/compiled-query.ts'
import type { AnswerFormat } from '../../src/store/answer-bytes.ts'
import { INTERNAL_CALLER } from '../../src/store/store.ts'
import { compiledByShape } from '../support/by-shape.ts'
import {
  alikeEverywhere,
  COMPANY,
  DOCUMENTS,
  LANGUAGES,
  numberIn,
  parsed,
  recordsOf,
  type ServedDocument,
  startWorlds,
  stopWorlds,
  textOf,
  worlds,
  written,
} from '../support/differential-worlds.ts'
import { averageOf, textOf as digitsOf, sumOf } from '../support/exact-arithmetic.ts'
import { compare, evaluate, inOrder, type Row, type Value } from '../support/query-evaluator.ts'
import { queriesOf, typesOf } from '../support/random-query.ts'
import { SEED, triesOf } from '../support/reliability-test.ts'
import type { World } from '../support/world.ts'

const RUNS = triesOf({ smoke: 12, long: 60, full: 60 }) * Number(process.env.FUZZ_RUNS ?? 1)

beforeAll(startWorlds)
afterAll(stopWorlds)

/** A property that can be grouped by. */
interface Place {
  readonly path: string
  readonly property: ValueProperty
}

interface Grouping {
  readonly groups: readonly (Place & { readonly description: '' | '[T]' | '[C;T]' })[]
  readonly aggregates: readonly { readonly name: string; readonly of?: Place; readonly alias: string }[]
}

interface Asked extends Grouping {
  readonly filter: string
  readonly otherFilter: string
  readonly having: string
  readonly orderBy: string
  readonly offset: number
  readonly limit: number | undefined
  readonly language: string
  readonly format: AnswerFormat
}

function placesOf(properties: Properties, before = ''): Place[] {
  return Object.entries(properties).flatMap(([name, property]): Place[] => {
    if (property.kind === 'value') return property.filterable ? [{ path: before + name, property }] : []
    if (property.kind === 'list') return []
    return placesOf(property.kind === 'group' ? property.properties : property.document.properties, `${before}${name}/`)
  })
}

const FUNCTIONS: Readonly<Record<string, (place: Place) => boolean>> = {
  sum: ({ property }) => ['integer', 'number', 'decimal'].includes(property.type),
  average: ({ property }) => ['integer', 'number', 'decimal'].includes(property.type),
  min: ({ property }) => property.type !== 'boolean',
  max: ({ property }) => property.type !== 'boolean',
  countDistinct: () => true,
}

function groupingsOf(properties: Properties): fc.Arbitrary<Grouping> {
  const places = placesOf(properties)
  // A missing record has no codes, but reads as one with empty codes, which may be described.
  const described = ({ path, property: { codes } }: Place) =>
    codes && !('attributeIdIn' in codes) && !path.startsWith('customer/')
      ? fc.constantFrom('', '[T]', '[C;T]')
      : fc.constant('')
  const group = fc
    .constantFrom(...places)
    .chain((place) => described(place).map((description) => ({ ...place, description })))
  const computed = Object.entries(FUNCTIONS).flatMap(([name, takes]) =>
    places.filter(takes).map((of): { name: string; of?: Place } => ({ name, of })),
  )
  const numeric = computed.filter(({ name }) => name === 'sum' || name === 'average')
  const aggregate = fc.oneof(
    fc.constantFrom(...computed),
    fc.constantFrom(...(numeric.length > 0 ? numeric : computed)),
    fc.constant({ name: 'count' }),
  )
  return fc
    .record({
      groups: fc.uniqueArray(group, { maxLength: 3, selector: ({ path }) => path }),
      aggregates: fc.array(aggregate, { maxLength: 4 }),
    })
    .filter(({ groups, aggregates }) => groups.length + aggregates.length > 0)
    .map(({ groups, aggregates }) => ({
      groups: groups as Grouping['groups'],
      aggregates: aggregates.map((one, at) => ({ ...one, alias: `result${at}` })),
    }))
}

const at = (row: Row, path: string) =>
  path.split('/').reduce<unknown>((found, name) => (found as Row)[name], row) as Value

function computed({ name, of }: Grouping['aggregates'][number], rows: readonly Row[]): Value {
  if (!of) return rows.length
  const values = rows.map((row) => at(row, of.path))
  const { type, scale } = of.property
  switch (name) {
    case 'countDistinct':
      return new Set(values.map(written)).size
    case 'sum':
      return numberIn(digitsOf(sumOf(values)))
    case 'average':
      return numberIn(digitsOf(averageOf(values, type === 'integer' ? 0 : scale)))
    default: {
      const sorted = values.toSorted(compare)
      return (name === 'min' ? sorted[0] : sorted.at(-1)) ?? ABSENT[type]
    }
  }
}

/** Sets a member of a nested object. */
function put(target: Record<string, unknown>, names: readonly string[], value: unknown): void {
  const [name = '', ...rest] = names
  if (rest.length === 0) target[name] = value
  else {
    target[name] ??= {}
    put(target[name] as Record<string, unknown>, rest, value)
  }
}

function resultsOf({ groups, aggregates }: Grouping, rows: readonly Row[]): Row[] {
  const byGroup = Map.groupBy(rows, (row) => written(groups.map(({ path }) => at(row, path))))
  const all = groups.length === 0 ? [rows] : [...byGroup.values()]
  return all.map((members) => {
    const result: Record<string, unknown> = {}
    for (const { path } of groups) put(result, path.split('/'), members[0] && at(members[0], path))
    for (const one of aggregates) result[one.alias] = computed(one, members)
    // Descriptions are not asked about, only answered.
    Object.defineProperty(result, 'first', { value: members[0], enumerable: false })
    return result
  })
}

/** The members of a result as they are answered. */
function answered({ groups, aggregates }: Grouping, result: Row): Row {
  const row: Record<string, unknown> = {}
  for (const { path, description } of groups) {
    if (description !== '[T]') put(row, path.split('/'), at(result, path))
    const beside = `${path}(description)`
    if (description !== '') put(row, beside.split('/'), at(result.first as Row, beside))
  }
  for (const { alias } of aggregates) row[alias] = result[alias]
  return row
}

const recordsIn = ({ name, fixed = {}, isInScope = () => true }: ServedDocument, language: string) =>
  recordsOf(name, language)
    .map((row) => ({ ...row, ...fixed }))
    .filter(isInScope)

function meantBy(asked: Asked, document: ServedDocument, definition: DocumentDefinition, plan: Plan) {
  const tree = asked.filter === '' ? undefined : parseFilter(asked.filter)
  const types = typesOf(definition.properties)
  const met = recordsIn(document, asked.language).filter((row) => !tree || evaluate(tree, row, types))
  const having = asked.having === '' ? undefined : parseFilter(asked.having)
  const resultTypes = typesOf(plan.grouping?.result.properties ?? {})
  const results = resultsOf(asked, met).filter((row) => !having || evaluate(having, row, resultTypes))
  const order = asked.orderBy === '' ? [] : parseOrderBy(asked.orderBy)
  const key = asked.groups.flatMap(({ path }) => parseOrderBy(path))
  const sorted = inOrder(results, [...order, ...key], [])
  const page = sorted.slice(asked.offset, asked.limit === undefined ? undefined : asked.offset + asked.limit)
  return { total: results.length, page: page.map((row) => answered(asked, row)) }
}

function pairsOf(asked: Asked): [name: string, value: string][] {
  const { groups, aggregates, filter, having, orderBy, offset, limit } = asked
  const texts = {
    groupBy: groups.map(({ path, description }) => path + description).join(' , '),
    aggregate: aggregates.map(({ name, of, alias }) => `${name}(${of?.path ?? ''}) as ${alias}`).join(),
    filter,
    having,
    orderBy,
    offset: String(offset),
    limit: limit === undefined ? '' : String(limit),
  }
  return Object.entries(texts)
}

const planOf = (definition: DocumentDefinition, asked: Asked): Plan =>
  planCollection(definition, readOptions(pairsOf(asked)))

async function answerOf(world: World, document: ServedDocument, asked: Asked) {
  const { store } = world.application.service
  const definition = document.of(world)
  const plan = planOf(definition, asked)
  const byShape = (compile: (plan: Plan) => CompiledQuery) =>
    compiledByShape(definition, pairsOf(asked), asked.otherFilter, compile)
  const scope: KeyFilter = [[definition.companyColumn, COMPANY], ...(document.scope ?? [])]
  const { format, language } = asked
  const { content } = await store.collect(COMPANY, {
    format,
    cells: format === 'csv' ? cellsOf(plan.columns) : [],
    compile: (engine, form) => byShape((one) => compileCollection(one, scope, engine, { language, form })),
    ...INTERNAL_CALLER,
    isUrgent: false,
  })
  const compile = (engine: Dialect) => byShape((one) => compileTotal(one, scope, engine))
  return { body: await textOf(content), total: (await store.count(COMPANY, { compile, ...INTERNAL_CALLER })).content }
}

async function check(document: ServedDocument, asked: Asked): Promise<void> {
  const [first] = worlds
  if (!first) throw new Error('no store has started')
  const definition = document.of(first)
  const { total, page } = meantBy(asked, document, definition, planOf(definition, asked))
  const bodies: string[] = []
  for (const world of worlds) {
    const { body, total: counted } = await answerOf(world, document, asked)
    expect(counted).toBe(total)
    if (asked.format !== 'csv') {
      const found = asked.format === 'json' ? parsed(body) : body.split('\n').slice(0, -1).map(parsed)
      if (written(found) !== written(page)) expect(found).toEqual(page)
      expect(written(found)).toBe(written(page))
    }
    bodies.push(alikeEverywhere(body, asked.format))
  }
  for (const body of bodies) expect(body).toBe(bodies[0])
}

/** Random questions, whose conditions have values of the results among their literals. */
function questionsOf(document: ServedDocument, definition: DocumentDefinition): fc.Arbitrary<Asked> {
  const records = recordsIn(document, 'EN')
  const filters = queriesOf(definition.properties, records).map(({ filter, otherFilter }) => ({ filter, otherFilter }))
  return groupingsOf(definition.properties).chain((grouping) => {
    const bare = { ...grouping, filter: '', otherFilter: '', having: '', orderBy: '', offset: 0, limit: undefined }
    const { result } = planOf(definition, { ...bare, language: 'EN', format: 'json' }).grouping ?? (definition as never)
    return fc
      .tuple(
        fc.oneof(fc.constant({ filter: '', otherFilter: '' }), filters),
        queriesOf((result as DocumentDefinition).properties, resultsOf(grouping, records)),
        fc.constantFrom(...LANGUAGES),
        fc.constantFrom<AnswerFormat[]>('json', 'json', 'json', 'ndjson', 'csv'),
      )
      .map(([own, { filter: having, orderBy, offset, limit }, language, format]) => {
        return { ...grouping, ...own, having, orderBy, offset, limit, language, format }
      })
  })
}

describe.each(DOCUMENTS.map((document, index) => ({ title: `${document.name} (${index})`, document })))(
  'groups of $title',
  ({ document }) => {
    it(`are answered alike everywhere (TABULARIUM_SEED=${SEED})`, async () => {
      const [first] = worlds
      if (!first) throw new Error('no store has started')
      await fc.assert(
        fc.asyncProperty(questionsOf(document, document.of(first)), (one) => check(document, one)),
        { numRuns: RUNS, seed: SEED },
      )
    })
  },
)
