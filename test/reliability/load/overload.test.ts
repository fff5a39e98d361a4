// L2: ten times the capacity: the service works near its capacity, rejects the rest at once, and answers accepted
// requests fast.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyLocation } from '../../support/data-location.ts'
import { closedLoop, LoadClient, type LoadResponse, openLoop, percentile, statusesOf } from '../../support/open-loop.ts'
import { call, kill, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { CLIENT_SECRET, FEWER_KINDS } from '../../support/world.ts'

const SECONDS = triesOf({ long: 2, full: 30 })
const OVERLOAD = 10
/** The limit of the load generator, which shares the cores with the service. */
const MOST_PER_SECOND = 2_000
/** Terms of the filter: some milliseconds of work, so that ten times the capacity can be generated at all. */
const TERMS = 100
/** So many are scanned for each question, on SQLite in a reader: most are refused because too many are in flight. */
const RECORDS = 1_900
const WRITE_SHARE = 0.1
const CLIENTS = 32
/** The purpose of admission control: accepted requests are answered soon. */
const MOST_P99_MS = 1_000
const LEAST_GOODPUT = 0.8
const HEALTH_EVERY_MS = 100

describe.each(FEWER_KINDS)('L2 overload on %s', (kind) => {
  const folder = temporaryFolder()
  let service: Serving
  let load: LoadClient
  let authorization = ''
  let writes = 0

  const random = randomNumbers(SEED)
  // Expensive for the service and cheap for the client: it scans all records of the company and returns none.
  const words = Array.from({ length: TERMS }, (_, at) => `contains(description,'w${at}')`)
  const filter = encodeURIComponent(words.join(' or '))
  let reads = 0
  // Each query is different: a cached one would cost next to nothing.
  const list = () => ({
    method: 'GET' as const,
    path: `/v1/objects/attribute-values?$filter=${filter}&question=${reads++}`,
  })
  const post = (companyId: string, attributeId: string) => ({
    method: 'POST' as const,
    path: '/v1/attribute-values',
    body: { companyId, attributeId, attributeValue: `L${writes++}`, description: 'under load' },
  })
  const next = () => ({ ...(random() < WRITE_SHARE ? post('SV', 'C1') : list()), authorization })

  beforeAll(async () => {
    const { flags } = await emptyLocation(kind, join(folder.path, 'data'))
    // The default; other tests switch admission control off.
    service = await serve([...flags, '--setup', SETUP], { environment: { TABULARIUM_OVERLOAD_DELAY: '500' } })
    load = new LoadClient(service.address)
    authorization = await tokenOf(service.address)
    for (let at = 0; at < RECORDS; at++) await load.send({ ...post('EN', 'C6'), authorization })
    await load.open()
  })
  afterAll(async () => {
    load.close()
    await kill(service)
    folder.remove()
  })

  it(
    `rejects early with 503 and Retry-After, accepts what it can handle, loses nothing, stays healthy`,
    async () => {
      await reliabilityTest('L2', `up to ${OVERLOAD} times the capacity on ${kind}`, async () => {
        const { perSecond, responses: alone } = await closedLoop(load, CLIENTS, SECONDS, next)
        const usual = await openLoop(load, { perSecond: perSecond * 0.7, seconds: SECONDS, next })
        const health = watchHealth(service.address)
        const begun = performance.now()
        const asked = Math.min(perSecond * OVERLOAD, MOST_PER_SECOND)
        const over = await openLoop(load, { perSecond: asked, seconds: SECONDS, next })
        const seconds = (performance.now() - begun) / 1000
        const unhealthy = await health.stop()
        const after = await openLoop(load, { perSecond: perSecond * 0.7, seconds: SECONDS, next })

        const accepted = over.filter(({ status }) => status === 200 || status === 201)
        const goodput = accepted.length / seconds / perSecond
        const p99 = percentile(over, 0.99, [200, 201])
        expect(over.filter(({ status }) => status === 0).slice(0, 5)).toEqual([])
        // A tenth are writes: of the few accepted requests there may be none meanwhile, but there are some afterwards.
        expect(new Set([...over, ...after].map(({ status }) => status))).toEqual(new Set([200, 201, 503]))
        expect(accepted.length).toBeGreaterThan(0)
        for (const { status, retryAfter } of over) if (status === 503) expect(retryAfter).toMatch(/^\d+$/)
        expect(unhealthy.failed).toEqual([])
        expect(await lost(service.address, authorization, [...alone, ...usual, ...over, ...after])).toEqual([])
        if (IS_FULL) {
          expect(p99).toBeLessThan(MOST_P99_MS)
          expect(goodput).toBeGreaterThan(LEAST_GOODPUT)
        }
        return [
          `capacity ${perSecond.toFixed(0)}/s, asked ${asked.toFixed(0)}/s`,
          `goodput ${(goodput * 100).toFixed(0)} %`,
          `accepted p99 ${p99.toFixed(0)} ms (at 70 %: ${percentile(usual, 0.99).toFixed(0)} ms, after: ${percentile(after, 0.99).toFixed(0)} ms)`,
          `refused p50 ${percentile(over, 0.5, [503]).toFixed(0)} ms, p99 ${percentile(over, 0.99, [503]).toFixed(0)} ms`,
          `health at most ${unhealthy.most.toFixed(0)} ms`,
          `most memory ${peakMegabytes(service)} MB`,
          JSON.stringify(statusesOf(over)),
        ].join(', ')
      })
    },
    600_000 + SECONDS * 30_000,
  )
})

/** Busy clients use tokens: Basic costs more with each request. */
async function tokenOf(address: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'both', client_secret: CLIENT_SECRET }
  const answer = await fetch(`${address}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token } = (await answer.json()) as { access_token: string }
  return `Bearer ${access_token}`
}

/** Acknowledged values that are missing. */
async function lost(address: string, authorization: string, responses: readonly LoadResponse[]): Promise<string[]> {
  const made = responses.filter(({ status }) => status === 201).map(({ ask }) => ask.body as { attributeValue: string })
  const names = new Set<string>()
  const path = `/v1/objects/attribute-values?companyId=SV&$select=attributeValue&$filter=attributeId%20eq%20'C1'`
  const { text } = await call(address + path, { authorization })
  for (const { attributeValue } of JSON.parse(text) as { attributeValue: string }[]) names.add(attributeValue)
  return made.map(({ attributeValue }) => attributeValue).filter((name) => !names.has(name))
}

function watchHealth(address: string) {
  const failed: string[] = []
  let most = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const begun = performance.now()
      const { status } = await call(`${address}/health/ready`).catch(() => ({ status: 0 }))
      most = Math.max(most, performance.now() - begun)
      if (status !== 200) failed.push(`${status}`)
      await new Promise((resume) => setTimeout(resume, HEALTH_EVERY_MS))
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await watching
      return { failed, most }
    },
  }
}

function peakMegabytes({ child }: Serving): string {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return (Number(kilobytes) / 1024).toFixed(0)
}
