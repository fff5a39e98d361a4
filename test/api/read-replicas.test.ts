// Reads by a streaming replica: what they answer while it is behind, and who reads what it has written itself.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApplication } from '../../src/app/app.ts'
import { listen } from '../../src/app/listening.ts'
import { setupTask } from '../../src/app/setup/setup-task.ts'
import { applySetup } from '../../src/setup/apply/apply-setup.ts'
import { injectInto } from '../support/inject.ts'
import { objects } from '../support/object-records.ts'
import { PostgresServer } from '../support/postgres.ts'
import { documentBody, make } from '../support/ruled-records.ts'
import { asSuperuser, queryOn } from '../support/test-database.ts'
import { TransactionPooler } from '../support/transaction-pooler.ts'
import { type Answer, onEachStore, type Sent, STORE_KINDS, startWorld, type World } from '../support/world.ts'

const VALUE = '/v1/attribute-values'
const numberOf = ({ headers }: Answer) => Number(headers['x-erp-change-number'])
const numberIn = (answer: Answer) => [answer.status, numberOf(answer)]

const newValue = (attributeValue: string) => ({
  attributeId: 'C1',
  attributeValue,
  description: `of ${attributeValue}`,
})
const single = (key: string) => `${VALUE}/C1/${key}/0`
const named = (...keys: string[]) =>
  objects('attribute-values', { filter: `attributeValue in(${keys.map((key) => `'${key}'`)})` })

/**
 * For the service no time passes, however slow the machine is: a replica that is paused is not left, and is waited for
 * until it has what is needed.
 */
const stopTime = () => vi.spyOn(performance, 'now').mockReturnValue(performance.now())

const until = (check: () => Promise<boolean>) => vi.waitUntil(check, { timeout: 120_000, interval: 20 })

const SETUP = 'test/fixtures/rules.yaml'
const NOVELTIES = '\n  - { name: novelties, key: [noveltyId], properties: { noveltyId: { type: string } } }'

async function readMetrics(world: World): Promise<(how: string) => number> {
  const { text } = await world.send({ url: '/metrics' })
  return (how) => Number(new RegExp(`^tabularium_replica_reads_total{how="${how}"} (\\d+)`, 'm').exec(text)?.[1])
}

onEachStore(
  'The number of a change that a reader needs',
  (world) => {
    it('is accepted with every read, and refused when it is no number', async () => {
      const { headers } = await make(world(), VALUE, newValue('M1'))
      const reads: Sent[] = [{ url: single('M1') }, { url: named('M1') }, { method: 'HEAD', url: named('M1') }]
      for (const sent of [...reads, ...reads, ...reads]) {
        const asked = { ...sent, as: 'admin', headers: { 'min-change': String(headers['x-erp-change-number']) } }
        expect([sent, (await world().send(asked)).status]).toEqual([sent, 200])
        for (const wrong of ['-1', '1.5', 'x', '', '1, 2', '1234567890123456']) {
          const answer = await world().send({ ...sent, as: 'admin', headers: { 'min-change': wrong } })
          expect([sent, wrong, answer.status]).toEqual([sent, wrong, 400])
          if (sent.method === 'HEAD') continue
          expect(answer.json).toEqual({
            code: 1020,
            message: `The value '${wrong}' is not valid for Min-Change; it must be the number of a change.`,
          })
        }
      }
    })

    it('is told by each write, and by its repetition; by none that only validates', async () => {
      const last = async () =>
        Number(
          (await world().query("select max(entry_no) as last from journal_entry where company_id = 'EN'"))[0]?.last,
        )
      const write = async (sent: Sent) => {
        const answer = await world().send({ as: 'admin', ...sent })
        expect([sent, ...numberIn(answer)]).toEqual([sent, answer.status < 300 ? answer.status : 200, await last()])
        return answer
      }
      const patch = [{ op: 'replace', path: '/description', value: 'another' }]
      const key = { 'idempotency-key': 'numbered' }
      const post: Sent = { method: 'POST', url: VALUE, body: newValue('M2'), headers: key }
      const first = await write(post)
      await write({ method: 'PATCH', url: single('M2'), body: patch })
      await write({ method: 'PATCH', url: single('M2'), body: patch })
      const repeated = await world().send({ as: 'admin', ...post })
      expect([repeated.headers['idempotency-replayed'], ...numberIn(repeated)]).toEqual(['true', ...numberIn(first)])
      const only = await world().send({ as: 'admin', method: 'DELETE', url: `${single('M2')}?validateOnly=true` })
      expect([only.status, only.headers['x-erp-change-number']]).toEqual([200, undefined])
      await write({ method: 'DELETE', url: single('M2') })
    })
  },
  (kind) => startWorld(kind, SETUP),
)

