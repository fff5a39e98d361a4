import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { calculate, rounded } from '../../../base/numbers/units.ts'
import type { Scaled } from '../../../sql/dialect.ts'
import { addExactNumbers, arithmetic } from './exact-numbers.ts'

const SHORT = 2n ** 31n - 1n
const LONG = 999_999_999_999_999_999n
const VALUES = [0n, 1n, 499n, 500n, 501n, SHORT - 1n, SHORT, SHORT + 1n, LONG].flatMap((value) => [value, -value])

const connection = new DatabaseSync(':memory:')
addExactNumbers(connection)
connection.exec('create table t (a integer, b integer)')
const insert = connection.prepare('insert into t values (?, ?)')
for (const a of VALUES) for (const b of VALUES) insert.run(a, b)

const column = (name: string, scale: number) => arithmetic.operand(`t.${name}`, 'decimal', scale, true)
const [a, b] = [column('a', 3), column('b', 2)]

/** The total of each pair of values. */
function totals(number: Scaled): string[] {
  const total = arithmetic.total(number, 'from t where t.a = p.a and t.b = p.b')
  const rows = connection.prepare(`select cast(${total} as text) as total from t p group by p.a, p.b`)
  return rows.all().map(({ total }) => String(total))
}

function expected(number: (a: bigint, b: bigint) => bigint): string[] {
  const sorted = [...new Set(VALUES)].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  // Each zero is there twice.
  const times = (value: bigint) => BigInt(VALUES.filter((one) => one === value).length)
  return sorted.flatMap((one) => sorted.map((other) => String(number(one, other) * times(one) * times(other))))
}

it('calculates of short numbers and of long ones alike', () => {
  for (const name of ['add', 'subtract', 'multiply'] as const) {
    const scale = name === 'multiply' ? 5 : 3
    const result = arithmetic.calculate(name, a, b, scale)
    const exact = (one: bigint, other: bigint) => calculate(name, one, 3, other, 2)
    expect(result.short).toBeDefined()
    expect(totals(result)).toEqual(expected(exact))
    expect(totals(arithmetic.round(result, 1))).toEqual(expected((one, other) => rounded(exact(one, other), scale, 1)))
  }
})

it('leaves to JavaScript what might grow beyond 64 bits', () => {
  const squared = arithmetic.calculate('multiply', a, a, 6)
  const cubed = arithmetic.calculate('multiply', squared, a, 9)
  expect(cubed.short).toBeUndefined()
  expect(totals(cubed)).toEqual(expected((one) => one ** 3n))
})

it('adds up short numbers beyond what a double and 64 bits hold, and back', () => {
  const product = arithmetic.calculate('multiply', column('a', 0), column('b', 0), 0)
  for (const factors of [[SHORT], [SHORT, SHORT, SHORT, SHORT], [SHORT, SHORT, SHORT, 1n, -SHORT, -SHORT, -SHORT]]) {
    const rows = factors
      .map((factor) => `select ${factor} as a, ${factor === 1n ? 1n : SHORT} as b`)
      .join(' union all ')
    const total = arithmetic.total(product, `from (${rows}) t`)
    const expectedSum = factors.reduce((sum, factor) => sum + factor * (factor === 1n ? 1n : SHORT), 0n)
    expect(connection.prepare(`select cast(${total} as text) as total`).get()?.total).toBe(String(expectedSum))
  }
})
