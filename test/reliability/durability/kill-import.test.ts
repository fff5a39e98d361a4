// D11: an import that is killed at any time and restarted imports each row of its file once, and reports each rejected
// row once. The chain of the change log is whole after each kill.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DataLocation, emptyLocation } from '../../support/data-location.ts'
import { kill, run, SETUP, start, temporaryFolder } from '../../support/process.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { STORE_KINDS } from '../../support/world.ts'

const FILES = triesOf({ long: 1, full: 30 })
const KILLS_A_FILE = triesOf({ smoke: 2, long: 3, full: 3 })
const ROWS = 20_000
/** The time within which an import is killed, from the start of its work. */
const AT_WORK_MS = 800
/** One row in this many is rejected: its period ends before it starts. */
const REFUSED_EVERY = 1_000
const REFUSED = { periodFrom: 202612, periodTo: 202601 }

/** A file with the values of its valid rows, and the lines of the others. */
interface Brought {
  readonly path: string
  readonly good: readonly string[]
  readonly refused: readonly number[]
}

describe.each(STORE_KINDS)('D11 an import that is killed, on %s', (kind) => {
  const folder = temporaryFolder()
  const random = randomNumbers(SEED)
  let place: DataLocation

  beforeAll(async () => {
    place = await emptyLocation(kind, join(folder.path, 'data'))
    expect(await run(['setup', SETUP, ...place.flags])).toMatchObject({ code: 0 })
  })
  afterAll(() => folder.remove())

  /** A file of cost centres, and the name that each of its valid rows has. */
  function newFile(round: number): Brought {
    const path = join(folder.path, `values-${round}.ndjson`)
    const nameOf = (row: number) => `K${round}-${row}`
    const isRefused = (row: number) => row % REFUSED_EVERY === REFUSED_EVERY - 1
    const rows = Array.from({ length: ROWS }, (_, row) => row)
    const lines = rows.map((row) =>
      JSON.stringify({
        attributeId: 'C6',
        attributeValue: nameOf(row),
        description: 'Brought in',
        ...(isRefused(row) && REFUSED),
      }),
    )
    writeFileSync(path, `${lines.join('\n')}\n`)
    const refused = rows.filter(isRefused).map((row) => row + 1)
    return { path, good: rows.filter((row) => !isRefused(row)).map(nameOf), refused }
  }

  it(
    'D11 imports each row once, and reports each rejected row once',
    async () => {
      await reliabilityTest('D11', `killed imports go on where they were, on ${kind}`, async () => {
        const tally = { killed: 0, resumed: 0 }
        const startMs = await timeOfStart()
        for (let round = 0; round < FILES; round++) {
          const file = newFile(round)
          const args = ['import', 'attribute-values', file.path, '--company', 'EN', ...place.flags]
          for (let kills = 0; kills < KILLS_A_FILE; kills++) {
            const running = start(args)
            // The first one always hits the work, however fast the machine is today.
            await sleep(kills === 0 ? startMs / 2 : startMs + random() * AT_WORK_MS)
            if ((await kill(running)).signal === 'SIGKILL') tally.killed++
            await expectWholeChain()
          }
          const { stderr } = await run(args)
          if (stderr.startsWith('going on after line')) tally.resumed++
          await expectOnce(round, file)
          await expectWholeChain()
        }
        expect(tally.killed).toBeGreaterThan(0)
        return `${FILES} files, ${tally.killed} kills, ${tally.resumed} of them gone on with in the middle`
      })
    },
    600_000 + FILES * 120_000,
  )

  /** The duration of a command without any work. */
  async function timeOfStart(): Promise<number> {
    const from = performance.now()
    await run(['export', 'companies', '--company', 'EN', ...place.flags])
    return performance.now() - from
  }

  async function expectWholeChain(): Promise<void> {
    expect(await run(['audit', 'verify', ...place.flags])).toMatchObject({ code: 0, stderr: '' })
  }

  async function expectOnce(round: number, { path, good, refused }: Brought): Promise<void> {
    const like = `'K${round}-%'`
    const values = await place.query(`select attribute_value from attribute_value where attribute_value like ${like}`)
    expect(values.map((row) => String(row.attribute_value)).sort()).toEqual(good.toSorted())
    const rejects = parse(readFileSync(`${path}.rejects.csv`, 'utf8'), { columns: true }) as { line: string }[]
    const reported = rejects.map(({ line }) => Number(line))
    expect(reported).toEqual(refused)
  }
})
