// `/metrics`: who may read it, what is counted, and that nothing in it names a company, a user or a record.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { base64, create, DOCUMENTS, noteOf, onEachArchive, PNG } from '../support/documents.ts'
import { injectInto } from '../support/inject.ts'
import { onEachStore, type World } from '../support/world.ts'

const VALUE = '/v1/attribute-values/C1/CC100/0'
const VALUE_ROUTE = '/v1/attribute-values/:attributeId/*'

/** The samples of the metrics, by name with labels as Prometheus writes them. */
async function samplesOf(world: World): Promise<ReadonlyMap<string, number>> {
  const { status, headers, text } = await world.send({ url: '/metrics' })
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const samples = new Map<string, number>()
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, name = '', value] = /^(\w+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? []
    expect(name, line).not.toBe('')
    expect(samples.has(name), name).toBe(false)
    samples.set(name, Number(value))
  }
  return samples
}

/** The increase of each sample that the work has changed. */
async function growthBy(world: World, work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const before = await samplesOf(world)
  await work()
  const after = await samplesOf(world)
  return new Map(
    [...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const).filter(([, by]) => by !== 0),
  )
}

const requests = (method: string, route: string, status: number) =>
  `http_requests_total{method="${method}",route="${route}",status="${status}"}`

onEachStore('Metrics', (world, kind) => {
  describe('of requests', () => {
    it('count by method, route as declared, and status', async () => {
      const growth = await growthBy(world(), async () => {
        await world().send({ as: 'integration', url: VALUE })
        await world().send({ as: 'integration', url: VALUE })
        await world().send({ as: 'integration', url: '/v1/attribute-values/C1/MISSING/0' })
        await world().send({ url: VALUE })
        await world().send({ as: 'nobody', method: 'PATCH', url: VALUE, body: [] })
      })
      expect(growth.get(requests('GET', VALUE_ROUTE, 200))).toBe(2)
      expect(growth.get(requests('GET', VALUE_ROUTE, 404))).toBe(1)
      expect(growth.get(requests('GET', VALUE_ROUTE, 401))).toBe(1)
      expect(growth.get(requests('PATCH', VALUE_ROUTE, 403))).toBe(1)
    })

    it('are also counted when they are compressed, open, or given up by the framework', async () => {
      const growth = await growthBy(world(), async () => {
        await injectInto(world().application.server, {
          url: '/v1/objects/attribute-values',
          headers: { authorization: `Bearer ${await world().token('integration')}`, 'accept-encoding': 'gzip' },
        })
        await world().send({ url: '/health/live' })
        await world().send({ as: 'integration', url: '/v1/attribute-values/%ff' })
        await world().send({ method: 'POST', url: '/oauth/token', body: 'x' })
      })
      const objects = [...growth.keys()].find(
        (name) => name.startsWith('http_requests') && name.includes('/v1/objects'),
      )
      expect(objects).toMatch(/status="200"/)
      expect(growth.get(requests('GET', '/health/live', 200))).toBe(1)
      expect(growth.get(requests('GET', 'unmatched', 400))).toBe(1)
      expect(growth.get(requests('POST', '/oauth/token', 400))).toBe(1)
    })

    it('have one label for all unknown paths and methods', async () => {
      const growth = await growthBy(world(), async () => {
        for (let count = 0; count < 20; count++) {
          await world().send({ as: 'integration', url: `/v1/nowhere-${count}` })
          await world().send({ as: 'integration', url: `/v1/attribute-values/C1/V${count}/0`, method: 'PUT' })
          await world().send({ as: 'integration', url: `/${count}`, method: 'PROPFIND' as never })
        }
      })
      const own = [...growth].filter(([name]) => name.startsWith('http_requests_total') && !name.includes('/metrics'))
      expect(Object.fromEntries(own)).toEqual({
        [requests('GET', 'unmatched', 404)]: 20,
        [requests('PUT', 'unmatched', 405)]: 20,
        [requests('other', 'unmatched', 404)]: 20,
      })
    })

    it('make a histogram whose buckets add up', async () => {
      await world().send({ as: 'integration', url: VALUE })
      const samples = await samplesOf(world())
      const labels = `method="GET",route="${VALUE_ROUTE}"`
      const name = 'http_request_duration_seconds'
      const buckets = [...samples]
        .filter(([one]) => one.startsWith(`${name}_bucket{le=`) && one.endsWith(`,${labels}}`))
        .map(([, count]) => count)
      expect(buckets).toEqual(buckets.toSorted((a, b) => a - b))
      expect(buckets.at(-1)).toBe(samples.get(`${name}_count{${labels}}`))
      expect(samples.get(`${name}_sum{${labels}}`)).toBeGreaterThan(0)
      const counted = [...samples].filter(([one]) => one.startsWith(`http_requests_total{${labels}`))
      expect(buckets.at(-1)).toBe(counted.reduce((sum, [, count]) => sum + count, 0))
    })
  })

  it('report how long writes wait, run and commit', async () => {
    const growth = await growthBy(world(), () =>
      Promise.all(
        Array.from({ length: 5 }, (_, at) =>
          world().send({
            as: 'integration',
            method: 'POST',
            url: '/v1/attribute-values',
            body: { attributeId: 'C1', attributeValue: `M${at}` },
          }),
        ),
      ),
    )
    for (const phase of ['waiting', 'running']) {
      expect(growth.get(`tabularium_store_write_seconds_count{phase="${phase}"}`)).toBeGreaterThanOrEqual(5)
    }
    expect(growth.get('tabularium_store_write_seconds_count{phase="committing"}')).toBeGreaterThan(0)
  })

  it('report where queries ran, and what is in progress', async () => {
    const growth = await growthBy(world(), () =>
      world().send({ as: 'integration', url: '/v1/objects/attribute-values?$filter=status eq %27N%27' }),
    )
    const queries = [...growth].filter(([name]) => name.startsWith('tabularium_store_query_seconds_count'))
    expect(queries.reduce((sum, [, count]) => sum + count, 0)).toBe(1)
    const samples = await samplesOf(world())
    for (const name of [
      'tabularium_store_pool{state="used"}',
      'tabularium_store_pool{state="idle"}',
      'tabularium_store_pool{state="waiting"}',
      'tabularium_store_writes_queued',
      'tabularium_transfer_bytes',
      'tabularium_transfer_limit_bytes',
      'tabularium_file_uploads',
      'http_connections',
      'nodejs_eventloop_lag_seconds{quantile="0.99"}',
      'nodejs_eventloop_utilization',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
    ]) {
      expect(samples.get(name), name).toBeGreaterThanOrEqual(0)
    }
  })

  it('count for each queue whom it let in and refused, and how long they waited', async () => {
    const statuses: number[] = []
    const growth = await growthBy(world(), async () => {
      const write = async (at: number) =>
        world().send({
          as: 'integration',
          method: 'POST',
          url: '/v1/attribute-values',
          body: { attributeId: 'C6', attributeValue: `Q${at}` },
        })
      const answers = await Promise.all(Array.from({ length: 800 }, (_, at) => write(at)))
      statuses.push(...answers.map(({ status }) => status))
    })
    const count = (status: number) => statuses.filter((one) => one === status).length
    expect(count(201) + count(503)).toBe(800)
    expect(count(503)).toBeGreaterThan(0)
    const refused = growth.get('tabularium_queue_refused_total{queue="requests"}') ?? 0
    expect(refused).toBeGreaterThan(0)
    expect(refused).toBeLessThanOrEqual(count(503))
    expect(growth.get('tabularium_queue_admitted_total{queue="requests"}')).toBe(800 - refused)
    expect(growth.get('tabularium_queue_wait_seconds_total{queue="writes"}')).toBeGreaterThan(0)
    expect(growth.get('tabularium_queue_admitted_total{queue="writes"}')).toBeGreaterThanOrEqual(count(201))
    const samples = await samplesOf(world())
    const queues = [
      'requests',
      'writes',
      'transfers',
      'secrets',
      'thumbnails',
      kind === 'sqlite' ? 'readers' : 'sessions',
    ]
    for (const queue of queues) {
      for (const name of ['running', 'waiting', 'refused_total', 'admitted_total', 'wait_seconds_total']) {
        expect(samples.get(`tabularium_queue_${name}{queue="${queue}"}`), `${queue} ${name}`).toBeGreaterThanOrEqual(0)
      }
    }
    expect(samples.get('tabularium_queue_running{queue="requests"}')).toBe(0)
  })

  it('report the versions, the sizes of database, contents and change log, and the free space', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    await expect.poll(async () => (await samplesOf(world())).get('tabularium_journal_bytes')).toBeGreaterThan(100)
    const samples = await samplesOf(world())
    expect(samples.get(`tabularium_build_info{version="${version}",node="${process.versions.node}"}`)).toBe(1)
    expect(samples.get('tabularium_database_bytes')).toBeGreaterThan(100_000)
    expect(samples.get('tabularium_files_bytes')).toBe(0)
    expect(samples.get('tabularium_disk_free_bytes{folder="data"}')).toBeGreaterThan(1_000_000)
  })

  it('name no company, no user and no record, and clients only where they are counted', async () => {
    await world().send({ as: 'both', url: `${VALUE}?companyId=SV` })
    const { text } = await world().send({ url: '/metrics' })
    const others = text.replaceAll(/^tabularium_client_\w+\{client="[\w-]+",.*$/gm, '')
    for (const name of ['SV', 'Svenska', 'CC100', 'svc-', 'integration', 'canary']) expect(others).not.toContain(name)
    for (const name of ['SV', 'Svenska', 'CC100', 'svc-', 'canary']) expect(text).not.toContain(name)
  })

  it('count requests and refusals by client, those of unknown callers together', async () => {
    const growth = await growthBy(world(), async () => {
      for (let count = 0; count < 3; count++) await world().send({ as: 'reader', url: VALUE })
      await world().send({ as: 'reader', url: `${VALUE}?companyId=XX` })
      await world().send({ as: 'nobody', url: VALUE })
      for (const id of ['reader', 'stranger', 'x'.repeat(300)]) {
        const headers = { authorization: `Basic ${base64(`${id}:wrong secret`)}` }
        expect((await world().send({ url: VALUE, headers })).status).toBe(401)
      }
    })
    const counted = [...growth].filter(([name]) => name.startsWith('tabularium_client_') && !name.includes('"none"'))
    expect(Object.fromEntries(counted)).toEqual({
      'tabularium_client_requests_total{client="reader",status="2xx"}': 3,
      'tabularium_client_requests_total{client="reader",status="4xx"}': 1,
      'tabularium_client_refusals_total{client="reader",status="403",code="2030"}': 1,
      'tabularium_client_requests_total{client="nobody",status="4xx"}': 1,
      'tabularium_client_refusals_total{client="nobody",status="403",code="2030"}': 1,
    })
    expect(growth.get('tabularium_client_refusals_total{client="none",status="401",code=""}')).toBe(3)
  })
})

