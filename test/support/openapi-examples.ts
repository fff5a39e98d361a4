// The examples of the API description, answered by the complete application on the demo company.
// `npm run docs` writes them to their file, and docs/generated/openapi.json with them.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApplication } from '../../src/app/app.ts'
import type { Application } from '../../src/app/application.ts'
import { loadLedger } from '../../src/demo/load-records.ts'
import type { OpenApi } from '../../src/http/openapi/document.ts'
import { openApiOf } from '../../src/http/openapi/openapi.ts'
import { ANY_OPERATION, type Exchange } from '../../src/http/openapi/operation.ts'
import { BUILT_IN_NAMES } from '../../src/model/records/built-in.ts'
import { odataEndpoints } from '../../src/odata/described-routes.ts'
import { valueHistoryRoute } from '../../src/records/attribute-values/routes.ts'
import { readSetup } from '../../src/setup/check/read-setup.ts'
import { agentExamples, agentToken } from './examples/agents.ts'
import { batchExamples } from './examples/batch.ts'
import { batchOperationExamples } from './examples/batch-operations.ts'
import { BUILT_IN_EXAMPLES } from './examples/built-in.ts'
import { documentExamples, exampleId } from './examples/documents.ts'
import {
  type ExampleRequest,
  type ExampleRequests,
  FIRST_ETAG,
  FORM,
  historyOf,
  KEYED,
  LARGE,
} from './examples/example-request.ts'
import { objectExamples } from './examples/objects.ts'
import { odataExamples } from './examples/odata.ts'
import { subscriptionExamples } from './examples/subscriptions.ts'
import { injectInto } from './inject.ts'

export const EXAMPLES_FILE = 'src/http/openapi/examples.json'
export const DESCRIPTION_FILE = 'docs/generated/openapi.json'

const SETUP = 'examples/demo/company.yaml'
const LEDGER_LINES = 200
const SECRETS = { demo: 'demo-secret', 'demo-reader': 'reader-secret' }
const GRANT = 'grant_type=client_credentials'

const VALUES = '/v1/attribute-values'
const OF_ATTRIBUTE = `${VALUES}/{attributeId}`
const SINGLE = `${OF_ATTRIBUTE}/{attributeValue}/{periodFrom}`

const rental = { attributeId: 'C1', attributeValue: '2095', description: 'Oslo, rental', owner: '100' }
const reading = `${VALUES}/C1/2010/0`
const changing = `${VALUES}/C1/2095/0`
const replaceDescription = [{ op: 'replace', path: '/description', value: 'Oslo, rental and service' }]

const CHANGES = '/v1/changes'

const RELATIONS = '/v1/attribute-relations'
const RELATION = `${RELATIONS}/{attributeId}/{attributeValue}/{relatedAttributeId}/{relationValue}`
const linked = `${RELATIONS}/C1/2010/C2/100`
const replaceShare = [{ op: 'replace', path: '/percentage', value: 40 }]
const link = {
  attributeId: 'C1',
  attributeValue: '2010',
  relatedAttributeId: 'C2',
  relationValue: '100',
  dateFrom: '2026-02-01',
  percentage: 60,
}

