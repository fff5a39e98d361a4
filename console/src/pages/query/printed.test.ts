import { expect, it } from 'vitest'
import { printed } from './printed.ts'

const question = { document: 'customers', select: 'customerId', filter: "customerName eq 'O''Brien'", limit: 5 }

it('prints a question as URL, curl, TypeScript and addresses for Excel, without a secret', () => {
  const shown = printed('http://127.0.0.1:8080/web-api', 'EN', question)
  expect(shown.url).toBe(
    "http://127.0.0.1:8080/web-api/v1/objects/customers?companyId=EN&$select=customerId&$filter=customerName%20eq%20'O''Brien'&$limit=5",
  )
  expect(shown.curl).toBe(
    "curl -s -g -u CLIENT:SECRET 'http://127.0.0.1:8080/web-api/v1/objects/customers?companyId=EN&$select=customerId&$filter=customerName%20eq%20%27O%27%27Brien%27&$limit=5'",
  )
  expect(shown.typescript).toContain("  filter: 'customerName eq \\'O\\'\\'Brien\\'',\n")
  expect(shown.typescript).toContain("client.objects['customers'].list(")
  expect(shown.excelFile).toBe(`${shown.url}&$format=excel`)
  expect(shown.excel).toBe('http://127.0.0.1:8080/web-api/odata/v4/EN/link-files/customers.odc')
})

it('prints groups as a call for groups', () => {
  const grouped = { document: 'customers', select: 'customerId', groupBy: 'countryCode', aggregate: 'count()' }
  const { typescript } = printed('http://h', 'EN', grouped)
  expect(typescript).toContain(".aggregate({\n  groupBy: 'countryCode',\n  aggregate: 'count()',\n})")
})
