import { expect, it } from 'vitest'
import { placeOf } from './place.ts'

it('finds what a message of the service means in the text of the question', () => {
  const question = { document: 'customers', filter: "a eq 1 and contryCode eq 'SE'", select: 'a,b' }
  expect(
    placeOf("Unknown property 'contryCode' at position 11 of $filter; did you mean 'countryCode'?", question),
  ).toEqual({ option: '$filter', before: 'a eq 1 and ', wrong: 'contryCode', after: " eq 'SE'" })
  expect(placeOf('Syntax error at position 3: expected a property ($select)', question)).toEqual({
    option: '$select',
    before: 'a,b',
    wrong: '',
    after: '',
  })
})

it('finds nothing where a message names no place of this question', () => {
  expect(placeOf('User is not authorised.', { document: 'customers' })).toBeUndefined()
  expect(placeOf('Syntax error at position 90: x ($filter)', { document: 'customers', filter: 'a' })).toBeUndefined()
})
