// D12: bytes of the database or of its log are changed while the service is stopped. The service refuses to start,
// exits with its code for a failed disk, or answers as the contract says; it never crashes, and never loses
// acknowledged writes silently.
import {
  appendFileSync,
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  integrityOf,
  kill,
  run,
  SETUP,
  type ServingHere,
  serve,
  serveHere,
  temporaryFolder,
} from '../../support/process.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'

const DAMAGES = triesOf({ long: 4, full: 200 })
/** The exit code for a failed disk: a supervisor restarts the service. */
const FAILED_DISK = 70
const VALUES = '/v1/attribute-values'
const NAMES = Array.from({ length: 60 }, (_, number) => `W${number}`)
const LOG_HEADER_BYTES = 32
/** The size of a page with its header. */
const FRAME_BYTES = 24 + 4096

const REQUESTS = [
  { path: '/v1/objects/attribute-values?limit=2000' },
  { path: "/v1/objects/attribute-values?filter=attributeId eq 'C6'&orderby=attributeValue desc" },
  { path: '/v1/objects/attribute-relations' },
  { path: '/v1/objects/attributes' },
  { path: '/v1/objects/companies' },
  { path: '/v1/objects/audit-entries?limit=2000' },
  { path: `${VALUES}/C6` },
  { path: `${VALUES}/C6/W7/0` },
  { path: VALUES, method: 'POST', body: valueNamed('NEW') },
  { path: `${VALUES}/C6/W7/0`, method: 'PATCH', body: [{ op: 'replace', path: '/description', value: 'Another' }] },
]
const OF_THE_CONTRACT = new Set([200, 201, 404, 422, 503])

function valueNamed(attributeValue: string) {
  return { attributeId: 'C6', attributeValue, description: `Written as ${attributeValue}` }
}

