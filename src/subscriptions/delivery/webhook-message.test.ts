import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type CloudEventV1, HTTP, type Message } from 'cloudevents'
import { describe, expect, it } from 'vitest'
import type { VisibleChange } from '../../changes/feed/visible-change.ts'
import { type EventStyle, resyncMessage, type WebhookMessage, webhookMessage } from './webhook-message.ts'

const style: EventStyle = { companyId: 'EN', basePath: '/erp', isThin: false, isBatch: false }

function change(number: number, part = 0): VisibleChange {
  const id = part === 0 ? `EN-${number}` : `EN-${number}.${part}`
  const told = {
    id,
    number,
    time: '2026-11-23T06:00:00.000Z',
    entity: 'customers',
    key: { customerId: '1/\u00fc' },
    operation: 'updated',
    changed: ['/customerName'],
    etag: `"${number}"`,
    record: { customerId: '1/\u00fc', customerName: 'One' },
  }
  return {
    position: { number, part },
    id,
    entity: 'customers',
    recordKey: '["1/\u00fc"]',
    operation: 'updated',
    time: told.time,
    json: JSON.stringify(told),
  }
}

/** What the package of CloudEvents reads. */
function read({ contentType, body }: { contentType: string; body: string }): CloudEventV1<unknown>[] {
  const message = { headers: { 'content-type': contentType }, body } as Message
  return [HTTP.toEvent(message)].flat() as CloudEventV1<unknown>[]
}

describe('the body of a webhook', () => {
  it('is an event that the package cloudevents reads and finds valid', () => {
    const message = webhookMessage([change(12)], style)
    expect(message.contentType).toBe('application/cloudevents+json; charset=utf-8')
    const [event] = read(message)
    expect((event as { validate?: () => boolean }).validate?.()).toBe(true)
    expect(event).toMatchObject({
      specversion: '1.0',
      id: 'EN-12',
      source: '/erp/v1/changes?companyId=EN',
      type: 'tabularium.record.updated',
      subject: 'customers/1%2F%C3%BC',
      time: '2026-11-23T06:00:00.000Z',
      datacontenttype: 'application/json',
      dataschema: 'urn:tabularium:change:customers',
      partitionkey: 'customers/1%2F%C3%BC',
      sequence: '0000000000000012.000000000',
    })
    expect(event?.data).toEqual(JSON.parse(change(12).json))
  })

  it('leaves the record out when it is thin', () => {
    const [event] = read(webhookMessage([change(12)], { ...style, isThin: true }))
    expect(event?.data).not.toHaveProperty('record')
    expect(event?.data).toMatchObject({ id: 'EN-12', key: { customerId: '1/\u00fc' }, changed: ['/customerName'] })
  })

  it('is a batch of events by choice, each valid', () => {
    const message = webhookMessage([change(12), change(13), change(13, 2)], { ...style, isBatch: true })
    expect(message).toMatchObject({ id: 'EN-12_3', contentType: 'application/cloudevents-batch+json; charset=utf-8' })
    const events = read(message)
    expect(events.map(({ id }) => id)).toEqual(['EN-12', 'EN-13', 'EN-13.2'])
    expect(events.every((event) => (event as { validate?: () => boolean }).validate?.())).toBe(true)
    const sequences = events.map(({ sequence }) => String(sequence))
    expect(sequences.toSorted()).toEqual(sequences)
  })

  it('has an id for the header that ends before what is signed next', () => {
    expect(webhookMessage([change(13, 2)], style).id).toBe('EN-13_2')
    expect(webhookMessage([{ ...change(1), id: 'A B.\u00fc-1' }], style).id).toBe('A%20B_%C3%BC-1')
  })
})

describe('The schema of the guides', () => {
  const schema = JSON.parse(readFileSync('guides/public/webhook-event.schema.json', 'utf8'))
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  const valid = ({ body }: WebhookMessage) => isValid(JSON.parse(body))

  it('describes events, thin ones, batches and the advice to load all again', () => {
    expect(valid(webhookMessage([change(17)], style))).toBe(true)
    expect(valid(webhookMessage([change(17)], { ...style, isThin: true }))).toBe(true)
    expect(valid(webhookMessage([change(17), change(18)], { ...style, isBatch: true }))).toBe(true)
    expect(valid(resyncMessage({ number: 17 }, { covers: ['customers'] }, style, new Date(0)))).toBe(true)
  })

  it('refuses another operation, and no event at all', () => {
    const { body, ...message } = webhookMessage([change(17)], style)
    expect(valid({ ...message, body: body.replaceAll('updated', 'renamed') })).toBe(false)
    expect(valid({ ...message, body: '[]' })).toBe(false)
  })
})
