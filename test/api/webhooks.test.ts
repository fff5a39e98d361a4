// Webhooks from the request that subscribes to what the receiver gets, with the feed of the service.
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { WebhookReceiver } from '../support/webhooks/receiver.ts'
import { onEachStore, type Sent, startWorld } from '../support/world.ts'

const QUICKLY = { interval: 5, timeout: 120_000 }

onEachStore(
  'Webhooks',
  (world) => {
    let receiver: WebhookReceiver
    beforeAll(() => world().application.deliveries.start())
    beforeEach(async () => {
      receiver = await WebhookReceiver.start()
    })
    const subscriptions: string[] = []
    afterEach(async () => {
      for (const id of subscriptions.splice(0)) await send('DELETE', `/v1/subscriptions/${id}`)
      await receiver.stop()
    })
    afterAll(() => world().application.deliveries.stop())

    async function send(method: Sent['method'], url: string, body?: object) {
      const answer = await world().send({ as: 'integration', method: method ?? 'GET', url, body })
      expect([answer.status, answer.text]).toEqual([expect.toSatisfy((status) => status < 300), answer.text])
      return answer.json
    }

    async function subscribe(definition: object = {}): Promise<{ id: string; secret: string }> {
      const body = { name: 'Test', url: receiver.url, entities: ['attribute-values'], ...definition }
      const { id, secret } = await send('POST', '/v1/subscriptions', body)
      subscriptions.push(id)
      return { id, secret }
    }

    let created = 0
    async function createValue(description: string): Promise<string> {
      const attributeValue = `W${Date.now() % 1_000_000}${created++}`
      const value = { companyId: 'EN', attributeId: 'C1', attributeValue, description, periodFrom: 0, periodTo: 209912 }
      await send('POST', '/v1/attribute-values', value)
      return attributeValue
    }
    const events = () => receiver.received.map(({ body }) => JSON.parse(body))

    it('tell of a change with a signature that the secret of the subscription verifies, and without the record', async () => {
      const { id, secret } = await subscribe()
      const attributeValue = await createValue('One')
      await expect.poll(events, QUICKLY).toMatchObject([
        {
          specversion: '1.0',
          type: 'tabularium.record.created',
          data: { entity: 'attribute-values', operation: 'created', key: { attributeId: 'C1', attributeValue } },
        },
      ])
      const [webhook] = receiver.received
      expect(events()[0].data).not.toHaveProperty('record')
      expect(new Webhook(secret).verify(webhook?.body ?? '', webhook?.headers ?? {})).toEqual(events()[0])
      const attempts = () => send('GET', `/v1/subscriptions/${id}/attempts`)
      await expect
        .poll(attempts, QUICKLY)
        .toMatchObject([{ eventId: events()[0].id, outcome: 'delivered', status: 200 }])
      const pending = async () => (await send('GET', `/v1/subscriptions/${id}`)).pending
      await expect.poll(pending, QUICKLY).toBe(0)
    })

    it('have the whole record by choice, only those of the filter, and are signed by both secrets after a rotation', async () => {
      const { id, secret } = await subscribe({ payload: 'full', filter: "description eq 'Two'" })
      await createValue('Three')
      const attributeValue = await createValue('Two')
      await expect.poll(() => receiver.received.length, QUICKLY).toBe(1)
      expect(events()).toMatchObject([{ data: { record: { attributeValue, description: 'Two' } } }])
      const rotated = await send('POST', `/v1/subscriptions/${id}/rotate`)
      await createValue('Two')
      await expect.poll(() => receiver.received.length, QUICKLY).toBe(2)
      const [, second] = receiver.received
      for (const one of [secret, rotated.secret]) {
        expect(new Webhook(one).verify(second?.body ?? '', second?.headers ?? {})).toEqual(events()[1])
      }
    })

    it('stop while the subscription is paused, and go on after it is resumed, with nothing lost', async () => {
      const { id } = await subscribe()
      await send('POST', `/v1/subscriptions/${id}/pause`)
      const first = await createValue('Four')
      await send('POST', `/v1/subscriptions/${id}/resume`)
      const second = await createValue('Five')
      const values = () => events().map(({ data }) => data.key.attributeValue)
      await expect.poll(() => values().toSorted(), QUICKLY).toEqual([first, second].toSorted())
    })

    it('pause a subscription whose receiver answers 410, with the reason and an entry in the change log', async () => {
      const { id } = await subscribe()
      const entries = () => world().query('select entry_no from journal_entry')
      const before = (await entries()).length
      receiver.answer = () => 410
      await createValue('Six')
      const read = () => send('GET', `/v1/subscriptions/${id}`)
      await expect.poll(read, QUICKLY).toMatchObject({ state: 'paused', reason: expect.stringContaining('410') })
      expect(await entries()).toHaveLength(before + 2)
      expect(receiver.received).toHaveLength(1)
      receiver.answer = () => 200
      await send('POST', `/v1/subscriptions/${id}/resume`)
      await expect.poll(() => receiver.received.length, QUICKLY).toBe(2)
    })

    it('are told again after a replay', async () => {
      const { id } = await subscribe()
      const { position } = await send('GET', `/v1/subscriptions/${id}`)
      await createValue('Seven')
      await expect.poll(() => receiver.received.length, QUICKLY).toBe(1)
      await send('POST', `/v1/subscriptions/${id}/replay`, { since: position })
      await expect.poll(() => receiver.received.length, QUICKLY).toBe(2)
      expect(new Set(receiver.ids).size).toBe(1)
    })

    it('are told again one by one, delivered or given up, and no others with it', async () => {
      const { id } = await subscribe({ filter: "description ne 'Nine'" })
      const attributeValue = await createValue('Eight')
      await createValue('Eight')
      await expect.poll(() => receiver.received.length, QUICKLY).toBe(2)
      const [first] = events().filter(({ data }) => data.key.attributeValue === attributeValue)
      const { position } = await send('GET', `/v1/subscriptions/${id}`)
      const again = await send('POST', `/v1/subscriptions/${id}/replay`, { eventId: first.id })
      expect(again.position).toBe(position)
      await expect
        .poll(
          () =>
            events()
              .map((one) => one.id)
              .filter((one) => one === first.id),
          QUICKLY,
        )
        .toHaveLength(2)
      expect(receiver.received).toHaveLength(3)
      const replay = (eventId: string) =>
        world().send({ as: 'integration', method: 'POST', url: `/v1/subscriptions/${id}/replay`, body: { eventId } })
      const hidden = { attributeId: 'C1', attributeValue: 'HIDDEN', description: 'Nine' }
      const written = await world().send({
        as: 'integration',
        method: 'POST',
        url: '/v1/attribute-values',
        body: hidden,
      })
      for (const eventId of [`EN-${written.headers['x-erp-change-number']}`, 'EN-999999999', 'SV-1', 'x'])
        expect([eventId, (await replay(eventId)).status]).toEqual([eventId, 422])
      await send('POST', `/v1/subscriptions/${id}/pause`)
      await send('POST', `/v1/subscriptions/${id}/replay`, { eventId: first.id })
      await send('POST', `/v1/subscriptions/${id}/resume`)
      await expect.poll(() => receiver.received.length, QUICKLY).toBe(4)
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/subscriptions.yaml'),
)
