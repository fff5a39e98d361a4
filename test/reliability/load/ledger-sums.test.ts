// L9: sums of a whole ledger by account and period, over the index that the guide names, equal exact arithmetic to the
// last digit, also where they exceed 64 bits.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ledger } from '../../support/object-records.ts'
import { temporaryFolder } from '../../support/process.ts'
import { IS_FULL, reliabilityTest } from '../../support/reliability-test.ts'
import { STORE_KINDS, type StoreKind, startWorld, type World } from '../../support/world.ts'

const LINES = IS_FULL ? 1_000_000 : 20_000
/** Asserted in the full form only. */
const MOST_MS = 300
const TRIES = 5
const SCALE = 4
const INDEX =
  'indexes: { general-ledger-transactions: [[state, accountingInformation/account, period, amounts/amount]] }'

/** The account, the period and the amount in units of the nth line, the same in SQL and here. */
const ACCOUNTS = 40
const periodOf = (n: number) => 202101 + (Math.floor(n / ACCOUNTS) % 60)
const accountOf = (n: number) => String(3000 + (n % ACCOUNTS))
const LARGEST = 999_999_999_999_999_999n
const unitsOf = (n: number) => (n % 100 === 0 ? LARGEST : BigInt(((n * 7919) % 2_000_003) - 1_000_001))

const linesOf = (kind: StoreKind) => {
  const units = `case when i % 100 = 0 then ${LARGEST} else (i * cast(7919 as bigint)) % 2000003 - 1000001 end`
  const amount = kind === 'sqlite' ? units : `(${units}) * 0.0001`
  return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LINES})
    insert into ledger_transaction (company_id, transaction_number, sequence_number, state, account, period, amount)
    select 'EN', i, 1, 'posted', cast(3000 + i % ${ACCOUNTS} as text), 202101 + (i / ${ACCOUNTS}) % 60, ${amount} from n`
}

/** The whole answer, with sums in the arithmetic of BigInt. */
function meant(): string {
  const groups = new Map<string, { sum: bigint; lines: number }>()
  for (let n = 1; n <= LINES; n++) {
    const key = `${accountOf(n)} ${periodOf(n)}`
    const group = groups.get(key) ?? { sum: 0n, lines: 0 }
    groups.set(key, { sum: group.sum + unitsOf(n), lines: group.lines + 1 })
  }
  const rows = [...groups].sort().map(([key, { sum, lines }]) => {
    const [account, period] = key.split(' ')
    return `{"accountingInformation":{"account":"${account}"},"period":${period},"total":${textOf(sum)},"lines":${lines}}`
  })
  return `[${rows.join()}]`
}

function textOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(SCALE + 1, '0')
  const fraction = digits.slice(-SCALE).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -SCALE)}${fraction === '' ? '' : `.${fraction}`}`
}

describe.each(STORE_KINDS)('L9 sums of a ledger on %s', (kind) => {
  const folder = temporaryFolder()
  let world: World & { stop(): Promise<void> }

  beforeAll(async () => {
    const setup = join(folder.path, 'setup.yaml')
    writeFileSync(setup, `${readFileSync('test/fixtures/objects.yaml', 'utf8')}\n${INDEX}\n`)
    world = await startWorld(kind, setup)
    world.application.indexes.start()
    await world.application.indexes.settle()
    await world.query(linesOf(kind))
    // An index alone answers for rows that are known to be visible to all.
    if (kind === 'postgres') await world.query('vacuum analyze ledger_transaction')
  })
  afterAll(async () => {
    await world.stop()
    folder.remove()
  })

  it('L9 every sum is exact', () =>
    reliabilityTest('L9', `sums of a ledger on ${kind}`, async () => {
      const expected = meant()
      let least = Number.POSITIVE_INFINITY
      for (let tried = 0; tried < TRIES; tried++) {
        // Another name each time: the response cache would answer the same one.
        const aggregate = `sum(amounts/amount) as total,count() as lines`
        const options = { groupBy: 'accountingInformation/account,period', aggregate, having: `lines gt ${-tried}` }
        const startedAt = performance.now()
        const { status, text } = await world.send({
          as: 'integration',
          url: ledger({ ...options, registered: 'false', historical: 'false' }),
        })
        least = Math.min(least, performance.now() - startedAt)
        expect(status).toBe(200)
        expect(text === expected).toBe(true)
      }
      // PostgreSQL decides itself whether it reads the index or the table.
      if (IS_FULL && kind === 'sqlite') expect(least).toBeLessThan(MOST_MS)
      return `${LINES} lines, ${expected.split('},{').length} sums, best of ${TRIES} ${Math.round(least)} ms`
    }))
})
