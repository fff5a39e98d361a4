// D2: acknowledged writes are stored, completely and once, on PostgreSQL too: the service is killed, sessions of the
// database are terminated or killed, and the database stops immediately. The test starts a server of its own.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { emptyLocation } from '../../support/data-location.ts'
import { PostgresServer } from '../../support/postgres.ts'
import { temporaryFolder } from '../../support/process.ts'
import { firstOf, reliabilityTest, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'
import { CrashRun } from './crash/crash-run.ts'
import { killRounds } from './crash/kill-rounds.ts'
import { nameOf } from './crash/older-databases.ts'
import { outages } from './crash/outages.ts'

const KILLS = triesOf({ long: 1, full: 100 })
const BACKENDS = triesOf({ long: 2, full: 50 })
const STOPS = triesOf({ long: 1, full: 30 })

describe.runIf(STORE_KINDS.includes('postgres'))('D2 the service on PostgreSQL, while 8 clients write', () => {
  const folder = temporaryFolder()
  let server: PostgresServer
  beforeAll(async () => {
    // What a commit does not flush itself is not flushed soon after it either.
    server = await PostgresServer.start(['-c', 'wal_writer_delay=10s'])
  })
  afterAll(async () => {
    await server.remove()
    folder.remove()
  })

  const begin = async (name: string): Promise<CrashRun> =>
    CrashRun.begin(await emptyLocation('postgres', join(folder.path, name), server.admin))

  /** Each commit is delayed before it is flushed, so that an outage interrupts one. */
  const beginWithSlowCommits = async (name: string): Promise<CrashRun> => {
    const crash = await begin(name)
    for (const setting of ['commit_delay = 20000', 'commit_siblings = 0']) {
      await crash.place.query(`alter database ${nameOf(crash.place)} set ${setting}`)
    }
    return crash
  }

  /** The first one ends all sessions, as the others end some. */
  const WAYS: readonly Way[] = [
    {
      when: 'when the database stops immediately and restarts, and goes on',
      claim: 'the service outlives immediate stops of PostgreSQL',
      times: STOPS,
      strike: async () =>
        outages(await beginWithSlowCommits('stops'), STOPS, async () => {
          await server.stopAtOnce()
          await server.startAgain()
        }),
    },
    {
      when: 'when it is killed',
      claim: 'no acknowledged write is lost when the service is killed, on PostgreSQL',
      times: KILLS,
      strike: async () => killRounds(await begin('killed'), KILLS),
    },
    {
      when: 'when sessions of the database are ended or killed, and goes on',
      claim: 'the service outlives its sessions of PostgreSQL',
      times: BACKENDS,
      strike: async () => {
        const crash = await beginWithSlowCommits('sessions')
        return outages(crash, BACKENDS, (random) => endSession(crash, random))
      },
    },
  ]

  for (const { when, claim, times, strike } of firstOf(WAYS)) {
    it(`D2 loses nothing acknowledged ${when}`, { timeout: 600_000 + times * 10_000 }, () =>
      reliabilityTest('D2', claim, strike),
    )
  }
})

interface Way {
  readonly when: string
  readonly claim: string
  readonly times: number
  readonly strike: () => Promise<string>
}

/**
 * Terminates a session that commits, if there is one; or kills its process, after which PostgreSQL terminates all
 * sessions and recovers.
 */
async function endSession({ place }: CrashRun, random: () => number): Promise<void> {
  const sessions = await place.query(
    `select pid from pg_stat_activity where datname = '${nameOf(place)}' and application_name = 'tabularium'
      order by (query = 'commit' and state = 'active') desc, state <> 'idle' desc limit 1`,
  )
  const pid = Number(sessions[0]?.pid)
  if (random() < 0.5) process.kill(pid, 'SIGKILL')
  else await place.query(`select pg_terminate_backend(${pid})`)
}
