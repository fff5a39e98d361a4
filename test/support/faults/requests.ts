// Every operation of the description, and further ways to call some of them, each as one request that succeeds.
import { OWN_HEADERS } from '../console-people.ts'
import { JASPER } from '../isolation/companies.ts'
import { OF_BATCHES, OF_ODATA, OPEN, OPERATIONS } from '../isolation/operations.ts'
import { SHARED, subscriptionBody } from '../isolation/records.ts'
import { headersOf, messageOf } from '../mcp.ts'
import type { Sent } from '../world.ts'

export interface OperationRequest {
  /** The operation, as the description names it, and the variation. */
  readonly name: string
  readonly method: NonNullable<Sent['method']>
  readonly url: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** No credentials are required. */
  readonly isOpen?: boolean
  /** Their token is required. */
  readonly isForAgents?: boolean
  /** Who asks it at the console, by a session. */
  readonly person?: 'person' | 'overseer'
  /** The status when nothing fails. */
  readonly status?: number
}

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const CUSTOMERS = '/v1/objects/customers'
const VALUES = '/v1/attribute-values'

/** The client's secret is wrong, so no token is issued. The readiness of the store has a test of its own. */
const OPEN_ROWS: readonly OperationRequest[] = OPEN.filter(
  (name) => !/^(GET \/v1\/access|POST \/v1\/batch|POST \/mcp|GET \/health.*)$/.test(name),
).map((name) => {
  const [method = '', url = ''] = name.split(' ')
  const isPost = method === 'POST'
  const body = `grant_type=client_credentials&client_id=writer-${JASPER.id}&client_secret=wrong`
  return {
    name,
    isOpen: true,
    method: method as OperationRequest['method'],
    url,
    ...(isPost ? { body, headers: FORM, status: 401 } : {}),
  }
})

const inBatch = (attributeValue: string, group?: string) => ({
  id: attributeValue,
  method: 'POST',
  url: VALUES,
  body: { attributeId: 'C1', attributeValue },
  ...(group === undefined ? {} : { atomicityGroup: group }),
})

const FURTHER: readonly OperationRequest[] = [
  { name: 'GET /v1/access', method: 'GET', url: '/v1/access' },
  { name: 'GET /v1/mirror', method: 'GET', url: '/v1/mirror' },
  { name: 'GET /v1/mirror/{document}', method: 'GET', url: '/v1/mirror/customers' },
  {
    name: 'POST /v1/batch',
    method: 'POST',
    url: '/v1/batch',
    body: JSON.stringify({ requests: [inBatch('ONE'), inBatch('TWO', 'group'), inBatch('THREE', 'group')] }),
    headers: { ...JSON_TYPE, 'idempotency-key': 'h9-batch' },
    status: 200,
  },
  {
    name: 'POST /mcp',
    method: 'POST',
    url: '/mcp',
    body: JSON.stringify(messageOf('server/discover')),
    headers: { ...JSON_TYPE, ...headersOf('server/discover') },
    isForAgents: true,
    status: 200,
  },
  {
    name: 'POST a value that may be repeated',
    method: 'POST',
    url: VALUES,
    body: JSON.stringify({ attributeId: 'C1', attributeValue: 'KEYED' }),
    headers: { ...JSON_TYPE, 'idempotency-key': 'h9-key' },
  },
  {
    name: 'POST that only validates',
    method: 'POST',
    url: `${VALUES}?validateOnly=true`,
    body: JSON.stringify({ attributeId: 'C1', attributeValue: 'TRIED' }),
    headers: JSON_TYPE,
  },
  { name: 'GET a search', method: 'GET', url: '/v1/documents?search=jasper&withFileContent=true&limit=1' },
  { name: 'GET what was', method: 'GET', url: `${CUSTOMERS}?asOf=2` },
  { name: 'GET how many there were', method: 'HEAD', url: `${CUSTOMERS}?asOf=2` },
  { name: 'GET lines', method: 'GET', url: CUSTOMERS, headers: { accept: 'application/x-ndjson' } },
  { name: 'GET Parquet', method: 'GET', url: CUSTOMERS, headers: { accept: 'application/vnd.apache.parquet' } },
  { name: 'HEAD of Parquet', method: 'HEAD', url: CUSTOMERS, headers: { accept: 'application/vnd.apache.parquet' } },
  { name: 'GET cells', method: 'GET', url: CUSTOMERS, headers: { accept: 'text/csv' } },
  { name: 'GET a schema', method: 'GET', url: CUSTOMERS, headers: { accept: 'application/schema+json' } },
  {
    name: 'GET compressed',
    method: 'GET',
    url: `${CUSTOMERS}?$select=*,contactPoints,relatedValues,customFieldGroups`,
    headers: { 'accept-encoding': 'gzip' },
  },
  { name: 'GET what no route takes', method: 'GET', url: '/nowhere', status: 404 },
  { name: 'PUT where nobody can', method: 'PUT', url: VALUES, status: 405 },
]

const ODATA = '/odata/v4/{companyId}'
const ENTITY = '/{entitySet}({key})'

/** What stands in the paths of OData. */
const ODATA_VALUES: Readonly<Record<string, string>> = {
  companyId: JASPER.id,
  entitySet: 'customers',
  key: `'${SHARED.customer}'`,
  navigation: 'contactPoints',
  file: 'customers.odc',
}

const odataRow = (name: string, query = ''): OperationRequest => {
  const [method = '', path = ''] = name.split(' ')
  const url = path.replaceAll(/\{(\w+)\}/g, (_whole, value: string) => ODATA_VALUES[value] ?? '')
  return { name: name + query, method: method as OperationRequest['method'], url: url + query }
}

