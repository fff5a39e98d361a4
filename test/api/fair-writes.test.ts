// Fair writes: a client with many writes delays itself only. The tests do not depend on the clock: they count the
// order.
import { expect, it } from 'vitest'
import { WaitingMark } from '../../src/databases/sqlite/file/waiting-mark.ts'
import type { Actor } from '../../src/store/store.ts'
import { onEachStore, STORE_KINDS, startWorld } from '../support/world.ts'

/** Some groups of 64 are taken before another's write is there; fewer than may be worked on at once. */
const MANY = 500

onEachStore('Fair writes', (world) => {
  const write = async (as: string, attributeValue: string, answered: string[]) => {
    const body = { attributeId: 'C1', attributeValue, description: 'Written beside many others' }
    const { status } = await world().send({ as, method: 'POST', url: '/v1/attribute-values', body })
    answered.push(as)
    return status
  }

  /** Sends many requests of one client, then one of another; returns how many were answered before it. */
  async function answeredBefore(other: string): Promise<number> {
    for (const as of ['integration', other]) await world().token(as)
    const answered: string[] = []
    const many = Array.from({ length: MANY }, (_, at) => write('integration', `BESIDE-${other}-${at}`, answered))
    expect(await write(other, `OF-${other}`, answered)).toBe(201)
    // On a busy machine the last of the many have waited for as long as a write may.
    expect([201, 503]).toEqual(expect.arrayContaining(await Promise.all(many)))
    return answered.indexOf(other)
  }

  it('do the write of one company before most of those that another sent earlier', async () => {
    expect(await answeredBefore('sv')).toBeLessThan(MANY / 2)
  })

  it('do the write of one client before most of those that another of the company sent earlier', async () => {
    expect(await answeredBefore('both')).toBeLessThan(MANY / 2)
  })

  it('begin one of another company or client beside as many requests of one client as are worked on', async () => {
    for (const as of ['integration', 'both', 'sv']) await world().token(as)
    const statusOf = async (as: string, at: number) => {
      const body = { attributeId: 'C1', attributeValue: `CROWD-${as}-${at}`, description: 'In a crowd' }
      const { status } = await world().send({ as, method: 'POST', url: '/v1/attribute-values', body })
      return status
    }
    const crowd = Array.from({ length: 800 }, (_, at) => statusOf('integration', at))
    const others = [statusOf('both', 0), statusOf('sv', 0)]
    expect([[...new Set(await Promise.all(crowd))].sort(), await Promise.all(others)]).toEqual([
      [201, 503],
      [201, 201],
    ])
  })

  it('drop a write from a full queue for one of another company', async () => {
    const { store } = world().application.service
    const outcomeOf = async (companyId: string, clientId: string) => {
      const actor = { userId: clientId, clientId, requestId: 'full' }
      return store.write(companyId, actor, async () => 'written').catch(({ status }: { status: number }) => status)
    }
    const many = Array.from({ length: 600 }, () => outcomeOf('EN', 'integration'))
    const others = [outcomeOf('EN', 'both'), outcomeOf('SV', 'sv')]
    expect(await Promise.all(others)).toEqual(['written', 'written'])
    expect(new Set(await Promise.all(many))).toEqual(new Set(['written', 503]))
  })
})

onEachStore(
  'A group of writes on SQLite',
  (world) => {
    /** A record that takes some milliseconds to write. */
    const customer = {
      customerId: 'LONG',
      customerName: 'With many addresses',
      customerGroupId: '10',
      countryCode: 'NO',
      contactPoints: Array.from({ length: 200 }, (_, at) => ({
        contactPointType: String(at + 1),
        address: { streetAddress: 'x'.repeat(150) },
      })),
    }
    const value = (attributeValue: string) => ({ attributeId: 'AT', attributeValue, description: 'Beside a group' })
    const creating = (as: string, body: unknown) =>
      world().send({ as, method: 'POST', url: '/v1/attribute-values', body })
    // With one change each they would take little more than the second that a group may keep others waiting.
    const changed = Array.from({ length: 20 }, (_, at) => `/contactPoints/${at}/address/streetAddress`)
    const group = Array.from({ length: 1_000 }, (_, at) => ({
      id: String(at),
      atomicityGroup: 'g',
      method: 'PATCH',
      url: '/v1/customers/LONG',
      body: changed.map((path) => ({ op: 'replace', path, value: `changed ${at}` })),
    }))

    it('ends after a second when another company waits, and leaves nothing', async () => {
      const types = Array.from({ length: 199 }, (_, at) => creating('sv', value(String(at + 2))))
      expect(new Set((await Promise.all(types)).map(({ status }) => status))).toEqual(new Set([201]))
      const created = await world().send({ as: 'sv', method: 'POST', url: '/v1/customers', body: customer })
      expect([created.status, created.json.notificationMessages]).toEqual([201, undefined])
      await world().token('integration')
      const before = await world().send({ as: 'sv', url: '/v1/customers/LONG' })
      let isDone = false
      const sent = world().send({ as: 'sv', method: 'POST', url: '/v1/batch', body: { requests: group } })
      const batch = sent.finally(() => (isDone = true))
      // One of these waits while the group is at work.
      for (let at = 0; !isDone; at++) {
        expect((await creating('integration', value(`W${at}`))).status).toBe(201)
      }
      const answers = (await batch).json.responses as { status: number; body: { code: number; message: string } }[]
      const failed = answers.filter(({ status }) => status !== 424)
      expect(failed.map(({ status, body }) => [status, body.message])).toEqual([
        [503, expect.stringContaining('The group takes too long while others wait to write: nothing of it was done.')],
      ])
      const after = await world().send({ as: 'sv', url: '/v1/customers/LONG' })
      expect([after.json, after.headers.etag]).toEqual([before.json, before.headers.etag])
    })

    it('is told when another process waits, and not when its own client does', async () => {
      const { store } = world().application.service
      const mine = { userId: 'integration', clientId: 'integration', requestId: 'mine' }
      const write = (actor: Actor) => store.write('EN', actor, async () => 'written')
      let ownWrite: Promise<string> | undefined
      await store.writeTogether('EN', mine, async (joint) => {
        ownWrite = write(mine)
        await new Promise((resume) => setTimeout(resume, 1_100))
        expect(joint.isHoldingUpOthers).toBe(false)
        const [database] = await world().query('pragma database_list')
        new WaitingMark(String(database?.file)).set()
        expect(joint.isHoldingUpOthers).toBe(true)
      })
      expect(await ownWrite).toBe('written')
    })
  },
  (kind) => startWorld(kind, 'test/fixtures/customers.yaml'),
  STORE_KINDS.filter((kind) => kind === 'sqlite'),
)
