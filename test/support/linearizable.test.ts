// Tests of the checker itself: every history that it accepts has an explaining order, every one that it rejects has
// none.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explain, type Model, type Operation } from './linearizable.ts'

type Input = 'read' | 'remove' | { readonly write: string }

/** A record that exists or does not. */
const CELL: Model<Input> = {
  initial: '',
  apply(state, input) {
    if (input === 'read') return { state, output: state }
    if (input === 'remove') return { state: '', output: state === '' ? 'missing' : 'removed' }
    return { state: input.write, output: 'written' }
  },
}

type Line = readonly [calledAt: number, returnedAt: number, input: Input, output: string]

function historyOf(lines: readonly Line[]): Operation<Input>[] {
  return lines.map(([calledAt, returnedAt, input, output]) => ({ calledAt, returnedAt, input, output }))
}

const isLinearizable = (...lines: readonly Line[]) => explain(historyOf(lines), CELL) !== undefined

describe('A history is accepted', () => {
  it('when nothing has happened', () => {
    expect(isLinearizable()).toBe(true)
  })

  it('when one operation comes after the other and each answers what it must', () => {
    expect(
      isLinearizable(
        [1, 2, { write: 'a' }, 'written'],
        [3, 4, 'read', 'a'],
        [5, 6, 'remove', 'removed'],
        [7, 8, 'read', ''],
      ),
    ).toBe(true)
  })

  it('when operations at the same time explain each other in the other order', () => {
    expect(isLinearizable([1, 4, 'read', 'a'], [2, 3, { write: 'a' }, 'written'])).toBe(true)
  })

  it('when a write that still runs is seen by one reader and not yet by another', () => {
    expect(isLinearizable([1, 8, { write: 'a' }, 'written'], [2, 3, 'read', ''], [4, 5, 'read', 'a'])).toBe(true)
  })

  it('and the order that explains it is returned', () => {
    const history = historyOf([
      [1, 6, 'remove', 'removed'],
      [2, 5, { write: 'a' }, 'written'],
      [3, 4, 'read', 'a'],
    ])
    expect(explain(history, CELL)?.map(({ input }) => input)).toEqual([{ write: 'a' }, 'read', 'remove'])
  })
})

describe('A history is rejected', () => {
  it('when a read answers what was before a write that had returned', () => {
    expect(isLinearizable([1, 2, { write: 'a' }, 'written'], [3, 4, 'read', ''])).toBe(false)
  })

  it('when a read answers what was never written, or will write only later', () => {
    expect(isLinearizable([1, 2, { write: 'a' }, 'written'], [3, 4, 'read', 'b'])).toBe(false)
    expect(isLinearizable([1, 2, 'read', 'a'], [3, 4, { write: 'a' }, 'written'])).toBe(false)
  })

  it('when two remove the same thing', () => {
    expect(
      isLinearizable([1, 2, { write: 'a' }, 'written'], [3, 6, 'remove', 'removed'], [4, 5, 'remove', 'removed']),
    ).toBe(false)
  })

  it('when a reader sees a write and a later one does not', () => {
    expect(isLinearizable([1, 8, { write: 'a' }, 'written'], [2, 3, 'read', 'a'], [4, 5, 'read', ''])).toBe(false)
  })

  it('when two readers see two writes in different orders', () => {
    expect(
      isLinearizable(
        [1, 20, { write: 'a' }, 'written'],
        [2, 21, { write: 'b' }, 'written'],
        [3, 4, 'read', 'a'],
        [5, 6, 'read', 'b'],
        [7, 8, 'read', 'a'],
      ),
    ).toBe(false)
  })

  it('when it is too long to be checked', () => {
    const line: Line = [1, 2, 'read', '']
    expect(() => isLinearizable(...Array.from({ length: 31 }, () => line))).toThrow('too long')
  })
})

describe('Of random histories', () => {
  const input = fc.oneof(
    fc.constantFrom<Input>('read', 'remove'),
    fc.constantFrom('a', 'b').map((write): Input => ({ write })),
  )
  const output = fc.constantFrom('', 'a', 'b', 'removed', 'missing', 'written')
  const moments = fc.shuffledSubarray(
    Array.from({ length: 10 }, (_, at) => at),
    { minLength: 10, maxLength: 10 },
  )
  /** Up to five operations with any results, at any times. */
  const history = fc
    .tuple(moments, fc.array(fc.tuple(input, output), { minLength: 1, maxLength: 5 }))
    .map(([times, operations]) =>
      operations.map(([given, answered], at): Operation<Input> => {
        const [one = 0, other = 0] = times.slice(2 * at)
        const answer = typeof given === 'object' ? 'written' : answered
        return { input: given, output: answer, calledAt: Math.min(one, other), returnedAt: Math.max(one, other) }
      }),
    )

  it('exactly those are accepted that one of all orders explains', () => {
    let accepted = 0
    fc.assert(
      fc.property(history, (operations) => {
        const expected = ordersOf(operations).some(explains)
        accepted += Number(expected)
        expect(explain(operations, CELL) !== undefined).toBe(expected)
      }),
      { numRuns: 2_000 },
    )
    expect(accepted).toBeGreaterThan(100)
    expect(accepted).toBeLessThan(1_900)
  })
})

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((first, at) => ordersOf(items.toSpliced(at, 1)).map((rest) => [first, ...rest]))
}

/** No operation precedes one that had returned when it was called, and the model returns the same results. */
function explains(order: readonly Operation<Input>[]): boolean {
  const isInTime = order.every((one, at) => order.slice(at + 1).every((later) => later.returnedAt > one.calledAt))
  let state = CELL.initial
  return (
    isInTime &&
    order.every(({ input, output }) => {
      const after = CELL.apply(state, input)
      state = after.state
      return after.output === output
    })
  )
}
