import { type ExampleRequests, FIRST_ETAG, FORM, historyOf, KEYED, LARGE } from './example-request.ts'

export const rows = 'customerId;customerName;invoice.creditLimit\r\n;Harbour AS;1.000,50\r\n;Quay AS;500\r\n'

export const changes =
  '{"customerId":"100000","operations":[{"op":"replace","path":"/customerName","value":"Fjordheim Yard AS"}]}\n'

export const question = {
  $select: '*,countryCode[C;T],contactPoints(address)',
  $filter: "startswith(customerName,'Fjord')",
}

const CUSTOMERS = '/v1/customers'
const CUSTOMER = `${CUSTOMERS}/{customerId}`
const first = `${CUSTOMERS}/100000`

const shipyard = {
  customerName: 'Fjordheim Shipyard AS',
  customerGroupId: 'IND',
  countryCode: 'NO',
  invoice: { currencyCode: 'NOK', paymentTermsId: '30' },
  contactPoints: [
    {
      contactPointType: '1',
      address: { countryCode: 'NO', streetAddress: 'Kaigata 4', postcode: '5003', place: 'Bergen' },
    },
  ],
  customFieldGroups: { logistics: { deliveryZone: 'WEST' } },
  relatedValues: [{ relationId: 'LEGALID', relatedValue: 'NO1' }],
}
const rename = [{ op: 'replace', path: '/customerName', value: 'Fjordheim Yard AS' }]

export const examples: ExampleRequests = {
  [`POST ${CUSTOMERS}`]: [
    { name: 'A shipyard, numbered by the service', body: shipyard },
    { name: 'Validated only', url: `${CUSTOMERS}?validateOnly=true`, body: shipyard },
    { name: 'A wrong data type', body: { ...shipyard, invoice: { creditLimit: 'much' } } },
    { name: 'A postcode that is too long', body: { ...shipyard, customerName: 'x'.repeat(256) } },
    { name: 'No token', as: 'nobody', body: shipyard },
    { name: 'May only read master data', as: 'demo-reader', body: shipyard },
    { name: 'A body of 1.1 MB', body: LARGE },
    { name: 'A form', headers: FORM, body: 'customerName=x' },
    { name: 'Nothing given', body: {} },
    {
      name: 'Everything wrong together',
      body: {
        ...shipyard,
        customerId: '1',
        countryCode: 'XX',
        invoice: { currencyCode: 'QQQ' },
        contactPoints: [{ contactPointType: '2', address: { countryCode: 'ZZ' } }],
        customFieldGroups: { logistics: { routeNumber: 2000 } },
        relatedValues: [],
      },
    },
  ],
  [`GET ${CUSTOMER}`]: [
    { name: 'A customer', url: first },
    { name: 'Known to the caller', url: first, headers: { 'if-none-match': '*' } },
    { name: 'A company given twice', url: `${first}?companyId=EN&companyId=SV` },
    { name: 'No token', url: first, as: 'nobody' },
    { name: 'A company of others', url: `${first}?companyId=XX` },
    { name: 'No such customer', url: `${CUSTOMERS}/1` },
  ],
  [`PATCH ${CUSTOMER}`]: [
    {
      name: 'A name, a person and a field of the company',
      url: first,
      body: [
        ...rename,
        { op: 'replace', path: '/contactPoints/0/additionalContactInfo/contactPerson', value: 'Ingrid Hauge' },
        { op: 'replace', path: '/customFieldGroups/logistics/routeNumber', value: 12 },
      ],
    },
    { name: 'No array', url: first, body: { customerName: 'x' } },
    {
      name: 'A value of the wrong type',
      url: first,
      body: [{ op: 'replace', path: '/invoice/creditLimit', value: 'x' }],
    },
    { name: 'No token', url: first, as: 'nobody', body: rename },
    { name: 'A company of others', url: `${first}?companyId=XX`, body: rename },
    { name: 'No such customer', url: `${CUSTOMERS}/1`, body: rename },
    { name: 'Changed since', url: first, headers: { 'if-match': FIRST_ETAG }, body: rename },
    { name: 'A body of 1.1 MB', url: first, body: LARGE },
    { name: 'A form', url: first, headers: FORM, body: 'customerName=x' },
    { name: 'The last General contact point', url: first, body: [{ op: 'remove', path: '/contactPoints/0' }] },
  ],
  ...historyOf(CUSTOMER, first, `${CUSTOMERS}/1`),
  [`DELETE ${CUSTOMER}`]: [
    { name: 'Another request under the same key', url: first, headers: KEYED },
    { name: 'Changed since', url: first, headers: { 'if-match': FIRST_ETAG } },
    { name: 'A company given twice', url: `${first}?companyId=EN&companyId=SV` },
    { name: 'A customer', url: first },
    { name: 'No token', url: first, as: 'nobody' },
    { name: 'A company of others', url: `${first}?companyId=XX` },
    { name: 'No such customer', url: `${CUSTOMERS}/1` },
  ],
}
