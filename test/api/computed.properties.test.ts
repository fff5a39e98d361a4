// Random computed properties: the same values, orders and conditions as plain JavaScript has, on each database.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareCodePoints } from '../../src/base/text.ts'
import type { DocumentSetup } from '../../src/setup/file/document-schema.ts'
import { textOf } from '../support/exact-arithmetic.ts'
import { setupOf } from '../support/own/random-declarations.ts'
import {
  type Computed,
  type Decimal,
  type Expressions,
  expressionsOf,
  type Values,
} from '../support/own/random-expressions.ts'
import { SEED, triesOf } from '../support/reliability-test.ts'
import { STORE_KINDS, startWorld, type World } from '../support/world.ts'

const PAIRS = triesOf({ smoke: 12, long: 60, full: 1_000 })
const IN_ONE_SETUP = 20
/** The full form takes half an hour on a busy machine. */
const MOST_MS = 7_200_000
const RECORDS = 5
const COMPUTED = 6

const NUMBERS = { i1: 0, i2: 0, d0: 0, d2: 2, d4: 4, d9: 9 }
const STORED = Object.entries(NUMBERS)
const TEXTS = ['t1', 't2']
const DATES = ['g/from', 'g/until']
const PLAIN: DocumentSetup['properties'] = {
  i1: { type: 'integer' },
  i2: { type: 'integer' },
  ...Object.fromEntries(
    STORED.filter(([name]) => name.startsWith('d')).map(([name, scale]) => [name, { type: 'decimal', scale }]),
  ),
  t1: { type: 'string', maxLength: 30 },
  t2: { type: 'string', maxLength: 30 },
  g: { group: { from: { type: 'date-time' }, until: { type: 'date-time' } } },
}

interface Pair {
  readonly name: string
  readonly ofRecord: Expressions
  readonly ofLine: Expressions
}

function pairOf(name: string, seed: number): Pair {
  const none = { lines: {}, earlier: {}, earlierOfLines: {} }
  const plain = { numbers: NUMBERS, integers: ['i1', 'i2'], texts: TEXTS, dates: DATES, ...none }
  const ofLine = expressionsOf(plain, COMPUTED, seed)
  const ofRecord = expressionsOf({ ...plain, lines: NUMBERS, earlierOfLines: ofLine }, COMPUTED, seed + 5_000)
  return { name, ofLine, ofRecord }
}

const declared = (expressions: Expressions) =>
  Object.fromEntries(Object.entries(expressions).map(([name, { text }]) => [name, { computed: text }]))

function documentsOf({ name, ofRecord, ofLine }: Pair): DocumentSetup[] {
  const lines = { items: `${name}-lines`, by: ['no'], with: 'cascade' as const }
  const order = { reference: name, key: ['no'] }
  return [
    { name, key: ['no'], properties: { no: { type: 'integer' }, ...PLAIN, lines, ...declared(ofRecord) } },
    {
      name: `${name}-lines`,
      key: ['no', 'line'],
      properties: { no: { type: 'integer' }, line: { type: 'integer' }, order, ...PLAIN, ...declared(ofLine) },
    },
  ]
}

const units = (places: number): fc.Arbitrary<Decimal> =>
  fc
    .oneof(
      fc.bigInt(-(10n ** 18n) + 1n, 10n ** 18n - 1n),
      fc.bigInt(-20_000n, 20_000n),
      fc.constantFrom(0n, 1n, -1n, 5n, -5n, 10n ** 18n - 1n),
    )
    .map((value) => ({ units: value, places }))
const integers: fc.Arbitrary<Decimal> = fc
  .oneof(fc.maxSafeInteger(), fc.integer({ min: -50, max: 50 }), fc.constant(0))
  .map((value) => ({ units: BigInt(value), places: 0 }))
const texts = fc.constantFrom('', ' a ', 'Abc', 'stra\u00dfe', '\u00c9\u00e9\u00c5', "it's", '\u{1f600}x', '0012')
const dates = fc.constantFrom(
  '1900-01-01T00:00:00.000Z',
  '2024-02-29T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T12:00:00.000Z',
  '1899-12-31T00:00:00.000Z',
)

const plainValues = fc.record({
  numbers: fc.record(
    Object.fromEntries(STORED.map(([name, places]) => [name, name.startsWith('i') ? integers : units(places)])),
  ),
  texts: fc.record({ t1: texts, t2: texts }),
  dates: fc.record({ 'g/from': dates, 'g/until': dates }),
})
const valuesOf: fc.Arbitrary<Values> = fc
  .tuple(plainValues, fc.array(plainValues, { maxLength: 4 }))
  .map(([own, lines]) => ({ ...own, lines: lines.map((line) => ({ ...line, lines: [] })) }))

