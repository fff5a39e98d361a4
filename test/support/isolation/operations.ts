// How each operation of the description is called: with which path, body and query. A test that iterates over the
// description fails for an operation without a row here.
import type { Sent } from '../world.ts'
import { type Company, ENTERPRISE_DOCUMENTS } from './companies.ts'
import { customerBody, documentBody, type Ids, SHARED, subscriptionBody, valueBody } from './records.ts'

export interface Operation {
  readonly method: NonNullable<Sent['method']>
  /** Without a query. */
  path(ids: Ids): string
  /** The body for a record of `company` with these `ids`. */
  body?(ids: Ids, company: Pick<Company, 'mark' | 'number'>): unknown
  /** Mandatory options. */
  readonly needs?: string
  /** The status for a record that the company does not have; absent where the path names none. */
  readonly missing?: number
  /** Options that name records and companies in the query. */
  readonly asks?: readonly ((ids: Ids, companyId: string) => Readonly<Record<string, string>>)[]
}

const VALUE = ({ value }: Ids) => `/v1/attribute-values/C1/${value}/0`
const OF_ATTRIBUTE = ({ attribute }: Ids) => `/v1/attribute-values/${attribute}`
const RELATION = ({ value, related }: Ids) => `/v1/attribute-relations/C1/${value}/C2/${related}`
const CUSTOMER = ({ customer }: Ids) => `/v1/customers/${customer}`
const WORK_ORDER = ({ value }: Ids) => `/v1/work-orders/${value}`
const DOCUMENT = ({ document }: Ids) => `/v1/documents/${document}`
const REVISIONS = ({ document }: Ids) => `/v1/document-revisions/${document}`
const REVISION = (ids: Ids) => `${REVISIONS(ids)}/${ids.revisionNo}`

const SUBSCRIPTION = ({ subscription }: Ids) => `/v1/subscriptions/${subscription}`

type Marked = Pick<Company, 'mark' | 'number'>
const replacing =
  (path: string) =>
  (_ids: Ids, { mark }: Marked) => [{ op: 'replace', path, value: mark }]

const revisionBody = (ids: Ids, company: Marked) => ({
  ...documentBody(SHARED, company),
  comment: company.mark,
  id: ids.document,
})

const records = {
  'POST /v1/attribute-values': {
    method: 'POST',
    path: () => '/v1/attribute-values',
    body: (ids, company) => valueBody(ids, ids.fresh, company),
  },
  'GET /v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}': { method: 'GET', path: VALUE, missing: 404 },
  'PATCH /v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}': {
    method: 'PATCH',
    path: VALUE,
    body: replacing('/description'),
    missing: 404,
  },
  'DELETE /v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}': {
    method: 'DELETE',
    path: VALUE,
    missing: 404,
  },
  'GET /v1/attribute-values/{attributeId}': { method: 'GET', path: OF_ATTRIBUTE, missing: 404, asks: askOf('value') },
  'HEAD /v1/attribute-values/{attributeId}': {
    method: 'HEAD',
    path: OF_ATTRIBUTE,
    missing: 404,
    asks: countOf('value'),
  },
  'POST /v1/attribute-relations': {
    method: 'POST',
    path: () => '/v1/attribute-relations',
    body: (ids) => ({ attributeId: 'C1', attributeValue: 'TWIN', relatedAttributeId: 'CG', relationValue: ids.group }),
  },
  'GET /v1/attribute-relations/{attributeId}/{attributeValue}/{relatedAttributeId}/{relationValue}': {
    method: 'GET',
    path: RELATION,
    missing: 404,
  },
  'PATCH /v1/attribute-relations/{attributeId}/{attributeValue}/{relatedAttributeId}/{relationValue}': {
    method: 'PATCH',
    path: RELATION,
    body: () => [{ op: 'replace', path: '/percentage', value: 12 }],
    missing: 404,
  },
  'DELETE /v1/attribute-relations/{attributeId}/{attributeValue}/{relatedAttributeId}/{relationValue}': {
    method: 'DELETE',
    path: RELATION,
    missing: 404,
  },
  'POST /v1/customers': {
    method: 'POST',
    path: () => '/v1/customers',
    body: (ids, company) => customerBody(ids, ids.fresh, company),
  },
  'GET /v1/customers/{customerId}': { method: 'GET', path: CUSTOMER, missing: 404 },
  'PATCH /v1/customers/{customerId}': {
    method: 'PATCH',
    path: CUSTOMER,
    body: replacing('/customerName'),
    missing: 404,
  },
  'DELETE /v1/customers/{customerId}': { method: 'DELETE', path: CUSTOMER, missing: 404 },
  'POST /v1/work-orders': {
    method: 'POST',
    path: () => '/v1/work-orders',
    body: ({ fresh }, { mark, number }) => ({ workOrderId: fresh, description: mark, hours: number }),
  },
  'GET /v1/work-orders/{workOrderId}': { method: 'GET', path: WORK_ORDER, missing: 404 },
  'PATCH /v1/work-orders/{workOrderId}': {
    method: 'PATCH',
    path: WORK_ORDER,
    body: replacing('/description'),
    missing: 404,
  },
  'DELETE /v1/work-orders/{workOrderId}': { method: 'DELETE', path: WORK_ORDER, missing: 404 },
} satisfies Record<string, Operation>

