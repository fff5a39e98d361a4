// D9: a start that migrates the schema, killed at each of its statements and at random times; and two concurrent
// starts.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATION_NAMES } from '../../../src/databases/migrations/migrate.ts'
import { openStore } from '../../../src/databases/open/open-store.ts'
import { CommandsLock } from '../../../src/databases/sqlite/file/commands-lock.ts'
import { copyOf, type DataLocation, emptyLocation } from '../../support/data-location.ts'
import { call, inUseLine, kill, run, SETUP, serve, serveHere, temporaryFolder } from '../../support/process.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS, STORE_KINDS } from '../../support/world.ts'
import { type Migration, migration } from './crash/migration.ts'
import { makeNewer, makeOlder, nameOf, stateOf, statesBetween } from './crash/older-databases.ts'

/** In full: each statement that creates a database, and many of those that change one, which are alike. */
const STATEMENTS = { new: triesOf({ long: 3, full: 1_000 }), older: triesOf({ long: 3, full: 60 }) }
const MOMENTS = triesOf({ long: 1, full: 15 })
const DOUBLE_STARTS = triesOf({ long: 2, full: 50 })
/** The database before a start: an empty one, and one of an older version. */
const ORIGINS = ['new', 'older'] as const
type Origin = (typeof ORIGINS)[number]

describe.each(FEWER_KINDS)('D9 a start that migrates the schema, on %s', (kind) => {
  const folder = temporaryFolder()
  const random = randomNumbers(SEED)
  const sources: Partial<Record<Origin, DataLocation>> = {}
  const starts: Partial<Record<Origin, Start>> = {}
  let copies = 0

  beforeAll(async () => {
    for (const origin of ORIGINS) sources[origin] = await emptyLocation(kind, join(folder.path, origin))
    await makeOlder(sources.older!)
    for (const origin of ORIGINS) starts[origin] = await wholeStart(await copied(origin))
    if (kind === 'postgres') starts.older!.between.push(...(await statesBetween(await copied('older'))))
  })
  afterAll(() => folder.remove())

  const copied = (origin: Origin) => copyOf(sources[origin]!, join(folder.path, `copy-${copies++}`))

  const removed = async (place: DataLocation) => {
    rmSync(place.data, { recursive: true, force: true })
    if (place.database !== undefined) await sources.new!.query(`drop database ${nameOf(place)}`)
  }

  /** The state is that after a whole migration, and a next start leads to the new one. */
  async function expectWhole(place: DataLocation, { before, between, after }: Start): Promise<keyof Found> {
    await untilAlone(place, sources.new!)
    const found = await stateOf(place)
    expect([before, ...between, after]).toContain(found)
    await opened(place)
    expect(await stateOf(place)).toBe(after)
    await removed(place)
    if (found === after) return 'new'
    return found === before ? 'old' : 'between'
  }

  it(
    'D9 leaves the schema of a whole migration when it is killed',
    async () => {
      await reliabilityTest('D9', `a migration is whole or not begun when it is killed, on ${kind}`, async () => {
        const found: Found = { old: 0, between: 0, new: 0 }
        for (const origin of ORIGINS) {
          const start = starts[origin]!
          for (const statement of spread(start.statements, STATEMENTS[origin], random)) {
            const place = await copied(origin)
            expect(await migration(place, statement).outcome).toBe('SIGKILL')
            found[await expectWhole(place, start)]++
          }
          for (let moment = 0; moment < MOMENTS; moment++) {
            const place = await copied(origin)
            await killedAt(migration(place), start.tookMs * 1.2 * random())
            found[await expectWhole(place, start)]++
          }
        }
        const statements = ORIGINS.map((origin) => starts[origin]!.statements).join(' and ')
        const kills = found.old + found.between + found.new
        return `${kills} kills in ${statements} statements, ${found.old} times old, ${found.between} between, ${found.new} new`
      })
    },
    600_000 + Math.min(250, STATEMENTS.new + STATEMENTS.older + 2 * MOMENTS) * 10_000,
  )

  it(
    'D9 is migrated by one of two processes that start together',
    async () => {
      await reliabilityTest('D9', `one of two processes migrates, on ${kind}`, async () => {
        for (let round = 0; round < DOUBLE_STARTS; round++) {
          const origin = ORIGINS[round % 2]!
          const place = await copied(origin)
          const both = [migration(place), migration(place)]
          const outcomes = await Promise.all(both.map(({ outcome }) => outcome))
          expect({ round, outcomes }).toEqual({
            round,
            outcomes: expect.toSatisfy((reported) => isOneMigration(reported, kind)),
          })
          expect(await stateOf(place)).toBe(starts[origin]!.after)
          await Promise.all(both.map((one) => one.kill()))
          await removed(place)
        }
        return `${DOUBLE_STARTS} double starts`
      })
    },
    600_000 + DOUBLE_STARTS * 20_000,
  )

  it(
    'D9 is migrated by one of two commands that start together',
    async () => {
      await reliabilityTest('D9', `one of two commands migrates, on ${kind}`, async () => {
        for (let round = 0; round < DOUBLE_STARTS; round++) {
          const origin = ORIGINS[round % 2]!
          const place = await copied(origin)
          const both = [migration(place, 0, 'command'), migration(place, 0, 'command')]
          const outcomes = await Promise.all(both.map(({ outcome }) => outcome))
          expect({ round, outcomes }).toEqual({ round, outcomes: [expect.any(Number), expect.any(Number)] })
          expect(outcomes[0]).not.toBe(outcomes[1])
          expect(await stateOf(place)).toBe(starts[origin]!.after)
          await Promise.all(both.map((one) => one.kill()))
          await removed(place)
        }
        return `${DOUBLE_STARTS} double starts`
      })
    },
    600_000 + DOUBLE_STARTS * 20_000,
  )

  it.runIf(kind === 'sqlite')('D9 is refused while a command goes on, and changes nothing', async () => {
    await reliabilityTest('D9', 'no schema is changed under a command', async () => {
      const place = await copied('older')
      const command = new CommandsLock(place.data)
      expect(command.share()).toBe(true)
      expect(await migration(place).outcome).toMatch(/^1: a command still uses the data folder .*: wait for its end$/)
      expect(await stateOf(place)).toBe(starts.older!.before)
      command.close()
      const next = migration(place)
      expect(await next.outcome).toEqual(expect.any(Number))
      await next.kill()
      expect(await stateOf(place)).toBe(starts.older!.after)
      await removed(place)
      return '2 starts'
    })
  })

  it('D9 is refused by an older program, in one line', async () => {
    await reliabilityTest('D9', `a newer schema is left alone, on ${kind}`, async () => {
      const place = await copied('older')
      await opened(place)
      await makeNewer(place)
      const before = await stateOf(place)
      expect(await run(['serve', '--port', '0', ...place.flags])).toEqual({
        code: 1,
        signal: null,
        stdout: '',
        stderr: expect.stringMatching(/^tabularium: the database was changed by a newer version of Tabularium .*\n$/),
      })
      expect(await stateOf(place)).toBe(before)
      return '1 start'
    })
  })

  it('D9 is used by an older program that it allows', async () => {
    await reliabilityTest('D9', `a newer schema that allows it is served, on ${kind}`, async () => {
      const place = await copied('new')
      expect(await run(['setup', SETUP, ...place.flags])).toMatchObject({ code: 0 })
      const newest = MIGRATION_NAMES.at(-1)!.slice(0, 4)
      await makeNewer(place, `9999-later.since-${newest}`)
      const before = await place.query('select name from kysely_migration order by name')
      const service = await serveHere(place.flags)
      const body = { companyId: 'EN', attributeId: 'C6', attributeValue: 'LATER', description: 'Later' }
      expect(await call(`${service.address}/v1/attribute-values?companyId=EN`, { method: 'POST', body })).toMatchObject(
        {
          status: 201,
        },
      )
      await service.stop()
      expect(await place.query('select name from kysely_migration order by name')).toEqual(before)
      return '1 start'
    })
  })
})

