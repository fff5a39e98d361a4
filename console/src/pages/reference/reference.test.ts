import { expect, it } from 'vitest'
import { type ApiDescription, operationsOf, searched } from './description.ts'
import { addressOfTrial, asCurl, asTypeScript, headersOfTrial } from './trial.ts'

const description: ApiDescription = {
  paths: {
    '/v1/customers/{customerId}': {
      get: {
        summary: 'Read one customer',
        tags: ['Customers'],
        parameters: [
          { name: 'customerId', in: 'path', required: true },
          { name: 'companyId', in: 'query', description: 'The company to act in.' },
          { name: 'If-None-Match', in: 'header' },
        ],
      },
      patch: {
        summary: 'Change a customer',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Patch' } } } },
      },
    },
    '/v1/changes': { get: { summary: 'Read changes', description: 'Each with the record of a customer.' } },
  },
  components: { schemas: { Patch: { items: { properties: { op: { description: 'replace or add' } } } } } },
}
const operations = operationsOf(description)
const [read] = operations
if (!read) throw new Error('nothing is described')

it('finds operations by their words, members and parameters, those named so first', () => {
  const names = (search: string) => searched(operations, search).map(({ name }) => name)
  expect(names('')).toHaveLength(3)
  expect(names('CUSTOMER change')).toEqual(['PATCH /v1/customers/{customerId}', 'GET /v1/changes'])
  expect(names('replace')).toEqual(['PATCH /v1/customers/{customerId}'])
  expect(names('if-none-match')).toEqual(['GET /v1/customers/{customerId}'])
  expect(names('nothing of it')).toEqual([])
})

it('makes an address of what is given, and none while the path lacks something', () => {
  expect(addressOfTrial(read, {})).toBeUndefined()
  const given = { 'path customerId': 'A/B?', 'query companyId': "E'N", 'header If-None-Match': '"7"' }
  expect(addressOfTrial(read, given)).toBe("/v1/customers/A%2FB%3F?companyId=E'N")
  expect(headersOfTrial(read, given)).toEqual({ 'If-None-Match': '"7"' })
})

it('prints it as curl and as TypeScript', () => {
  const printed = {
    method: 'POST',
    url: "https://erp.example/base/v1/customers?companyId=E'N",
    headers: { 'content-type': 'application/json' },
    body: '{"name":"O\'Hara"}',
  }
  expect(asCurl(printed)).toBe(
    `curl -s -u CLIENT:SECRET -X POST -H 'content-type: application/json' -d '{"name":"O'\\''Hara"}' 'https://erp.example/base/v1/customers?companyId=E'\\''N'`,
  )
  expect(asTypeScript(printed)).toContain(`url: "https://erp.example/base"`)
  expect(asTypeScript(printed)).toContain(`path: "/v1/customers?companyId=E%27N"`)
})