const history = {
  'GET /v1/attribute-values/{attributeId}/{attributeValue}/{periodFrom}/history': {
    method: 'GET',
    path: (ids) => `${VALUE(ids)}/history`,
    missing: 404,
  },
  'GET /v1/attribute-relations/{attributeId}/{attributeValue}/{relatedAttributeId}/{relationValue}/history': {
    method: 'GET',
    path: (ids) => `${RELATION(ids)}/history`,
    missing: 404,
  },
  'GET /v1/customers/{customerId}/history': {
    method: 'GET',
    path: (ids) => `${CUSTOMER(ids)}/history`,
    missing: 404,
  },
  'GET /v1/work-orders/{workOrderId}/history': {
    method: 'GET',
    path: (ids) => `${WORK_ORDER(ids)}/history`,
    missing: 404,
  },
  'GET /v1/documents/{id}/history': { method: 'GET', path: (ids) => `${DOCUMENT(ids)}/history`, missing: 404 },
} satisfies Record<string, Operation>

const archive = {
  'POST /v1/documents': { method: 'POST', path: () => '/v1/documents', body: documentBody },
  'GET /v1/documents': {
    method: 'GET',
    path: () => '/v1/documents',
    asks: [
      ({ docType }) => ({ doctype: docType }),
      ({ document }) => ({ id: document, withFileContent: 'true' }),
      ({ value }) => ({ indexes: value }),
      ({ value }) => ({ title: value }),
      ({ value }) => ({ search: value }),
    ],
  },
  'GET /v1/documents/{id}': { method: 'GET', path: DOCUMENT, missing: 404 },
  'PATCH /v1/documents/{id}': { method: 'PATCH', path: DOCUMENT, body: replacing('/title'), missing: 404 },
  'DELETE /v1/documents/{id}': { method: 'DELETE', path: DOCUMENT, missing: 404 },
  'POST /v1/document-revisions': {
    method: 'POST',
    path: () => '/v1/document-revisions',
    body: revisionBody,
    missing: 404,
  },
  'POST /v1/document-revisions/{id}': { method: 'POST', path: REVISIONS, body: revisionBody, missing: 404 },
  // A document of another company has no revisions, like one that does not exist.
  'GET /v1/document-revisions/{id}': { method: 'GET', path: REVISIONS, missing: 200 },
  'GET /v1/document-revisions/{id}/{revisionNo}': { method: 'GET', path: REVISION, missing: 404 },
  'GET /v1/documents/{id}/thumbnail': { method: 'GET', path: (ids) => `${DOCUMENT(ids)}/thumbnail`, missing: 404 },
  'GET /v1/documents/{id}/content': { method: 'GET', path: (ids) => `${DOCUMENT(ids)}/content`, missing: 404 },
  'HEAD /v1/documents/{id}/content': { method: 'HEAD', path: (ids) => `${DOCUMENT(ids)}/content`, missing: 404 },
  'GET /v1/document-revisions/{id}/{revisionNo}/thumbnail': {
    method: 'GET',
    path: (ids) => `${REVISION(ids)}/thumbnail`,
    missing: 404,
  },
  'GET /v1/document-revisions/{id}/{revisionNo}/content': {
    method: 'GET',
    path: (ids) => `${REVISION(ids)}/content`,
    missing: 404,
  },
  'HEAD /v1/document-revisions/{id}/{revisionNo}/content': {
    method: 'HEAD',
    path: (ids) => `${REVISION(ids)}/content`,
    missing: 404,
  },
} satisfies Record<string, Operation>

