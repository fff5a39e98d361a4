// L10: a database that is distributed loses one of its servers while companies write, and moves a company to another.
// Only where a run is given a cluster of servers on this machine.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLUSTER } from '../../support/cluster.ts'
import { ClusterServer, type Placed, placesOf } from '../../support/cluster-server.ts'
import { KeepAliveClient } from '../../support/keep-alive-client.ts'
import { call, credentials, kill, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest } from '../../support/reliability-test.ts'
import { asSuperuser, newDatabase, queryOn } from '../../support/test-database.ts'

const COMPANIES = Array.from({ length: 8 }, (_, at) => `T${at}`)
const WRITERS_OF_EACH = 2
const AWAY_MS = 6_000
const STEADY_MS = 6_000
/** The share of their rate that companies of other servers must keep. */
const LEAST_SHARE = 0.6

const SETUP = `version: 1
companies:
${COMPANIES.map((id) => `  - { id: ${id}, name: ${id}, attributes: [{ id: C1, name: COSTC }] }`).join('\n')}
roles:
  - { id: writer, apis: { attribute-values: [create, read] } }
users:
  - { id: svc, defaultCompany: T0, roles: { ${COMPANIES.map((id) => `${id}: [writer]`).join(', ')} } }
clients:
  - { id: integration, user: svc, secretEnv: TEST_CLIENT_SECRET }
`

interface Written {
  readonly company: string
  readonly value: string
  readonly status: number
  /** What a refusal says. */
  readonly reason: string
  readonly at: number
}

describe.runIf(CLUSTER.length > 2)('L10 a database on several servers', () => {
  const folder = temporaryFolder()
  let database = ''
  let places: Placed[] = []
  let service: Serving
  let count = 0
  const flags = () => ['--data', join(folder.path, 'data'), '--database', database]

  beforeAll(async () => {
    writeFileSync(join(folder.path, 'companies.yaml'), SETUP)
    database = await newDatabase()
    service = await serve([...flags(), '--setup', join(folder.path, 'companies.yaml')])
    places = await placesOf(database, COMPANIES)
  })
  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  /** All companies write while `trouble` lasts; returns every answer. */
  async function writeDuring(trouble: () => Promise<void>): Promise<Written[]> {
    const written: Written[] = []
    let isOver = false
    const writers = COMPANIES.flatMap((company) =>
      Array.from({ length: WRITERS_OF_EACH }, async () => {
        const client = new KeepAliveClient(service.address, await tokenOf(service))
        while (!isOver) written.push(await writeOne(client, company))
        client.close()
      }),
    )
    await trouble().finally(() => (isOver = true))
    await Promise.all(writers)
    return written
  }

  async function writeOne(client: KeepAliveClient, company: string): Promise<Written> {
    const value = `V${count++}`
    const body = { companyId: company, attributeId: 'C1', attributeValue: value, description: value }
    const { status, text } = await client.send({ method: 'POST', path: '/v1/attribute-values', body })
    // Who is refused comes again later, as clients do.
    if (status !== 201) await wait(50)
    return { company, value, status, reason: status === 201 ? '' : text, at: performance.now() }
  }

  async function missingOf(written: readonly Written[]): Promise<string[]> {
    const rows = await queryOn(asSuperuser(database), 'select company_id, attribute_value from attribute_value')
    const stored = new Set(rows.map((row) => `${row.company_id} ${row.attribute_value}`))
    const acknowledged = written.filter(({ status }) => status === 201)
    return acknowledged.map(({ company, value }) => `${company} ${value}`).filter((key) => !stored.has(key))
  }

  it('loses nothing when a server is killed, goes on for the others, and starts without it', async () => {
    await reliabilityTest('L10', 'a server of the database is killed', async () => {
      const lost = await ClusterServer.at(CLUSTER[1] ?? '')
      const others = places.filter(({ address }) => address !== lost.address).map(({ company }) => company)
      expect(others.length).toBeGreaterThan(0)
      expect(others.length).toBeLessThan(COMPANIES.length)
      let [killedAt, backAt] = [0, 0]
      const startedAt = performance.now()
      const written = await writeDuring(async () => {
        await wait(STEADY_MS)
        killedAt = performance.now()
        await lost.kill()
        await wait(AWAY_MS)
        backAt = performance.now()
        await startsWithoutIt()
        await lost.startAgain()
        await wait(STEADY_MS)
      })
      const ofOthers = written.filter(({ company, status }) => others.includes(company) && status === 201)
      const rate = (from: number, to: number) =>
        (ofOthers.filter(({ at }) => at >= from && at < to).length * 1_000) / (to - from)
      const [before, during] = [rate(startedAt, killedAt), rate(killedAt, backAt)]
      const statuses = Object.entries(Object.groupBy(written, ({ status }) => status)).map(
        ([status, all]) => `${all?.length} x ${status}`,
      )
      expect(await missingOf(written)).toEqual([])
      expect(reasonsOf(written.filter(({ status }) => status !== 201 && status !== 503))).toEqual([])
      expect(reasonsOf(written.filter(({ company }) => others.includes(company)))).toEqual([])
      expect(written.at(-1)?.status).toBe(201)
      expect(during / before).toBeGreaterThan(LEAST_SHARE)
      return `${statuses.join(', ')}; the others ${before.toFixed(0)}/s before and ${during.toFixed(0)}/s without it`
    })
  })

  /** A further service starts while the server is away, and answers for a company of another one. */
  async function startsWithoutIt(): Promise<void> {
    const keys = join(folder.path, 'data/keys.json')
    const second = await serve(['--data', join(folder.path, 'second'), '--database', database, '--keys', keys])
    const [there] = places.filter(({ address }) => address !== CLUSTER[1])
    const path = `/v1/attribute-values/C1?companyId=${there?.company}&limit=1`
    expect((await call(`${second.address}${path}`)).status).toBe(200)
    await kill(second)
  }

  it('refuses nothing while a company is moved to another server', async () => {
    await reliabilityTest('L10', 'a company is moved', async () => {
      const [moved] = places.filter(({ address }) => address === CLUSTER[1])
      const [from, to] = [new URL(CLUSTER[1] ?? ''), new URL(CLUSTER[2] ?? '')]
      const move = `select citus_move_shard_placement(${moved?.shard}, '${from.hostname}', ${from.port},
        '${to.hostname}', ${to.port}, 'force_logical')`
      let tookMs = 0
      const written = await writeDuring(async () => {
        await wait(STEADY_MS / 2)
        const begunAt = performance.now()
        await queryOn(asSuperuser(database), move)
        tookMs = performance.now() - begunAt
        await wait(STEADY_MS / 2)
      })
      expect(reasonsOf(written)).toEqual([])
      expect(await missingOf(written)).toEqual([])
      const [place] = await placesOf(database, [moved?.company ?? ''])
      expect(place?.address).toBe(CLUSTER[2])
      return `${written.length} written, moved in ${(tookMs / 1_000).toFixed(1)} s`
    })
  })
})

/** What refused requests were told, each once. */
function reasonsOf(written: readonly Written[]): string[] {
  return [...new Set(written.filter(({ status }) => status !== 201).map(({ status, reason }) => `${status} ${reason}`))]
}

async function tokenOf({ address }: Serving): Promise<string> {
  const answer = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    headers: { authorization: credentials, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`
}