/** As text: a double has no such numbers. */
function bodyOf({ numbers, texts: own, dates: times, lines }: Values, key: Record<string, number>): string {
  const members = [
    ...Object.entries(key).map(([name, value]) => `"${name}":${value}`),
    ...Object.entries(numbers).map(([name, value]) => `"${name}":${textOf(value)}`),
    ...Object.entries(own).map(([name, value]) => `"${name}":${JSON.stringify(value)}`),
    `"g":${JSON.stringify({ from: times['g/from'], until: times['g/until'] })}`,
    ...(lines.length > 0 ? [`"lines":[${lines.map((line, at) => bodyOf(line, { line: at })).join(',')}]`] : []),
  ]
  return `{${members.join(',')}}`
}

type Source = { readonly source?: string }
const parse = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: Source) => unknown,
) => unknown
/** Numbers as they are written. */
const exactly = (text: string) =>
  parse(text, (_name, value, { source }) => (typeof value === 'number' ? source : value)) as Record<string, unknown>[]

const shown = (value: Computed | undefined) => (typeof value === 'object' ? textOf(value) : value)
const computedOf = (expressions: Expressions, values: Values) =>
  Object.fromEntries(Object.entries(expressions).map(([name, one]) => [name, shown(one.of(values))]))

function compared(one: Computed, other: Computed): number {
  if (typeof one === 'string') return compareCodePoints(one, other as string)
  const [left, right] = [one, other as Decimal]
  const difference = left.units * 10n ** BigInt(right.places) - right.units * 10n ** BigInt(left.places)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

it.each(STORE_KINDS)('random expressions are computed as they say, on %s', { timeout: MOST_MS }, async (kind) => {
  for (let from = 0; from < PAIRS; from += IN_ONE_SETUP) {
    const count = Math.min(IN_ONE_SETUP, PAIRS - from)
    const pairs = Array.from({ length: count }, (_one, at) => pairOf(`d${from + at}`, SEED + from + at))
    const world = await startDeclared(kind, pairs.flatMap(documentsOf))
    try {
      for (const [at, pair] of pairs.entries()) await tryPair(world, pair, SEED + from + at)
    } finally {
      await world.stop()
    }
  }
})

async function startDeclared(kind: (typeof STORE_KINDS)[number], documents: readonly DocumentSetup[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-computed-'))
  const file = join(folder, 'setup.yaml')
  writeFileSync(file, setupOf(documents))
  try {
    return await startWorld(kind, file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function tryPair(world: World, { name, ofRecord, ofLine }: Pair, seed: number): Promise<void> {
  const records = fc.sample(valuesOf, { numRuns: RECORDS, seed })
  const get = async (url: string) => {
    const { status, text } = await world.send({ as: 'all', url })
    expect([status, status === 200 ? '' : text]).toEqual([200, ''])
    return exactly(text)
  }
  const query = (options: Record<string, string>) => get(`/v1/objects/${name}?${new URLSearchParams(options)}`)
  for (const [no, values] of records.entries()) {
    const created = await world.send({ as: 'all', method: 'POST', url: `/v1/${name}`, body: bodyOf(values, { no }) })
    expect([created.status, created.status === 201 ? '' : created.text]).toEqual([201, ''])
    const expected = computedOf(ofRecord, values)
    expect(exactly(created.text)).toMatchObject(expected)
    expect(exactly(created.text)).toMatchObject({ lines: values.lines.map((line) => computedOf(ofLine, line)) })
  }
  const expected = records.map((values) => computedOf(ofRecord, values))
  expect(await query({})).toMatchObject(expected)
  for (const [property, expression] of Object.entries(ofRecord)) {
    const all = records.map((values) => expression.of(values))
    const inOrder = [...all.keys()].sort((one, other) => compared(all[one] ?? '', all[other] ?? '') || one - other)
    expect(await query({ orderby: `${property},no`, select: 'no' })).toEqual(inOrder.map((no) => ({ no: String(no) })))
    const [pivot = ''] = all
    const literal = typeof pivot === 'string' ? `'${pivot.replaceAll("'", "''")}'` : textOf(pivot)
    for (const [op, holds] of OPERATORS) {
      const met = [...all.keys()].filter((no) => holds(compared(all[no] ?? '', pivot)))
      const found = await query({ filter: `${property} ${op} ${literal}`, select: 'no' })
      expect([expression.text, op, literal, found]).toEqual([
        expression.text,
        op,
        literal,
        met.map((no) => ({ no: String(no) })),
      ])
    }
  }
}

const OPERATORS: readonly (readonly [string, (difference: number) => boolean])[] = [
  ['eq', (difference) => difference === 0],
  ['gt', (difference) => difference > 0],
  ['le', (difference) => difference <= 0],
]
