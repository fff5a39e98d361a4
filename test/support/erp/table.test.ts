// The table against a list that is sorted and searched in the plainest way, with random writes and filters.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundsOf } from './bounds.ts'
import { parseFilter, predicateOf } from './filter.ts'
import type { Base, Kind, Row } from './kind.ts'
import { kindsWith } from './shapes.ts'
import { Table } from './table.ts'

const kind: Kind = kindsWith().get('time-sheets')!
const EMPLOYEES = ['A', 'C', 'E']
const SIZE = 27

const base: Base = {
  size: SIZE,
  key: (at) => [EMPLOYEES[Math.floor(at / 9)]!, 2 * (Math.floor(at / 3) % 3), 2 * (at % 3)],
  row: (at) => rowOf(...(base.key(at) as [string, number, number]), at),
  updatedAt: (at) => at * 1000,
}

function rowOf(employeeId: string, period: number, lineNo: number, at: number): Row {
  const updatedAt = new Date(at * 1000).toISOString()
  return { employeeId, period, lineNo, lastUpdated: { updatedAt, updatedBy: '' } }
}

const keyOf = ({ employeeId, period, lineNo }: Row) => [employeeId, period, lineNo].join('/')
const keys = fc.tuple(
  fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'),
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 0, max: 5 }),
)
const writes = fc.array(fc.tuple(keys, fc.boolean()), { maxLength: 60 })

/** A table after some writes, and its rows as a list in the order of their keys. */
function written(done: readonly (readonly [readonly [string, number, number], boolean])[]): [Table, Row[]] {
  const table = new Table(kind, base, 'code-point')
  const model = new Map(Array.from({ length: SIZE }, (_, at) => base.row(at)).map((row) => [keyOf(row), row]))
  for (const [at, [key, isRemoved]] of done.entries()) {
    const row = rowOf(...key, 1000 + at)
    if (isRemoved) {
      expect(table.remove(table.keyIn(row))).toBe(model.delete(keyOf(row)))
    } else {
      table.write(row)
      model.set(keyOf(row), row)
    }
  }
  return [table, [...model.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))]
}

const comparisons = fc.oneof(
  fc.tuple(fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'), keys, fc.nat(2)).map(([op, key, part]) => {
    const [employee, period, line] = key
    return [`employeeId ${op} '${employee}'`, `period ${op} ${period}`, `lineNo ${op} ${line}`][part]!
  }),
  fc.tuple(keys, keys).map(([[one], [other]]) => `employeeId in ('${one}', '${other}')`),
)
const filters = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparisons,
    fc.tuple(tie('node'), fc.constantFrom('and', 'or'), tie('node')).map(([a, op, b]) => `(${a}) ${op} (${b})`),
    tie('node').map((inner) => `not (${inner})`),
  ),
})).node

const same = (value: string | number) => value

describe('a table', () => {
  it('has the rows that were written, in the order of their keys', () => {
    fc.assert(
      fc.property(writes, (done) => {
        const [table, rows] = written(done)
        expect([...table.between()].map((ref) => table.rowOf(ref))).toEqual(rows)
        expect(table.size).toBe(rows.length)
        for (const row of rows) expect(table.find(table.keyIn(row))).toEqual(row)
        const since = [...table.changedSince(20_000)].map((ref) => keyOf(table.rowOf(ref))).sort()
        const isLate = (row: Row) => Date.parse(String((row.lastUpdated as Row).updatedAt)) >= 20_000
        expect(since).toEqual(rows.filter(isLate).map(keyOf))
      }),
    )
  })

  it('looks between bounds that leave out no row of a filter', () => {
    fc.assert(
      fc.property(writes, filters, (done, filter) => {
        const [table, rows] = written(done)
        const node = parseFilter(filter, kind.shape, same)
        const isAsked = predicateOf(node, same)
        const { low, high } = boundsOf(node, kind.key)
        const found = [...table.between(low, high)].map((ref) => table.rowOf(ref)).filter(isAsked)
        expect(found.map(keyOf)).toEqual(rows.filter(isAsked).map(keyOf))
      }),
      { numRuns: 500 },
    )
  })

  it('looks at no row before the last one of a page', () => {
    const [table] = written([])
    const next = "employeeId gt 'C' or (employeeId eq 'C' and (period gt 2 or (period eq 2 and lineNo gt 2)))"
    const { low, high } = boundsOf(parseFilter(next, kind.shape, same), kind.key)
    const [first] = table.between(low, high)
    expect(keyOf(table.rowOf(first!))).toBe('C/2/4')
  })
})