onEachStore('Who may read metrics', (world) => {
  const from = async (headers: Record<string, string>, remoteAddress: string) => {
    const answer = await injectInto(world().application.server, { url: '/metrics', headers, remoteAddress })
    return answer.statusCode
  }
  const bearer = async (client: string) => ({ authorization: `Bearer ${await world().token(client)}` })

  it('callers on the machine itself, without credentials', async () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      expect(await from({}, address)).toBe(200)
    }
  })

  it('no other client without credentials, nor one behind a proxy on the machine', async () => {
    for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '1.127.0.0.1']) expect(await from({}, address)).toBe(401)
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
      expect(await from({ [header]: '127.0.0.1' }, '127.0.0.1')).toBe(401)
    }
    expect(await from({ authorization: 'Bearer nonsense' }, '10.0.0.1')).toBe(401)
  })

  it('remote callers with a role that allows it', async () => {
    expect(await from(await bearer('integration'), '10.0.0.1')).toBe(403)
    expect(await from(await bearer('watcher'), '10.0.0.1')).toBe(200)
  })
})

onEachArchive('Metrics of files', (world) => {
  it('count contents that come and go, and thumbnails by how they were made', async () => {
    let id = ''
    const growth = await growthBy(world(), async () => {
      id = (await create(world(), noteOf('Pictured', { fileName: 'a.png', fileContent: base64(PNG) }))).id
      for (let times = 0; times < 2; times++) {
        await world().send({ as: 'integration', url: `${DOCUMENTS}/${id}/thumbnail` })
      }
    })
    expect(growth.get('tabularium_file_bytes_total{direction="in"}')).toBe(PNG.length)
    expect(growth.get('tabularium_file_bytes_total{direction="out"}')).toBeGreaterThanOrEqual(PNG.length)
    expect(growth.get('tabularium_thumbnails_total{how="made"}')).toBe(1)
    expect(growth.get('tabularium_thumbnails_total{how="kept"}')).toBe(1)
    const read = await growthBy(world(), () => world().send({ as: 'integration', url: `${DOCUMENTS}/${id}/content` }))
    expect(read.get('tabularium_file_bytes_total{direction="out"}')).toBe(PNG.length)
  })

  it('count files that are read for the search', async () => {
    const growth = await growthBy(world(), async () => {
      await create(world(), noteOf('Read'))
      await world().application.texts.settle()
    })
    expect(growth.get('tabularium_texts_total{outcome="read"}')).toBe(1)
  })
})
