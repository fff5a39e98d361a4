// Orders with lines: documents of the setup, whose lines are records of their own.
import { Random } from './random.ts'
import { projectAt } from './values.ts'

/** Numbers of orders are as long as those that a series gives. */
export const orderNoAt = (index: number): string => `P${String(1_000_000 + index)}`
export const itemIdAt = (index: number): string => `I${String(10_000 + index)}`

export const ITEMS = 1_000
const CURRENCIES = ['NOK', 'EUR', 'SEK', 'DKK']
const UNITS = ['pcs', 'm', 'kg', 'h']

export function* items(): Generator<object> {
  for (let index = 0; index < ITEMS; index++) yield { itemId: itemIdAt(index), itemName: `Item ${index}` }
}

/** An order with this number of lines; `projects` is the number of projects that they may name. */
export function orderRecord(orderNo: string, index: number, lines: number, projects: number) {
  const random = new Random(5_000_011 * (index + 1))
  const day = String(1 + random.whole(28)).padStart(2, '0')
  return {
    orderNo,
    reference: `Our order ${index}`,
    orderDate: `2026-03-${day}`,
    currencyCode: random.pickSkewed(CURRENCIES),
    regionId: random.pick(['E', 'W', 'M', 'S', 'N']),
    lines: Array.from({ length: lines }, (_line, at) => ({
      lineNo: at + 1,
      itemId: itemIdAt(random.skewed(ITEMS)),
      projectId: projectAt(random.skewed(projects)),
      description: `Line ${at + 1} of the order, ${random.whole(10_000)}`,
      quantity: random.whole(100_000) / 1_000,
      unit: random.pick(UNITS),
      price: random.skewed(1_000_000) / 100,
    })),
  }
}
