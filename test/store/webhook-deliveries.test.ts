// The delivery of webhooks on a store of its own, with changes, a receiver and a clock of the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Caller } from '../../src/access/caller.ts'
import { openStore } from '../../src/databases/open/open-store.ts'
import { notAuthorised } from '../../src/errors/catalogue.ts'
import { DeliveryMetrics } from '../../src/observe/background-metrics.ts'
import { MetricRegistry } from '../../src/observe/metric-registry.ts'
import type { Observation } from '../../src/observe/observation.ts'
import type { CompanyRules } from '../../src/setup/rules/rules.ts'
import type { ReadTx, Store } from '../../src/store/store.ts'
import { ATTEMPT_OUTCOMES } from '../../src/subscriptions/attempt-outcome.ts'
import { type DeliverySettings, WebhookDeliveries } from '../../src/subscriptions/delivery/webhook-deliveries.ts'
import type { Subscription, SubscriptionDefinition } from '../../src/subscriptions/subscription.ts'
import {
  deleteSubscription,
  findSubscription,
  insertSubscription,
  updateSubscription,
} from '../../src/subscriptions/subscription-store.ts'
import { type WebhookRequest, WebhookSender } from '../../src/subscriptions/webhook-sender.ts'
import { connectToPostgres, connectToSqlite, type DirectConnection, type Rows } from '../support/direct-connection.ts'
import { asSuperuser, newDatabase } from '../support/test-database.ts'
import { OpenGuard } from '../support/webhooks/open-guard.ts'
import { WebhookReceiver } from '../support/webhooks/receiver.ts'
import { TestTime } from '../support/webhooks/test-time.ts'
import { ToldChanges } from '../support/webhooks/told-changes.ts'
import { STORE_KINDS } from '../support/world.ts'

const ACTOR = { userId: 'tester', clientId: 'tests', requestId: 'r1' }
const SECRET = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const SECONDS = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
/** As long as a test may take: what is waited for comes late on a busy machine, and nothing is measured. */
const QUICKLY = { interval: 5, timeout: 120_000 }

