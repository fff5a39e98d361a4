// L4: the service is restarted repeatedly under load. Clients behave like a load balancer: they poll readiness, send
// nothing new to a process that is not ready, and come back. None of their requests may fail.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { LoadClient, type LoadRequest } from '../../support/open-loop.ts'
import { call, kill, rowsOf, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'

const RESTARTS = triesOf({ long: 2, full: 50 })
const CONNECTIONS = 200
/** Each connection is used several times before the stop. */
const UNDER_LOAD = 5 * CONNECTIONS
/** Some clients keep sending for a while after the service has announced its stop. */
const LINGERING = 2 * CONNECTIONS
const LOOK_EVERY_MS = 50
/** Longer than clients may take on a busy machine: the test ends it when they are gone. */
const GRACE_SECONDS = '600'

describe(`L4 ${RESTARTS} graceful restarts`, () => {
  const folder = temporaryFolder()
  const data = join(folder.path, 'data')
  let service: Serving | undefined
  let count = 0

  afterAll(async () => {
    if (service) await kill(service)
    folder.remove()
  })

  const next = (): LoadRequest =>
    count++ % 4 === 0
      ? { method: 'POST', path: '/v1/attribute-values', body: { attributeId: 'C6', attributeValue: `R${count}` } }
      : { method: 'GET', path: '/v1/attribute-values/C1/CC100/0' }

  /** One run of the service under load, from its start to its exit. */
  async function live(port: number) {
    const place = ['--port', String(port), '--shutdown-grace', GRACE_SECONDS]
    service = await serve(['--data', data, '--setup', SETUP, ...place])
    const load = new LoadClient(service.address)
    // Its secret is checked once: many that wait for that together would be refused on a busy machine.
    const responses = [await load.send(next())]
    let isReady = true
    const clients = Array.from({ length: CONNECTIONS }, async () => {
      while (isReady) responses.push(await load.send(next()))
    })
    while (responses.length < UNDER_LOAD) await look()
    service.child.kill('SIGTERM')
    while ((await call(`${service.address}/health/ready`)).status === 200) await look()
    const marked = responses.length
    while (responses.length < marked + LINGERING) await look()
    isReady = false
    await Promise.all(clients)
    service.child.kill('SIGTERM')
    const { code } = await service.ended
    load.close()
    return { responses, code, late: responses.slice(marked + CONNECTIONS) }
  }

  it(
    'fail no request, lose no write, and say Connection: close',
    async () => {
      await reliabilityTest('L4', `SIGTERM under ${CONNECTIONS} connections`, async () => {
        const port = await freePort()
        const made: string[] = []
        let [requests, lasts] = [0, 0]
        for (let restart = 0; restart < RESTARTS; restart++) {
          const { responses, code, late } = await live(port)
          const failed = responses.filter(({ status }) => status !== 200 && status !== 201)
          expect({ restart, code, failed }).toEqual({ restart, code: 0, failed: [] })
          expect(late.filter(({ isLast }) => !isLast)).toEqual([])
          // All writes are in the database file itself, not in the log.
          const log = join(data, 'tabularium.db-wal')
          expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
          requests += responses.length
          lasts += late.length
          for (const { ask, status } of responses) {
            if (status === 201) made.push((ask.body as { attributeValue: string }).attributeValue)
          }
        }
        const rows = rowsOf(data, "select attribute_value from attribute_value where attribute_value like 'R%'")
        const kept = new Set(rows.map((row) => row.attribute_value))
        expect(made.filter((name) => !kept.has(name))).toEqual([])
        expect(lasts).toBeGreaterThan(0)
        return `${RESTARTS} restarts, ${requests} requests, none failed, ${made.length} writes, none lost, ${lasts} with Connection: close`
      })
    },
    600_000 + RESTARTS * 30_000,
  )
})

const look = () => new Promise((resume) => setTimeout(resume, LOOK_EVERY_MS))
