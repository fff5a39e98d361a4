// Exact numbers on PostgreSQL are numerics, which it adds and divides without rounding.
import { decimalText } from '../../../base/numbers/decimal.ts'
import { AVERAGE_DIGITS } from '../../../base/numbers/exact.ts'
import type { AggregatedValue, Arithmetic } from '../../../sql/dialect.ts'

/** Integers of any column type are added as numerics beyond 64 bits. */
export function sumOf({ sql, type }: AggregatedValue): string {
  const added = type === 'integer' ? `(${sql})::bigint` : type === 'number' ? exactOf(sql) : sql
  return `coalesce(sum(${added}), 0)`
}

/** A double as the shortest decimal that is read as the same double. What is no number counts as 0. */
export function exactOf(sql: string): string {
  return `(case when abs(${sql}) < 'infinity' then (${sql})::text::numeric else 0 end)`
}

/** Divides units as integers: `/` itself would round to a number of digits that depends on its operands. */
export function averageOf(value: AggregatedValue): string {
  const sum = sumOf(value)
  const places = value.scale === undefined ? `(scale(trim_scale(${sum})) + ${AVERAGE_DIGITS})` : undefined
  const fixed = (value.scale ?? 0) + AVERAGE_DIGITS
  const units = `(${sum} * ${places ? `('1e' || ${places})::numeric` : `1e${fixed}`})`
  const count = 'count(*)'
  const quotient = `div(${units}, ${count})`
  const rest = `2 * abs(mod(${units}, ${count}))`
  const isUp = `${rest} > ${count} or (${rest} = ${count} and mod(${quotient}, 2) <> 0)`
  const rounded = `(${quotient} + case when ${isUp} then sign(${units}) else 0 end)`
  const average = `${rounded} * ${places ? `('1e-' || ${places})::numeric` : `1e-${fixed}`}`
  return `case when ${count} = 0 then 0 else ${average} end`
}

const OPERATORS = { add: '+', subtract: '-', multiply: '*' } as const

export const arithmetic: Arithmetic = {
  operand: (sql, type, scale) => ({ sql: type === 'integer' ? `(${sql})::numeric` : sql, scale }),
  literal: (units, scale) => ({ sql: `(${decimalText(units, scale)}::numeric)`, scale }),
  calculate: (name, left, right, scale) => ({ sql: `(${left.sql} ${OPERATORS[name]} ${right.sql})`, scale }),
  // `/` itself would round to a number of digits that depends on its operands.
  divide: (left, right, places) => {
    const [whole, part] = ['abs(q.n)', 'abs(q.d)']
    const units = `div(2 * ${whole} * 1e${places} + ${part}, 2 * ${part}) * sign(q.n) * sign(q.d)`
    const quotient = `case when q.d = 0 then 0 else ${units} * 1e-${places} end`
    return { sql: `(select ${quotient} from (select ${left.sql} as n, ${right.sql} as d) q)`, scale: places }
  },
  round: ({ sql }, places) => ({ sql: `round(${sql}, ${places})`, scale: places }),
  total: ({ sql }, from) => `(select coalesce(sum(${sql}), 0) ${from})`,
  exact: ({ sql }) => sql,
}