const toSubscription = (action: string, method: 'GET' | 'POST', body?: object): Operation => ({
  method,
  path: (ids) => `${SUBSCRIPTION(ids)}/${action}`,
  ...(body ? { body: () => body } : {}),
  missing: 404,
})

const subscriptions = {
  'POST /v1/subscriptions': { method: 'POST', path: () => '/v1/subscriptions', body: subscriptionBody },
  'GET /v1/subscriptions': { method: 'GET', path: () => '/v1/subscriptions' },
  'GET /v1/subscriptions/{id}': { method: 'GET', path: SUBSCRIPTION, missing: 404 },
  'PATCH /v1/subscriptions/{id}': {
    method: 'PATCH',
    path: SUBSCRIPTION,
    body: replacing('/name'),
    missing: 404,
  },
  'DELETE /v1/subscriptions/{id}': { method: 'DELETE', path: SUBSCRIPTION, missing: 404 },
  'POST /v1/subscriptions/{id}/pause': toSubscription('pause', 'POST'),
  'POST /v1/subscriptions/{id}/resume': toSubscription('resume', 'POST'),
  'POST /v1/subscriptions/{id}/rotate': toSubscription('rotate', 'POST', {}),
  'POST /v1/subscriptions/{id}/replay': toSubscription('replay', 'POST', { since: 'now' }),
  'POST /v1/subscriptions/{id}/test': toSubscription('test', 'POST'),
  'GET /v1/subscriptions/{id}/attempts': toSubscription('attempts', 'GET'),
  'GET /v1/subscriptions/{id}/dead-letters': toSubscription('dead-letters', 'GET'),
  'POST /v1/subscriptions/{id}/dead-letters/retry': toSubscription('dead-letters/retry', 'POST', {
    from: 0,
    to: 9,
  }),
} satisfies Record<string, Operation>

/** For each Enterprise Document: the property that identifies a record, and its part of the key. */
const NAMED_BY: Readonly<Record<(typeof ENTERPRISE_DOCUMENTS)[number], readonly [string, keyof Ids]>> = {
  'attribute-relations': ['relationValue', 'related'],
  'attribute-values': ['attributeValue', 'value'],
  attributes: ['attributeId', 'attribute'],
  'audit-entries': ['recordKey', 'value'],
  companies: ['companyName', 'value'],
  customers: ['customerId', 'customer'],
  'document-archive': ['docType', 'docType'],
  'general-ledger-transactions': ['customerId', 'customer'],
  'value-list': ['description', 'country'],
  'work-orders': ['workOrderId', 'value'],
}

/** Associations of each document that lead to other records. */
const FURTHER: Readonly<Record<string, string>> = {
  customers: '*,relatedValues,contactPoints,customFieldGroups,countryCode[C;T],customerGroupId[C;T]',
  'attribute-values': '*,relatedValues,contactPoints',
  'general-ledger-transactions': '*,customer(*,relatedValues)',
  'document-archive': '*,indexes',
  'work-orders': '*,costCentre[C;T],status[C;T]',
}

const objects: Record<string, Operation> = {}
for (const name of ENTERPRISE_DOCUMENTS) {
  const [property, part] = NAMED_BY[name]
  const path = name === 'work-orders' ? '/{version}/objects/{document}' : `/v1/objects/${name}`
  const needs = name === 'general-ledger-transactions' ? { needs: 'registered=true&posted=true&historical=true' } : {}
  const common = { path: () => `/v1/objects/${name}`, ...needs }
  objects[`GET ${path}`] = { ...common, method: 'GET', asks: asksOf(property, part, FURTHER[name] ?? '*') }
  objects[`HEAD ${path}`] = { ...common, method: 'HEAD', asks: filtersOf(property, part) }
}

type Asks = NonNullable<Operation['asks']>

function asksOf(property: string, part: keyof Ids, further: string): Asks {
  return [
    ...filtersOf(property, part),
    () => ({ $select: 'companyId', $orderby: 'companyId desc' }),
    () => ({ $groupby: `companyId,${property}`, $aggregate: `count(),max(${property})` }),
    (ids) => ({ $select: further, $filter: `${property} ne '${ids[part]}'`, $orderby: `${property} desc` }),
    // Neither a property nor a way to name one: rejected with the sent text in the message.
    (_ids, companyId) => ({ $select: companyId }),
    (_ids, companyId) => ({ $orderby: companyId }),
    (_ids, companyId) => ({ $filter: `${companyId} eq 1` }),
  ]
}

