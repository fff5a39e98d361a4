import { expect, it } from 'vitest'
import { changedMembers } from './member-changes.ts'

const changed = (before: object, after: object) => changedMembers(JSON.stringify(before), JSON.stringify(after))

it('finds changed members, those of groups one by one and lists as a whole', () => {
  const before = { id: 1, name: 'a', group: { x: 1, y: 'same' }, list: [{ no: 1 }, { no: 2 }] }
  const after = { id: 1, name: 'b', group: { x: 2, y: 'same' }, list: [{ no: 2 }, { no: 1 }] }
  expect(changed(before, after)).toEqual([
    { path: '/name', before: 'a', after: 'b' },
    { path: '/group/x', before: 1, after: 2 },
    { path: '/list', before: before.list, after: after.list },
  ])
})

it('tells members that only one of the states has', () => {
  expect(changed({ a: 1, both: 0 }, { both: 0, b: { c: 2 } })).toEqual([
    { path: '/b', after: { c: 2 } },
    { path: '/a', before: 1 },
  ])
})

it('escapes names as RFC 6901 does', () => {
  expect(changed({ 'a/b~c': 1 }, { 'a/b~c': 2 })).toEqual([{ path: '/a~1b~0c', before: 1, after: 2 }])
})

it('sees the last digit of a long number', () => {
  const [before, after] = ['{"n":12345678901234.5678}', '{"n":12345678901234.5679}']
  const [change] = changedMembers(before, after)
  expect(JSON.stringify(change)).toBe('{"path":"/n","before":12345678901234.5678,"after":12345678901234.5679}')
})