describe.runIf(STORE_KINDS.includes('sqlite'))('D9 a second process on the same data folder', () => {
  it('D9 is refused, in one line', async () => {
    const folder = temporaryFolder()
    const data = ['--data', folder.path, '--setup', SETUP]
    const service = await serve(data)
    try {
      const stderr = inUseLine(folder.path, service)
      expect(await run(['serve', '--port', '0', ...data])).toMatchObject({ code: 1, stdout: '', stderr })
      expect((await call(`${service.address}/health/ready`)).status).toBe(200)
    } finally {
      await kill(service)
      folder.remove()
    }
  })
})

type Found = Record<'old' | 'between' | 'new', number>

/** An undisturbed start. */
interface Start {
  /** The states of the database before and after it. */
  readonly before: string
  /** Those after each migration, where each commits by itself: in an older database that others use. */
  readonly between: string[]
  readonly after: string
  readonly statements: number
  readonly tookMs: number
}

async function wholeStart(place: DataLocation): Promise<Start> {
  const before = await stateOf(place)
  const migrating = migration(place)
  await migrating.begun
  const from = performance.now()
  const statements = Number(await migrating.outcome)
  const tookMs = performance.now() - from
  await migrating.end()
  return { before, between: [], after: await stateOf(place), statements, tookMs }
}

/** Opens the store in this process, which is faster than starting one. */
async function opened({ data, database }: DataLocation): Promise<void> {
  const store = await openStore({ data, database, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
  await store.close()
}

async function killedAt(migrating: Migration, afterMs: number): Promise<void> {
  await migrating.begun
  await new Promise((resume) => setTimeout(resume, afterMs))
  await migrating.kill()
}

/** PostgreSQL may still execute a statement of a process that is gone. */
async function untilAlone(place: DataLocation, other: DataLocation): Promise<void> {
  if (place.database === undefined) return
  const sessions = `select 1 from pg_stat_activity where datname = '${nameOf(place)}'`
  while ((await other.query(sessions)).length > 0) await new Promise((resume) => setTimeout(resume, 5))
}

/** Up to `wanted` numbers from 1 to `count`, spread over them. */
function spread(count: number, wanted: number, random: () => number): number[] {
  if (wanted >= count) return Array.from({ length: count }, (_, at) => at + 1)
  const width = count / wanted
  return Array.from({ length: wanted }, (_, at) => Math.floor((at + random()) * width) + 1)
}

/** On SQLite the second process reports that the folder is in use; PostgreSQL serves both, after one has migrated. */
function isOneMigration(outcomes: readonly (number | string)[], kind: string): boolean {
  const opened = outcomes.filter((outcome) => typeof outcome === 'number')
  const refused = outcomes.filter((outcome) => /is in use by another Tabularium\b/.test(String(outcome)))
  if (kind === 'sqlite') return opened.length === 1 && refused.length === 1
  return opened.length === 2 && opened[0] !== opened[1]
}
