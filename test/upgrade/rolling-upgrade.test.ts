// Two servers of the version before are replaced by two of this one under load. The clients act as behind a balancer:
// they send nothing new to a server that is not ready, and repeat only what was answered 503 with Retry-After.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataLocation, emptyLocation } from '../support/data-location.ts'
import { LoadClient, type LoadRequest, type LoadResponse } from '../support/open-loop.ts'
import { call, credentials, kill, SETUP, type Serving, serve, temporaryFolder } from '../support/process.ts'
import { reliabilityTest, triesOf } from '../support/reliability-test.ts'
import { STORE_KINDS } from '../support/world.ts'
import { type PreviousProgram, previousProgram } from './previous-program.ts'

const ROUNDS = triesOf({ long: 1, full: 10 })
const CLIENTS = 12
const GRACE = ['--shutdown-grace', '1']
const LOOK_EVERY_MS = 50
const PAUSE_MS = 5

/** A server with what the clients know of it. */
interface Target {
  readonly service: Serving
  readonly load: LoadClient
  isReady: boolean
}

describe.runIf(STORE_KINDS.includes('postgres'))('D17 a rolling upgrade on PostgreSQL', () => {
  const folder = temporaryFolder()
  const targets = new Set<Target>()
  const answered: LoadResponse[] = []
  let previous: PreviousProgram
  let place: DataLocation
  let authorization = ''
  let isOver = false
  let count = 0

  beforeAll(async () => {
    previous = await previousProgram()
    place = await emptyLocation('postgres', join(folder.path, 'data'))
  })
  afterAll(async () => {
    isOver = true
    for (const { service, load } of targets) {
      load.close()
      await kill(service)
    }
    folder.remove()
  })

  async function add(program: Partial<PreviousProgram>, ...flags: string[]): Promise<Target> {
    const service = await serve([...place.flags, ...GRACE, ...flags], program)
    const target = { service, load: new LoadClient(service.address), isReady: true }
    targets.add(target)
    void watch(target)
    return target
  }

  /** As a balancer does: a server that says that it is not ready gets no further request. */
  async function watch(target: Target): Promise<void> {
    while (target.isReady && !isOver) {
      target.isReady = (await call(`${target.service.address}/health/ready`)).status === 200
      await pause(LOOK_EVERY_MS)
    }
  }

  async function remove(target: Target): Promise<void> {
    target.service.child.kill('SIGTERM')
    expect(await target.service.ended).toMatchObject({ code: 0 })
    target.load.close()
    targets.delete(target)
  }

  const next = (): LoadRequest =>
    count++ % 3 === 0
      ? { method: 'POST', path: '/v1/attribute-values', body: { attributeId: 'C6', attributeValue: `R${count}` } }
      : { method: 'GET', path: '/v1/objects/attribute-values?limit=20' }

  async function client(): Promise<void> {
    while (!isOver) {
      await send({ ...next(), authorization })
      await pause(PAUSE_MS)
    }
  }

  async function send(request: LoadRequest): Promise<void> {
    for (;;) {
      const ready = [...targets].filter(({ isReady }) => isReady)
      const target = ready[count % ready.length]
      const response = await target!.load.send(request)
      answered.push(response)
      if (!isDocumented(response)) return
    }
  }

  it(
    'D17 fails no request and loses no write',
    async () => {
      await reliabilityTest('D17', 'two servers of the version before are replaced under load', async () => {
        let running = [await add(previous, '--setup', SETUP), await add(previous)]
        authorization = await tokenOf(running[0]!.service.address)
        const clients = Array.from({ length: CLIENTS }, client)
        for (let round = 0; round < ROUNDS; round++) {
          const program = round % 2 === 0 ? {} : previous
          const replacing: Target[] = []
          for (const old of running) {
            replacing.push(await add(program))
            await remove(old)
          }
          running = replacing
        }
        const before = answered.length
        await expect.poll(() => answered.length).toBeGreaterThan(before + CLIENTS)
        isOver = true
        await Promise.all(clients)

        const failed = answered.filter((one) => one.status !== 200 && one.status !== 201 && !isDocumented(one))
        expect(failed).toEqual([])
        const made = answered.filter(({ status }) => status === 201)
        expect(made.length).toBeGreaterThan(CLIENTS)
        const rows = await place.query("select attribute_value from attribute_value where attribute_value like 'R%'")
        expect(rows.map((row) => row.attribute_value).sort()).toEqual(
          made.map(({ ask }) => (ask.body as { attributeValue: string }).attributeValue).sort(),
        )
        const repeated = answered.filter(isDocumented).length
        const closing = answered.filter(({ isLast }) => isLast).length
        return `${ROUNDS} rounds, ${answered.length} requests, ${repeated} answered 503, ${closing} with Connection: close, none failed, ${made.length} writes, none lost`
      })
    },
    120_000 + ROUNDS * 60_000,
  )
})

const isDocumented = ({ status, retryAfter }: LoadResponse): boolean => status === 503 && retryAfter !== undefined

async function tokenOf(address: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials' })
  const answer = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    headers: { authorization: credentials },
    body,
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return `Bearer ${access_token}`
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
