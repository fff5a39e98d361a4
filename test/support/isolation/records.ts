// The data of each company: some records whose keys every company has, and some that only one has.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect } from 'vitest'
import { base64, DOCUMENTS, pngOf, REVISIONS } from '../documents.ts'
import { contactPoint, insertRows } from '../object-records.ts'
import { type Answer, type Sent, type StoreKind, startWorld, type World } from '../world.ts'
import { COMPANIES, type Company, setupFileOf } from './companies.ts'

/** The key parts that requests are made of. */
export interface Ids {
  readonly attribute: string
  readonly value: string
  readonly related: string
  readonly relation: string
  readonly customer: string
  readonly document: string
  readonly revisionNo: string
  readonly subscription: string
  readonly docType: string
  readonly legal: string
  readonly group: string
  readonly payMethod: string
  readonly pointType: string
  readonly country: string
  readonly zone: string
  readonly currency: string
  /** The id of records that are not yet created. */
  readonly fresh: string
}

const TWIN_DOCUMENT = 'aaaaaaaa-0000-4000-8000-000000000001'
const guidOf = (letter: string) => `bbbbbbbb-0000-4000-8000-00000000000${letter.charCodeAt(0) % 10}`

/** The ids that exist in every company. */
export const SHARED: Ids = {
  attribute: 'C1',
  value: 'TWIN',
  related: '100',
  relation: 'REL1',
  customer: 'TWIN',
  document: TWIN_DOCUMENT,
  subscription: 'cccccccc-0000-4000-8000-000000000001',
  revisionNo: '1',
  docType: 'NOTE',
  legal: 'NO1',
  group: '10',
  payMethod: 'IP',
  pointType: '1',
  country: 'NO',
  zone: 'Z1',
  currency: 'NOK',
  fresh: 'NEW1',
}

/** The ids that only the company with this letter has; with an unused letter they do not exist. */
export function idsOnlyOf(letter: string): Ids {
  return {
    attribute: `Z${letter}`,
    value: `V-${letter}`,
    related: `W-${letter}`,
    relation: `R-${letter}`,
    customer: `CU-${letter}`,
    document: guidOf(letter),
    subscription: guidOf(letter).replace('b', 'c'),
    revisionNo: letter === NOWHERE ? '8' : '2',
    docType: `D-${letter}`,
    legal: `L-${letter}`,
    group: `G-${letter}`,
    payMethod: `P-${letter}`,
    pointType: `T-${letter}`,
    country: `${letter}${letter}`,
    zone: `Z-${letter}`,
    currency: `${letter}UR`,
    fresh: `N-${letter}`,
  }
}

export const NOWHERE = 'X'

type Body = Readonly<Record<string, unknown>>

export function pointOf(ids: Ids, text: string) {
  return { ...contactPoint(ids.pointType, text, 1, text) }
}

export function valueBody(ids: Ids, value: string, { mark, number }: Pick<Company, 'mark' | 'number'>): Body {
  return {
    attributeId: 'C1',
    attributeValue: value,
    description: mark,
    customValue: number,
    owner: ids.related,
    relatedValues: [{ relationId: 'REL1', relatedValue: ids.related, unitValue: number }],
    contactPoints: [pointOf(SHARED, mark)],
  }
}

export function customerBody(ids: Ids, customerId: string, { mark, number }: Pick<Company, 'mark' | 'number'>): Body {
  return {
    customerId,
    customerName: mark,
    customerGroupId: ids.group,
    countryCode: ids.country,
    externalReference: number,
    invoice: { creditLimit: number, currencyCode: ids.currency },
    payment: { payMethod: ids.payMethod, bankAccount: mark },
    contactPoints: [pointOf(SHARED, mark)],
    relatedValues: [{ relationId: 'LEGALID', relatedValue: ids.legal }],
    customFieldGroups: { delivery: { route: mark, zone: ids.zone, agent: ids.payMethod } },
  }
}

export function documentBody(ids: Ids, { mark }: Pick<Company, 'mark'>): Body {
  const filed = ids.docType === 'NOTE' ? {} : { docType: 'INVOICE', indexes: indexesOf(ids, mark) }
  const fileContent = base64(`content of ${mark} and no other`)
  return { docType: 'NOTE', title: mark, description: mark, fileName: `${mark}.txt`, fileContent, ...filed }
}

export function subscriptionBody(_ids: Ids, { mark }: Pick<Company, 'mark'>): Body {
  // Nobody listens there.
  return { name: mark, url: `http://localhost:9/${encodeURIComponent(mark)}` }
}

function indexesOf(ids: Ids, mark: string) {
  return [
    { sequenceNo: 1, indexValue: ids.value === 'TWIN' ? 'SAME' : ids.value },
    { sequenceNo: 2, indexValue: mark },
  ]
}

