// D15: a batch operation whose service is killed at any time stores each row once, and reports each rejected row once.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Place } from '../../support/place.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS } from '../../support/world.ts'

/** How often the one operation and the other is killed: killing costs a start. */
const KILLS = { values: triesOf({ long: 1, full: 20 }), customers: triesOf({ long: 2, full: 30 }) }
/** Enough that the last kill still finds work. */
const ROWS = triesOf({ long: 1_500, full: 40_000 })
const REJECTED_EVERY = 97
const AT_WORK_MS = 300
/** It ends what hangs: each row may be a write of its own. */
const SOON = { interval: 20, timeout: 600_000 }

interface Sent {
  readonly path: string
  readonly rows: readonly object[]
  /** The names that must be there in the end. */
  readonly query: string
  readonly names: readonly string[]
  readonly rejected: readonly number[]
  readonly kills: number
}

const numbers = Array.from({ length: ROWS }, (_, row) => row)
const isRejected = (row: number) => row % REJECTED_EVERY === REJECTED_EVERY - 1
const good = numbers.filter((row) => !isRejected(row))
const rejected = numbers.filter(isRejected).map((row) => row + 1)

/** Many rows in one write. */
const VALUES: Sent = {
  path: 'attribute-values/batch',
  rows: numbers.map((row) => ({
    attributeId: isRejected(row) ? 'XX' : 'C6',
    attributeValue: `V${row}`,
    description: 'Brought in',
  })),
  query: "select attribute_value as name from attribute_value where attribute_id = 'C6'",
  names: good.map((row) => `V${row}`),
  rejected,
  kills: KILLS.values,
}

/** Each row in a write of its own, with a number that the service gives. */
const CUSTOMERS: Sent = {
  path: 'customers/batch?update=true',
  rows: numbers.map((row) => ({
    customerName: `Name ${row}`,
    countryCode: 'NO',
    customerGroupId: isRejected(row) ? 'nobody' : 'G',
    contactPoints: [{ contactPointType: isRejected(row) ? '9' : '1' }],
  })),
  query: 'select customer_name as name from customer',
  names: good.map((row) => `Name ${row}`),
  rejected,
  kills: KILLS.customers,
}

describe.each(FEWER_KINDS)('D15 batch operations that are killed, on %s', (kind) => {
  it(
    'D15 stores each row once, and reports each rejected row once',
    async () => {
      await reliabilityTest('D15', `killed batch operations go on where they were, on ${kind}`, async () => {
        const place = await Place.make(kind, 'test/fixtures/killed-batches.yaml')
        const random = randomNumbers(SEED)
        try {
          const tally = { kills: 0, atWork: 0 }
          for (const sent of [VALUES, CUSTOMERS]) await bring(place, sent, random, tally)
          expect(tally.atWork).toBeGreaterThan(0)
          expect(await place.run('audit', 'verify')).toMatchObject({ code: 0 })
          return `${tally.kills} kills, ${tally.atWork} of them of an operation under way`
        } finally {
          await place.remove()
        }
      })
    },
    600_000 + (KILLS.values + KILLS.customers) * 30_000,
  )

  async function bring(place: Place, sent: Sent, random: () => number, tally: { kills: number; atWork: number }) {
    await place.upAsProcess()
    const body = sent.rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    const answer = await place.sendText(sent.path, body, 'application/x-ndjson')
    expect([answer.status, answer.text]).toEqual([202, expect.any(String)])
    const { id } = JSON.parse(answer.text) as { id: string }
    const status = async () =>
      JSON.parse((await place.send('GET', `batch-operations/${id}/status`)).text) as Record<string, unknown>
    for (let kills = 0; kills < sent.kills; kills++) {
      // The first one hits the work, however slow the machine is.
      if (kills === 0) await expect.poll(async () => (await status()).status, SOON).not.toBe('N')
      else await sleep(random() * AT_WORK_MS)
      const isAtWork = (await status()).status === 'W'
      await place.kill()
      tally.kills += 1
      if (isAtWork) tally.atWork += 1
      // Another process waits for the end of the lease; the first on a data folder knows that its holder has ended.
      if (kind === 'postgres') await place.sql('update batch_operation set lease_until = 0')
      await (kills + 1 < sent.kills ? place.upAsProcess() : place.up())
    }
    await expect.poll(async () => (await status()).status, SOON).not.toMatch(/[NW]/)
    expect(await status()).toMatchObject({
      status: 'C',
      written: sent.names.length,
      rejected: sent.rejected.length,
      line: ROWS,
    })
    const found = await place.sql(sent.query)
    expect(found.map(({ name }) => String(name)).sort()).toEqual(sent.names.toSorted())
    expect(await reported(place, id)).toEqual(sent.rejected)
    await place.down()
  }

  async function reported(place: Place, id: string): Promise<number[]> {
    const page = await place.send('GET', `batch-operations/${id}/results?limit=1000`)
    return (JSON.parse(page.text) as { row: number }[]).map(({ row }) => row)
  }
})