const ODATA_ROWS: readonly OperationRequest[] = [
  ...OF_ODATA.map((name) => odataRow(name)),
  odataRow(`GET ${ODATA}/{entitySet}`, '?$top=2&$count=true&$expand=contactPoints'),
  odataRow(`GET ${ODATA}/{entitySet}`, '?$apply=aggregate($count%20as%20many)'),
  odataRow(`GET ${ODATA}${ENTITY}`, '?$expand=contactPoints'),
]

/** None has ended, and none is found: nothing is done in the background. */
const BATCH_ROWS: readonly OperationRequest[] = OF_BATCHES.map((name) => {
  const [method = '', path = ''] = name.split(' ')
  const isUpload = method === 'POST'
  const row = { name, method: method as OperationRequest['method'], url: path.replace('{id}', 'none') }
  if (!isUpload) return path.includes('{id}') ? { ...row, status: 404 } : row
  const status = path.endsWith('/preview') ? 200 : 202
  if (path.endsWith('/patches'))
    return { ...row, body: '{}\n', headers: { 'content-type': 'application/x-ndjson' }, status }
  return { ...row, body: 'attributeId\nC1\n', headers: { 'content-type': 'text/csv' }, status }
})

const CONSOLE = '/console/api'
const ADMINISTRATION = `${CONSOLE}/administration`

/** What the pages of the console ask, but for those that its own files answer. */
const CONSOLE_ROWS: readonly OperationRequest[] = [
  { method: 'GET', url: `${CONSOLE}/sign-in`, isOpen: true },
  {
    method: 'POST',
    url: `${CONSOLE}/session`,
    isOpen: true,
    body: JSON.stringify({ user: 'person', password: 'wrong' }),
    headers: { ...JSON_TYPE, ...OWN_HEADERS },
    status: 401,
  },
  { method: 'GET', url: `${CONSOLE}/oidc/sign-in?issuer=none`, isOpen: true, status: 302 },
  { method: 'GET', url: `${CONSOLE}/oidc/callback?code=none`, isOpen: true, status: 302 },
  ...['session', 'sessions', 'settings'].map(
    (name) => ({ method: 'GET', url: `${CONSOLE}/${name}`, person: 'person' }) as const,
  ),
  { method: 'PUT', url: `${CONSOLE}/settings`, person: 'person', body: '{}', headers: JSON_TYPE, status: 204 },
  ...[
    'people',
    'clients',
    'clients/reader/entities',
    'clients/reader/requests',
    'requests',
    'companies',
    'health',
    'setup',
    'backups',
    'openapi.json',
  ].map((name) => ({ method: 'GET', url: `${ADMINISTRATION}/${name}`, person: 'overseer' }) as const),
  {
    method: 'POST',
    url: `${ADMINISTRATION}/setup/comparison`,
    person: 'overseer',
    body: JSON.stringify({ setup: 'version: 1' }),
    headers: JSON_TYPE,
    status: 200,
  },
  ...(
    [
      ['POST', 'people', { id: 'h9', defaultCompany: JASPER.id, roles: [] }],
      ['PATCH', 'people/person', { name: 'H9' }],
      ['POST', 'people/person/password', {}],
      ['POST', 'clients', { id: 'h9', defaultCompany: JASPER.id, roles: [] }],
      ['PATCH', 'clients/reader', { disabled: true }],
      ['POST', 'clients/reader/secret', { keepHours: 1 }],
      ['POST', 'clients/reader/subscriptions', { ...subscriptionBody(SHARED, JASPER), companyId: JASPER.id }],
    ] as const
  ).map(([method, name, body]) => ({
    method,
    url: `${ADMINISTRATION}/${name}?validateOnly=true`,
    person: 'overseer',
    body: JSON.stringify(body),
    headers: JSON_TYPE,
    status: method === 'PATCH' ? 204 : 200,
  })),
  {
    method: 'POST',
    url: `${ADMINISTRATION}/setup`,
    person: 'overseer',
    body: JSON.stringify({ setup: 'version: 2' }),
    headers: JSON_TYPE,
    status: 422,
  },
  { method: 'POST', url: `${ADMINISTRATION}/backups`, person: 'overseer', status: 409 },
  { method: 'GET', url: `${VALUES}/C1/TWIN/0`, person: 'person' },
  { method: 'GET', url: CUSTOMERS, person: 'overseer', headers: { 'act-as': 'reader' } },
  { method: 'DELETE', url: `${CONSOLE}/sessions/none`, person: 'person', status: 404 },
  { method: 'DELETE', url: `${CONSOLE}/session`, person: 'person', status: 204 },
].map((row) => ({ name: `${row.method} ${row.url} at the console`, ...row }) as OperationRequest)

/** Deletions run last. */
export const OPERATION_REQUESTS: readonly OperationRequest[] = [
  ...Object.entries(OPERATIONS).map(([name, { method, path, needs, body }]) => ({
    name,
    method,
    url: needs ? `${path(SHARED)}?${needs}` : path(SHARED),
    ...(body ? { body: JSON.stringify(body(SHARED, JASPER)), headers: JSON_TYPE } : {}),
    // What is done with a subscription creates none.
    ...(name.startsWith('POST /v1/subscriptions/') ? { status: 200 } : {}),
  })),
  ...OPEN_ROWS,
  ...BATCH_ROWS,
  ...FURTHER,
  ...ODATA_ROWS,
  ...CONSOLE_ROWS,
].sort((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
