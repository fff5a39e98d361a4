// Several processes on one port and one store: what one writes the others answer, one that dies is replaced, and all
// stop in good order.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import {
  call,
  type Folder,
  inUseLine,
  kill,
  rowsOf,
  run,
  runProcess,
  SETUP,
  type Serving,
  serve,
  temporaryFolder,
} from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'
import { eventually } from '../support/uploads.ts'

const VALUES = '/v1/attribute-values'
const flagsOf = (folder: Folder) => ['--data', folder.path, '--setup', SETUP, '--workers', '3']

/** The processes that serve. */
async function workersOf({ child }: Serving): Promise<number[]> {
  const { readFileSync } = await import('node:fs')
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

const body = (attributeValue: string) => ({ attributeId: 'C6', attributeValue, description: 'of several' })

describe('serve --workers 3', () => {
  const folder = temporaryFolder()
  let service: Serving

  beforeAll(async () => {
    // When all of them have ended, they come back at this one.
    service = await serve([...flagsOf(folder), '--port', String(await freePort())])
  })
  afterAll(async () => {
    await kill(service)
    folder.remove()
  })

  it('prints its address once, writes from every process into one store, and numbers without gaps or duplicates', async () => {
    expect(await workersOf(service)).toHaveLength(3)
    const writes = Array.from({ length: 60 }, (_, at) =>
      call(service.address + VALUES, { method: 'POST', body: body(`W${at}`) }),
    )
    const numbered = Array.from({ length: 30 }, () =>
      call(service.address + VALUES, { method: 'POST', body: { attributeId: 'C5', description: 'numbered' } }),
    )
    const answers = await Promise.all([...writes, ...numbered])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const numbers = answers.slice(60).map(({ text }) => Number(JSON.parse(text).attributeValue.slice(1)))
    expect(numbers.sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, at) => 5000 + at))
    const entries = rowsOf(
      folder.path,
      "select count(*) as n, count(distinct entry_no) as d from audit_entry where company_id = 'EN'",
    )
    expect(entries[0]?.n).toBe(entries[0]?.d)
    for (let time = 0; time < 12; time++) {
      expect((await call(`${service.address}${VALUES}/C6/W7/0`)).status).toBe(200)
    }
  })

  it('reports the metrics of all processes, whichever answers', async () => {
    for (let time = 0; time < 30; time++) await call(`${service.address}${VALUES}/C6/none/0`)
    const counted = /http_requests_total\{method="GET",route="[^"]*attribute-values[^"]*",status="404"\} (\d+)/
    for (let time = 0; time < 4; time++) {
      const { status, text } = await call(`${service.address}/metrics`)
      expect([status, counted.exec(text)?.[1]]).toEqual([200, '30'])
    }
  })

  longIt('counts wrong secrets together', async () => {
    const guess = async (at: number): Promise<number> => {
      const authorization = `Basic ${btoa(`reader:wrong ${at}`)}`
      // A connection of its own each: any of the processes may get it.
      const headers = { authorization, connection: 'close' }
      return (await fetch(`${service.address}${VALUES}/C1/CC100/0`, { headers })).status
    }
    const statuses: number[] = []
    for (let at = 0; at < 36; at += 3) statuses.push(...(await Promise.all([0, 1, 2].map((one) => guess(at + one)))))
    expect(statuses.filter((status) => status === 401)).toHaveLength(30)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
  })

  it('refuses a second service on the data folder, and a wrong number in one line', async () => {
    const second = await run(['serve', '--port', '0', '--data', folder.path])
    expect([second.code, second.stderr]).toEqual([1, inUseLine(folder.path, service)])
    const wrong = await run(['serve', '--workers', '0'])
    expect([wrong.code, wrong.stderr.split('\n').length]).toEqual([2, 2])
  })

  it('ends with one line when no process can serve', async () => {
    const port = new URL(service.address).port
    const other = temporaryFolder()
    const ended = await runProcess(['serve', '--port', port, ...flagsOf(other)])
    other.remove()
    expect(ended.code).toBe(1)
    expect(ended.stdout).toBe('')
  })

  it('have one of them delete what has expired, and another one when that is gone', async () => {
    const database = new DatabaseSync(join(folder.path, 'tabularium.db'), { timeout: 10_000 })
    database.exec(`insert into kept_answer (company_id, client_id, repeat_key, fingerprint, answer, at)
      values ('EN', 'integration', 'expired', 'f', '{}', '2020-01-01T00:00:00.000Z')`)
    database.close()
    for (const id of await workersOf(service)) process.kill(id, 'SIGKILL')
    const kept = () => rowsOf(folder.path, "select count(*) as n from kept_answer where repeat_key = 'expired'")[0]?.n
    await expect.poll(kept, { timeout: 120_000 }).toBe(0)
    await expect.poll(() => workersOf(service).then(({ length }) => length), { timeout: 120_000 }).toBe(3)
  })

  it('goes on while one of them is killed, replaces it, and reports metrics again', async () => {
    const [first] = await workersOf(service)
    process.kill(first ?? 0, 'SIGKILL')
    await expect
      .poll(async () => (await workersOf(service)).filter((id) => id !== first).length, { timeout: 120_000 })
      .toBe(3)
    await expect
      .poll(() => call(`${service.address}/metrics`).then(({ text }) => text.includes('http_requests_total'), String), {
        timeout: 120_000,
      })
      .toBe(true)
    for (let time = 0; time < 6; time++) expect((await call(`${service.address}/health/ready`)).status).toBe(200)
  })
})

longIt('serve --workers 3 serves everybody to the end of its grace, and stops with exit code 0', async () => {
  const folder = temporaryFolder()
  const service = await serve([...flagsOf(folder), '--shutdown-grace', '2'])
  let isOver = false
  let graceEnds = Number.POSITIVE_INFINITY
  let answered = 0
  const failed: string[] = []
  const clients = Array.from({ length: 8 }, async () => {
    while (!isOver && performance.now() < graceEnds) {
      const outcome = await call(`${service.address}${VALUES}/C1/CC100/0`).then(
        ({ status }) => String(status),
        (error: { cause?: unknown }) => String(error.cause ?? error),
      )
      answered += 1
      // Requests after the grace period may be refused.
      if (outcome !== '200' && performance.now() < graceEnds) failed.push(outcome)
    }
  })
  await eventually(() => answered >= 50)
  graceEnds = performance.now() + 1_900
  service.child.kill('SIGTERM')
  const { code } = await service.ended
  isOver = true
  await Promise.all(clients)
  expect({ code, failed }).toEqual({ code: 0, failed: [] })
  folder.remove()
})
