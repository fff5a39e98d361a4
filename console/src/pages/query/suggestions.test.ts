import { expect, it } from 'vitest'
import { documentOf } from '../../service/metadata.ts'
import { codeSuggestion, completed, nextIn, suggestionsFor, typedCode } from './suggestions.ts'

const document = documentOf('customers', {
  items: {
    properties: {
      customerName: { type: 'string', 'x-erp-filterable': true },
      countryCode: { type: 'string', 'x-erp-filterable': true, 'x-erp-attribute': { attributeId: 'CO' } },
      insured: { type: 'boolean', 'x-erp-filterable': true },
      internal: { type: 'string' },
      invoice: { type: 'object', properties: { country: { type: 'string', 'x-erp-filterable': true } } },
    },
  },
})
const expectedIn = (text: string) => {
  const next = nextIn(text, document)
  return next && [next.expected, next.field?.path].filter(Boolean).join(' ')
}
const offeredIn = (text: string) => {
  const next = nextIn(text, document)
  return next ? suggestionsFor(next, document).map((suggestion) => suggestion.text) : []
}

it.each([
  ['', 'field'],
  ['cou', 'field'],
  ['countryCode ', 'operator'],
  ['countryCode e', 'operator'],
  ['countryCode eq ', 'value countryCode'],
  ["COUNTRYCODE eq 'N", 'value countryCode'],
  ["countryCode eq 'NO' ", 'joint'],
  ["countryCode eq 'NO' an", 'joint'],
  ["countryCode eq 'NO' and ", 'field'],
  ['not (', 'field'],
  ['countryCode in (', 'value countryCode'],
  ["countryCode in ('NO',", 'value countryCode'],
  ["countryCode in ('NO') ", 'joint'],
  ['contains(customerName,', 'value customerName'],
  ["customerName eq 'O''Neil' or insured ", 'operator'],
])('knows what comes next in %j', (text, expected) => {
  expect(expectedIn(text)).toBe(expected)
})

it('offers the fields that may be filtered by, those that begin so first', () => {
  expect(offeredIn('co')).toEqual(['countryCode', 'contains(', 'invoice/country'])
  expect(offeredIn('internal')).toEqual([])
  expect(offeredIn('insured eq ')).toEqual(['true', 'false'])
  expect(offeredIn('countryCode n')).toEqual(['ne'])
})

it('puts a suggestion in the place of what is typed of it', () => {
  const next = nextIn("countryCode eq 'O'", document)
  if (!next) throw new Error('nothing is expected')
  expect(typedCode(next)).toBe("O'")
  expect(completed(next, codeSuggestion("O'N", ''))).toBe("countryCode eq 'O''N' ")
  const field = nextIn('not (cust', document)
  expect(field && completed(field, { text: 'customerName', hint: '' })).toBe('not (customerName ')
})
