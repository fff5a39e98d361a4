// Requests that the description allows and that must be accepted; the records that they need are created first.
import type { Parameter, Schema } from '../../../src/http/openapi/document.ts'
import type { Answer } from '../world.ts'
import type { DescribedOperation } from './description.ts'
import { type Json, legalBody, newKey } from './legal-body.ts'
import { legalPatch } from './legal-patch.ts'
import { feedOptionsOf, groupingOf, selectionOf } from './legal-query.ts'
import { isOData, odataDraft } from './odata/draft.ts'
import type { FuzzRequest, Made, Session } from './session.ts'

export const CALLER = 'integration'
export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** For each resource: the operation that creates a record, and the members of its key. */
const RESOURCES: Readonly<Record<string, { readonly creator: string; readonly key: readonly string[] }>> = {
  'attribute-values': { creator: 'createAttributeValue', key: ['attributeId', 'attributeValue', 'periodFrom'] },
  'attribute-relations': {
    creator: 'createAttributeRelation',
    key: ['attributeId', 'attributeValue', 'relatedAttributeId', 'relationValue'],
  },
  customers: { creator: 'createCustomer', key: ['customerId'] },
  documents: { creator: 'createDocument', key: ['id'] },
  'work-orders': { creator: 'createWorkOrdersRecord', key: ['workOrderId'] },
  subscriptions: { creator: 'createSubscription', key: ['id'] },
}

/** A request under construction; `record` is the one that its path names. */
export interface Draft {
  readonly operation: DescribedOperation
  readonly record: Made | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly expected: readonly number[]
}

/** The resource that an operation is about; undefined when there is none. */
export function resourceOf({ path }: DescribedOperation): string | undefined {
  const [, , name = ''] = path.split('/')
  if (name === 'document-revisions') return 'documents'
  return Object.hasOwn(RESOURCES, name) ? name : undefined
}

/** A company takes 100 subscriptions: now and then those are deleted that nothing was done with for the longest time. */
const MOST_KEPT = 50
const ROOM = 20
const HOUR_MS = 3_600_000
let subscribed = 0

interface Subscribed {
  readonly id: string
  readonly lastUpdated: { readonly updatedAt: string }
}

async function makeRoom(session: Session): Promise<void> {
  if (++subscribed % ROOM !== 0) return
  const sent = (operation: DescribedOperation, url: string, expected: readonly number[]) =>
    session.send({ operation, method: operation.method, url, as: CALLER, expected, what: 'room for others' })
  const { description, made } = session
  const { json } = await sent(description.operation('listSubscriptions'), '/v1/subscriptions', [200])
  const ageOf = ({ lastUpdated }: Subscribed) => Date.parse(lastUpdated.updatedAt)
  const newest = (json as Subscribed[]).sort((one, other) => ageOf(other) - ageOf(one))
  for (const { id } of newest.slice(MOST_KEPT)) {
    // Another sequence may make room too.
    await sent(description.operation('deleteSubscription'), `/v1/subscriptions/${id}`, [200, 404])
    for (const one of made) if (one.params.id === id) one.isDeleted = true
  }
}

/** A request without any reason for rejection; values that the setup forbids are left out. */
export async function goodDraft(session: Session, operation: DescribedOperation): Promise<Draft> {
  const { chance, description } = session
  if (isOData(operation)) return odataDraft(session, operation)
  if (operation.id === 'createSubscription') await makeRoom(session)
  const record = needsRecord(operation) ? await recordFor(session, operation) : undefined
  const fullness = chance.pick([0, 0.3, 1])
  const draft: Draft = {
    operation,
    record,
    params: paramsOf(session, operation, record),
    query: groupedOrNot(
      session,
      operation,
      operation.parameters
        .filter(({ in: place }) => place === 'query')
        .flatMap((one) => queryOf(session, operation, one)),
    ),
    headers: {},
    expected: expectedOf(operation, record),
  }
  if (operation.id === 'createToken') return { ...draft, ...tokenRequest() }
  if (!operation.bodySchema) return draft
  if (operation.method === 'PATCH') {
    const patchTypes = { 'content-type': chance.pick(operation.bodyTypes) }
    return { ...draft, headers: patchTypes, body: legalPatch(chance, resourceOf(operation) ?? '') }
  }
  const body = legalBody(description, operation.bodySchema, chance, fullness)
  return { ...draft, body: await completed(session, operation, record, body) }
}

