import { expect, it } from 'vitest'
import { transitionPatch, transitionsFrom } from './transitions.ts'

const approve = { from: 'draft', to: 'approved', title: 'Approve', requires: ['approvedBy'] }
const reopen = { from: 'approved', to: 'draft', requires: [] }
const record = {
  'x-erp-state': {
    property: 'handling/state',
    initial: 'draft',
    closed: 'closed',
    meanings: {},
    transitions: [approve, reopen],
    locks: {},
  },
}

it('are those from the state of the record', () => {
  expect(transitionsFrom({ record }, { handling: { state: 'draft' } })).toEqual([approve])
  expect(transitionsFrom({ record }, { handling: { state: 'approved' } })).toEqual([reopen])
  expect(transitionsFrom({ record }, { handling: { state: 'closed' } })).toEqual([])
  expect(transitionsFrom({ record }, {})).toEqual([])
  expect(transitionsFrom({ record: {} }, { handling: { state: 'draft' } })).toEqual([])
})

it('are taken by a patch of the state', () => {
  expect(JSON.parse(transitionPatch({ record }, approve))).toEqual([
    { op: 'replace', path: '/handling/state', value: 'approved' },
  ])
})
