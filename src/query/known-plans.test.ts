import { describe, expect, it } from 'vitest'
import { type DocumentDefinition, value } from '../model/document.ts'
import { restricted } from '../model/restricted.ts'
import type { BoundExpression } from './bound.ts'
import { planOf, shapeOfPlan, withValues } from './known-plans.ts'
import { readOptions } from './options.ts'
import { planCollection } from './plan.ts'

function orders(): DocumentDefinition {
  return {
    name: 'orders',
    version: 1,
    description: '',
    table: 'orders',
    companyColumn: 'company_id',
    joins: {},
    key: ['orderNo'],
    properties: {
      orderNo: value('integer', 'order_no'),
      note: value('string', 'note'),
      isOpen: value('boolean', 'is_open'),
      start: value('date-time', 'start'),
      amount: value('decimal', 'amount', { scale: 2 }),
    },
  }
}

const pairsOf = (options: Readonly<Record<string, string>>) => Object.entries(options)

function valuesIn(filter: BoundExpression | undefined): unknown[] {
  const found: unknown[] = []
  if (!filter) return found
  withValues(filter, (one) => {
    found.push(`${one.type} ${one.value}`)
    return one
  })
  return found
}

/** The plan for the second options after the first were asked, compared with the plan of the second alone. */
function requestedBoth(first: Readonly<Record<string, string>>, second: Readonly<Record<string, string>>) {
  const definition = orders()
  const one = planOf(definition, pairsOf(first))
  const other = planOf(definition, pairsOf(second))
  const alone = planCollection(definition, readOptions(pairsOf(second)))
  expect(valuesIn(other.plan.filter)).toEqual(valuesIn(alone.filter))
  expect(valuesIn(other.plan.requestedFilter)).toEqual(valuesIn(alone.requestedFilter))
  expect(other.options).toEqual(readOptions(pairsOf(second)))
  const shape = shapeOfPlan(other.plan)?.shape
  return { isShared: shape !== undefined && shape === shapeOfPlan(one.plan)?.shape, plan: other.plan }
}

describe('a plan', () => {
  it.each([
    ["note eq 'a'", "note eq 'bcd'"],
    ['orderNo ge 1 and orderNo lt 9', 'orderNo ge 9007199254740993 and orderNo lt 7.5'],
    ["note in ('a','b')", "note in ('c','c')"],
    ['start gt 2026-01-31', 'start gt 2026-02-01T10:00:00Z'],
    ["note eq 'null'", "note eq ''"],
    ['amount eq 1.25', 'amount eq 1.255'],
    ["isOpen eq 'true'", "isOpen eq 'FALSE'"],
    ["startswith(note,'a') or 7 lt orderNo", "startswith(note,'') or 8 lt orderNo"],
  ])('of %s serves %s with its own values', (first, second) => {
    expect(requestedBoth({ filter: first }, { filter: second }).isShared).toBe(true)
  })

  it('serves requests that differ in what is no option, which is told where it may be a misspelt one', () => {
    const options = (request: string) => ({ filter: "note eq 'a'", request })
    expect(requestedBoth(options('1'), options('2')).isShared).toBe(true)
    const misspelt = pairsOf({ filter: "note eq 'b'", $limmit: '1' })
    expect(() => planOf(orders(), misspelt)).toThrow("Unknown query option '$limmit'; did you mean '$limit'?")
  })

  it.each([
    [{ filter: "note eq 'a'" }, { filter: 'note eq 1' }],
    [{ filter: "note eq 'a'" }, { filter: 'note eq null' }],
    [{ filter: "note in ('a')" }, { filter: "note in ('a','b')" }],
    [{ filter: "note eq 'a'" }, { filter: "note  eq 'a'" }],
    [
      { filter: "note eq 'a'", limit: '1' },
      { filter: "note eq 'a'", limit: '2' },
    ],
    [
      { filter: "note eq 'a'", groupBy: 'note', having: "note eq 'a'" },
      { filter: "note eq 'a'", groupBy: 'note', having: "note eq 'b'" },
    ],
    [{ filter: "start eq datetime'2026-01-31'" }, { filter: "start eq datetime'2026-02-01'" }],
  ])('of %j does not serve %j', (first: Record<string, string>, second: Record<string, string>) => {
    expect(requestedBoth(first, second).isShared).toBe(false)
  })

  it('keeps the values of the condition on groups and the rules of the caller', () => {
    const options = (note: string) => ({ filter: `note eq '${note}'`, groupBy: 'note', having: "note ne 'h'" })
    const { isShared, plan } = requestedBoth(options('a'), options('b'))
    expect(isShared).toBe(true)
    expect(valuesIn(plan.grouping?.having)).toEqual(['string h'])
    const hidden = restricted(
      orders(),
      new Map([['orders', { hidden: new Set<string>(), filters: ["note ne 'rule'"] }]]),
    )
    const planned = ['a', 'b'].map((note) => planOf(hidden, pairsOf({ filter: `note eq '${note}'` })).plan)
    expect(planned.map(({ filter }) => valuesIn(filter))).toEqual([
      ['string rule', 'string a'],
      ['string rule', 'string b'],
    ])
    expect(new Set(planned.map((one) => shapeOfPlan(one)?.shape)).size).toBe(1)
  })

  it.each([
    ['orderNo eq 1 or orderNo eq 2', 'orderNo eq 1234 or orderNo eq 1e400'],
    ["isOpen eq 'true' and note eq 'a'", "isOpen eq 'true' and note eq '\u0000'"],
    ["isOpen eq 'true'", "isOpen eq 'yes'"],
    ['start ge 2026-01-31', 'start ge 2026-13-31'],
    ["note eq 'a' or note eq 'b'", "note eq 'a or note eq 'b'"],
    ['orderNo in (1,2,3)', 'orderNo in (1-2-2026,2,3)'],
  ])('of %j refuses %j as if it were the first', (first, second) => {
    const definition = orders()
    planOf(definition, pairsOf({ filter: first }))
    const refusal = () => planCollection(definition, readOptions(pairsOf({ filter: second })))
    let message = ''
    try {
      refusal()
    } catch (error) {
      message = String(error)
    }
    expect(message).toMatch(/at position \d+/)
    expect(() => planOf(definition, pairsOf({ filter: second }))).toThrow(message.replace(/^Error: /, ''))
  })
})
