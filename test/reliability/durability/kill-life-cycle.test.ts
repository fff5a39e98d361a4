// D14: a purge or an erasure that is killed at any time has removed whole records, each with its entry of the change
// log, and goes on when it is run again.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Place } from '../../support/place.ts'
import { kill, start } from '../../support/process.ts'
import { randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { FEWER_KINDS } from '../../support/world.ts'

const ROUNDS = triesOf({ long: 1, full: 10 })
const KILLS = triesOf({ smoke: 1, long: 3, full: 3 })
const CUSTOMERS = 400
const ERASED = 12

const idOf = (round: number, at: number) => `K${round}-${at}`

/** Imports closed customers; returns their ids. */
async function importClosed(place: Place, round: number): Promise<readonly string[]> {
  const ids = Array.from({ length: CUSTOMERS }, (_, at) => idOf(round, at))
  const lines = ids.map((customerId) =>
    JSON.stringify({
      customerId,
      customerName: `Name of ${customerId}`,
      countryCode: 'NO',
      customerGroupId: '10',
      contactPoints: [{ contactPointType: '1' }],
      payment: { status: 'Closed' },
    }),
  )
  const file = join(place.folder.path, `customers-${round}.ndjson`)
  writeFileSync(file, lines.join('\n'))
  expect(await place.run('import', 'customers', file, '--company', 'EN')).toMatchObject({ code: 0 })
  return ids
}

/** Runs a command and kills it as soon as it has printed so many lines; returns whether it was still running. */
async function killedAfter(place: Place, lines: number, args: readonly string[]): Promise<boolean> {
  const running = start([...args, ...place.options])
  let printed = 0
  const enough = new Promise<void>((resolve) => {
    running.child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString().split('\n').length - 1
      if (printed >= lines) resolve()
    })
  })
  await Promise.race([enough, running.ended])
  return (await kill(running)).signal === 'SIGKILL'
}

/** The customers that are there; each must be there with its value, or neither. */
async function expectWhole(place: Place): Promise<string[]> {
  const customers = await place.sql(
    `select customer_id as id from customer where company_id = 'EN' order by customer_id`,
  )
  const values = await place.sql(
    `select attribute_value as id from attribute_value where company_id = 'EN' and attribute_id = 'A4' order by attribute_value`,
  )
  expect(values).toEqual(customers)
  const verified = await place.run('audit', 'verify')
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('4 of 4 chains are whole')])
  return customers.map(({ id }) => String(id))
}

describe.each(FEWER_KINDS)('D14 a purge and an erasure that are killed, on %s', (kind) => {
  it(
    'D14 removes whole records, and goes on when it is run again',
    async () => {
      await reliabilityTest('D14', `killed purges and erasures leave whole records, on ${kind}`, async () => {
        const random = randomNumbers(SEED)
        const place = await Place.make(kind, 'test/fixtures/life-cycle.yaml')
        let killed = 0
        try {
          for (let round = 0; round < ROUNDS; round++) {
            const ids = await importClosed(place, round)
            const erase = ['erase', 'customer', ...ids.slice(0, ERASED), '--company', 'EN', '--reason', 'a test']
            for (let kills = 0; kills < KILLS; kills++) {
              if (await killedAfter(place, 1 + Math.floor((random() * ERASED) / 2), erase)) killed++
              await expectWhole(place)
            }
            await place.run(...erase)
            expect(await expectWhole(place)).toHaveLength(CUSTOMERS - ERASED)
            const purge = ['purge', '--closed-before', new Date().toISOString(), '--company', 'EN']
            for (let kills = 0; kills < KILLS; kills++) {
              if (await killedAfter(place, 1 + Math.floor(random() * 100), purge)) killed++
              await expectWhole(place)
            }
            expect(await place.run(...purge)).toMatchObject({ code: 0 })
            expect(await expectWhole(place)).toEqual([])
          }
          const deleted = await place.sql(
            `select record_key from audit_entry where company_id = 'EN' and entity = 'customer' and operation = 'delete'`,
          )
          expect(new Set(deleted.map(({ record_key }) => record_key)).size).toBe(deleted.length)
          expect(deleted).toHaveLength(ROUNDS * (CUSTOMERS - ERASED))
          expect(killed).toBeGreaterThan(0)
          return `${ROUNDS} rounds, ${killed} kills`
        } finally {
          await place.remove()
        }
      })
    },
    600_000 + ROUNDS * 180_000,
  )
})
