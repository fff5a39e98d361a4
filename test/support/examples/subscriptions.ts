import { exampleId } from './documents.ts'
import { type ExampleRequest, type ExampleRequests, FIRST_ETAG, FORM, KEYED, LARGE } from './example-request.ts'

const SUBSCRIPTIONS = '/v1/subscriptions'
const SINGLE = `${SUBSCRIPTIONS}/{id}`
/** The number of ids that the examples before these take. */
const TAKEN = 3
const first = `${SUBSCRIPTIONS}/${exampleId(TAKEN + 1)}`
const unknown = `${SUBSCRIPTIONS}/${exampleId(999)}`

/** Nobody listens there. */
const shop = {
  name: 'Web shop',
  url: 'http://localhost:9/tabularium',
  entities: ['customers'],
  filter: "customerGroupId eq 'IND'",
}
const rename = [{ op: 'replace', path: '/name', value: 'Web shop, test' }]

/** Requests that every address of a subscription rejects. */
const refused = (path: string, rest: Pick<ExampleRequest, 'body'> = {}): ExampleRequest[] => [
  { name: 'A company given twice', url: `${first}${path}?companyId=EN&companyId=SV`, ...rest },
  { name: 'No token', url: first + path, as: 'nobody', ...rest },
  { name: 'May only read master data', url: first + path, as: 'demo-reader', ...rest },
  { name: 'No such subscription', url: unknown + path, ...rest },
]

const notTaken = (path: string): ExampleRequest[] => [
  { name: 'Another request under the same key', url: first + path, headers: KEYED, body: {} },
  { name: 'A body of 1.1 MB', url: first + path, body: LARGE },
]

const changedSince = (path: string, rest: Pick<ExampleRequest, 'body'> = {}): ExampleRequest => ({
  name: 'Changed since',
  url: first + path,
  headers: { 'if-match': FIRST_ETAG },
  ...rest,
})

const action = (path: string, name: string, rest: Pick<ExampleRequest, 'body'> = {}): ExampleRequest[] => [
  { name, url: first + path, ...rest },
  ...refused(path, rest),
  ...notTaken(path),
]

export const subscriptionExamples: ExampleRequests = {
  [`POST ${SUBSCRIPTIONS}`]: [
    { name: 'Customers of the industry', body: shop },
    { name: 'Validated only', url: `${SUBSCRIPTIONS}?validateOnly=true`, body: { ...shop, signature: 'ed25519' } },
    { name: 'A wrong data type', body: { ...shop, batch: 'perhaps' } },
    { name: 'A filter that is wrong', body: { ...shop, filter: 'customerGrupId eq 1' } },
    { name: 'No token', as: 'nobody', body: shop },
    { name: 'May only read master data', as: 'demo-reader', body: shop },
    { name: 'A body of 1.1 MB', body: LARGE },
    { name: 'A form', headers: FORM, body: 'name=x' },
    { name: 'An address that is not public', body: { ...shop, url: 'https://10.0.0.1/' } },
  ],
  [`GET ${SUBSCRIPTIONS}`]: [
    { name: 'All of the company' },
    { name: 'A company given twice', url: `${SUBSCRIPTIONS}?companyId=EN&companyId=SV` },
    { name: 'No token', as: 'nobody' },
    { name: 'May only read master data', as: 'demo-reader' },
  ],
  [`GET ${SINGLE}`]: [{ name: 'One subscription', url: first }, ...refused('')],
  [`PATCH ${SINGLE}`]: [
    { name: 'Another name', url: first, body: rename },
    { name: 'No array', url: first, body: { name: 'x' } },
    { name: 'A company of others', url: `${first}?companyId=XX`, body: rename },
    {
      name: 'An address that is not public',
      url: first,
      body: [{ op: 'replace', path: '/url', value: 'https://10.0.0.1/' }],
    },
    ...refused('', { body: rename }),
    changedSince('', { body: rename }),
    { name: 'A body of 1.1 MB', url: first, body: LARGE },
    { name: 'A form', url: first, headers: FORM, body: 'name=x' },
  ],
  [`POST ${SINGLE}/pause`]: [...action('/pause', 'Nothing is sent from now on'), changedSince('/pause')],
  [`POST ${SINGLE}/resume`]: [...action('/resume', 'It goes on where it stopped'), changedSince('/resume')],
  [`POST ${SINGLE}/replay`]: [
    ...action('/replay', 'From a number on', { body: { since: 100 } }),
    changedSince('/replay', { body: { since: 100 } }),
  ],
  [`POST ${SINGLE}/rotate`]: [
    ...action('/rotate', 'Both sign until the end', { body: { until: '2026-02-01T12:00:00Z' } }),
    changedSince('/rotate', { body: {} }),
  ],
  [`GET ${SINGLE}/attempts`]: [{ name: 'No attempt yet', url: `${first}/attempts` }, ...refused('/attempts')],
  [`GET ${SINGLE}/dead-letters`]: [{ name: 'None', url: `${first}/dead-letters` }, ...refused('/dead-letters')],
  // After the attempts: the time of an attempt is that of the system.
  [`POST ${SINGLE}/test`]: action('/test', 'Nobody listens'),
  [`POST ${SINGLE}/dead-letters/retry`]: action('/dead-letters/retry', 'One of them', { body: { ids: ['EN-1234'] } }),
  [`DELETE ${SINGLE}`]: [
    changedSince(''),
    { name: 'A subscription', url: first },
    ...refused(''),
    { name: 'Another request under the same key', url: first, headers: KEYED },
  ],
}
