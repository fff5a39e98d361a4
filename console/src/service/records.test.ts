import { beforeAll, expect, it } from 'vitest'
import { startWords } from '../words/words.ts'
import { recordPath } from './records.ts'

beforeAll(() => startWords('en', 'en-GB'))

it('is one part of the path for each part of a key, whatever it holds', () => {
  expect(recordPath('contracts', ['a/b#c?d', '%2F..', '\u202e'])).toBe('/v1/contracts/a%2Fb%23c%3Fd/%252F../%E2%80%AE')
})

it.each(['.', '..'])('is none for the key %j, which browsers take for a step to another record', (part) => {
  expect(() => recordPath('contracts', [part, 'suppliers', '50000'])).toThrow(`No record has the key ${part}.`)
})
