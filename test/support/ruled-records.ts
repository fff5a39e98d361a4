// Records for the tests of access rules: of every kind one that the rules allow and one that they hide. The text
// `canary` marks what no restricted caller may ever read.
import { expect } from 'vitest'
import { insertRows } from './object-records.ts'
import { type Answer, type StoreKind, startWorld, type World } from './world.ts'

export interface RuledWorld extends World {
  readonly documents: { readonly note: string; readonly personnel: string }
  stop(): Promise<void>
}

const GENERAL = { contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }

export const customerBody = (customerId: string, countryCode: string, changes: Record<string, unknown> = {}) => ({
  customerId,
  customerName: `Customer ${customerId}`,
  customerGroupId: 'DOM',
  countryCode,
  contactPoints: [GENERAL],
  ...changes,
})

export const documentBody = (docType: string, title: string) => ({
  docType,
  title,
  description: `about ${title}`,
  fileName: `${title}.txt`,
  fileContent: Buffer.from(`words of ${title}`).toString('base64'),
})

/** Creates a record as the administrator; returns the answer. */
export async function make(world: World, url: string, body: unknown): Promise<Answer> {
  const answer = await world.send({ as: 'admin', method: 'POST', url, body })
  expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
  return answer
}

/** A world with the company of `rules.yaml` and its records. */
export async function startRuled(kind: StoreKind, setup = 'test/fixtures/rules.yaml'): Promise<RuledWorld> {
  const world = await startWorld(kind, setup)
  const custom = { customFieldGroups: { LOYALTY: { tier: 'G', points: 120 } } }
  const invoice = { invoice: { creditLimit: 4711.5, currencyCode: 'NOK' } }
  const payment = { payment: { bankAccount: 'canary-bank', payMethod: 'IP' }, externalReference: 'canary-reference' }
  await make(world, '/v1/customers', customerBody('1001', 'NO', { ...custom, ...invoice, ...payment }))
  await make(world, '/v1/customers', customerBody('1002', 'SE', { aliasName: 'canary-SE', ...invoice, ...payment }))
  await make(world, '/v1/customers', customerBody('1003', 'GB', { aliasName: 'canary-GB' }))
  const relation = (relatedAttributeId: string, relationValue: string, percentage: number) => ({
    attributeId: 'C1',
    attributeValue: 'CC100',
    relatedAttributeId,
    relationValue,
    percentage,
  })
  await make(world, '/v1/attribute-relations', relation('C2', '100', 71.25))
  await make(world, '/v1/attribute-relations', relation('C3', 'P1', 71.25))
  await make(world, '/v1/attribute-relations', relation('C3', 'P2', 71.25))
  const note = await make(world, '/v1/documents', documentBody('NOTE', 'harbour'))
  const personnel = await make(world, '/v1/documents', documentBody('PERSONNEL', 'canary harbour'))
  await insertRows(world, 'ledger_transaction', [
    line(1, '3000', '1001', 'INV-1'),
    line(2, '3000', '1002', 'INV-2'),
    line(3, '1500', '1001', 'canary-line'),
  ])
  await insertRows(world, 'own_work_orders', [order('W1', 'N'), order('W2', 'P'), order('W3', 'N')])
  await world.application.texts.settle()
  return Object.assign(world, { documents: { note: note.json.id, personnel: personnel.json.id } })
}

const line = (transaction: number, account: string, customer: string, reference: string) => ({
  company_id: 'EN',
  transaction_number: transaction,
  sequence_number: 1,
  state: 'posted',
  account,
  customer_id: customer,
  external_reference: reference,
})

const order = (id: string, status: string) => ({
  company_id: 'EN',
  work_order_id: id,
  status,
  plan_note: status === 'N' ? 'open' : 'canary-order',
  plan_hours: 7.25,
  updated_at: '2026-01-02T03:04:05.678Z',
  updated_by: 'tester',
})
