import { expect, it } from 'vitest'
import { BoundValue, noted, type PlainValue } from './bound-value.ts'

const literal = (at: number) => ({ kind: 'literal', type: 'string', text: '', position: 0, at }) as const
const bound = (value: PlainValue, at = 0) => new BoundValue('string', value, literal(at))
const lengthOf = (value: PlainValue) => String(value).length

it('serves all values where none was asked for', () => {
  const { made, serves } = noted(() => bound('ab').made((value) => `${value}!`))
  expect([made.value, made.make('xyz')]).toEqual(['ab!', 'xyz!'])
  expect(serves(['xyz'])).toBe(true)
})

it('serves values that answer alike', () => {
  const { made, serves } = noted(() => bound('ab').ask(lengthOf))
  expect(made).toBe(2)
  expect([['xy'], ['xyz'], []].map(serves)).toEqual([true, false, false])
})

it('serves no other value where the value itself was read', () => {
  const { serves } = noted(() => bound(1).value)
  expect([[1], [2], ['1'], [1n]].map(serves)).toEqual([true, false, false, false])
})

it('asks what a value was made to', () => {
  const { made, serves } = noted(() =>
    bound('ab')
      .to((value) => `${value}b`)
      .to(lengthOf)
      .ask((value) => value === 3),
  )
  expect(made).toBe(true)
  expect([['xy'], ['xyz']].map(serves)).toEqual([true, false])
})

it('takes each value by its number, and those without one as they are', () => {
  const rule = new BoundValue('string', 'rule')
  const { serves } = noted(() => [bound('a', 1).value, rule.value])
  expect(
    [
      ['other', 'a'],
      ['a', 'other'],
    ].map(serves),
  ).toEqual([true, false])
})

it('notes what was asked within', () => {
  const { serves } = noted(() => noted(() => bound('ab').ask(lengthOf)).made)
  expect([['xy'], ['xyz']].map(serves)).toEqual([true, false])
})
