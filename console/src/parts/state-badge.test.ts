import { expect, it } from 'vitest'
import { stageOf } from './state-badge.tsx'

const meanings = { approved: 'success', rejected: 'failure', parked: 'waiting' } as const
const declared = { property: 'status', closed: 'gone', meanings, transitions: [], locks: {} }

it.each([
  ['draft', 'waiting'],
  ['sent', 'way'],
  ['gone', 'end'],
  ['approved', 'success'],
  ['rejected', 'failure'],
  ['parked', 'waiting'],
  ['constructor', 'way'],
])('shows %s by its place on the way, or by what it means', (state, stage) => {
  expect(stageOf({ ...declared, initial: 'draft' }, state)).toBe(stage)
})

it('does not know how far a state is from which no transition leads', () => {
  expect(stageOf(declared, 'draft')).toBe('unknown')
  expect(stageOf(declared, 'gone')).toBe('end')
  expect(stageOf(declared, 'rejected')).toBe('failure')
})
