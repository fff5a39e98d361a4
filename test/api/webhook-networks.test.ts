// Where webhooks may be sent to: not to the machine of the service, unless its administrator lets them.
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { findingsIn } from '../support/scenario.ts'
import { WebhookReceiver } from '../support/webhooks/receiver.ts'
import { type Sent, startWorld, type World } from '../support/world.ts'

const SETUP = 'test/fixtures/subscriptions.yaml'
const COLLECTION = '/v1/subscriptions'
const REFUSED = { url: [3010, 'The url cannot be used: the address is not public.'] }
const QUICKLY = { interval: 10, timeout: 60_000 }

describe('Webhooks to the machine of the service', () => {
  let world: World & { stop(): Promise<void> }
  let receiver: WebhookReceiver
  beforeAll(async () => {
    world = await startWorld('sqlite', SETUP, '', { webhookNetworks: [] })
  })
  afterAll(() => world.stop())
  beforeEach(async () => {
    receiver = await WebhookReceiver.start()
  })
  afterEach(() => receiver.stop())

  const send = (sent: Sent) => world.send({ as: 'integration', ...sent })
  const create = (url: string) =>
    send({ method: 'POST', url: COLLECTION, body: { name: 'Inside', url, entities: ['attribute-values'] } })
  const spellings = () => {
    const { port, pathname } = new URL(receiver.url)
    const hosts = ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]', '[0:0:0:0:0:0:0:1]', '2130706433', '0x7f.1', '127.1']
    const plain = hosts.map((host) => `http://${host}:${port}${pathname}`)
    return [...plain, ...['localhost.', 'a.localhost', ...hosts].map((host) => `https://${host}:${port}${pathname}`)]
  }

  it('are refused when a client subscribes, however the address is written', async () => {
    const before = await world.dump()
    for (const url of spellings()) {
      const answer = await create(url)
      expect([url, answer.status, findingsIn(answer.json)]).toEqual([url, 422, REFUSED])
    }
    expect(await world.changesSince(before)).toEqual([])
  })

  it('are refused in a patch of the url', async () => {
    const { json } = await create('https://hooks.example.com/')
    const before = await world.dump()
    for (const value of spellings()) {
      const body = [{ op: 'replace', path: '/url', value }]
      const answer = await send({ method: 'PATCH', url: `${COLLECTION}/${json.id}`, body })
      expect([value, answer.status, findingsIn(answer.json)]).toEqual([value, 422, REFUSED])
    }
    expect(await world.changesSince(before)).toEqual([])
    await send({ method: 'DELETE', url: `${COLLECTION}/${json.id}` })
  })

  it('are refused in a setup, with line and path', async () => {
    const original = await readFile(SETUP, 'utf8')
    const file = join(world.folder, 'declared.yaml')
    const before = await world.dump()
    for (const url of spellings()) {
      const one = `      - { id: shop, client: integration, url: "${url}", secretEnv: SHOP_KEY }`
      writeFileSync(file, original.replace('    relations: []\n', `    relations: []\n    subscriptions:\n${one}\n`))
      const environment = { ...process.env, SHOP_KEY: `whsec_${'a'.repeat(32)}` }
      const apply = (webhookNetworks: string[]) =>
        applySetup(setupTask(world.application.service.store, file, () => {}, { environment, webhookNetworks }))
      await expect(apply([])).rejects.toThrow(/:\d+:\d+ companies\[0\]\.subscriptions\[0\]\.url: .*not public/)
    }
    expect(await world.changesSince(before)).toEqual([])
  })

  it('are sent by nobody who has subscribed before: no test, no event, no replay', async () => {
    const { json } = await create('https://hooks.example.com/')
    await world.query(
      `update subscription set definition = replace(definition, 'https://hooks.example.com/', '${receiver.url}')`,
    )
    world.application.deliveries.start()
    const act = (action: string, body?: object) =>
      send({ method: 'POST', url: `${COLLECTION}/${json.id}/${action}`, body })
    const refusal = { status: 0, outcome: 'address', excerpt: 'the address is not public' }
    expect((await act('test')).json).toMatchObject(refusal)
    const value = { attributeId: 'C1', attributeValue: 'INSIDE', description: 'One' }
    expect((await send({ method: 'POST', url: '/v1/attribute-values', body: value })).status).toBe(201)
    const attempts = async () => (await send({ url: `${COLLECTION}/${json.id}/attempts` })).json
    await expect.poll(attempts, QUICKLY).toMatchObject([refusal])
    expect((await act('replay', { since: 0 })).status).toBe(200)
    expect(receiver.received).toEqual([])
  })
})