const ASKED: ExampleRequests = {
  [`POST ${VALUES}`]: [
    {
      name: 'A cost centre that belongs to a department',
      headers: KEYED,
      body: { ...rental, relatedValues: [{ relationId: 'CCDEPT', relatedValue: '100', percentage: 100 }] },
    },
    { name: 'A project, numbered by the service', body: { attributeId: 'C5', description: 'New warehouse' } },
    {
      name: 'Validated only',
      url: `${VALUES}?validateOnly=true`,
      body: { attributeId: 'C5', description: 'New warehouse' },
    },
    { name: 'A wrong data type', body: { attributeId: 'C1', attributeValue: '2096', periodFrom: 'soon' } },
    { name: 'Malformed JSON', body: '{"attributeId": "C1",}' },
    { name: 'No token', as: 'nobody', body: rental },
    { name: 'May only read', as: 'demo-reader', body: rental },
    { name: 'It exists already', body: rental },
    { name: 'A body of 1.1 MB', body: LARGE },
    { name: 'A form', headers: FORM, body: 'attributeId=C1' },
    { name: 'Nothing given', body: {} },
    {
      name: 'Everything wrong together',
      body: {
        attributeId: 'C1',
        attributeValue: 'no blanks',
        owner: '999',
        contactPoints: [{ contactPointType: '9' }],
        relatedValues: [{ relationId: 'CCDEPT', relatedValue: '1', percentage: 101 }],
      },
    },
  ],
  [`GET ${SINGLE}`]: [
    { name: 'A cost centre', url: reading },
    { name: 'Known to the caller', url: reading, headers: { 'if-none-match': '*' } },
    { name: 'A company given twice', url: `${reading}?companyId=EN&companyId=SV` },
    { name: 'A wrong token', url: reading, as: 'nobody', headers: { authorization: 'Bearer wrong' } },
    { name: 'A company of others', url: `${reading}?companyId=SV`, as: 'demo-reader' },
    { name: 'No such value', url: `${VALUES}/C1/nowhere/0` },
    { name: 'No such attribute', url: `${VALUES}/XX/2010/0` },
    { name: 'The period left out', url: `${VALUES}/C1/2010` },
  ],
  [`GET ${OF_ATTRIBUTE}`]: [
    {
      name: 'Cost centres of sales',
      url: `${VALUES}/C1?$filter=contains(description,'sales')&$select=attributeValue,description&$orderby=attributeValue&$limit=3`,
    },
    { name: 'One, whole', url: `${VALUES}/C1?$offset=1&$limit=1` },
    { name: 'No such description', url: `${VALUES}/C1?$filter=description%20eq%20'Atlantis'` },
    { name: 'No limit of 0', url: `${VALUES}/C1?$limit=0` },
    { name: 'No token', url: `${VALUES}/C1`, as: 'nobody' },
    { name: 'A company of others', url: `${VALUES}/C1?companyId=SV`, as: 'demo-reader' },
    { name: 'A misspelled property', url: `${VALUES}/C1?$filter=descripton%20eq%20'x'` },
    { name: 'A filter that is none', url: `${VALUES}/C1?$filter=description%20eq` },
    { name: 'No such attribute', url: `${VALUES}/XX` },
  ],
  [`HEAD ${OF_ATTRIBUTE}`]: [
    { name: 'Cost centres of sales', url: `${VALUES}/C1?$filter=contains(description,'sales')` },
    { name: 'A limit, where nothing is listed', url: `${VALUES}/C1?$limit=1` },
    { name: 'No token', url: `${VALUES}/C1`, as: 'nobody' },
    { name: 'A company of others', url: `${VALUES}/C1?companyId=SV`, as: 'demo-reader' },
    { name: 'No such attribute', url: `${VALUES}/XX` },
  ],
  [`PATCH ${SINGLE}`]: [
    {
      name: 'A description, and a contact point',
      url: changing,
      body: [
        ...replaceDescription,
        { op: 'add', path: '/contactPoints/-', value: { contactPointType: '1', address: { place: 'Oslo' } } },
      ],
    },
    { name: 'No array', url: changing, body: { description: 'Oslo' } },
    { name: 'No token', url: changing, as: 'nobody', body: replaceDescription },
    { name: 'May only read', url: changing, as: 'demo-reader', body: replaceDescription },
    { name: 'No such value', url: `${VALUES}/C1/nowhere/0`, body: replaceDescription },
    { name: 'Changed since', url: changing, headers: { 'if-match': FIRST_ETAG }, body: replaceDescription },
    { name: 'A body of 1.1 MB', url: changing, body: LARGE },
    { name: 'A form', url: changing, headers: FORM, body: 'description=Oslo' },
    { name: 'A path that is none', url: changing, body: [{ op: 'replace', path: '/nope', value: 1 }] },
    { name: 'An index out of range', url: changing, body: [{ op: 'remove', path: '/contactPoints/7' }] },
    { name: 'A value of the wrong type', url: changing, body: [{ op: 'replace', path: '/periodTo', value: 'soon' }] },
    { name: 'An owner that does not exist', url: changing, body: [{ op: 'replace', path: '/owner', value: '999' }] },
    { name: 'A company of others', url: `${changing}?companyId=XX`, body: replaceDescription },
  ],
  ...historyOf(SINGLE, changing, `${VALUES}/C1/nowhere/0`),
  [`DELETE ${SINGLE}`]: [
    { name: 'Another request under the same key', url: changing, headers: KEYED },
    { name: 'Changed since', url: changing, headers: { 'if-match': FIRST_ETAG } },
    { name: 'A cost centre', url: changing },
    { name: 'Kept by the system', url: `${VALUES}/SY/AUTO/0` },
    { name: 'No token', url: changing, as: 'nobody' },
    { name: 'May only read', url: changing, as: 'demo-reader' },
    { name: 'No such value', url: `${VALUES}/C1/nowhere/0` },
  ],
  ...Object.assign({}, ...BUILT_IN_EXAMPLES.map(([, { examples }]) => examples)),
  ...documentExamples,
  [`POST ${RELATIONS}`]: [
    { name: 'A cost centre that moves to a department', body: link },
    { name: 'Validated only', url: `${RELATIONS}?validateOnly=true`, body: { ...link, relationValue: '200' } },
    { name: 'Connected already', body: link },
    { name: 'No such value', body: { ...link, attributeValue: 'nowhere' } },
    {
      name: 'Several fields wrong together',
      body: { ...link, relationValue: '9', percentage: 101, dateTo: '2026-01-31' },
    },
    { name: 'A date that is none', body: { ...link, dateTo: '2026-02-30' } },
    { name: 'No token', as: 'nobody', body: link },
    { name: 'May only read', as: 'demo-reader', body: link },
    { name: 'A body of 1.1 MB', body: LARGE },
    { name: 'A form', headers: FORM, body: 'attributeId=C1' },
  ],
  [`GET ${RELATION}`]: [
    { name: 'The department of a cost centre', url: linked },
    { name: 'Known to the caller', url: linked, headers: { 'if-none-match': '*' } },
    { name: 'A company given twice', url: `${linked}?companyId=EN&companyId=SV` },
    { name: 'No token', url: linked, as: 'nobody' },
    { name: 'A company of others', url: `${linked}?companyId=SV`, as: 'demo-reader' },
    { name: 'No such relation', url: `${RELATIONS}/C1/2010/C2/nowhere` },
  ],
  [`PATCH ${RELATION}`]: [
    {
      name: 'Another share, and an end',
      url: linked,
      body: [...replaceShare, { op: 'replace', path: '/dateTo', value: '2026-12-31' }],
    },
    { name: 'No array', url: linked, body: { percentage: 40 } },
    { name: 'No token', url: linked, as: 'nobody', body: replaceShare },
    { name: 'May only read', url: linked, as: 'demo-reader', body: replaceShare },
    { name: 'No such relation', url: `${RELATIONS}/C1/2010/C2/nowhere`, body: replaceShare },
    { name: 'Changed since', url: linked, headers: { 'if-match': FIRST_ETAG }, body: replaceShare },
    { name: 'A body of 1.1 MB', url: linked, body: LARGE },
    { name: 'A form', url: linked, headers: FORM, body: 'percentage=40' },
    { name: 'A field that is a key', url: linked, body: [{ op: 'replace', path: '/attributeValue', value: '2020' }] },
    { name: 'An illegal value', url: linked, body: [{ op: 'replace', path: '/relationValue', value: '9' }] },
  ],
  ...historyOf(RELATION, linked, `${RELATIONS}/C1/2010/C2/nowhere`),
  [`DELETE ${RELATION}`]: [
    { name: 'Changed since', url: linked, headers: { 'if-match': FIRST_ETAG } },
    { name: 'A company given twice', url: `${linked}?companyId=EN&companyId=SV` },
    { name: 'No token', url: linked, as: 'nobody' },
    { name: 'May only read', url: linked, as: 'demo-reader' },
    { name: 'A relation', url: linked },
    { name: 'No such relation', url: linked },
    { name: 'One that the customer must have', url: `${RELATIONS}/A4/100000/LI/NO1` },
  ],
  ...objectExamples,
  ...odataExamples,
  [`GET ${CHANGES}`]: [
    {
      name: 'Two changes of cost centres',
      url: `${CHANGES}?since=0&entities=attribute-values&$filter=attributeId%20eq%20'C1'&$select=attributeValue,description&$limit=2`,
    },
    { name: 'No place to begin', url: CHANGES },
    { name: 'A number beyond the log', url: `${CHANGES}?since=999999999` },
    { name: 'No token', url: `${CHANGES}?since=now`, as: 'nobody' },
    { name: 'A company of others', url: `${CHANGES}?since=now&companyId=XX` },
  ],
  ...subscriptionExamples,
  ...batchExamples,
  ...batchOperationExamples,
  [ANY_OPERATION]: [
    { name: 'An address of 16,400 bytes', url: `${VALUES}/C1?$filter=${'x'.repeat(16_400)}` },
    { name: 'A body that is compressed', url: reading, headers: { 'content-encoding': 'gzip' } },
    {
      name: 'More than 100 headers',
      url: reading,
      headers: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, ''])),
    },
  ],
  NoResource: [{ name: 'No such address', method: 'GET', url: '/v1/nothing' }],
  MethodNotAllowed: [{ name: 'No such method', method: 'PUT', url: VALUES }],
  'POST /oauth/token': [
    { name: 'A client by HTTP Basic', headers: FORM, body: GRANT },
    { name: 'Another grant', headers: FORM, body: 'grant_type=password' },
    { name: 'A wrong secret', as: 'nobody', headers: FORM, body: `${GRANT}&client_id=demo&client_secret=wrong` },
    { name: 'A form of 9 KB', headers: FORM, body: `grant_type=${'x'.repeat(9_000)}` },
    { name: 'No form', headers: { 'content-type': 'text/plain' }, body: GRANT },
  ],
  ...agentExamples,
  'GET /.well-known/jwks.json': [{ name: 'One key', as: 'nobody' }],
  'GET /health/live': [{ name: 'It answers', as: 'nobody' }],
  'GET /health/ready': [{ name: 'It is ready', as: 'nobody' }],
}

