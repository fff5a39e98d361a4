// The setup that the page of own documents prints is applied, and its record is created and answered as it is printed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CLIENT_SECRET, onEachStore, type StoreKind, startWorld } from '../support/world.ts'

const page = readFileSync('guides/administration/custom-documents.md', 'utf8')
const printed = (language: string) =>
  [...page.matchAll(/```(\w+)\n([\s\S]*?)\n```/g)].flatMap(([, kind, text = '']) => (kind === language ? [text] : []))
const [setup = '', , computed = '', states = ''] = printed('yaml')
const [body = '', answer = '', order = '', answeredOrder = '', approval = ''] = printed('json')

const startWith = async (kind: StoreKind, text: string) => {
  process.env.BUYER_SECRET = CLIENT_SECRET
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-page-'))
  writeFileSync(join(folder, 'setup.yaml'), text)
  const world = await startWorld(kind, join(folder, 'setup.yaml'))
  rmSync(folder, { recursive: true })
  return world
}

/** A setup of the documents of an example, with a client that may do everything with them. */
const setupWith = (documents: string, names: readonly string[]) => `version: 1
companies: [{ id: EN, name: Example, valueLists: { STATE: { draft: Draft, approved: Approved, sent: Sent, closed: Closed } } }]
${documents}
roles:
  - id: approver
    apis: {}
  - id: all
    apis: { ${names.map((name) => `${name}: [create, read, update, delete]`).join(', ')}, objects: [read] }
    objects: ["*"]
users:
  - { id: svc-buyer, defaultCompany: EN, roles: { EN: [all] } }
  - { id: svc-approver, defaultCompany: EN, roles: { EN: [all, approver] } }
clients:
  - { id: buyer, user: svc-buyer, secretEnv: BUYER_SECRET }
  - { id: approver, user: svc-approver, secretEnv: BUYER_SECRET }
`

onEachStore(
  'The example of own documents',
  (world) => {
    it('is a resource with the rules that it declares', async () => {
      const created = await world().send({ as: 'buyer', method: 'POST', url: '/v1/suppliers', body })
      expect([created.status, created.json]).toEqual([201, expect.objectContaining(JSON.parse(answer))])
      expect(created.headers.location).toMatch(/\/v1\/suppliers\/50000$/)

      const child = { ...JSON.parse(body), registrationNumber: '', parentId: '50000' }
      expect((await world().send({ as: 'buyer', method: 'POST', url: '/v1/suppliers', body: child })).status).toBe(201)
      const url = '/v1/objects/suppliers?select=supplierId,parent(supplierName)&orderby=supplierId desc&limit=1'
      const found = await world().send({ as: 'buyer', url })
      expect(found.json).toEqual([{ supplierId: '50001', parent: { supplierName: 'Fjordblikk AS' } }])

      const refused = await world().send({ as: 'buyer', method: 'POST', url: '/v1/suppliers', body })
      expect(Object.keys(refused.json.notificationMessages)).toEqual(['registrationNumber'])
    })

    it('has keys of several parts, and records that are removed', async () => {
      const line = { contractNo: 7, lineNo: 1, supplierId: '50000' }
      expect((await world().send({ as: 'buyer', method: 'POST', url: '/v1/contracts', body: line })).status).toBe(201)
      const url = '/v1/contracts/7/1'
      const read = await world().send({ as: 'buyer', url })
      expect(read.json).toMatchObject({ ...line, until: '2099-12-31T00:00:00.000' })
      expect((await world().send({ as: 'buyer', method: 'DELETE', url })).status).toBe(200)
      expect((await world().send({ as: 'buyer', url })).status).toBe(404)
    })
  },
  (kind) => startWith(kind, setup),
)

onEachStore(
  'The example of computed properties',
  (world) => {
    it('is answered as it is printed', async () => {
      const send = (url: string) => world().send({ as: 'buyer', url })
      const created = await world().send({ as: 'buyer', method: 'POST', url: '/v1/purchase-orders', body: order })
      expect([created.status, created.json]).toMatchObject([201, JSON.parse(answeredOrder)])
      const found = await send(
        '/v1/objects/purchase-orders?filter=total gt 29 and creditDays eq 30&select=orderNo,total',
      )
      expect(found.json).toEqual([{ orderNo: 'P1', total: 29.03 }])
    })
  },
  (kind) => startWith(kind, setupWith(computed, ['purchase-orders', 'purchase-order-lines'])),
)

onEachStore(
  'The example of states',
  (world) => {
    it('is refused and answered as the table says', async () => {
      const send = (method: 'POST' | 'PATCH', url: string, body: unknown, as = 'buyer') =>
        world().send({ as, method, url, body })
      const order = '/v1/purchase-orders/P1'
      const set = (path: string, value: unknown) => [{ op: 'replace', path, value }]
      expect((await send('POST', '/v1/purchase-orders', { orderNo: 'P1', status: 'sent' })).status).toBe(422)
      expect((await send('POST', '/v1/purchase-orders', { orderNo: 'P1' })).status).toBe(201)
      const skipped = await send('PATCH', order, set('/status', 'sent'))
      expect([skipped.status, skipped.json.message]).toEqual([409, printedMessage('status cannot go')])
      expect((await send('PATCH', order, approval)).status).toBe(403)
      const missing = await send('PATCH', order, approval, 'approver')
      expect([missing.status, Object.keys(missing.json.notificationMessages)]).toEqual([422, ['lines']])
      expect((await send('PATCH', order, [{ op: 'add', path: '/lines/-', value: { lineNo: 1 } }])).status).toBe(200)
      expect((await send('PATCH', order, approval, 'approver')).status).toBe(200)
      const locked = await send('PATCH', order, set('/lines/0/amount', 5))
      expect([locked.status, locked.json.message]).toEqual([409, printedMessage('lines cannot change')])
    })
  },
  (kind) => startWith(kind, setupWith(states, ['purchase-orders', 'purchase-order-lines'])),
)

/** A message that the page prints. */
function printedMessage(start: string): string {
  return new RegExp(`\`(${start}[^\`]*)\``).exec(page)?.[1] ?? ''
}