export function askedOf({ operation, params, query, headers, body, expected }: Draft, what = 'legal'): FuzzRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const as = operation.isOpen ? undefined : CALLER
  return {
    operation,
    method: operation.method,
    url: text === '' ? path : `${path}?${text}`,
    as,
    headers,
    body,
    expected,
    what,
  }
}

/** Sends a draft and records its effect. */
export async function perform(session: Session, draft: Draft, what?: string): Promise<Answer> {
  const asked = askedOf(draft, what)
  const answer = await session.send(asked)
  const { operation, record } = draft
  const validateOnly = draft.query.some(([name, value]) => name === 'validateOnly' && value === 'true')
  if (validateOnly) return answer
  if (operation.method === 'DELETE' && answer.status === 200 && record) record.isDeleted = true
  if (answer.status !== 201) return answer
  if (operation.path.includes('document-revisions') && record) record.revisions++
  const resource = resourceOf(operation)
  if (resource && RESOURCES[resource]?.creator === operation.id) {
    session.keep(resource, RESOURCES[resource].key, answer.json as Json)
  }
  return answer
}

/** A record of the session, created when there is none. */
async function recordFor(session: Session, operation: DescribedOperation): Promise<Made> {
  const resource = resourceOf(operation) ?? ''
  const kept = session.made.filter((one) => one.resource === resource)
  // Deleted records are requested too: their answers are part of the contract.
  if (kept.length > 0 && session.chance.happens(0.8)) return session.chance.pick(kept)
  return newRecord(session, resource)
}

export async function newRecord(session: Session, resource: string): Promise<Made> {
  const creator = session.description.operation(RESOURCES[resource]?.creator ?? '')
  const draft = await goodDraft(session, creator)
  await perform(session, { ...draft, query: [], expected: [201] }, 'made for a later call')
  const made = session.made.at(-1)
  if (!made || made.resource !== resource) throw new Error(`nothing was made of ${resource}`)
  return made
}

export function needsRecord(operation: DescribedOperation): boolean {
  const isAbout = resourceOf(operation) !== undefined
  const isAttribute = operation.path === '/v1/attribute-values/{attributeId}'
  return isAbout && !isAttribute && (operation.path.includes('{') || operation.id === 'createDocumentRevision')
}

function paramsOf(
  { chance }: Session,
  operation: DescribedOperation,
  record: Made | undefined,
): Record<string, string> {
  return {
    attributeId: 'C6',
    version: 'v1',
    document: 'work-orders',
    ...record?.params,
    ...(operation.path.includes('{revisionNo}')
      ? { revisionNo: String(chance.between(1, record?.revisions ?? 1)) }
      : {}),
  }
}

/** The expected statuses; a permanently deleted record is gone, a deleted document accepts no changes. */
function expectedOf({ id, method, path }: DescribedOperation, record: Made | undefined): number[] {
  if (id === 'createToken' || id === 'sendBatch') return [200]
  // The history of a record outlives it.
  if (path.endsWith('/history')) return [200]
  if (record?.isDeleted && ['attribute-relations', 'subscriptions', 'work-orders'].includes(record.resource))
    return [404]
  if (record?.isDeleted && record.resource === 'documents' && (method === 'PATCH' || method === 'POST')) return [422]
  // What is done with a subscription creates none.
  const creates = method === 'POST' && !path.startsWith('/v1/subscriptions/')
  return [creates ? 201 : 200]
}

