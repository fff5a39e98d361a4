// Round trips of a request to PostgreSQL: while a write has its company locked, each one delays all others of the
// company.
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { bodyOf, CUSTOMERS, urlOf } from '../support/customers.ts'
import { SlowProxy } from '../support/slow-proxy.ts'
import { STORE_KINDS, startWorld, type World } from '../support/world.ts'

const VALUES = '/v1/attribute-values'
const TRIES = 12

describe.runIf(STORE_KINDS.includes('postgres'))('Round trips to PostgreSQL', () => {
  let proxy: SlowProxy
  let world: World & { stop(): Promise<void> }
  beforeAll(async () => {
    const server = new URL(inject('postgresAdmin'))
    proxy = await SlowProxy.start({ host: server.hostname, port: Number(server.port) })
    vi.stubEnv('TEST_POSTGRES', inject('postgresAdmin').replace(server.host, `${server.hostname}:${proxy.port}`))
    world = await startWorld('postgres', 'test/fixtures/customers.yaml')
    await send('POST', CUSTOMERS, bodyOf('K'))
  })
  afterAll(async () => {
    await world.stop()
    await proxy.stop()
    vi.unstubAllEnvs()
  })

  const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown) => {
    const { status } = await world.send({ as: 'integration', method, url, body })
    expect(status).toBeLessThan(300)
  }

  /** The minimum of some tries: the service runs background queries too. */
  const tripsOf = async (work: (no: number) => Promise<void>) => {
    const trips: number[] = []
    for (let no = 0; no < TRIES; no++) {
      const before = proxy.turns
      await work(no)
      trips.push(proxy.turns - before)
    }
    return Math.min(...trips)
  }

  const description = (no: number) => [{ op: 'replace', path: '/description', value: `Changed ${no}` }]
  const alias = (no: number) => [{ op: 'replace', path: '/aliasName', value: `Changed ${no}` }]
  const REQUESTS = {
    'reading a value': [1, () => send('GET', `${VALUES}/LI/NO1/0`)],
    'reading a customer': [1, () => send('GET', urlOf('K'))],
    'creating a value': [
      5,
      (no: number) => send('POST', VALUES, { attributeId: 'LI', attributeValue: `N${no}`, description: 'New' }),
    ],
    'changing a value': [3, (no: number) => send('PATCH', `${VALUES}/LI/NO1/0`, description(no))],
    'creating a customer with a relation and a contact point': [
      8,
      (no: number) => send('POST', CUSTOMERS, bodyOf(`N${no}`)),
    ],
    'changing a customer': [3, (no: number) => send('PATCH', urlOf('K'), alias(no))],
  } as const

  it.each(Object.entries(REQUESTS))('are few for %s', async (_name, [most, work]) => {
    expect(await tripsOf(work)).toBeLessThanOrEqual(most)
  })
})