function filtersOf(property: string, part: keyof Ids): Asks {
  return [
    (_ids, companyId) => ({ $filter: `companyId eq '${companyId}'` }),
    (_ids, companyId) => ({ $filter: `companyId eq '${companyId}' or 1 eq 2` }),
    (_ids, companyId) => ({ $filter: `companyId in ('${companyId}','${companyId.toLowerCase()}')` }),
    (_ids, companyId) => ({ $filter: `not (companyId ne '${companyId}')` }),
    (_ids, companyId) => ({ $filter: `startswith(companyId,'${companyId.slice(0, 4)}')` }),
    (ids) => ({ $filter: `${property} eq '${ids[part]}'` }),
    (ids) => ({ $filter: `contains(${property},'${ids[part]}')` }),
    (ids, companyId) => ({ $filter: `${property} eq '${ids[part]}' or companyId eq '${companyId}'` }),
  ]
}

function askOf(part: keyof Ids): Asks {
  return asksOf('attributeValue', part, '*')
}

function countOf(part: keyof Ids): Asks {
  return filtersOf('attributeValue', part)
}

objects['GET /v1/objects'] = { path: () => '/v1/objects', method: 'GET' }
objects['GET /v1/search'] = { path: () => '/v1/search', method: 'GET', needs: 'q=a&limit=50' }
objects['GET /v1/mirror'] = { path: () => '/v1/mirror', method: 'GET' }
objects['GET /v1/mirror/{document}'] = { path: () => '/v1/mirror/customers', method: 'GET' }
objects['HEAD /v1/objects'] = { path: () => '/v1/objects', method: 'HEAD' }
objects['GET /v1/document-types'] = { path: () => '/v1/document-types', method: 'GET' }

const changes: Record<string, Operation> = {
  'GET /v1/changes': {
    method: 'GET',
    path: () => '/v1/changes',
    needs: 'since=0',
    asks: [
      ({ value }) => ({ entities: 'attribute-values', $filter: `attributeValue eq '${value}'` }),
      ({ customer }) => ({ entities: 'customers', $filter: `contains(customerId,'${customer}')`, latest: 'true' }),
      (_ids, companyId) => ({ entities: 'customers', $filter: `companyId eq '${companyId}'` }),
      (_ids, companyId) => ({ entities: companyId }),
    ],
  },
}

/** By method and path, as the description has them. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...records,
  ...history,
  ...archive,
  ...subscriptions,
  ...objects,
  ...changes,
}

/**
 * Those of batch operations, which have tests of their own: each request leaves behind what is done in the background,
 * and everybody may ask for those that are theirs.
 */
export const OF_BATCHES: readonly string[] = [
  ...['attribute-values', 'attribute-relations', 'customers', 'work-orders'].flatMap((name) => [
    `POST /v1/${name}/batch`,
    `POST /v1/${name}/batch/preview`,
    ...(name === 'attribute-relations' ? [] : [`POST /v1/${name}/batch/patches`]),
  ]),
  'GET /v1/batch-operations',
  'GET /v1/batch-operations/{id}/status',
  'GET /v1/batch-operations/{id}/results',
  'DELETE /v1/batch-operations/{id}',
  'DELETE /v1/batch-operations/{id}/records',
]

/** Those of OData, whose company is in the path: a test of its own asks there for companies and records of others. */
export const OF_ODATA: readonly string[] = [
  '',
  '/$metadata',
  '/{entitySet}',
  '/{entitySet}/$count',
  '/{entitySet}({key})',
  '/{entitySet}({key})/{navigation}',
  '/{entitySet}({key})/{navigation}/$count',
  '/link-files/{file}',
].flatMap((path) => ['GET', 'HEAD'].map((method) => `${method} /odata/v4/{companyId}${path}`))

/** Operations without a caller and without a company, the one that tells a caller of itself, and that of others. */
export const OPEN = [
  'GET /v1/access',
  'POST /v1/batch',
  'POST /mcp',
  'POST /oauth/token',
  'GET /.well-known/jwks.json',
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/api',
] as const
