// L3: one client sends ten times as much as all others together: it is rate-limited, and the others are not affected.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LoadClient, type LoadRequest, openLoop, percentile, statusesOf } from '../../support/open-loop.ts'
import { kill, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { CLIENT_SECRET } from '../../support/world.ts'

const SECONDS = triesOf({ long: 3, full: 30 })
const NORMAL_CLIENTS = 20
/** The rate of each normal client; the greedy one sends ten times that of all of them. */
const PER_SECOND = 3
const GREED = 10
/** Requests a minute: above what a normal client sends in a run, far below what the greedy one sends. */
const LIMIT = PER_SECOND * 60 * 2
const MOST_TIMES_SLOWER = 2

/** The fixture with more clients of the same user, each rate-limited separately. */
function setupWithClients(folder: string): string {
  const names = [...Array.from({ length: NORMAL_CLIENTS }, (_, at) => `normal${at}`), 'greedy']
  const clients = names.map((id) => `  - { id: ${id}, user: svc-integration, secretEnv: TEST_CLIENT_SECRET }\n`)
  const file = join(folder, 'setup.yaml')
  writeFileSync(
    file,
    readFileSync(SETUP, 'utf8').replace(/^clients:\n/m, (head) => head + clients.join('')),
  )
  return file
}

const askAs = (client: string): LoadRequest => ({
  method: 'GET',
  path: '/v1/attribute-values/C1/CC100/0',
  authorization: `Basic ${Buffer.from(`${client}:${CLIENT_SECRET}`).toString('base64')}`,
})

describe('L3 a greedy client', () => {
  const folder = temporaryFolder()
  let service: Serving
  let load: LoadClient

  beforeAll(async () => {
    const args = ['--data', join(folder.path, 'data'), '--setup', setupWithClients(folder.path)]
    service = await serve([...args, '--rate-requests', String(LIMIT)])
    load = new LoadClient(service.address)
  })
  afterAll(async () => {
    load.close()
    await kill(service)
    folder.remove()
  })

  it('gets 429 and Retry-After, and the others are answered as if it were absent', async () => {
    await reliabilityTest('L3', `one client ${GREED} times as busy as ${NORMAL_CLIENTS} others together`, async () => {
      let turn = 0
      const normal = {
        perSecond: PER_SECOND * NORMAL_CLIENTS,
        seconds: SECONDS,
        next: () => askAs(`normal${turn++ % NORMAL_CLIENTS}`),
      }
      await openLoop(load, { ...normal, seconds: 1 })
      const alone = await openLoop(load, normal)
      const greed = { ...normal, perSecond: normal.perSecond * GREED, next: () => askAs('greedy') }
      const [beside, greedy] = await Promise.all([openLoop(load, normal), openLoop(load, greed)])

      expect([...alone, ...beside, ...greedy].filter(({ status }) => status === 0).slice(0, 5)).toEqual([])
      expect(statusesOf([...alone, ...beside])).toEqual({ 200: alone.length + beside.length })
      expect(new Set(greedy.map(({ status }) => status))).toEqual(new Set([200, 429]))
      expect(greedy.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(LIMIT)
      for (const { status, retryAfter } of greedy) if (status === 429) expect(Number(retryAfter)).toBeGreaterThan(0)
      const times = percentile(beside, 0.99) / percentile(alone, 0.99)
      if (IS_FULL) expect(times).toBeLessThan(MOST_TIMES_SLOWER)
      return [
        `others' p99 ${percentile(alone, 0.99).toFixed(1)} ms alone, ${percentile(beside, 0.99).toFixed(1)} ms beside it (${times.toFixed(2)} times)`,
        `greedy ${JSON.stringify(statusesOf(greedy))}`,
      ].join(', ')
    })
  })
})