describe.each(STORE_KINDS)('The delivery of webhooks on %s', (kind) => {
  let folder: string
  let store: Store
  let door: DirectConnection
  let observed: Observation[]
  let owner: Caller | undefined
  let time: TestTime
  let feed: ToldChanges
  let receiver: WebhookReceiver
  const running: WebhookDeliveries[] = []
  let subscriptionId = ''

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabularium-webhooks-'))
    const database = kind === 'postgres' ? await newDatabase() : undefined
    store = await openStore({ data: folder, database, clock: () => time.clock(), observe: () => {}, onFatal: () => {} })
    door = database ? connectToPostgres(asSuperuser(database)) : connectToSqlite(join(folder, 'tabularium.db'))
    time = new TestTime()
    await store.writeSetup(ACTOR, async (tx) => void (await tx.in('EN')))
  })
  afterAll(async () => {
    await store.close()
    await door.close()
    rmSync(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    observed = []
    time = new TestTime()
    feed = new ToldChanges()
    receiver = await WebhookReceiver.start(() => time.now)
    const roles = new Map([['all', { id: 'all' }]])
    owner = new Caller({ id: 'owner', defaultCompany: 'EN', roles: { EN: ['all'] } }, 'erp', roles)
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    await receiver.stop()
    await store.write('EN', ACTOR, async (tx) => deleteSubscription(tx, subscriptionId))
  })

  const reading = (): ReadTx => store.reading('EN')
  /** Some drivers answer numbers as texts. */
  const query = async (text: string): Promise<Rows> =>
    (await door.query(text)).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asNumber(value)])),
    )
  const waiting = () => query("select * from subscription_event where state = 'waiting' order by entry_no")
  const dead = () => query("select * from subscription_event where state = 'dead' order by entry_no")
  const attempts = () => query('select * from subscription_attempt order by attempt_no')
  const state = async () => (await findSubscription(reading(), subscriptionId))?.state
  const settled = async () => expect.poll(waiting, QUICKLY).toEqual([])

  async function subscribe(definition: Partial<SubscriptionDefinition> = {}): Promise<Subscription> {
    subscriptionId = `s${Math.random()}`
    const subscription: Subscription = {
      id: subscriptionId,
      definition: {
        name: 'Test',
        url: receiver.url,
        entities: [],
        filter: '',
        select: '',
        payload: 'full',
        batch: false,
        signature: 'hmac',
        ...definition,
      },
      clientId: 'erp',
      userId: 'owner',
      isSetup: false,
      state: 'active',
      reason: '',
      position: { number: 0, part: 0 },
      failingSince: '',
      createdAt: '',
      updatedAt: '',
      updatedBy: '',
      changeNo: 0,
    }
    const current = { kind: 'hmac', madeAt: '', secret: SECRET } as const
    await store.write('EN', ACTOR, async (tx) => insertSubscription(tx, subscription, { current }))
    return subscription
  }

  function start(settings: Partial<DeliverySettings> = {}): WebhookDeliveries {
    const deliveries = new WebhookDeliveries({
      store,
      companies: { all: [{ id: 'EN' } as CompanyRules], find: () => ({ id: 'EN' }) as CompanyRules },
      directory: { callerOfClient: () => owner, absenceOf: () => 'unknown client' },
      feed,
      signals: feed,
      sender: new WebhookSender({ timeoutMs: 30_000, guard: new OpenGuard() }),
      observe: (observation) => observed.push(observation),
      metrics: new DeliveryMetrics(new MetricRegistry(), ATTEMPT_OUTCOMES),
      basePath: '',
      time,
      lookMs: 50,
      ...settings,
    })
    running.push(deliveries)
    deliveries.start()
    return deliveries
  }

  /** Lets the time pass to the next attempt, once it is planned. */
  async function passToNext(): Promise<void> {
    await expect.poll(() => time.next, QUICKLY).toBeGreaterThan(time.now)
    time.advanceTo(time.next ?? 0)
  }

  it('sends each change once, signed, and keeps nothing but the attempt', async () => {
    await subscribe()
    const id = feed.add('a')
    start()
    await expect.poll(() => receiver.ids, QUICKLY).toEqual([id])
    await settled()
    const [webhook] = receiver.received
    const { 'webhook-timestamp': timestamp } = webhook?.headers ?? {}
    expect(webhook?.headers).toMatchObject({ 'webhook-id': id, 'content-type': expect.stringContaining('cloudevents') })
    expect(timestamp).toBe(String(time.now / 1000))
    const verified = new Webhook(`whsec_${SECRET}`).sign(id, time.clock(), webhook?.body ?? '')
    expect(webhook?.headers['webhook-signature']).toBe(verified)
    expect(JSON.parse(webhook?.body ?? '')).toMatchObject({ id, data: { record: { name: 'a' } } })
    await expect
      .poll(attempts, QUICKLY)
      .toMatchObject([
        { entry_no: 1, events: 1, attempt: 1, status: 200, outcome: 'delivered', excerpt: 'answered 200' },
      ])
    const later = feed.add('b')
    await expect.poll(() => receiver.ids, QUICKLY).toEqual([id, later])
  })

  it('tries ten times over three days by the plan, then gives the event up, and the record goes on', async () => {
    await subscribe()
    receiver.answer = ({ id }) => (id === 'EN-1' ? 500 : 200)
    feed.add('a')
    feed.add('a')
    feed.add('b')
    start()
    const begin = time.now
    for (let attempt = 1; attempt < SECONDS.length; attempt++) {
      await expect.poll(() => receiver.received.filter(({ id }) => id === 'EN-1').length, QUICKLY).toBe(attempt)
      await passToNext()
      // Another record is delivered now and then: it does not wait, and the subscription is not failing.
      const other = feed.add('c')
      await expect.poll(() => receiver.ids, QUICKLY).toContain(other)
      await expect
        .poll(async () => (await waiting()).map(({ entry_no }) => `EN-${entry_no}`), QUICKLY)
        .not.toContain(other)
    }
    await settled()
    const tries = receiver.received.filter(({ id }) => id === 'EN-1')
    let at = begin
    const planned = SECONDS.map((seconds) => (at += seconds * 1_000))
    expect(tries.map((webhook) => webhook.at)).toEqual(planned)
    expect(new Set(tries.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(tries.map(({ headers }) => headers['webhook-timestamp'])).toEqual(planned.map((ms) => String(ms / 1000)))
    expect(await dead()).toMatchObject([
      { entry_no: 1, attempts: 10, last_status: 500, last_error: '500 answered 500' },
    ])
    // What came behind it is delivered after it; all others did not wait.
    expect(receiver.ids.lastIndexOf('EN-1')).toBeLessThan(receiver.ids.indexOf('EN-2'))
    expect(receiver.received.find(({ id }) => id === 'EN-3')?.at).toBe(begin)
    expect(await state()).toBe('active')
  })

  it('keeps the order of each record, with one under way, and sends records at the same time', async () => {
    await subscribe()
    const gate = Promise.withResolvers<void>()
    receiver.answer = async () => {
      const subjects = receiver.received.filter(({ id }) => receiver.open.has(id)).map(({ subject }) => subject)
      expect(new Set(subjects).size).toBe(subjects.length)
      await gate.promise
      return 200
    }
    for (let round = 0; round < 5; round++) for (const key of ['a', 'b', 'c', 'd']) feed.add(key)
    start()
    await expect.poll(() => receiver.open.size, QUICKLY).toBe(4)
    gate.resolve()
    await settled()
    for (const records of Map.groupBy(receiver.received, ({ subject }) => subject).values()) {
      const numbers = records.map(({ id }) => Number(id.slice(3)))
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
      expect(numbers).toHaveLength(5)
    }
  })

  it('has at most 16 attempts under way', async () => {
    await subscribe()
    const gate = Promise.withResolvers<void>()
    receiver.answer = () => gate.promise.then(() => 200)
    for (let at = 0; at < 40; at++) feed.add(`r${at}`)
    start()
    await expect.poll(() => receiver.open.size, QUICKLY).toBe(16)
    gate.resolve()
    await settled()
    expect(receiver.received).toHaveLength(40)
  })

  it.each([
    ['late', 'timeout', 0],
    ['reset', 'reset', 0],
    [429, 'status', 429],
    [302, 'status', 302],
  ] as const)('tries again after %s', async (answer, outcome, status) => {
    await subscribe()
    const sender = new ImpatientSender()
    receiver.answer = ({ attempt }) => {
      if (attempt > 1) return 200
      if (answer === 'late') sender.giveUp()
      return answer
    }
    feed.add('a')
    start({ sender })
    await passToNext()
    await settled()
    expect(receiver.ids).toEqual(['EN-1', 'EN-1'])
    await expect.poll(attempts, QUICKLY).toMatchObject([
      { outcome, status, attempt: 1 },
      { outcome: 'delivered', status: 200, attempt: 2 },
    ])
  })

  it('waits as long as Retry-After asks for, up to an hour', async () => {
    await subscribe()
    const asked = ['60', '86400']
    receiver.answer = ({ attempt }) => ({ status: attempt > 2 ? 200 : 503, retryAfter: asked[attempt - 1] ?? '' })
    feed.add('a')
    start()
    const begin = time.now
    await passToNext()
    await expect.poll(() => receiver.received.length, QUICKLY).toBe(2)
    await passToNext()
    await settled()
    expect(receiver.received.map(({ at }) => (at - begin) / 1000)).toEqual([0, 60, 3_660])
  })

  it('is paused by 410, keeps everything, and goes on where it stopped', async () => {
    const subscription = await subscribe()
    let isGone = true
    receiver.answer = () => (isGone ? 410 : 200)
    feed.add('a')
    const deliveries = start()
    await expect.poll(state, QUICKLY).toBe('paused')
    expect((await findSubscription(reading(), subscriptionId))?.reason).toContain('410')
    // It is told, and nothing is begun any more, a moment after it is stored.
    await expect
      .poll(() => observed, QUICKLY)
      .toEqual([{ kind: 'subscription-paused', companyId: 'EN', subscriptionId }])
    feed.add('b')
    expect(await waiting()).toMatchObject([{ entry_no: 1, attempts: 1 }])
    isGone = false
    await store.write('EN', ACTOR, async (tx) =>
      updateSubscription(tx, { ...subscription, state: 'active', reason: '' }),
    )
    deliveries.wake('EN')
    await expect.poll(() => receiver.ids, QUICKLY).toEqual(['EN-1', 'EN-2'])
    await passToNext()
    await settled()
    expect(receiver.ids).toEqual(['EN-1', 'EN-2', 'EN-1'])
  })

  it('is paused after 72 hours in which nothing was delivered, never deleted', async () => {
    await subscribe()
    receiver.answer = () => 500
    feed.add('a')
    start()
    const begin = time.now
    for (let attempt = 1; attempt < SECONDS.length; attempt++) {
      await expect.poll(() => receiver.received.length, QUICKLY).toBe(attempt)
      await passToNext()
    }
    await expect.poll(state, QUICKLY).toBe('paused')
    expect((await findSubscription(reading(), subscriptionId))?.reason).toContain(new Date(begin).toISOString())
    expect(await dead()).toHaveLength(1)
  })

  it('sends nothing that the owner may not see any more', async () => {
    await subscribe()
    receiver.answer = ({ attempt }) => (attempt === 1 ? 500 : 200)
    const hidden = feed.add('secret')
    start()
    await expect.poll(() => receiver.ids, QUICKLY).toEqual([hidden])
    feed.hidden.add(hidden)
    await passToNext()
    await settled()
    expect(receiver.ids).toEqual([hidden])
    expect(await attempts()).toHaveLength(1)
  })

  const LOST_RIGHTS: readonly [name: string, lose: () => void, reason: string][] = [
    [
      'its owner is gone',
      () => {
        owner = undefined
      },
      'cannot be used: unknown client',
    ],
    [
      'its owner has no role any more',
      () => {
        owner = new Caller({ id: 'o', defaultCompany: 'EN' }, 'erp', new Map())
      },
      'no role',
    ],
    [
      'its owner may not read what it names',
      () => {
        feed.refusal = notAuthorised('no')
      },
      '',
    ],
  ]
  it.each(LOST_RIGHTS)('is paused when %s', async (_case, change, reason) => {
    await subscribe()
    change()
    feed.add('a')
    start()
    await expect.poll(state, QUICKLY).toBe('paused')
    expect((await findSubscription(reading(), subscriptionId))?.reason).toContain(reason)
    expect(receiver.received).toEqual([])
  })

  it('advises to load everything when changes are no longer kept, and goes on after them', async () => {
    await subscribe()
    feed.add('a')
    const counter = await query("select last_entry from journal_counter where company_id = 'EN'")
    const number = Number(counter[0]?.last_entry)
    feed.goneUpTo = number
    start()
    await expect.poll(() => receiver.ids, QUICKLY).toEqual([`EN-${number}-resync`])
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'tabularium.resync',
      data: { companyId: 'EN', number, entities: ['customers'] },
    })
    const next = feed.add('a', number + 1)
    await expect.poll(() => receiver.ids, QUICKLY).toEqual([`EN-${number}-resync`, next])
  })

  it('sends batches by choice: each record once, and the same again after a failure', async () => {
    await subscribe({ batch: true })
    receiver.answer = ({ attempt, body }) => (attempt === 1 && JSON.parse(body).length === 3 ? 500 : 200)
    for (const key of ['a', 'b', 'c', 'a']) feed.add(key)
    start()
    await expect.poll(() => receiver.received.length, QUICKLY).toBe(1)
    await passToNext()
    await settled()
    const batches = receiver.received.map(({ body }) => (JSON.parse(body) as { id: string }[]).map(({ id }) => id))
    expect(batches).toEqual([['EN-1', 'EN-2', 'EN-3'], ['EN-1', 'EN-2', 'EN-3'], ['EN-4']])
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(['EN-1_3', 'EN-1_3', 'EN-4_1'])
  })

  it('loses nothing that was under way when a service ends without a word', async () => {
    await subscribe()
    const gate = Promise.withResolvers<void>()
    receiver.answer = ({ attempt }) => (attempt === 1 ? gate.promise.then(() => 200) : 200)
    feed.add('a')
    feed.add('b')
    // It keeps its lease for as long as it is renewed: this one is cut off from the store, and its lease runs out.
    const isCut = { value: false }
    const cut = start({ store: cutOff(store, isCut), leaseMs: 600_000 })
    await expect.poll(() => receiver.open.size, QUICKLY).toBe(2)
    isCut.value = true
    await query('update subscription set lease_until = 1')
    start({ leaseMs: 600_000 })
    await expect.poll(() => receiver.received.length, QUICKLY).toBe(4)
    expect(receiver.ids.toSorted()).toEqual(['EN-1', 'EN-1', 'EN-2', 'EN-2'])
    await settled()
    // Its results come too late: the lease has another number.
    isCut.value = false
    gate.resolve()
    await cut.stop()
    const next = feed.add('a')
    await expect.poll(() => receiver.ids.filter((id) => id === next), QUICKLY).toEqual([next])
    await expect.poll(attempts, QUICKLY).toHaveLength(3)
  })

  it('gives the lease back when it stops: another service goes on at once, and sends nothing twice', async () => {
    await subscribe()
    const one = start({ leaseMs: 600_000 })
    feed.add('a')
    await expect.poll(() => receiver.ids, QUICKLY).toEqual(['EN-1'])
    await settled()
    await one.stop()
    feed.add('b')
    start({ leaseMs: 600_000 })
    await expect.poll(() => receiver.ids, QUICKLY).toEqual(['EN-1', 'EN-2'])
  })

  it('delivers what it has leased without hearing of it, when that lease has ended', async () => {
    const { id: unheard } = await subscribe()
    await query('update subscription set lease_until = 9007199254740991')
    const { id: heard } = await subscribe()
    start({ leaseMs: 300 })
    feed.add('a')
    const delivered = async () => (await attempts()).map(({ subscription_id }) => subscription_id)
    await expect.poll(delivered, QUICKLY).toContain(heard)
    // As after a write whose answer was lost with the connection.
    await query(`update subscription set lease_until = ${Date.now() + 300},
      lease_holder = (select lease_holder from subscription where subscription_id = '${heard}')
      where subscription_id = '${unheard}'`)
    await expect.poll(delivered, QUICKLY).toContain(unheard)
    await store.write('EN', ACTOR, async (tx) => deleteSubscription(tx, unheard))
  })

  it('is delivered by one of several services', async () => {
    await subscribe()
    // On a busy machine a lease of the usual length may end, and what was under way is then sent again.
    for (const _ of [1, 2, 3]) start({ leaseMs: 600_000 })
    for (let at = 0; at < 50; at++) feed.add(`r${at % 7}`)
    await expect.poll(() => receiver.received.length, QUICKLY).toBe(50)
    await settled()
    expect(new Set(receiver.ids).size).toBe(50)
  })

  /** Adds 10,000 events of one record, none of which is due. */
  const addEvents = (eventState: 'waiting' | 'dead') =>
    query(`insert into subscription_event (company_id, subscription_id, entry_no, part, entity, record_key, state,
        attempts, next_at, last_status, last_error, first_at)
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10000)
      select 'EN', '${subscriptionId}', n, 0, 'customers', '["a"]', '${eventState}', 0, 9007199254740991, 0, '', ''
      from numbers`)

  it('lets the position wait while 10,000 events do', async () => {
    await subscribe()
    await addEvents('waiting')
    const id = feed.add('b', 10_001)
    const deliveries = start({ metrics: new DeliveryMetrics(new MetricRegistry(), ATTEMPT_OUTCOMES) })
    await expect.poll(() => query('select * from subscription where lease_no > 0'), QUICKLY).toHaveLength(1)
    deliveries.wake('EN')
    expect(await query('select position_no from subscription')).toEqual([{ position_no: 0 }])
    await query(`delete from subscription_event where entry_no > 1`)
    deliveries.wake('EN')
    await expect.poll(() => receiver.ids, QUICKLY).toEqual([id])
  })

  it('is paused when 10,000 events were given up', async () => {
    await subscribe()
    await addEvents('dead')
    feed.add('b', 10_001)
    start()
    await expect.poll(state, QUICKLY).toBe('paused')
    expect((await findSubscription(reading(), subscriptionId))?.reason).toContain('10000 events were given up')
    expect(await dead()).toHaveLength(10_000)
  })

  it('counts attempts, and tells how far it is behind', async () => {
    await subscribe()
    const registry = new MetricRegistry()
    const metrics = new DeliveryMetrics(registry, ATTEMPT_OUTCOMES)
    receiver.answer = () => 500
    feed.add('a')
    start({ metrics })
    await expect.poll(() => registry.metrics(), QUICKLY).toContain('attempts_total{outcome="status"} 1')
    time.advanceTo(time.now + 1_000)
    feed.add('b')
    await expect.poll(() => registry.metrics(), QUICKLY).toContain('oldest_undelivered_seconds 1')
    expect(await registry.metrics()).toContain('tabularium_subscription_lag_changes 0')
  })
})

/** Gives an attempt up when the test says so, as if its time were over. */
class ImpatientSender extends WebhookSender {
  #attempt = new AbortController()

  constructor() {
    super({ timeoutMs: 600_000, guard: new OpenGuard() })
  }

  override send(request: WebhookRequest, signal: AbortSignal): ReturnType<WebhookSender['send']> {
    this.#attempt = new AbortController()
    return super.send(request, AbortSignal.any([signal, this.#attempt.signal]))
  }

  giveUp(): void {
    this.#attempt.abort()
  }
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
}

/** The store as a process sees it that has lost it: nothing is answered. */
function cutOff(store: Store, isCut: { readonly value: boolean }): Store {
  const whileConnected = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isCut.value) throw new Error('the store is gone')
    return work()
  }
  return {
    ...store,
    reading: (companyId) => store.reading(companyId),
    write: (companyId, actor, work) => whileConnected(() => store.write(companyId, actor, work)),
    writeState: (companyId, member, work) => whileConnected(() => store.writeState(companyId, member, work)),
  }
}
