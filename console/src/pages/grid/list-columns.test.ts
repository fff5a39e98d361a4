import { expect, it } from 'vitest'
import { documentOf } from '../../service/metadata.ts'
import { allColumns, selectFor, valuesOf } from './list-columns.ts'

const text = { type: 'string' }
const document = documentOf('customers', {
  items: {
    'x-erp-key': { keys: 'customerId' },
    properties: {
      customerId: text,
      contactPoints: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            type: { ...text, 'x-erp-describable': { propertyName: 'type(description)' } },
            address: { type: 'object', properties: { place: text } },
          },
        },
      },
    },
    'x-erp-onRequest': {
      properties: {
        documents: { type: 'array', 'x-erp-document': 'documents', items: { properties: { title: text } } },
      },
    },
  },
})
const columns = allColumns(document)

it('offers the members of lists and of associated records', () => {
  expect(columns.map(({ path }) => path)).toEqual([
    'customerId',
    'contactPoints/type',
    'contactPoints/address/place',
    'documents/title',
  ])
})

it('offers the company, which all rows have, last', () => {
  const properties = { companyId: text, customerId: text }
  expect(allColumns(documentOf('customers', { items: { properties } })).map(({ path }) => path)).toEqual([
    'customerId',
    'companyId',
  ])
})

it('selects each list once, codes with their texts', () => {
  expect(selectFor(document, columns)).toBe('customerId,contactPoints(type[C;T],address/place),documents(title)')
  expect(selectFor(document, columns.slice(0, 1))).toBe('customerId')
})

it('has the values of all items, and none where there is no list', () => {
  const row = { contactPoints: [{ type: '1', 'type(description)': 'Post', address: { place: 'Oslo' } }, { type: '2' }] }
  expect(columns.slice(1).map((column) => valuesOf(row, column))).toEqual([
    [
      { value: '1', description: 'Post' },
      { value: '2', description: undefined },
    ],
    [
      { value: 'Oslo', description: undefined },
      { value: undefined, description: undefined },
    ],
    [{ value: undefined, description: undefined }],
  ])
})
