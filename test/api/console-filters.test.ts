// What is chosen as a filter in the console is read back from its text, and the service answers the records that it says.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IS_LONG, randomNumbers, SEED, triesOf } from '../support/reliability-test.ts'
import { startWorld, type World } from '../support/world.ts'

interface Condition {
  readonly path: string
  readonly operator: string
  readonly values: readonly string[]
}

interface Column {
  readonly path: string
  readonly kind: string
  readonly within?: { readonly list: string; readonly member: { readonly path: string } }
}

/** Their types are those of a browser, so they are no part of this program. */
const GRID = '../../console/src/pages/grid'
const METADATA: string = '../../console/src/service/metadata.ts'
const { documentOf } = await import(/* @vite-ignore */ METADATA)
const { allColumns } = await import(/* @vite-ignore */ `${GRID}/list-columns.ts`)
const { conditionsIn, filterOf, isFilterable } = await import(/* @vite-ignore */ `${GRID}/filter/conditions.ts`)
const { operatorsOf, valuesFor } = await import(/* @vite-ignore */ `${GRID}/filter/values.ts`)

type Row = Readonly<Record<string, unknown>>

const TEXTS = ["O'Neil", 'RØR og Pumpe', 'rør', '%', '5', "') or (text ne '", 'and']
const NUMBERS = ['0', '1', '2.5', '-3', '12345678.125']
const DAYS = ['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01']
const CODES = ['100', '200']
/** With this one, the same in each `npm test`, a fault was found. */
const seed = IS_LONG ? SEED : 77

describe('A filter of the console', () => {
  let world: World & { stop(): Promise<void> }
  const documents = new Map<string, { readonly columns: readonly Column[]; readonly rows: readonly Row[] }>()
  const random = randomNumbers(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

  const ask = async (document: string, filter: string): Promise<readonly Row[]> => {
    const select = document === 'purchase-orders' ? '*,lines' : '*'
    const url = `/v1/objects/${document}?$select=${select}&$filter=${encodeURIComponent(filter)}`
    const { status, json, text } = await world.send({ as: 'integration', url })
    expect([filter, status, status === 200 || text]).toEqual([filter, 200, true])
    return json
  }

  beforeAll(async () => {
    world = await startWorld('sqlite', 'test/fixtures/order-lines.yaml')
    for (let order = 0; order < 12; order++) {
      const lines = Array.from({ length: order % 4 }, (_one, at) => ({
        lineNo: at + 1,
        costCentre: pick(['', ...CODES]),
        quantity: Math.abs(Number(pick(NUMBERS))),
        price: Number(pick(NUMBERS)),
        ...(random() < 0.7 ? { delivery: { date: `${pick(DAYS)}T${pick(['00:00', '13:30'])}:00.000` } } : {}),
      }))
      const body = { orderNo: `P${order}`, text: pick(['', ...TEXTS]), lines }
      const { status } = await world.send({ as: 'integration', method: 'POST', url: '/v1/purchase-orders', body })
      expect(status).toBe(201)
    }
    for (const name of ['purchase-orders', 'purchase-order-lines']) {
      const headers = { accept: 'application/schema+json' }
      const { json } = await world.send({ as: 'integration', url: `/v1/objects/${name}`, headers })
      const all: readonly Column[] = allColumns(documentOf(name, json))
      const rows = await ask(name, '')
      // Other records are not asked for, but for the lines.
      const own = all.filter(({ path, within }) => memberOf(rows[0] ?? {}, within?.list ?? path) !== undefined)
      const columns = own.filter(isFilterable)
      documents.set(name, { columns, rows })
    }
  })
  afterAll(() => world.stop())

  it('means what is chosen, and is read back', async () => {
    const [orders, lines] = ['purchase-orders', 'purchase-order-lines'].map((name) => documents.get(name)?.columns)
    expect(orders?.map(({ path }) => path)).toEqual(expect.arrayContaining(['text', 'lines/price']))
    expect(lines?.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['text', 'decimal', 'integer', 'date-time']))
    const asked = new Set<string>()
    for (let round = 0; round < triesOf({ smoke: 600, long: 1_000, full: 5_000 }); round++) {
      const name = pick([...documents.keys()])
      const { columns = [], rows = [] } = documents.get(name) ?? {}
      const first = pick(columns)
      const others = columns.filter(({ path }) => path !== first.path)
      const chosen = [first, ...(random() < 0.3 ? [pick(others)] : [])].map(conditionOf)
      const filter = filterOf(chosen, columns)
      expect([seed, filter, conditionsIn(filter, columns)]).toEqual([seed, filter, chosen])
      const expected = rows.filter((row) => chosen.every((one) => meets(row, columnOf(columns, one), one)))
      expect([seed, filter, (await ask(name, filter)).map(keyOf)]).toEqual([seed, filter, expected.map(keyOf)])
      for (const { operator } of chosen) asked.add(operator)
    }
    expect(asked.size).toBeGreaterThanOrEqual(12)
  })

  function conditionOf(column: Column): Condition {
    const operator = pick(operatorsOf(column) as readonly string[])
    const pool = column.kind === 'date-time' ? DAYS : column.kind === 'integer' ? ['1', '2', '3'] : NUMBERS
    const texts = /costCentre$/.test(column.path) ? CODES : /orderNo$/.test(column.path) ? ['P1', 'P7', 'P'] : TEXTS
    const value = () => pick(column.kind === 'text' ? texts : pool)
    const count = { none: 0, one: 1, two: 2, many: 2 }[valuesFor(operator) as 'none' | 'one' | 'two' | 'many']
    const values = Array.from({ length: count }, value)
    // One day is no range.
    if (operator === 'between' && values[0] === values[1])
      return { path: column.path, operator: 'is', values: values.slice(1) }
    return { path: column.path, operator, values }
  }
})