/** Adds what the schema alone does not say of a new record. */
async function completed(
  session: Session,
  operation: DescribedOperation,
  record: Made | undefined,
  body: Json,
): Promise<Json> {
  if (operation.id === 'createAttributeRelation') {
    // A new value, so that no other relation conflicts.
    const value = await newRecord(session, 'attribute-values')
    return { ...body, attributeValue: value.params.attributeValue }
  }
  if (operation.id === 'createAttributeValue') return { ...body, attributeValue: newKey() }
  if (operation.id === 'createCustomer') return { ...body, customerId: newKey() }
  if (operation.id === 'replaySubscription') return { since: 'now' }
  if (operation.id === 'rotateSubscriptionSecret') return { until: new Date(Date.now() + HOUR_MS).toISOString() }
  if (operation.id === 'retryDeadLetters') return { ids: ['EN-1'] }
  if (operation.id === 'createDocumentRevision') return { ...body, id: record?.params.id }
  return body
}

function tokenRequest(): Pick<Draft, 'headers' | 'body'> {
  const form = {
    grant_type: 'client_credentials',
    client_id: CALLER,
    client_secret: process.env.TEST_CLIENT_SECRET ?? '',
  }
  return { headers: { 'content-type': FORM_TYPE }, body: new URLSearchParams(form).toString() }
}

const QUERY: Readonly<Record<string, readonly string[]>> = {
  companyId: ['EN', 'en'],
  doctype: ['NOTE', 'INVOICE'],
  title: ['a', '%', 'x'.repeat(255)],
  indexes: ['100', '100;x', ';'],
  search: ['content', 'oslo con*', 'x'],
  id: ['0b0ed4a5-6b9b-4b8e-9d3f-5f6f0c1f3a11'],
  start: ['0', '1', '-1', '2147483647'],
  width: ['1', '16', '96'],
  height: ['1', '16', '64'],
  $validAt: ['2026-11-23', '2026-11-23T12:00:00Z'],
  $asOf: ['2099-01-01', '0'],
  asOf: ['2099-01-01'],
  before: ['999999999999'],
  $offset: ['0', '1', '2147483647'],
  $limit: ['1', '5', '50000'],
  $format: ['json', 'ndjson', 'csv', 'excel', 'parquet'],
  limit: ['0', '1', '10'],
  from: ['0', '5'],
  withFileContent: ['true', 'FALSE'],
  since: ['now', '0', '1'],
  wait: ['0'],
}

function queryOf(session: Session, operation: DescribedOperation, { name, schema }: Parameter): [string, string][] {
  const { chance } = session
  const legal = (QUERY[name] ?? ['true', 'false']).filter((value) => isWithin(Number(value), schema))
  if (name === 'since') return [[name, chance.pick(legal)]]
  // One of the states is mandatory.
  if (name === 'posted') return [[name, 'true']]
  if (name === 'validateOnly' || !chance.happens(0.3)) return []
  // They need the entities, and come with these.
  if (name === 'filter' || name === 'select') return []
  if (name === 'entities') return feedOptionsOf(session.description, operation, chance)
  // They are asked for together, and not with a selection.
  if (['$groupby', '$aggregate', '$having'].includes(name)) return []
  if (['$select', '$filter', '$orderby'].includes(name))
    return selectionOf(session.description, operation, name, chance)
  return [[name, chance.pick(legal)]]
}

/** Sometimes the query for groups of the records. */
function groupedOrNot(session: Session, operation: DescribedOperation, query: [string, string][]): [string, string][] {
  const { chance, description } = session
  const mayGroup = operation.parameters.some(({ name }) => name === '$groupby')
  if (!mayGroup || !chance.happens(0.2)) return query
  const others = query.filter(([name]) => name !== '$select' && name !== '$orderby')
  return [...others, ...groupingOf(description, operation, chance)]
}

function isWithin(value: number, { minimum, maximum }: Schema): boolean {
  return !(value > Number(maximum)) && !(value < Number(minimum))
}
