import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addressOf, type Question, questionIn } from './question.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
const question = fc.record(
  {
    document: fc.constantFrom('customers', 'general-ledger-transactions', 'work-orders'),
    select: text,
    filter: text,
    orderBy: text,
    groupBy: text,
    aggregate: text,
    validAt: text,
    limit: fc.nat(1000),
    offset: fc.nat(1000),
  },
  { requiredKeys: ['document'] },
)

it('reads every question back from the address that it is printed as', () => {
  fc.assert(
    fc.property(question, text, (asked, company) => {
      const url = `http://127.0.0.1:8080/web-api${addressOf(company, asked as Question)}`
      expect(questionIn(url)).toEqual({ question: asked, company })
      expect(questionIn(`curl -s -g '${url.replaceAll("'", '%27')}'`)).toEqual({ question: asked, company })
    }),
  )
})

it('leaves what people read in an address as it is', () => {
  const address = addressOf('EN', {
    document: 'customers',
    select: 'customerId,countryCode[C;T]',
    orderBy: 'invoice/creditLimit desc',
  })
  expect(address).toBe(
    '/v1/objects/customers?companyId=EN&$select=customerId,countryCode[C;T]&$orderby=invoice/creditLimit%20desc',
  )
})

it('reads an address whose spaces nobody has encoded', () => {
  const url =
    "http://127.0.0.1:8080/v1/objects/customers?companyId=EN&$filter=countryCode eq 'NO'&$orderby=customerName desc"
  expect(questionIn(url)?.question).toEqual({
    document: 'customers',
    filter: "countryCode eq 'NO'",
    orderBy: 'customerName desc',
  })
})

it('finds no question in anything else', () => {
  for (const other of ['', 'customers', 'http://127.0.0.1/v1/customers/1']) expect(questionIn(other)).toBeUndefined()
})
