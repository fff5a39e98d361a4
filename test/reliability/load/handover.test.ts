// L5: a new process takes over the port while the old one still answers: clients with open connections get no error.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyLocation } from '../../support/data-location.ts'
import { freePort } from '../../support/free-port.ts'
import { LoadClient, type LoadResponse, statusesOf } from '../../support/open-loop.ts'
import { kill, SETUP, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'

const HANDOVERS = triesOf({ long: 2, full: 20 })
const CLIENTS = triesOf({ long: 10, full: 100 })
/** Longer than clients may take on a busy machine: the test ends it when all of them are with the new process. */
const GRACE_SECONDS = 600
const PAUSE_MS = 20
const ASK = { method: 'GET', path: '/v1/attribute-values/C1/CC100/0' } as const

/** A client with one connection, which sends a request after the other, with pauses. */
class Client {
  readonly responses: LoadResponse[] = []
  readonly #load: LoadClient
  readonly #asking: Promise<void>
  #isOver = false

  constructor(address: string) {
    this.#load = new LoadClient(address, 1)
    this.#asking = this.#ask()
  }

  async #ask(): Promise<void> {
    while (!this.#isOver) {
      this.responses.push(await this.#load.send(ASK))
      await pause()
    }
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#asking
    this.#load.close()
  }
}

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
      await reliabilityTest('L5', `handover under ${CLIENTS} clients`, async () => {
        let current = await start()
        const clients = Array.from({ length: CLIENTS }, () => new Client(current.address))
        for (let handover = 0; handover < HANDOVERS; handover++) {
          const old = current
          const witness = new Client(old.address)
          await until(() => witness.responses.length > 0)
          current = await start()
          old.child.kill('SIGTERM')
          await until(() => witness.responses.some(({ isLast }) => isLast))
          await witness.end()
          // The process that stops closes each connection with its next answer; one answer may have been under way.
          const before = clients.map(({ responses }) => responses.length)
          const hasMoved = ({ responses }: Client, at: number) =>
            responses.length >= (before[at] ?? 0) + 2 && responses.at(-1)?.isLast === false
          await until(() => clients.every(hasMoved))
          old.child.kill('SIGTERM')
          expect((await old.ended).code).toBe(0)
          running.delete(old)
        }
        await Promise.all(clients.map((client) => client.end()))
        const responses = clients.flatMap((client) => client.responses)
        expect(responses.filter(({ status }) => status !== 200)).toEqual([])
        return `${HANDOVERS} handovers, ${JSON.stringify(statusesOf(responses))}`
      })
    },
    600_000 + HANDOVERS * 20_000,
  )
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause()
}

const pause = () => new Promise((resume) => setTimeout(resume, PAUSE_MS))