/** The setup of the demo, whose client may write every built-in record. */
function withRights(folder: string): string {
  const file = join(folder, 'setup.yaml')
  const rights = BUILT_IN_NAMES.map((name) => `      ${name}: [create, read, update, delete]\n`)
  writeFileSync(
    file,
    readFileSync(SETUP, 'utf8').replace(`      customers: [create, read, update, delete]\n`, rights.join('')),
  )
  return file
}

/** The recorded exchanges, and the description that includes them as examples. */
export interface RecordedExamples {
  readonly exchanges: readonly Exchange[]
  readonly description: OpenApi
}

/** Sends every example in order to a new store; the clock stands still, so that the answers are reproducible. */
export async function answerExamples(): Promise<RecordedExamples> {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-examples-'))
  let documents = 0
  const application = await buildApplication({
    data: folder,
    setup: withRights(folder),
    basePath: '',
    // The examples subscribe nobody in the Internet.
    webhookNetworks: ['loopback'],
    observe: () => {},
    onFatal: () => {},
    clock: () => new Date('2026-01-31T12:00:00.000Z'),
    newId: () => exampleId(++documents),
    // Denied accesses take journal numbers too.
    deniedAccessDelayMs: 3_600_000,
  })
  try {
    const { setup } = readSetup(readFileSync(SETUP, 'utf8'), process.env)
    const attributeValues = setup?.companies?.find(({ id }) => id === 'EN')?.attributeValues ?? {}
    await loadLedger(
      application.service,
      () => attributeValues,
      LEDGER_LINES,
      () => {},
    )
    const exchanges: Exchange[] = []
    for (const [operation, list] of Object.entries(ASKED)) {
      for (const asked of list) {
        const etag = exchanges[0]?.answer.headers?.etag ?? ''
        exchanges.push(await exchange(application, operation, withEtag(asked, etag)))
        // Background text extraction takes journal numbers too.
        await application.texts.settle()
      }
    }
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const routes = [...application.router.routes, valueHistoryRoute, ...odataEndpoints]
    return { exchanges, description: openApiOf(routes, exchanges, { version, basePath: '' }) }
  } finally {
    await application.stop(0)
    rmSync(folder, { recursive: true, force: true })
  }
}

