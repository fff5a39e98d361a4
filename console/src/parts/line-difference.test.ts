import { beforeAll, expect, it } from 'vitest'
import { startWords } from '../words/words.ts'
import { linesOf } from './line-difference.ts'

beforeAll(() => startWords('en', 'en-GB'))

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`)

it('tells what went and what came, with two lines around it', () => {
  const before = numbered(1, 20).join('')
  const after = before.replace('line 9\n', 'line nine\nand more\n')
  expect(linesOf(before, after)).toEqual([
    { kind: 'skipped', text: '… 6 lines as they were' },
    { kind: 'same', text: 'line 7' },
    { kind: 'same', text: 'line 8' },
    { kind: 'gone', text: 'line 9' },
    { kind: 'new', text: 'line nine' },
    { kind: 'new', text: 'and more' },
    { kind: 'same', text: 'line 10' },
    { kind: 'same', text: 'line 11' },
    { kind: 'skipped', text: '… 9 lines as they were' },
  ])
})

it('knows a text that begins or ends, and one without an end of its last line', () => {
  expect(linesOf('', 'one\ntwo')).toEqual([
    { kind: 'new', text: 'one' },
    { kind: 'new', text: 'two' },
  ])
  expect(linesOf('one\ntwo', 'one\n')).toEqual([
    { kind: 'same', text: 'one' },
    { kind: 'gone', text: 'two' },
  ])
})

it('shows texts that have nothing in common as one that went and one that came', () => {
  const other = numbered(2_001, 3_000).join('')
  const lines = linesOf(numbered(1, 1_000).join(''), other)
  expect([lines.length, lines[0]?.kind, lines.at(-1)?.kind]).toEqual([2_000, 'gone', 'new'])
})