describe.runIf(STORE_KINDS.includes('sqlite'))('D12 a database with damage', () => {
  const folder = temporaryFolder()
  const whole = join(folder.path, 'whole')
  const random = randomNumbers(SEED)

  beforeAll(async () => {
    // Half of the data is in the file, the other half in the log of a service that was killed.
    const first = await serveHere(['--data', whole, '--setup', SETUP])
    await writeAll(first, NAMES.slice(0, 30))
    await first.stop()
    const second = await serve(['--data', whole])
    await writeAll(second, NAMES.slice(30))
    await kill(second)
  })
  afterAll(() => folder.remove())

  async function writeAll({ address }: Pick<ServingHere, 'address'>, names: readonly string[]): Promise<void> {
    for (const name of names) {
      expect(await call(address + VALUES, { method: 'POST', body: valueNamed(name) })).toMatchObject({ status: 201 })
    }
  }

  it(
    'D12 keeps a service from starting, ends it, or is answered as the contract says',
    async () => {
      await reliabilityTest('D12', 'changed bytes of the database and its log', async () => {
        const tally = { refused: 0, stopped: 0, served: 0 }
        for (let round = 0; round < DAMAGES; round++) {
          const data = join(folder.path, 'damaged')
          cpSync(whole, data, { recursive: true })
          const file = round % 2 === 0 ? 'tabularium.db' : 'tabularium.db-wal'
          const at = Math.floor(random() * statSync(join(data, file)).size)
          change(join(data, file), at, 1 + Math.floor(random() * 64))
          tally[await outcomeOf(data, `${file} at ${at}`, file.endsWith('-wal'))]++
          rmSync(data, { recursive: true })
        }
        const { refused, stopped, served } = tally
        return `${DAMAGES} damages: ${refused} starts refused, ${stopped} services ended, ${served} served`
      })
    },
    600_000 + DAMAGES * 60_000,
  )

  it('D12 keeps a service from starting that would lose acknowledged writes, until it is started with the option to go on', async () => {
    const data = join(folder.path, 'cut')
    cpSync(whole, data, { recursive: true })
    const log = join(data, 'tabularium.db-wal')
    const at = LOG_HEADER_BYTES + 10 * FRAME_BYTES
    change(log, at + 100, 1)
    const started = await run(['serve', '--port', '0', '--data', data])
    expect(started).toMatchObject({ code: 1, stdout: '' })
    expect(started.stderr).toContain(
      `is damaged at byte ${at}: commits behind it were acknowledged and cannot be read.`,
    )
    expect(started.stderr.trim().split('\n')).toHaveLength(1)
    truncateSync(log, at)
    const service = await serveHere(['--data', data])
    expect(await call(`${service.address}${VALUES}/C6/W7/0`)).toMatchObject({ status: 200 })
    expect(await call(`${service.address}${VALUES}/C6/W59/0`)).toMatchObject({ status: 404 })
    await service.stop()
  })

  it('D12 ignores the torn end of a log', async () => {
    const data = join(folder.path, 'torn')
    cpSync(whole, data, { recursive: true })
    truncateSync(join(data, 'tabularium.db-wal'), statSync(join(data, 'tabularium.db-wal')).size - 1_000)
    const service = await serveHere(['--data', data])
    expect(await call(`${service.address}${VALUES}/C6/W58/0`)).toMatchObject({ status: 200 })
    await service.stop()
    expect(integrityOf(data)).toBe('ok')
  })

  it('D12 ignores what writes that were killed left behind the end of a log', async () => {
    const data = join(folder.path, 'killed')
    cpSync(whole, data, { recursive: true })
    const log = join(data, 'tabularium.db-wal')
    const last = readFileSync(log).subarray(-FRAME_BYTES)
    // Three kills leave such frames: of the current generation, one with the mark of a commit, none a whole commit.
    const leftover = (databasePages: number) => {
      const frame = Buffer.from(last)
      frame.writeUInt32BE(databasePages, 4)
      return frame
    }
    appendFileSync(log, Buffer.concat([leftover(0), leftover(60), leftover(0)]))
    const service = await serveHere(['--data', data])
    expect(await call(`${service.address}${VALUES}/C6/W59/0`)).toMatchObject({ status: 200 })
    await service.stop()
    expect(integrityOf(data)).toBe('ok')
  })

  /** Changes bytes of a file. */
  function change(file: string, at: number, length: number): void {
    const handle = openSync(file, 'r+')
    const bytes = Buffer.alloc(length)
    const read = readSync(handle, bytes, 0, length, at)
    for (const [index, byte] of bytes.entries()) bytes[index] = byte ^ (1 + Math.floor(random() * 255))
    writeSync(handle, bytes, 0, read, at)
    closeSync(handle)
  }

  async function outcomeOf(data: string, what: string, isLog: boolean): Promise<'refused' | 'stopped' | 'served'> {
    const flags = ['--data', data, '--shutdown-grace', '0']
    const service = await serve(flags).catch((error: Error) => error)
    if (service instanceof Error) {
      expect({ what, reported: service.message }).toEqual({
        what,
        reported: expect.stringMatching(/ended with (1|70) [^\n]*\n?$/),
      })
      return 'refused'
    }
    let lost: string[] = []
    for (const request of REQUESTS) {
      // The service may have exited: then there is no answer.
      const answer = await call(service.address + request.path, request).catch(() => undefined)
      if (answer === undefined) break
      expect({ what, request, isKnown: OF_THE_CONTRACT.has(answer.status) }).toMatchObject({ isKnown: true })
      expect(answer.text).not.toMatch(/malformed|not a database|SQLITE|tabularium\.db/)
      const body: unknown = JSON.parse(answer.text)
      if (request === REQUESTS[1] && answer.status === 200) {
        const there = new Set((body as { attributeValue: string }[]).map(({ attributeValue }) => attributeValue))
        lost = NAMES.filter((name) => !there.has(name))
      }
    }
    service.child.kill('SIGTERM')
    const { code } = await service.ended
    // The last commit may not have been acknowledged.
    if (isLog) expect({ what, lost: lost.slice(0, -1) }).toEqual({ what, lost: [] })
    expect({ what, code }).toEqual({ what, code: expect.toBeOneOf([0, FAILED_DISK]) })
    return code === 0 ? 'served' : 'stopped'
  }
})