export interface IsolationOptions {
  readonly companies?: readonly Company[]
  readonly clock?: () => Date
  /** Queries that take longer are recorded as slow. */
  readonly slowQueryMs?: number
  /** Trusted issuers, as a setup declares them. */
  readonly issuers?: readonly object[]
}

export type IsolationWorld = World & { stop(): Promise<void>; nextIds: string[] }

/** Starts a world with these companies and their records. The first ids of documents come from `nextIds`. */
export async function startIsolationWorld(
  kind: StoreKind,
  { companies = COMPANIES, issuers, ...options }: IsolationOptions = {},
): Promise<IsolationWorld> {
  const nextIds: string[] = []
  const newId = () => nextIds.shift() ?? randomUUID()
  const setup = setupFileOf(companies, issuers)
  const world = Object.assign(await startWorld(kind, setup, '', { newId, ...options }), { nextIds })
  rmSync(dirname(setup), { recursive: true, force: true })
  for (const company of companies) await fill(world, company)
  return world
}

async function fill(world: IsolationWorld, company: Company): Promise<void> {
  const as = `writer-${company.id}`
  const own = idsOnlyOf(company.letter)
  const send = (url: string, body: unknown) => made(world, { as, method: 'POST', url, body })
  await send('/v1/attribute-values', valueBody(SHARED, SHARED.value, company))
  await send('/v1/attribute-values', valueBody(own, `OWN-${company.letter}`, company))
  await send('/v1/attribute-values', { attributeId: own.attribute, attributeValue: '1', description: company.mark })
  await send('/v1/attribute-values', { attributeId: 'C5', description: company.mark })
  await send('/v1/attribute-relations', {
    attributeId: 'C1',
    attributeValue: own.value,
    relatedAttributeId: 'C2',
    relationValue: own.related,
    percentage: 50,
  })
  await send('/v1/customers', customerBody(SHARED, SHARED.customer, company))
  await send('/v1/customers', customerBody(own, own.customer, company))
  await fillArchive(world, company)
  await fillSubscriptions(world, company)
  await insertRows(world, 'ledger_transaction', [ledgerLine(company, 1), ledgerLine(company, company.number)])
  await insertRows(world, 'own_work_orders', [workOrder(company, 'TWIN'), workOrder(company, own.value)])
}

async function fillArchive(world: IsolationWorld, company: Company): Promise<void> {
  const as = `writer-${company.id}`
  const own = idsOnlyOf(company.letter)
  const send = (url: string, body: unknown) => made(world, { as, method: 'POST', url, body })
  const picture = { fileName: `${company.mark}.png`, fileContent: base64(pngOf(64, 32, company.colour)) }
  world.nextIds.push(SHARED.document, own.document)
  await send(DOCUMENTS, { ...documentBody(SHARED, company), ...picture })
  await send(DOCUMENTS, documentBody(own, company))
  await send(REVISIONS, { ...documentBody(own, company), comment: company.mark, id: own.document })
  // A second revision of the shared document, so that one revision number exists in the other company only.
  if (company.letter === 'K') await send(REVISIONS, { comment: company.mark, id: SHARED.document, ...picture })
}

/** Paused, so that nothing is delivered while others compare what is stored. */
async function fillSubscriptions(world: IsolationWorld, company: Company): Promise<void> {
  const as = `writer-${company.id}`
  const ids = [SHARED.subscription, idsOnlyOf(company.letter).subscription]
  world.nextIds.push(...ids)
  for (const id of ids) {
    await made(world, { as, method: 'POST', url: '/v1/subscriptions', body: subscriptionBody(SHARED, company) })
    await world.send({
      as,
      method: 'POST',
      url: `/v1/subscriptions/${id}/pause`,
      headers: { 'x-request-id': 'filling' },
    })
  }
}

const changed = { updated_at: '2026-01-02T03:04:05.678Z', updated_by: 'tester' }

function ledgerLine({ id, letter, mark, number }: Company, transaction: number) {
  return {
    company_id: id,
    transaction_number: transaction,
    sequence_number: 1,
    state: 'posted',
    status: 'N',
    description: mark,
    external_reference: mark,
    customer_id: transaction === 1 ? 'TWIN' : `CU-${letter}`,
    account: '1500',
    attribute_id_1: 'C1',
    attribute_value_1: 'SAME',
    amount: number,
    currency_code: 'NOK',
    ...changed,
  }
}

function workOrder({ id, mark, number }: Company, workOrderId: string) {
  return {
    company_id: id,
    work_order_id: workOrderId,
    description: mark,
    cost_centre: 'SAME',
    status: 'N',
    hours: number,
    ...changed,
  }
}

async function made(world: World, sent: Sent): Promise<Answer> {
  const answer = await world.send({ ...sent, headers: { 'x-request-id': 'filling' } })
  await world.application.texts.settle()
  expect([sent.url, answer.status, answer.status === 201 ? '' : answer.text]).toEqual([sent.url, 201, ''])
  return answer
}
