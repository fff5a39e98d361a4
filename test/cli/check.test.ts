// Integrity of the database: the `check` command, and the start of a service after a clean or unclean shutdown.
import { cpSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { breakPage, changeLetter } from '../support/damage.ts'
import { locationsWith } from '../support/initialized-location.ts'
import {
  call,
  type Ended,
  type Folder,
  kill,
  linesOf,
  run,
  SETUP,
  type Serving,
  serve,
  serveHere,
  temporaryFolder,
} from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'
import { asSuperuser, newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const VALUES = '/v1/attribute-values'
/** No grace period for a load balancer. */
const AT_ONCE = ['--shutdown-grace', '0']

const PATIENCE = { timeout: 120_000, interval: 100 }

async function stopped(service: Serving): Promise<Ended> {
  service.child.kill('SIGTERM')
  return service.ended
}

describe('check on SQLite', () => {
  const placeIn = locationsWith('sqlite', readFileSync(SETUP, 'utf8'))
  let folder: Folder
  let file: string
  const check = (...more: readonly string[]) => run(['check', '--data', folder.path, ...more])

  beforeEach(async () => {
    folder = temporaryFolder()
    file = join(folder.path, 'tabularium.db')
    await placeIn(folder.path)
    const sql = new DatabaseSync(file)
    sql.exec(`insert into customer (company_id, customer_id, customer_name) values ('EN', '1', 'Zephyr Unlike AS')`)
    sql.exec('pragma wal_checkpoint(truncate)')
    sql.close()
  })
  afterEach(() => folder.remove())

  it('says how many tables are sound, beside a running service, and changes nothing', async () => {
    const before = readFileSync(file)
    const sound = { code: 0, stderr: '', stdout: expect.stringMatching(/^\d+ tables checked: sound\n$/) }
    expect(await check()).toMatchObject(sound)
    expect(readFileSync(file).equals(before)).toBe(true)
    const service = await serve(['--data', folder.path, ...AT_ONCE])
    expect(await check()).toMatchObject(sound)
    expect((await stopped(service)).code).toBe(0)
  })

  it('reports a broken page, and exits with code 1', async () => {
    breakPage(folder.path, 'customer_group')
    const { code, stdout, stderr } = await check()
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(linesOf(stdout).length).toBeGreaterThan(1)
    expect(stdout).toMatch(/^\d+ tables checked: [\d,]+ faults\n$/m)
  })

  it('reports an index that disagrees with its table, and each fault once', async () => {
    changeLetter(folder.path, 'customer_name', 'Zephyr Unlike AS')
    const { code, stdout } = await check()
    expect(code).toBe(1)
    expect(stdout).toMatch(/row 1 missing from index customer_name/)
    const lines = linesOf(stdout)
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('is one line for a folder without a database and for a file that is none', async () => {
    const none = await run(['check', '--data', join(folder.path, 'none')])
    expect(none).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^tabularium: there is no d.*\n$/),
    })
    writeFileSync(file, 'this is no database'.repeat(1000))
    expect(await check()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^tabularium: .*tabularium\.db is damaged \(file is not a database\): restore the last backup .*\n$/,
      ),
    })
  })

  it('a start is refused for a file that was cut off', async () => {
    truncateSync(file, readFileSync(file).length - 4096)
    const start = await run(['serve', '--port', '0', '--log-level', 'warn', '--data', folder.path])
    expect(start).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^tabularium: .*tabularium\.db is damaged \(.* malformed\): restore .*\n$/),
    })
  })
})

