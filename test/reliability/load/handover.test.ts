// L5: a new process takes over the port while the old one still answers: clients with open connections get no error.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyLocation } from '../../support/data-location.ts'
import { freePort } from '../../support/free-port.ts'
import { LoadClient, type LoadResponse, openLoop, statusesOf } from '../../support/open-loop.ts'
import { kill, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'

const HANDOVERS = triesOf({ short: 2, full: 20 })
const PER_SECOND = triesOf({ short: 100, full: 500 })
const GRACE_SECONDS = 2

describe.runIf(STORE_KINDS.includes('postgres'))('L5 handover on one port', () => {
  const folder = temporaryFolder()
  const running = new Set<Serving>()
  let args: string[] = []

  beforeAll(async () => {
    const { flags } = await emptyLocation('postgres', join(folder.path, 'data'))
    const place = ['--port', String(await freePort()), '--reuse-port', '--shutdown-grace', String(GRACE_SECONDS)]
    args = [...flags, '--setup', SETUP, ...place]
  })
  afterAll(async () => {
    for (const service of running) await kill(service)
    folder.remove()
  })

  const start = async (): Promise<Serving> => {
    const service = await serve(args)
    running.add(service)
    return service
  }

  it(
    'shows no error to clients',
    async () => {
      await reliabilityTest('L5', `handover at ${PER_SECOND} requests a second`, async () => {
        let current = await start()
        const load = new LoadClient(current.address)
        const responses: LoadResponse[] = []
        let isOver = false
        const asking = (async () => {
          const next = () => ({ method: 'GET', path: '/v1/attribute-values/C1/CC100/0' }) as const
          while (!isOver) responses.push(...(await openLoop(load, { perSecond: PER_SECOND, seconds: 1, next })))
        })()
        for (let handover = 0; handover < HANDOVERS; handover++) {
          const old = current
          current = await start()
          old.child.kill('SIGTERM')
          expect((await old.ended).code).toBe(0)
          running.delete(old)
        }
        isOver = true
        await asking
        load.close()
        expect(responses.filter(({ status }) => status !== 200)).toEqual([])
        return `${HANDOVERS} handovers, ${JSON.stringify(statusesOf(responses))}`
      })
    },
    120_000 + HANDOVERS * 20_000,
  )
})
