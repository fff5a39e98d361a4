// The row with which the next page begins: found by its position once, and by the values of its order from then on. So
// a page costs the same wherever it stands, and rows that come and go before it do not move it.
import { LongNumber, parseExact } from '../base/long-number.ts'
import type { BoundExpression, BoundProperty } from '../query/bound.ts'
import { type BoundType, BoundValue, type PlainValue } from '../query/bound-value.ts'
import type { Ordering, Plan } from '../query/plan.ts'
import type { SelectedProperty } from '../query/plan-select.ts'

/** Types whose values are compared exactly as they are answered. */
const EXACT: ReadonlySet<BoundType> = new Set(['string', 'integer', 'decimal', 'boolean', 'date-time'])

/** The condition nests once for each. */
const MOST_PROPERTIES = 16

/** Whether a row is found by the values of its order. */
export function hasRowStart({ order, grouping }: Plan): boolean {
  return (
    !grouping &&
    order.length <= MOST_PROPERTIES &&
    order.every(({ by }) => EXACT.has(by.type) && by.property.filterable)
  )
}

/** The query of one row with the values of its order. */
export function orderOnly(plan: Plan): Plan {
  const select = plan.order.map(({ by }, at) => selectedAt(by, at))
  return { ...plan, select, columns: select, limit: 1 }
}

function selectedAt({ property, place }: BoundProperty, at: number): SelectedProperty {
  const name = `v${at}`
  return place.via.reduceRight<SelectedProperty>(
    (inner, association) => ({ kind: 'association', name, association, properties: [inner] }),
    { kind: 'value', name, property },
  )
}

/** The values of the order in the answer to such a query, as texts; undefined if there is no row. */
export function startIn(answer: string, { order }: Plan): readonly string[] | undefined {
  const [row] = parseExact(answer) as unknown[]
  if (row === undefined) return undefined
  return order.map(({ by }, at) => {
    const value = by.place.via.reduce((inside) => memberOf(inside, at), memberOf(row, at))
    return value instanceof LongNumber ? value.text : String(value)
  })
}

function memberOf(object: unknown, at: number): unknown {
  return (object as Record<string, unknown>)[`v${at}`]
}

/** The plan for the rows from this one on. */
export function fromRow<Some extends Plan>(plan: Some, start: readonly string[]): Some {
  const from = condition(plan.order, start)
  return {
    ...plan,
    offset: 0,
    filter: plan.filter ? { kind: 'and', terms: [plan.filter, ...from] } : { kind: 'and', terms: from },
  }
}

/**
 * The rows from this one on, in lexicographic order. The first term says again what the others imply, because an index
 * can be searched by it.
 */
function condition(order: readonly Ordering[], start: readonly string[]): BoundExpression[] {
  const [first] = order
  if (!first) return []
  const whole = fromOn(order, start, 0)
  return order.length === 1 ? [whole] : [compared(first, start[0] ?? '', 'from'), whole]
}

function fromOn(order: readonly Ordering[], start: readonly string[], at: number): BoundExpression {
  const [one, value] = [order[at], start[at] ?? '']
  if (!one) throw new Error('an order without a property')
  if (at === order.length - 1) return compared(one, value, 'from')
  const same: BoundExpression = { kind: 'and', terms: [compared(one, value, 'same'), fromOn(order, start, at + 1)] }
  return { kind: 'or', terms: [compared(one, value, 'behind'), same] }
}

const OPERATORS = { same: ['eq', 'eq'], from: ['ge', 'le'], behind: ['gt', 'lt'] } as const

function compared({ by, isDescending }: Ordering, text: string, relation: keyof typeof OPERATORS): BoundExpression {
  const [ascending, descending] = OPERATORS[relation]
  const right = new BoundValue(by.type, boundOf(by.type, text))
  return { kind: 'compare', op: isDescending ? descending : ascending, left: by, right }
}

function boundOf(type: BoundType, text: string): PlainValue {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
    case 'boolean':
      return text === 'true'
    default:
      return text
  }
}