describe('a service on SQLite', () => {
  const killed = temporaryFolder()
  let folder: Folder
  let service: Serving | undefined

  beforeAll(async () => {
    await run(['setup', SETUP, '--data', killed.path])
    await kill(await serve(['--data', killed.path]))
  })
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(async () => {
    if (service) await kill(service)
    folder.remove()
  })
  afterAll(() => killed.remove())

  /** Begins with what the killed service has left. */
  const asKilled = () => cpSync(killed.path, folder.path, { recursive: true })
  const startedHere = (...more: readonly string[]) => serveHere(['--data', folder.path, ...more])
  const ready = async ({ address }: Pick<Serving, 'address'>) => {
    const { status, text } = await call(`${address}/health/ready`)
    return { code: status, checks: (JSON.parse(text) as { checks: { database: string } }).checks }
  }
  const metrics = async ({ address }: Pick<Serving, 'address'>) => {
    // A process that is too busy to tell its own makes the answer 503.
    const { text } = await vi.waitUntil(async () => {
      const answer = await call(`${address}/metrics`)
      return answer.status === 200 && answer
    }, PATIENCE)
    const value = (name: string) => Number(new RegExp(`^tabularium_database_${name} (\\S+)$`, 'm').exec(text)?.[1])
    return {
      running: value('check_running'),
      unchecked: value('unchecked'),
      faults: value('faults'),
      endedAt: value('check_end_time_seconds'),
    }
  }
  const isSound = { code: 200, checks: { database: 'sound' } }

  it('that has always shut down cleanly is trusted: nothing is checked', async () => {
    await run(['setup', SETUP, '--data', folder.path])
    for (let time = 0; time < 2; time++) {
      const service = await startedHere()
      expect(await ready(service)).toMatchObject(isSound)
      expect(await metrics(service)).toEqual({ running: 0, unchecked: 0, faults: 0, endedAt: 0 })
      await service.stop()
    }
  })

  it('that was killed is checked in the background, once, and answers meanwhile', async () => {
    asKilled()
    // The clean exit of a command does not make an unchecked file trusted.
    expect((await run(['setup', SETUP, '--data', folder.path])).code).toBe(0)
    const service = await startedHere('--log-level', 'info')
    expect((await ready(service)).code).toBe(200)
    expect((await call(`${service.address}${VALUES}/C1/CC100/0`)).status).toBe(200)
    await expect.poll(() => ready(service), PATIENCE).toMatchObject(isSound)
    const { endedAt, ...rest } = await metrics(service)
    expect(rest).toEqual({ running: 0, unchecked: 0, faults: 0 })
    expect(endedAt).toBeGreaterThan(Date.now() / 1000 - 600)
    const { stderr } = await service.stop()
    expect(stderr.match(/"msg":"database-check-begun"/g)).toHaveLength(1)
    expect(stderr.match(/"msg":"database-checked"/g)).toHaveLength(1)

    const next = await startedHere()
    expect(await metrics(next)).toMatchObject({ running: 0, endedAt })
    await next.stop()
  })

  longIt('that was killed is checked by one of several processes, and all report its result', async () => {
    asKilled()
    const several = await serve(['--data', folder.path, ...AT_ONCE, '--workers', '2', '--log-level', 'info'])
    service = several
    await expect.poll(() => ready(several), PATIENCE).toMatchObject(isSound)
    for (let time = 0; time < 4; time++) expect(await metrics(several)).toMatchObject({ running: 0, unchecked: 0 })
    const { code, stderr } = await stopped(several)
    expect([code, stderr.match(/"msg":"database-checked"/g)]).toEqual([0, [expect.any(String)]])
    const last = await startedHere()
    expect(await ready(last)).toMatchObject(isSound)
    await last.stop()
  })

  it('whose database is damaged says so until it was checked again and found sound', async () => {
    asKilled()
    const mend = breakPage(folder.path, 'customer_group')
    const isDamaged = { code: 503, checks: { database: 'damaged' } }
    const service = await startedHere()
    await expect.poll(() => ready(service), PATIENCE).toMatchObject(isDamaged)
    expect((await metrics(service)).faults).toBeGreaterThan(0)
    // Requests are still answered: intact records can be exported.
    expect((await call(`${service.address}${VALUES}/C1/CC100/0`)).status).toBe(200)
    const { stderr } = await service.stop()
    expect(stderr).toMatch(/"level":"fatal",.*"faults":\d+,"first":".+","msg":"database-damaged"/)

    const again = await startedHere()
    expect(await ready(again)).toMatchObject(isDamaged)
    await again.stop()
    mend()
    const mended = await startedHere()
    await expect.poll(() => ready(mended), PATIENCE).toMatchObject(isSound)
    expect((await metrics(mended)).faults).toBe(0)
    await mended.stop()
  })
})

describe.runIf(STORE_KINDS.includes('postgres'))('check on PostgreSQL', () => {
  let database: string
  const check = (...more: readonly string[]) => run(['check', '--database', database, ...more])

  beforeAll(async () => {
    database = await newDatabase()
    const folder = temporaryFolder()
    await run(['setup', SETUP, '--data', folder.path, '--database', database])
    folder.remove()
  })

  it('reads all tables, and says what it could not compare', async () => {
    const told = await check()
    expect(told).toMatchObject({ code: 0, stderr: '' })
    expect(told.stdout).toMatch(/extension amcheck is not there\n\d+ tables checked: sound\n$/)
  })

  it('compares indexes with their tables by amcheck, and reports one that is not valid', async () => {
    const owner = new URL(database).username
    await queryOn(
      asSuperuser(database),
      'create extension amcheck',
      `grant execute on function bt_index_check(regclass, boolean) to ${owner}`,
    )
    const sound = await check()
    expect(sound).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+ tables checked: sound\n$/) })
    await queryOn(
      asSuperuser(database),
      `update pg_index set indisvalid = false where indexrelid = 'customer_group'::regclass`,
    )
    const told = await check()
    expect(told).toMatchObject({ code: 1, stderr: '' })
    expect(told.stdout).toMatch(
      /^the index customer_group of customer is not valid: .*\n\d+ tables checked: 1 fault\n$/,
    )
  })

  it('is one line for a database without records', async () => {
    const none = await run(['check', '--database', await newDatabase()])
    expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tabularium: there are no records.*\n$/) })
  })
})
