import { ANY_OPERATION } from '../../../src/http/openapi/operation.ts'
import type { ExampleRequest, ExampleRequests } from './example-request.ts'

const COMPANY = '/odata/v4/{companyId}'
const SET = `${COMPANY}/{entitySet}`
const ENTITY = `${SET}({key})`
const ITEMS = `${ENTITY}/{navigation}`

const EN = '/odata/v4/EN'
const customers = `${EN}/customers?$filter=startswith(customerName,'Fjord')&$select=customerId,countryCode_text&$top=2`
const known = { 'if-none-match': '*' }

/** GET and HEAD are asked alike. */
const ASKED: Readonly<Record<string, readonly ExampleRequest[]>> = {
  [COMPANY]: [
    { name: 'The entity sets of a reader', url: EN, as: 'demo-reader' },
    { name: 'Known to the caller', url: EN, headers: known },
  ],
  [`${COMPANY}/$metadata`]: [{ name: 'Known to the caller', url: `${EN}/$metadata`, headers: known }],
  [SET]: [{ name: 'Customers in the north', url: `${customers}&$count=true` }],
  [`${SET}/$count`]: [{ name: 'How many customers', url: `${EN}/customers/$count` }],
  [ENTITY]: [{ name: 'A customer', url: `${EN}/customers('100000')?$select=customerId,customerName` }],
  [ITEMS]: [{ name: 'The contact points of a customer', url: `${EN}/customers('100000')/contactPoints?$top=1` }],
  [`${ITEMS}/$count`]: [{ name: 'How many contact points', url: `${EN}/customers('100000')/contactPoints/$count` }],
  [`${COMPANY}/link-files/{file}`]: [{ name: 'Customers in Excel', url: `${EN}/link-files/customers.odc` }],
}

export const odataExamples: ExampleRequests = {
  ...Object.fromEntries(
    Object.entries(ASKED).flatMap(([path, asked]) => [
      [`GET ${path}`, asked],
      [
        `HEAD ${path}`,
        path.endsWith('$metadata') ? [...asked, { name: 'Its headers', url: `${EN}/$metadata` }] : asked,
      ],
    ]),
  ),
  [`${ANY_OPERATION} /odata/`]: [
    { name: 'A misspelled property', url: `${EN}/customers?$filter=custmerName%20eq%20'x'` },
    { name: 'No token', url: `${EN}/customers`, as: 'nobody' },
    { name: 'A company of others', url: '/odata/v4/XX/customers' },
    { name: 'No such entity set', url: `${EN}/clients` },
    { name: 'A client that takes no JSON', url: `${EN}/customers`, headers: { accept: 'application/atom+xml' } },
    { name: 'An address of 16,400 bytes', url: `${EN}/customers?$filter=${'x'.repeat(16_400)}` },
    { name: 'A body that is compressed', url: EN, headers: { 'content-encoding': 'gzip' } },
    {
      name: 'More than 100 headers',
      url: EN,
      headers: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, ''])),
    },
    { name: 'A function that is not supported', url: `${EN}/customers?$filter=indexof(customerName,'AS')%20gt%200` },
  ],
}
