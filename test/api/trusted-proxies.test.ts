// Behind a trusted proxy, clients are told apart by the address that it has forwarded for; others' words are ignored.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENT_ADDRESS, ForwardingProxy } from '../support/forwarding-proxy.ts'
import { KeepAliveClient } from '../support/keep-alive-client.ts'
import { call, credentials, type ServingHere, serveHere, temporaryFolder } from '../support/process.ts'
import { triesOf } from '../support/reliability-test.ts'
import { newDatabase } from '../support/test-database.ts'
import { onEachStore, STORE_KINDS, startWorld } from '../support/world.ts'

const URL = '/v1/attribute-values/C1/CC100/0'
const SETUP = 'test/fixtures/company.yaml'
const ADDRESSES = triesOf({ smoke: 6, long: 20, full: 20 })
/** More than one address may have. */
const CONNECTIONS = ADDRESSES * 50
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

describe.each(STORE_KINDS)('A service behind a trusted proxy on %s', (kind) => {
  const folder = temporaryFolder()
  let service: ServingHere
  let proxy: ForwardingProxy
  beforeAll(async () => {
    const database = kind === 'postgres' ? ['--database', await newDatabase()] : []
    const settings = ['--setup', SETUP, '--trust-proxy', '127.0.0.1,::1']
    service = await serveHere(['--data', folder.path, ...database, ...settings])
    proxy = await ForwardingProxy.start(service.address)
  })
  afterAll(async () => {
    await proxy?.stop()
    await service?.stop()
    folder.remove()
  })

  const from = (address: string) => ({ [CLIENT_ADDRESS]: address })
  const statusOf = async (client: KeepAliveClient, headers: Record<string, string>) =>
    (await client.send({ method: 'GET', path: URL, headers })).status

  it(`holds ${CONNECTIONS} keep-alive connections of ${ADDRESSES} addresses and refuses none`, async () => {
    const clients = Array.from({ length: CONNECTIONS }, () => new KeepAliveClient(proxy.address, credentials))
    try {
      // The first request of each opens its connection, the second is sent on it.
      for (let round = 0; round < 2; round++) {
        const statuses: number[] = []
        for (let first = 0; first < CONNECTIONS; first += 100) {
          const some = clients.slice(first, first + 100)
          statuses.push(
            ...(await Promise.all(
              some.map((client, at) => statusOf(client, from(`192.0.2.${(first + at) % ADDRESSES}`))),
            )),
          )
        }
        expect(statuses).toEqual(Array(CONNECTIONS).fill(200))
      }
      expect(proxy.accepted()).toBe(CONNECTIONS)
      const { text } = await call(`${service.address}/metrics`)
      expect(Number(/^http_connections (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(CONNECTIONS)
      expect(text).toMatch(/^http_connections_refused_total\{bound="address"\} 0$/m)
      expect(text).toMatch(/^http_connections_reclaimed_total 0$/m)
    } finally {
      for (const client of clients) client.close()
    }
  })

  it('limits each address alone, whatever the client itself writes into the header', async () => {
    const client = new KeepAliveClient(proxy.address, 'Bearer nonsense')
    const statuses = new Set<number>()
    while (!statuses.has(429)) statuses.add(await statusOf(client, from('203.0.113.1')))
    expect([...statuses]).toEqual([401, 429])
    const forged = { 'x-forwarded-for': '203.0.113.77, 127.0.0.1', ...from('203.0.113.1') }
    const wrong: number[] = []
    while (!wrong.includes(429)) wrong.push(await statusOf(client, forged))
    expect(await statusOf(client, from('203.0.113.2'))).toBe(401)
    expect(await statusOf(client, { 'x-forwarded-for': '203.0.113.1', ...from('203.0.113.3') })).toBe(401)
    client.close()
  })

  it('counts wrong secrets by the address of the client', async () => {
    const client = new KeepAliveClient(proxy.address, 'unused')
    const guess = (at: number, address: string) =>
      statusOf(client, { authorization: basic('reader', `wrong ${at}`), ...from(address) })
    let tries = 0
    while ((await guess(tries, '203.0.113.8')) === 401) tries += 1
    expect(tries).toBeLessThanOrEqual(30)
    expect(await guess(0, '203.0.113.9')).toBe(401)
    client.close()
  })
})

onEachStore(
  'The header of a proxy',
  (world) => {
    const wrongFrom = (peer: string, forwardedFor: string) =>
      world().send({
        from: peer,
        url: URL,
        headers: { authorization: 'Bearer nonsense', 'x-forwarded-for': forwardedFor },
      })

    it('is ignored from an address that is not trusted', async () => {
      const statuses = []
      for (let at = 0; at < 80; at++) statuses.push((await wrongFrom('198.51.100.1', `203.0.113.${at}`)).status)
      expect(statuses).toContain(429)
      expect((await wrongFrom('198.51.100.2', '198.51.100.1')).status).toBe(401)
    })

    it('names the client when a trusted network has written it', async () => {
      for (let at = 0; at < 80; at++) expect((await wrongFrom('10.1.2.3', `203.0.113.${at}`)).status).toBe(401)
      const statuses = []
      for (let at = 0; at < 80; at++) statuses.push((await wrongFrom(`10.1.2.${at}`, '203.0.113.200')).status)
      expect(statuses).toContain(429)
    })
  },
  // No time passes in which more would be allowed, however long requests take.
  (kind) => startWorld(kind, SETUP, '', { trustedProxies: ['10.0.0.0/8'], elapsedMs: () => 0 }),
)
