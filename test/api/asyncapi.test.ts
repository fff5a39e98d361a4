// /asyncapi.json: the messages that the service sends of changes, by feed and by webhook.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { ToldChange } from '../../src/changes/told/told-change.ts'
import { webhookMessage } from '../../src/subscriptions/delivery/message/webhook-message.ts'
import { startWithExternalTables } from '../support/external-tables.ts'
import { startRuled } from '../support/ruled-records.ts'
import { onEachStore, type World } from '../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a description has many shapes.
type Description = any

const read = async (world: World): Promise<Description> => (await world.send({ url: '/asyncapi.json' })).json

const OPERATIONS = ['created', 'updated', 'deleted', 'entered', 'left']

const update: ToldChange = {
  position: { number: 17, part: 0 },
  id: 'EN-17',
  entity: 'customers',
  recordKey: '["1001"]',
  operation: 'updated',
  time: '2026-11-23T08:00:00.000Z',
  json: JSON.stringify({
    id: 'EN-17',
    number: 17,
    time: '2026-11-23T08:00:00.000Z',
    entity: 'customers',
    key: { customerId: '1001' },
    operation: 'updated',
    changed: ['/customerName'],
    etag: '"17"',
    record: { customerId: '1001', customerName: 'Lyngheim' },
  }),
}

onEachStore(
  '/asyncapi.json',
  (world) => {
    it('describes a message for each kind of record and operation, by feed and by webhook', async () => {
      const { asyncapi, channels, components, operations } = await read(world())
      expect(asyncapi).toBe('3.0.0')
      const kinds = [
        ...['attribute-values', 'attribute-relations', 'customers', 'document-archive', 'document-revisions'],
        ...['general-ledger-transactions', 'work-orders'],
      ]
      const names = kinds.flatMap((kind) => OPERATIONS.map((operation) => `${kind}.${operation}`))
      expect(Object.keys(channels.changes.messages)).toEqual(names)
      expect(Object.keys(channels.webhooks.messages)).toEqual([...names.map((name) => `${name}.event`), 'batch'])
      expect(Object.keys(components.messages).length).toBe(2 * names.length + 1)
      expect(Object.values(operations).map((one) => (one as { action: string }).action)).toEqual(['send', 'send'])
    })

    it('refers only to what it holds', async () => {
      const description = await read(world())
      const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
      expect(references.length).toBeGreaterThan(100)
      for (const path of new Set(references)) {
        const found = path.split('/').reduce((part, name) => part?.[name], description)
        expect([path, typeof found]).toEqual([path, 'object'])
      }
    })

    it('tells of a record that is gone or out of sight nothing but its key', async () => {
      const { schemas } = (await read(world())).components
      for (const operation of ['Deleted', 'Left']) {
        expect(Object.keys(schemas[`WorkOrders${operation}`].properties)).toEqual([
          ...['id', 'number', 'time', 'entity', 'key', 'operation'],
        ])
      }
      expect(schemas.WorkOrdersCreated.properties.key.properties).toMatchObject({ workOrderId: { type: 'string' } })
    })

    it('is what webhooks send: thin, with the record, and in batches', async () => {
      const { schemas, messages } = (await read(world())).components
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      const valid = (payload: object, body: string) => {
        const validate = ajv.compile({ ...payload, components: { schemas } })
        return validate(JSON.parse(body)) ? [] : validate.errors
      }
      const style = { companyId: 'EN', basePath: '', isThin: true, isBatch: false }
      const send = (changes: Partial<typeof style>) => webhookMessage([update], { ...style, ...changes })
      const { payload, contentType } = messages['customers.updated.event']
      expect(send({}).contentType).toContain(contentType)
      expect(valid(payload, send({}).body)).toEqual([])
      expect(valid(payload, send({ isThin: false }).body)).toEqual([])
      const batch = send({ isBatch: true })
      expect(batch.contentType).toContain(messages.batch.contentType)
      expect(valid(messages.batch.payload, batch.body)).toEqual([])
      const wrong = send({}).body.replace('"operation":"updated"', '"operation":"left"')
      expect(valid(payload, wrong)).not.toEqual([])
    })

    it('is public, and 304 for who has it', async () => {
      const found = await world().send({ url: '/asyncapi.json' })
      expect([found.status, found.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
      const known = { 'if-none-match': String(found.headers.etag) }
      expect((await world().send({ url: '/asyncapi.json', headers: known })).status).toBe(304)
    })
  },
  startRuled,
)

describe('/asyncapi.json of tables that other programs write', () => {
  it('names no messages, because nobody records their changes', async () => {
    const world = await startWithExternalTables('sqlite')
    try {
      expect(JSON.stringify((await read(world)).channels)).not.toMatch(/jobs|work-items/)
    } finally {
      await world.stop()
    }
  })
})
