// D16: `--checkpoint off` leaves the log of the database to Litestream, and what Litestream has copied is restored whole.
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, type Folder, kill, rowsOf, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'
import { dataOf, isLitestreamInstalled, Litestream, type Machine, restoreReplica } from './replica/litestream.ts'

const VALUES = '/v1/attribute-values'
const CLIENTS = 8
const WRITES = triesOf({ long: 150, full: 5_000 })
const KILLS = triesOf({ long: 1, full: 10 })
/** More pages than after which the service itself would copy the log into the file. */
const MANY_PAGES = 1_100
const PAGE_BYTES = 4_096

const SETUP = 'test/fixtures/crash.yaml'
const USUAL = ['--setup', SETUP, '--shutdown-grace', '0']
const LEFT = [...USUAL, '--checkpoint', 'off']
const SETUP_INDEXES = "select name from sqlite_schema where name like 'setup\\_index%' escape '\\'"

/** An acknowledged write: the number of its change, and when it was acknowledged. */
interface Acknowledged {
  readonly value: string
  readonly number: number
  readonly at: number
}

async function write({ address }: Serving, value: string): Promise<Acknowledged> {
  const body = { attributeId: 'C1', attributeValue: value, description: value.padEnd(60, '.') }
  const { status, headers, text } = await call(address + VALUES, { method: 'POST', body })
  expect({ status, text: status === 201 ? '' : text }).toEqual({ status: 201, text: '' })
  return { value, number: Number(headers.get('etag')?.replaceAll('"', '')), at: performance.now() }
}

/** Clients that write one value after the other until the service does not answer any more. */
function startClients(service: Serving, name: string) {
  const acknowledged: Acknowledged[] = []
  const client = async (no: number) => {
    for (let count = 0; ; count++) {
      try {
        acknowledged.push(await write(service, `${name}C${no}W${count}`))
      } catch (error) {
        if (error instanceof TypeError) return
        throw error
      }
    }
  }
  const ended = Promise.all(Array.from({ length: CLIENTS }, (_client, no) => client(no)))
  return { acknowledged, ended }
}

const storedValues = (data: string) =>
  new Set(rowsOf(data, "select attribute_value as v from attribute_value where attribute_id = 'C1'").map(({ v }) => v))

describe.runIf(STORE_KINDS.includes('sqlite'))('D16 a service that leaves the log of its database alone', () => {
  let folder: Folder
  let data: string
  let service: Serving | undefined
  beforeEach(() => {
    folder = temporaryFolder()
    data = join(folder.path, 'data')
  })
  afterEach(async () => {
    if (service) await kill(service)
    folder.remove()
  })
  const file = (end = '') => join(data, `tabularium.db${end}`)

  it('D16 copies nothing of it into the file, neither under writes nor for an index nor at its end', {
    timeout: 180_000,
  }, async () => {
    const setup = join(folder.path, 'indexed.yaml')
    writeFileSync(setup, `${readFileSync(SETUP, 'utf8')}indexes: { customers: [[payment/bankAccount]] }\n`)
    service = await serve(['--data', data, ...LEFT, '--setup', setup])
    // The last connection that is closed copies the log: that is Litestream's.
    const other = new DatabaseSync(file(), { readOnly: true })
    other.prepare('select count(*) from customer').get()
    const running = service
    for (let round = 0; statSync(file('-wal')).size < MANY_PAGES * PAGE_BYTES; round++) {
      await Promise.all(Array.from({ length: CLIENTS }, (_, no) => write(running, `R${round}N${no}`)))
    }
    await vi.waitFor(() => expect(rowsOf(data, SETUP_INDEXES)).toHaveLength(1), { timeout: 120_000, interval: 100 })
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
    // The first page has been there since the file was created.
    expect(statSync(file()).size).toBe(PAGE_BYTES)
    expect(statSync(file('-wal')).size).toBeGreaterThan(MANY_PAGES * PAGE_BYTES)
    expect(storedValues(data)).toContain('R0N0')
    other.close()
  })

  it('D16 copies it as ever without the setting', async () => {
    service = await serve(['--data', data, ...USUAL])
    const running = service
    const before = statSync(file()).size
    for (let round = 0; statSync(file()).size === before; round++) {
      await Promise.all(Array.from({ length: CLIENTS }, (_, no) => write(running, `R${round}N${no}`)))
    }
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
    expect(existsSync(file('-wal'))).toBe(false)
  })

  if (!isLitestreamInstalled) console.info('D16 Litestream is not installed here: its restore is not tested')
  it.runIf(isLitestreamInstalled)(
    'D16 is restored by Litestream after its machine was lost: all but the newest writes, in their order',
    { timeout: 120_000 + KILLS * 180_000 },
    async () => {
      await reliabilityTest('D16', 'a replica of Litestream has all writes but those of its last second', async () => {
        const lost: string[] = []
        for (let round = 0; round < KILLS; round++) lost.push(await loseMachine(round))
        return lost.join('; ')
      })
    },
  )

  /** Returns what was lost. */
  async function loseMachine(round: number): Promise<string> {
    const machine = { folder: join(folder.path, `lost-${round}`), replica: join(folder.path, `replica-${round}`) }
    const flags = ['--data', dataOf(machine), ...LEFT]
    service = await serve(flags)
    const litestream = new Litestream(machine)
    try {
      const early = [await write(service, 'EARLY')]
      await vi.waitFor(() => expect(keptIn(machine)).toContain('EARLY'), { timeout: 60_000, interval: 500 })
      // Litestream goes on while the service is replaced.
      service.child.kill('SIGTERM')
      expect((await service.ended).code).toBe(0)
      service = await serve(flags)
      const { acknowledged, ended } = startClients(service, `K${round}`)
      // A client that was refused ends the test at once.
      await Promise.race([ended, vi.waitUntil(() => acknowledged.length >= WRITES, { timeout: 120_000, interval: 20 })])
      const killedAt = performance.now()
      await Promise.all([kill(service), litestream.kill()])
      await ended
      return await expectPrefix(machine, [...early, ...acknowledged], killedAt)
    } finally {
      await litestream.kill()
    }
  }

  /** What is lost is the end of the log: no write is missing before one that is there. */
  async function expectPrefix(machine: Machine, all: readonly Acknowledged[], killedAt: number): Promise<string> {
    const restored = restore(machine)
    const kept = storedValues(restored)
    const [counter] = rowsOf(restored, "select last_entry from journal_counter where company_id = 'EN'")
    const head = Number(counter?.last_entry)
    for (const { value, number } of all) {
      expect({ value, number, isKept: kept.has(value) }).toEqual({ value, number, isKept: number <= head })
    }
    service = await serve(['--data', restored, ...LEFT])
    await write(service, 'AFTER')
    await kill(service)
    const lost = all.filter(({ number }) => number > head)
    const windowMs = Math.max(0, ...lost.map(({ at }) => killedAt - at))
    return `${lost.length} of ${all.length} lost, acknowledged in the last ${Math.round(windowMs)} ms`
  }

  const keptIn = (machine: Machine) => storedValues(restore(machine))

  /** Restores a replica on another machine, and returns its data folder. */
  function restore({ replica }: Machine): string {
    const other = { folder: mkdtempSync(join(folder.path, 'other-')), replica }
    restoreReplica(other)
    return dataOf(other)
  }
})