it.runIf(STORE_KINDS.includes('sqlite'))('A replica is refused on SQLite, which has none', async () => {
  const starting = startWorld('sqlite', SETUP, '', { replicaOf: () => 'postgres://nowhere/records' })
  await expect(starting).rejects.toThrow('--read-database: SQLite has no replicas that can be read from')
})

describe.runIf(STORE_KINDS.includes('postgres'))('A streaming replica', () => {
  let primary: PostgresServer
  let replica: PostgresServer
  let world: Awaited<ReturnType<typeof startWorld>>
  let address: string
  const admin = (sent: Sent, least?: number) =>
    world.send({
      as: 'admin',
      ...sent,
      headers: { ...sent.headers, ...(least ? { 'min-change': String(least) } : {}) },
    })
  const replicaOf = (database: string) => database.replace(/@[^/]*/, `@${new URL(replica.admin).host}`)
  const onReplica = (text: string) => queryOn(asSuperuser(replicaOf(world.databaseUrl())), text)
  const resume = () => onReplica('select pg_wal_replay_resume()')
  const pause = async () => {
    await onReplica('select pg_wal_replay_pause()')
    await until(async () => (await onReplica('select pg_get_wal_replay_pause_state() as state'))[0]?.state === 'paused')
  }
  const untilUsed = (isUsed: boolean) =>
    until(async () => {
      const told = world.observed.findLast(({ kind }) => kind === 'replica-used' || kind === 'replica-left')
      return told?.kind === (isUsed ? 'replica-used' : 'replica-left')
    })
  /** Without asking for it: the replica has it then. */
  const caughtUp = async (written: Answer) => {
    await resume()
    await until(async () => numberOf(await admin({ url: named('CC100') })) >= numberOf(written))
  }

  beforeAll(async () => {
    primary = await PostgresServer.start(['-c', 'wal_keep_size=64MB'])
    replica = await primary.startReplica()
    world = await startWorld('postgres', SETUP, '', { admin: primary.admin, replicaOf })
    address = await listen(world.application.server, { host: '127.0.0.1', port: 0 })
    await caughtUp(await make(world, VALUE, newValue('R0')))
  })
  afterAll(async () => {
    await world?.stop()
    await replica?.remove()
    await primary?.remove()
  })

  it('answers collections, counts, single records, documents and changes, each with the number that it has', async () => {
    const filed = await make(world, '/v1/documents', documentBody('NOTE', 'replicated'))
    await world.application.texts.settle()
    const last = numberOf(await admin({ method: 'PATCH', url: single('R0'), body: [] }))
    const document = `/v1/documents/${filed.json.id}`
    const urls = [single('R0'), named('R0'), document, `${document}/content`, '/v1/documents', `/v1/changes?since=0`]
    const before = (await readMetrics(world))('replica')
    const reads = [...urls.map((url): Sent => ({ url })), { method: 'HEAD', url: named('R0') } as const]
    for (const sent of reads) {
      const answer = await admin(sent, last)
      expect([sent, answer.status, numberOf(answer) >= last]).toEqual([sent, 200, true])
    }
    expect((await readMetrics(world))('replica') - before).toBeGreaterThanOrEqual(reads.length)
  })

  it('answers what it has while it is behind, and names no newer number', async () => {
    const known = await admin({ url: named('R0', 'R1') })
    using _stopped = stopTime()
    await pause()
    const written = await make(world, VALUE, newValue('R1'))
    const [missing, old, feed] = await Promise.all([
      admin({ url: single('R1') }),
      admin({ url: named('R0', 'R1') }),
      admin({ url: `/v1/changes?since=${numberOf(known)}` }),
    ])
    expect([missing.status, old.text, old.headers.etag]).toEqual([404, known.text, known.headers.etag])
    expect([numberOf(old), numberOf(feed), feed.json.changes]).toEqual([numberOf(known), numberOf(known), []])
    await caughtUp(written)
  })

  it('is waited for by a reader who needs a change', async () => {
    using _stopped = stopTime()
    await pause()
    const before = await readMetrics(world)
    const written = await make(world, VALUE, newValue('R2'))
    const reading = admin({ url: single('R2') }, numberOf(written))
    await new Promise((later) => setTimeout(later, 200))
    await resume()
    const answer = await reading
    const after = await readMetrics(world)
    expect([answer.status, numberOf(answer) >= numberOf(written)]).toEqual([200, true])
    expect([after('replica') > before('replica'), after('behind')]).toEqual([true, before('behind')])
  })

  it('leaves to the primary what is not there within a second: no reader loses what it has written', async () => {
    await pause()
    const before = (await readMetrics(world))('behind')
    const written = await make(world, VALUE, newValue('R3'))
    const least = numberOf(written)
    const since = `/v1/changes?since=${least}`
    const [one, list, count, feed] = await Promise.all([
      admin({ url: single('R3') }, least),
      admin({ url: named('R3') }, least),
      admin({ method: 'HEAD', url: named('R3') }, least),
      // A place that the replica does not have is not taken for one that is gone.
      admin({ url: since }),
    ])
    expect([one.status, one.headers.etag]).toEqual([200, written.headers.etag])
    expect(list.json).toHaveLength(1)
    expect([count.headers['x-erp-total-count'], feed.status, feed.json.changes]).toEqual(['1', 200, []])
    for (const answer of [one, list, count]) expect(numberOf(answer)).toBeGreaterThanOrEqual(least)
    expect((await readMetrics(world))('behind') - before).toBe(4)
    await caughtUp(written)
  })

  it('never brings an older entity tag or cached answer to a reader who needs a change', async () => {
    const url = named('R4')
    const created = await make(world, VALUE, newValue('R4'))
    await caughtUp(created)
    const token = await world.token('admin')
    /** By the network, where cached answers are given ahead of everything else. */
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(address + url, { headers: { authorization: `Bearer ${token}`, ...headers } })
      const description =
        answer.status === 200 ? ((await answer.json()) as { description: string }[])[0]?.description : ''
      return {
        status: answer.status,
        etag: answer.headers.get('etag') ?? '',
        description,
        number: Number(answer.headers.get('x-erp-change-number')),
      }
    }
    for (let time = 0; time < 4; time++) await ask({})
    const old = await ask({})
    await pause()
    const patch = [{ op: 'replace', path: '/description', value: 'newer' }]
    const patched = await admin({
      method: 'PATCH',
      url: single('R4'),
      body: patch,
      headers: { 'if-match': String(created.headers.etag) },
    })
    expect(patched.status).toBe(200)
    // The state on the primary decides, which the replica does not have.
    const headers = { 'if-match': String(patched.headers.etag) }
    const again = await admin({ method: 'PATCH', url: single('R4'), body: [{ ...patch[0], value: 'newest' }], headers })
    expect(again.status).toBe(200)
    const least = { 'min-change': String(numberOf(again)) }
    expect(await ask({})).toEqual(old)
    expect(await ask({ 'if-none-match': old.etag })).toMatchObject({ status: 304, number: old.number })
    const newest = await ask({ ...least, 'if-none-match': old.etag })
    expect(newest).toMatchObject({ status: 200, description: 'newest' })
    expect(newest.number).toBeGreaterThanOrEqual(numberOf(again))
    for (let time = 0; time < 3; time++) expect(await ask(least)).toEqual(newest)
    expect(await ask({ ...least, 'if-none-match': newest.etag })).toMatchObject({ status: 304, number: newest.number })
    await caughtUp(again)
    expect((await ask({})).etag).toBe(newest.etag)
  })

  it('is not asked for the past, which it may not have yet', async () => {
    await pause()
    const written = await make(world, VALUE, newValue('R5'))
    const answers = await Promise.all([
      admin({ url: `${single('R5')}?asOf=${numberOf(written)}` }),
      admin({ url: `${named('R5')}&asOf=${encodeURIComponent(new Date().toISOString())}` }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.json).toHaveLength(1)
    await caughtUp(written)
  })

  it('leaves to the primary what a new setup has made and it does not have yet', async () => {
    await pause()
    const later = readFileSync(SETUP, 'utf8').replace('\ndocuments:', `\ndocuments:${NOVELTIES}`)
    const file = join(world.folder, 'later.yaml')
    writeFileSync(file, later)
    await applySetup(setupTask(world.application.service.store, file, () => {}))
    const ask = () => admin({ url: objects('novelties') })
    await until(async () => (await ask()).status !== 404)
    const { status, json } = await ask()
    expect([status, json]).toEqual([200, []])
    await caughtUp(await make(world, VALUE, newValue('R8')))
  })

  it('tells those who wait for changes of one that it does not have yet', async () => {
    const since = numberOf(await admin({ url: named('R0') }))
    await pause()
    const waiting = admin({ url: `/v1/changes?since=${since}&wait=20` })
    const written = await make(world, VALUE, newValue('R6'))
    const { json } = await waiting
    expect(json.changes.map(({ number }: { number: number }) => number)).toContain(numberOf(written))
    await caughtUp(written)
  })

  it('answers behind poolers of transactions too, and is waited for', async () => {
    const poolers = await Promise.all([primary, replica].map(({ admin }) => TransactionPooler.start(admin)))
    const [database, readDatabase] = poolers.map(
      ({ port }) => Object.assign(new URL(world.databaseUrl()), { port: String(port) }).href,
    )
    const application = await buildApplication({
      data: world.folder,
      database,
      readDatabase,
      isPooled: true,
      basePath: '',
      observe: () => {},
      onFatal: () => {},
    })
    const token = await application.tokens.issue('admin')
    const ask = async ({ method = 'GET', url, body, headers }: Sent) => {
      const sent = { method, url, headers: { authorization: `Bearer ${token}`, ...headers } }
      const answer = await injectInto(
        application.server,
        body === undefined ? sent : { ...sent, payload: body as object },
      )
      return { ...answer, status: answer.statusCode, number: Number(answer.headers['x-erp-change-number']) }
    }
    const count = async (how: string) => {
      const { payload } = await ask({ url: '/metrics' })
      return Number(new RegExp(`^tabularium_replica_reads_total{how="${how}"} (\\d+)`, 'm').exec(payload)?.[1])
    }
    try {
      // Until it is looked where the replica is.
      await until(async () => {
        await ask({ url: single('R0') })
        return (await count('replica')) > 0
      })
      using _stopped = stopTime()
      await pause()
      const written = await ask({ method: 'POST', url: VALUE, body: newValue('R9') })
      expect([written.status, (await ask({ url: single('R9') })).status]).toEqual([201, 404])
      const reading = ask({ url: single('R9'), headers: { 'min-change': String(written.number) } })
      await new Promise((later) => setTimeout(later, 200))
      const before = [await count('replica'), await count('behind')]
      await resume()
      const { status, number } = await reading
      expect([status, number >= written.number]).toEqual([200, true])
      expect([await count('replica'), await count('behind')]).toEqual([(before[0] ?? 0) + 1, before[1]])
      expect(poolers.flatMap(({ violations }) => [...violations])).toEqual([])
    } finally {
      await resume()
      await application.stop(0)
      for (const pooler of poolers) await pooler.stop()
    }
  })

  it('is not needed: while it is down the primary answers, and afterwards it is used again', async () => {
    const written = await make(world, VALUE, newValue('R7'))
    await replica.stopAtOnce()
    for (const url of [single('R7'), named('R7')]) {
      expect([url, ...numberIn(await admin({ url }))]).toEqual([url, 200, numberOf(written)])
    }
    await untilUsed(false)
    const [failed = 0, left = 0] = ['failed', 'left'].map(await readMetrics(world))
    expect(failed + left).toBeGreaterThan(0)
    // Addresses that were not asked for before, so that no cached answer is given.
    expect((await admin({ url: single('R6') })).status).toBe(200)
    expect((await readMetrics(world))('left')).toBe(left + 1)
    await replica.startReplicaAgain()
    await untilUsed(true)
    const before = (await readMetrics(world))('replica')
    expect((await admin({ url: single('R5') }, numberOf(written))).status).toBe(200)
    expect((await readMetrics(world))('replica')).toBe(before + 1)
  })
})
