// The requests of a smoke test: each kind of answer once. Nothing is written.
import type { ServiceCredentials } from '../../settings/logins.ts'

/** How a request is sent, and what it has to be answered. */
export interface Inquiry {
  readonly method?: 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams | FormData
  /** Default: 200 alone. */
  readonly statuses?: readonly number[]
  /** How the content type of the answer begins; default: JSON. */
  readonly type?: string
  /** What the answer contains. */
  readonly has?: string
}

/** The text of the answer; undefined where it is wrong. */
export type Ask = (path: string, inquiry?: Inquiry) => Promise<string | undefined>

interface Smoke {
  readonly ask: Ask
  /** Tells what is not asked, and why not. */
  readonly skip: (what: string, reason: string) => void
}

/** As `GET /v1/access` answers it. */
interface Access {
  readonly companyId: string
  readonly apis: Readonly<Record<string, readonly string[]>>
  readonly documents: readonly { readonly name: string }[]
}

type Row = Readonly<Record<string, unknown>>

const HTML = { type: 'text/html' }
const NO_RIGHT = 'no right'
const NO_RECORD = 'there is no record'
const JSON_BODY = { 'content-type': 'application/json' }
/** A body that is refused with its reasons, or that would be accepted. */
const CHECKED = [200, 201, 400, 422]
/** A content may be large: its first bytes are enough. */
const BEGINNING = { headers: { range: 'bytes=0-99' }, statuses: [206], type: '' }
/** Those with few records first: one of them is counted. */
const DOCUMENTS = [
  'companies',
  'attributes',
  'attribute-values',
  'attribute-relations',
  'value-list',
  'customers',
  'document-archive',
  'general-ledger-transactions',
]
const FORMATS = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  excel: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
}

export async function askAll(smoke: Smoke, credentials: ServiceCredentials): Promise<void> {
  await askPublic(smoke)
  const token = await tokenFor(smoke, credentials)
  if (token === undefined) return smoke.skip('everything else', 'no token')
  const client = new ClientRequests(smoke, token)
  const access = rowIn(await client.ask('/v1/access', { has: '"documents":[' })) as Access | undefined
  if (access === undefined) return smoke.skip('everything else', 'the rights of the client are not known')
  const found = await askDocuments(client, access)
  await askRecords(client, access, found)
  await askArchive(client, access)
  await askQueries(client, access)
  await askMany(client, access)
  await askTools(smoke, credentials)
}

async function askPublic({ ask }: Smoke): Promise<void> {
  await ask('/health/live')
  await ask('/health/ready')
  await ask('/openapi.json', { has: '"openapi"' })
  await ask('/.well-known/jwks.json', { has: '"keys"' })
  await ask('/.well-known/oauth-authorization-server', { has: '"token_endpoint"' })
  await ask('/docs', HTML)
  await ask('/docs/api', HTML)
  await ask('/docs/setup.schema.json', { has: '"companies"' })
  const console = await ask('/console', HTML)
  const [, script] = /<script [^>]*src="[^"]*?(\/console\/[^"]*)"/.exec(console ?? '') ?? []
  if (script !== undefined) await ask(script, { type: 'text/javascript' })
  await ask('/v1/objects', { statuses: [401] })
}

/** `more`: the target and the scope of a token of another kind. */
async function tokenFor(
  { ask }: Smoke,
  { clientId, clientSecret }: ServiceCredentials,
  more: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const [id, secret] = [clientId, clientSecret].map(encodeURIComponent)
  const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...more })
  const token = rowIn(await ask('/oauth/token', { method: 'POST', headers, body }))?.access_token
  return typeof token === 'string' ? token : undefined
}

/** What a client is asked as. */
class ClientRequests {
  readonly #smoke: Smoke
  readonly #headers: Readonly<Record<string, string>>

  constructor(smoke: Smoke, token: string) {
    this.#smoke = smoke
    this.#headers = { authorization: `Bearer ${token}` }
  }

