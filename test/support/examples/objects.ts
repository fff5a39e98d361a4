import { BUILT_IN_EXAMPLES } from './built-in.ts'
import type { ExampleRequest, ExampleRequests } from './example-request.ts'

/** Document -> an example query: further parameters, a selection, a filter. */
const QUESTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'attribute-relations': { $filter: "attributeId eq 'C1'", $limit: '2' },
  'attribute-values': {
    $select: 'attributeValue,description,status[C;T],relatedValues(relatedValue[C;T],percentage)',
    $filter: "attributeId eq 'C1' and relatedValues/any(r: r/relatedValue eq '100')",
    $limit: '2',
  },
  attributes: { $filter: 'autoNumbering eq true', $limit: '1' },
  'audit-entries': {
    $select: 'entryNo,operation,entity,recordKey,userId',
    $filter: "entity eq 'attribute-value' and userId eq 'demo'",
    $limit: '2',
  },
  companies: {},
  ...Object.fromEntries(BUILT_IN_EXAMPLES.map(([name, { question }]) => [name, question])),
  'document-archive': {
    $select: 'id,title,fileName,docSize,indexes',
    $filter: "docType eq 'INVOICE' and indexes/any(i: i/sequenceNo eq 1 and i/indexValue eq '2010')",
  },
  'general-ledger-transactions': {
    posted: 'true',
    $select:
      'transactionNumber,sequenceNumber,accountingInformation(account[C;T]),amounts(amount),customer(customerName)',
    $filter: 'period ge 202603 and amounts/amount gt 1000',
    $limit: '3',
  },
  'value-list': { $filter: "name eq 'STATUS'" },
}

const OWN = '/{version}/objects/{document}'

export const objectExamples: ExampleRequests = Object.fromEntries([
  ...['GET /v1/access', 'GET /v1/objects', 'HEAD /v1/objects'].map((operation): readonly [string, ExampleRequest[]] => [
    operation,
    [
      { name: 'A reader', as: 'demo-reader' },
      { name: 'No token', as: 'nobody' },
      { name: 'A company of others', url: `${operation.split(' ')[1]}?companyId=XX` },
      { name: 'Two companies', url: `${operation.split(' ')[1]}?companyId=EN&companyId=SV` },
    ],
  ]),
  [
    'GET /v1/search',
    [
      { name: 'A part of a name', url: '/v1/search?q=slakteri&limit=2' },
      { name: 'A text that is too long', url: `/v1/search?q=${'x'.repeat(101)}` },
      { name: 'No token', url: '/v1/search?q=slakteri', as: 'nobody' },
      { name: 'A company of others', url: '/v1/search?q=slakteri&companyId=XX' },
    ],
  ],
  ...['/v1/mirror', '/v1/mirror/{document}'].map((path): readonly [string, ExampleRequest[]] => {
    const url = path.replace('{document}', 'customers')
    return [
      `GET ${path}`,
      [
        { name: 'A reader', url },
        { name: 'No token', url, as: 'nobody' },
        { name: 'A company of others', url: `${url}?companyId=XX` },
        { name: 'A misspelled option', url: `${url}?$fliter=x` },
        ...(url === path ? [] : [{ name: 'No such document', url: '/v1/mirror/nothing' }]),
      ],
    ]
  }),
  ...Object.entries(QUESTIONS).flatMap(([name, question]) =>
    bothOf(`/v1/objects/${name}`, `/v1/objects/${name}`, question),
  ),
  ...bothOf(OWN, '/v1/objects/work-orders', {}).map(([operation, asked]) => {
    const unknown = { name: 'No such document', url: '/v1/objects/nothing' }
    return [operation, [...asked, unknown]] as const
  }),
])

function bothOf(
  operation: string,
  path: string,
  question: Readonly<Record<string, string>>,
): (readonly [string, ExampleRequest[]])[] {
  const address = (options: Readonly<Record<string, string>>) => {
    const text = Object.entries(options).map(([name, value]) => `${name}=${value.replaceAll(' ', '%20')}`)
    return text.length === 0 ? path : `${path}?${text.join('&')}`
  }
  const { $select: _select, $limit: _limit, ...counted } = question
  const refused = (options: Readonly<Record<string, string>>): ExampleRequest[] => [
    { name: 'A misspelled property', url: address({ ...options, $filter: 'lastUpdated/updatdAt gt 2026-01-01' }) },
    { name: 'No token', url: address(options), as: 'nobody' },
    { name: 'A company of others', url: address({ ...options, companyId: 'XX' }) },
  ]
  return [
    [`GET ${operation}`, [{ name: 'A question', url: address(question) }, ...refused(question)]],
    [`HEAD ${operation}`, [{ name: 'How many', url: address(counted) }, ...refused(counted)]],
  ]
}
