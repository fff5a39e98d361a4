// Two processes on one PostgreSQL database: one delivers the webhooks, and the other takes over when it was killed.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type DataLocation, emptyLocation } from '../support/data-location.ts'
import { call, kill, type ServingHere, serve, serveHere, temporaryFolder } from '../support/process.ts'
import { IS_FULL } from '../support/reliability-test.ts'
import { type ReceivedWebhook, WebhookReceiver } from '../support/webhooks/receiver.ts'
import { STORE_KINDS } from '../support/world.ts'

const SETUP = 'test/fixtures/subscriptions.yaml'
/** The guide about several servers says so. */
const LEASE_MS = 30_000
const LOOK_MS = 5_000
/** More than are under way at once. */
const CHANGES = 24
/** What is left of the lease after the kill: the test does not wait for all of it. */
const REST_MS = 200
const QUICKLY = { interval: 10, timeout: 120_000 }

describe.runIf(STORE_KINDS.includes('postgres'))('Webhooks of two processes on one database', () => {
  const folder = temporaryFolder()
  const ends: (() => Promise<unknown>)[] = []
  let receiver: WebhookReceiver
  let place: DataLocation
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
    await receiver.stop()
  })
  afterAll(() => folder.remove())

  const flagsOf = (name: string) => ['--data', join(folder.path, name), '--database', place.database ?? '']
  const post = async ({ address }: Pick<ServingHere, 'address'>, url: string, body: unknown) => {
    const { status, text } = await call(`${address}/v1/${url}`, { method: 'POST', body })
    expect([status, text]).toEqual([201, text])
  }
  const changeOf = ({ body }: ReceivedWebhook): string => JSON.parse(body).data.key.attributeValue
  const leaseEnd = async () => Number((await place.query('select lease_until as until from subscription'))[0]?.until)

  it('go on when one is killed: each is delivered, and none by both at the same time', async () => {
    receiver = await WebhookReceiver.start()
    place = await emptyLocation('postgres', join(folder.path, 'data'))
    const first = await serve([...flagsOf('first'), '--setup', SETUP])
    ends.push(() => kill(first))
    await post(first, 'subscriptions', { name: 'Two', url: receiver.url, entities: ['attribute-values'] })
    // The first one has the lease when it has delivered something.
    await post(first, 'attribute-values', { attributeId: 'C1', attributeValue: 'BEFORE' })
    await expect.poll(() => receiver.received.map(changeOf), QUICKLY).toEqual(['BEFORE'])
    const second = await serveHere(flagsOf('second'))
    ends.push(second.stop)

    const twice: string[] = []
    const delivered: string[] = []
    const underWay = new Set<string>()
    const gate = Promise.withResolvers<void>()
    let isFirst = true
    receiver.answer = async (webhook) => {
      if (underWay.has(webhook.id)) twice.push(webhook.id)
      underWay.add(webhook.id)
      if (isFirst) await gate.promise
      else delivered.push(changeOf(webhook))
      await pause(10)
      underWay.delete(webhook.id)
      return 200
    }
    const values = Array.from({ length: CHANGES }, (_, at) => `V${String(at).padStart(2, '0')}`)
    // Written by both, delivered by one.
    for (const [at, attributeValue] of values.entries()) {
      await post(at % 2 === 0 ? first : second, 'attribute-values', { attributeId: 'C1', attributeValue })
    }
    await expect.poll(() => underWay.size, QUICKLY).toBeGreaterThan(1)
    await kill(first)
    const killedAt = Date.now()
    const end = await leaseEnd()
    expect([end > killedAt, end <= killedAt + LEASE_MS]).toEqual([true, true])

    expect(twice).toEqual([])
    const sent = receiver.received.length
    gate.resolve()
    await expect.poll(() => underWay.size, QUICKLY).toBe(0)
    isFirst = false
    const until = Date.now() + REST_MS
    await place.query(`update subscription set lease_until = ${until}`)
    await expect.poll(() => delivered.length, QUICKLY).toBeGreaterThanOrEqual(CHANGES)
    const begun = receiver.received[sent]?.at ?? 0
    expect([begun >= until, begun <= until + LOOK_MS + 2_000 || !IS_FULL]).toEqual([true, true])
    expect(delivered.toSorted()).toEqual(values)
    expect(twice).toEqual([])
  })
})