function withEtag(asked: ExampleRequest, etag: string): ExampleRequest {
  return asked.headers?.['if-match'] === FIRST_ETAG ? { ...asked, headers: { 'if-match': etag } } : asked
}

async function exchange({ server }: Application, operation: string, asked: ExampleRequest): Promise<Exchange> {
  const { name, as = 'demo', body, headers = {} } = asked
  const [ofOperation = '', path = ''] = operation.split(' ')
  const method = asked.method ?? (ofOperation === ANY_OPERATION ? 'GET' : ofOperation)
  const url = asked.url ?? path
  const authorization = await authorizationOf(server, as)
  const answered = await injectInto(server, {
    method: method as 'GET',
    url,
    headers: {
      ...(authorization === '' ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
      'x-request-id': REQUEST_ID,
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const isLong = JSON.stringify({ url, headers, body }).length > LONGEST_SHOWN
  return {
    operation,
    name,
    request: isLong
      ? { method, url: url.slice(0, 60) + (url.length > 60 ? '...' : '') }
      : { method, url, ...(asked.headers ? { headers } : {}), ...(body === undefined ? {} : { body }) },
    answer: {
      status: answered.statusCode,
      headers: selectedHeaders(answered.headers),
      ...(answered.body === '' ? {} : { body: redactedBody(answered) }),
    },
  }
}

async function authorizationOf(server: Application['server'], as: NonNullable<ExampleRequest['as']>): Promise<string> {
  if (as === 'nobody') return ''
  if (as === 'demo-agent') return `Bearer ${await agentToken(server, 'demo', SECRETS.demo)}`
  return `Basic ${Buffer.from(`${as}:${SECRETS[as]}`).toString('base64')}`
}

function redactedBody({ headers, body }: { headers: Readonly<Record<string, unknown>>; body: string }): unknown {
  return String(headers['content-type']).includes('json') ? masked(JSON.parse(body)) : body
}

const REQUEST_ID = 'example-1'
const LONGEST_SHOWN = 1_500
const SHOWN_HEADERS = [
  'x-request-id',
  'etag',
  'location',
  'link',
  'x-erp-total-count',
  'www-authenticate',
  'allow',
  'content-disposition',
  'accept-ranges',
  'content-range',
]

function selectedHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const shown = SHOWN_HEADERS.filter((name) => headers[name] !== undefined)
  return Object.fromEntries(shown.map((name) => [name, String(headers[name]).replace(STATE_TAG, A_STATE_TAG)]))
}

/** The weak ETag of a collection: random, renewed with each change. */
const STATE_TAG = /^W\/"[\w-]{22}"$/
const A_STATE_TAG = 'W/"Zk1pT3d0aGVzZXN0YXRlcw"'

/** Keys, signatures and cursors differ in each run. */
const SECRET_MEMBERS = new Set(['access_token', 'kid', 'x', 'y', 'next', 'secret', 'publicKey'])

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'ms' ? 0 : SECRET_MEMBERS.has(name) ? '...' : masked(member),
    ]),
  )
}