const keyOf = ({ orderNo, lineNo }: Row): unknown => [orderNo, lineNo]

const columnOf = (columns: readonly Column[], { path }: Condition): Column =>
  columns.find((column) => column.path === path) as Column

const OPPOSITES: Readonly<Record<string, string>> = {
  isNot: 'is',
  noneOf: 'oneOf',
  containsNot: 'contains',
  isEmpty: 'isFilled',
}

/** One item of a list is so; or none, for what is denied. */
function meets(row: Row, column: Column, { operator, values }: Condition): boolean {
  const positive = OPPOSITES[operator] ?? operator
  const items = column.within ? (memberOf(row, column.within.list) as readonly Row[]) : [row]
  const path = column.within?.member.path ?? column.path
  const isMet = items.some((item) => isSo(positive, column.kind, String(memberOf(item, path) ?? ''), values))
  return isMet === (positive === operator)
}

const memberOf = (row: Row, path: string): unknown =>
  path.split('/').reduce<unknown>((value, name) => (value as Row | undefined)?.[name], row)

function isSo(
  operator: string,
  kind: string,
  text: string,
  [first = '', last = '', ...more]: readonly string[],
): boolean {
  const value = kind === 'date-time' ? text.slice(0, 10) : text
  const order = (other: string) =>
    kind === 'text' || kind === 'date-time' ? compare(value, other) : Number(value) - Number(other)
  switch (operator) {
    case 'is':
      return order(first) === 0
    case 'oneOf':
      return [first, last, ...more].some((one) => order(one) === 0)
    case 'isFilled':
      return value !== '' && value !== '1900-01-01'
    case 'contains':
      return value.toLowerCase().includes(first.toLowerCase())
    case 'startsWith':
      return value.toLowerCase().startsWith(first.toLowerCase())
    case 'startsExactly':
      return value.startsWith(first)
    case 'from':
      return order(first) >= 0
    case 'to':
      return order(first) <= 0
    case 'between':
      return order(first) >= 0 && order(last) <= 0
    case 'above':
      return order(first) > 0
    case 'below':
      return order(first) < 0
    default:
      throw new Error(`no test has '${operator}'`)
  }
}

/** By code points, as the service does; the texts here have none above U+FFFF. */
const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right))
