// The body of a refusal is the resource as it was sent, with date-times as its answers have them: without a zone, but for
// relations (decision 0).
import { expect, it } from 'vitest'
import { bodyOf, CUSTOMERS } from '../support/customers.ts'
import { FEWER_KINDS, onEachStore, type Sent, startWorld } from '../support/world.ts'

const DAY = '2026-01-31T00:00:00.000'
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]

onEachStore(
  'Refused records',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })
    const refused = async (method: 'POST' | 'PATCH', url: string, body: unknown) => {
      const alone = await send({ method, url, body })
      expect([alone.text, [400, 422].includes(alone.status)]).toEqual([alone.text, true])
      const requests = [{ id: '1', method, url, body }]
      const { json } = await send({ method: 'POST', url: '/v1/batch', body: { requests } })
      expect(json.responses[0].body).toEqual(alone.json)
      return alone
    }

    it('have no zone: customers, with custom fields', async () => {
      const payment = { expiryDate: '2026-01-31' }
      const customFieldGroups = { delivery: { route: 'R1' }, rating: { score: 5, auditedAt: '2026-01-31T00:00:00Z' } }
      const sent = { ...bodyOf('DATES', { payment, customFieldGroups }), countryCode: 'XX' }
      const posted = await refused('POST', CUSTOMERS, sent)
      expect([posted.json.payment.expiryDate, posted.json.customFieldGroups.rating.auditedAt]).toEqual([DAY, DAY])
      expect(posted.text).not.toMatch(/\.000Z"/)
      const made = await send({ method: 'POST', url: CUSTOMERS, body: { ...sent, countryCode: 'NO' } })
      expect(made.status).toBe(201)
      const patched = await refused('PATCH', `${CUSTOMERS}/DATES`, replace('/countryCode', 'XX'))
      expect(patched.json).toMatchObject({ ...made.json, countryCode: 'XX' })
      expect(patched.text).not.toMatch(/\d{3}Z"/)
    })

    it('have no zone: values with related values', async () => {
      const url = '/v1/attribute-values'
      const body = {
        attributeId: 'RE',
        attributeValue: 'DATED',
        description: '2026-01-31T00:00:00.000Z',
        relatedValues: [{ relationId: 'NONE', relatedValue: 'x', dateFrom: '2026-01-31', percentage: 101 }],
      }
      const { json } = await refused('POST', url, body)
      expect([json.description, json.relatedValues[0].dateFrom]).toEqual([body.description, DAY])
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/customers.yaml'),
  FEWER_KINDS,
)

onEachStore(
  'Refused records of the setup',
  (world) => {
    const send = (sent: Sent) => world().send({ as: 'integration', ...sent })

    it('have no zone, and relations have one', async () => {
      const url = '/v1/exchange-rates'
      const rate = { currencyCode: 'USD', rateDate: '2026-01-31', rate: -1 }
      expect((await send({ method: 'POST', url, body: rate })).json).toMatchObject({ rateDate: DAY, rate: -1 })
      expect((await send({ method: 'POST', url, body: { ...rate, rate: 1 } })).status).toBe(201)
      const patched = await send({ method: 'PATCH', url: `${url}/USD/2026-01-31`, body: replace('/rate', -1) })
      expect([patched.status, patched.json.rateDate]).toEqual([422, DAY])
      expect(patched.text).not.toMatch(/\d{3}Z"/)
      const relation = { attributeId: 'A6', attributeValue: 'x', relatedAttributeId: 'RE', relationValue: 'N' }
      const dated = { ...relation, dateFrom: '2026-01-31', percentage: 101 }
      const refused = await send({ method: 'POST', url: '/v1/attribute-relations', body: dated })
      expect([refused.status, refused.text]).toEqual([422, expect.any(String)])
      if (refused.json.dateFrom) expect(refused.json.dateFrom).toBe(`${DAY}Z`)
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/own-records.yaml'),
  FEWER_KINDS,
)