  /** `unless`: a reason for not asking. */
  async ask(path: string, inquiry: Inquiry = {}, unless?: string | false): Promise<string | undefined> {
    const headers = { ...this.#headers, ...inquiry.headers }
    if (!unless) return await this.#smoke.ask(path, { ...inquiry, headers })
    this.#smoke.skip(`${inquiry.method ?? 'GET'} ${path}`, unless)
    return undefined
  }

  /** Checks a record without storing it. */
  async check(path: string, unless: string | false): Promise<void> {
    const inquiry = { method: 'POST', headers: JSON_BODY, body: '{}', statuses: CHECKED } as const
    await this.ask(`${path}?$validateOnly=true`, inquiry, unless)
  }
}

/** The first record of each document. */
async function askDocuments(client: ClientRequests, { documents }: Access): Promise<ReadonlyMap<string, Row>> {
  await client.ask('/v1/objects')
  const found = new Map<string, Row>()
  for (const name of DOCUMENTS) {
    const parameters = name === 'general-ledger-transactions' ? '?posted=true&$limit=1' : '?$limit=1'
    const mayRead = documents.some((document) => document.name === name)
    const row = rowIn(await client.ask(`/v1/objects/${name}${parameters}`, {}, !mayRead && NO_RIGHT))
    if (row) found.set(name, row)
  }
  return found
}

async function askRecords(client: ClientRequests, { apis }: Access, found: ReadonlyMap<string, Row>): Promise<void> {
  const value = found.get('attribute-values')
  const customer = found.get('customers')
  const readsValues = lacks(apis, 'attribute-values', 'read') || (!value && NO_RECORD)
  const { attributeId = 'ID' } = value ?? {}
  await client.ask(`/v1/attribute-values/${part(attributeId)}?$limit=1`, {}, readsValues)
  for (const [resource, row, names] of [
    ['attribute-values', value, ['attributeId', 'attributeValue', 'periodFrom']],
    ['customers', customer, ['customerId']],
  ] as const) {
    const path = ['/v1', resource, ...names.map((name) => part(row?.[name] ?? name))].join('/')
    const reads = lacks(apis, resource, 'read') || (!row && NO_RECORD)
    await client.ask(path, {}, reads)
    await client.ask(`${path}/history`, {}, reads)
  }
  for (const resource of ['attribute-values', 'attribute-relations', 'customers'])
    await client.check(`/v1/${resource}`, lacks(apis, resource, 'create'))
}

/** Upload and download. */
async function askArchive(client: ClientRequests, { apis }: Access): Promise<void> {
  const reads = lacks(apis, 'documents', 'read')
  const type = rowIn(await client.ask('/v1/document-types', {}, reads))
  const page = rowIn(await client.ask('/v1/documents?limit=1', {}, reads))
  const document = (page?.items as Row[] | undefined)?.[0]
  const path = `/v1/documents/${part(document?.id ?? 'id')}`
  const unless = reads || (!document && NO_RECORD)
  await client.ask(`${path}/content`, BEGINNING, unless)
  await client.ask(`${path}/thumbnail`, {}, unless)
  await client.ask(`${path}/history`, {}, unless)
  const body = new FormData()
  if (type) body.set('docType', String(type.id))
  body.set('title', 'tabularium smoke')
  body.set('file', new Blob(['is checked and not stored']), 'smoke.txt')
  const upload = { method: 'POST', body, statuses: CHECKED } as const
  await client.ask('/v1/documents?$validateOnly=true', upload, lacks(apis, 'documents', 'create'))
}

/** Each form of an answer, of one document. */
async function askQueries(client: ClientRequests, { companyId, documents }: Access): Promise<void> {
  const name = DOCUMENTS.find((one) => documents.some((document) => document.name === one))
  const unless = name === undefined && NO_RIGHT
  const path = `/v1/objects/${name ?? 'attributes'}`
  for (const [format, type] of Object.entries(FORMATS))
    await client.ask(`${path}?$format=${format}&$limit=2`, { type }, unless)
  await client.ask(path, { method: 'HEAD', type: '' }, unless)
  await client.ask(`${path}?$aggregate=count()`, { has: '"count"' }, unless)
  await client.ask(`${path}?$filter=nonsense%20eq%201`, { statuses: [400], has: 'nonsense' }, unless)
  const service = `/odata/v4/${part(companyId)}`
  const set = name?.replaceAll('-', '_') ?? 'attributes'
  await client.ask(service, {}, unless)
  await client.ask(`${service}/$metadata`, { type: 'application/xml' }, unless)
  await client.ask(`${service}/${set}?$top=1`, {}, unless)
  await client.ask(`${service}/${set}/$count`, { type: 'text/plain' }, unless)
}

async function askMany(client: ClientRequests, { apis, documents }: Access): Promise<void> {
  await client.ask('/v1/changes?since=now', { has: '"next"' }, documents.length === 0 && NO_RIGHT)
  const body = JSON.stringify({ requests: [{ id: '1', method: 'GET', url: '/v1/access' }] })
  await client.ask('/v1/batch', { method: 'POST', headers: JSON_BODY, body, has: '"status":200' })
  await client.ask('/v1/batch-operations')
  await client.ask('/v1/subscriptions', {}, lacks(apis, 'subscriptions', 'read'))
}

/** The tools of agents, with a token of their own. */
async function askTools(smoke: Smoke, credentials: ServiceCredentials): Promise<void> {
  const resource = rowIn(await smoke.ask('/.well-known/oauth-protected-resource/mcp'))?.resource
  if (typeof resource !== 'string') return
  const token = await tokenFor(smoke, credentials, { resource, scope: 'mcp:read' })
  if (token === undefined) return
  const tools = new ClientRequests(smoke, token)
  const headers = { ...JSON_BODY, accept: 'application/json, text/event-stream' }
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', { name: 'describe', arguments: {} }],
  ] as const) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    await tools.ask('/mcp', { method: 'POST', headers, body, type: 'text/event-stream', has: '"result"' })
  }
}

function lacks(apis: Access['apis'], api: string, operation: string): string | false {
  return !apis[api]?.includes(operation) && NO_RIGHT
}

const part = (key: unknown) => encodeURIComponent(String(key))

/** The object, or the first of a list. */
function rowIn(text = 'null'): Row | undefined {
  const json = JSON.parse(text) as Row | readonly Row[] | null
  return (Array.isArray(json) ? json[0] : json) ?? undefined
}
