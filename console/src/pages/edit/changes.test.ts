import { expect, it } from 'vitest'
import { documentOf } from '../../service/metadata.ts'
import { conflictsOf, draftOf, merged, patchOf } from './changes.ts'

const { fields } = documentOf('customers', {
  items: {
    properties: {
      name: { type: 'string' },
      insured: { type: 'boolean' },
      invoice: { type: 'object', properties: { creditLimit: { type: 'number' } } },
    },
  },
})
const base = draftOf({ name: 'A', insured: true, invoice: { creditLimit: '99999999999999.9999' } }, fields)

it('sends only what was changed, numbers with the digits that were typed', () => {
  expect(patchOf(base, base, fields)).toBe('[]')
  const mine = { ...base, insured: 'false', 'invoice/creditLimit': '12345678901234.5600' }
  expect(patchOf(base, mine, fields)).toBe(
    '[{"op":"replace","path":"/insured","value":false},{"op":"replace","path":"/invoice/creditLimit","value":12345678901234.5600}]',
  )
})

it('sends what is no number as it was typed, so that the service says what is wrong', () => {
  const mine = { ...base, 'invoice/creditLimit': '1e3' }
  expect(patchOf(base, mine, fields)).toBe('[{"op":"replace","path":"/invoice/creditLimit","value":"1e3"}]')
})

it('asks only about members that both have changed, and keeps the changes of both', () => {
  const mine = { ...base, name: 'Mine', insured: 'false' }
  const theirs = { ...base, name: 'Theirs', 'invoice/creditLimit': '5' }
  expect(conflictsOf(base, mine, theirs)).toEqual([{ path: 'name', base: 'A', mine: 'Mine', theirs: 'Theirs' }])
  expect(merged(base, mine, theirs, { name: 'theirs' })).toEqual({
    name: 'Theirs',
    insured: 'false',
    'invoice/creditLimit': '5',
  })
  expect(merged(base, mine, theirs, {}).name).toBe('Mine')
})
