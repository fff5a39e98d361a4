// Three years of a general ledger. Each voucher type has its own number series, which grows with time. A few accounts,
// cost centres and customers have most of the lines.
import { customerIdAt } from './customers.ts'
import { Random } from './random.ts'
import type { Scale } from './scale.ts'
import { ACCOUNTS, accountAt, COST_CENTRES, costCentreAt, projectAt } from './values.ts'

export const PERIODS = 36
const FIRST_YEAR = 2024
const TYPES = ['AP', 'AR', 'GL', 'PY'] as const
const TEXTS = { AP: 'Supplier invoice', AR: 'Invoice', GL: 'Reallocation', PY: 'Payment' } as const
/** The newest hundredth of the lines is not posted yet. */
const POSTED = 0.99
const MOST_LINES = 6

/** The columns of the imported file, in order. */
export const LEDGER_COLUMNS = [
  'transactionNumber',
  'sequenceNumber',
  'state',
  'transactionType',
  'transactionDate',
  'period',
  'description',
  'externalReference',
  'customerId',
  'accountingInformation.account',
  'accountingInformation.attributeId1',
  'accountingInformation.attributeValue1',
  'accountingInformation.attributeId2',
  'accountingInformation.attributeValue2',
  'amounts.amount',
  'amounts.currencyCode',
] as const

export type LedgerLine = readonly (string | number)[]

/** The period `yyyypp` with this index, counted from the first period. */
export const periodAt = (index: number): number => (FIRST_YEAR + Math.floor(index / 12)) * 100 + 1 + (index % 12)

export function* ledgerLines({ ledgerLines: count, customers, values }: Scale): Generator<LedgerLine> {
  const random = new Random(3_000_017)
  const numbers = { AP: 20_000_000, AR: 30_000_000, GL: 10_000_000, PY: 40_000_000 }
  for (let made = 0; made < count; ) {
    const type = random.pick(TYPES)
    const number = ++numbers[type]
    const done = made / count
    const period = periodAt(Math.floor(done * PERIODS))
    const day = String(1 + random.whole(28)).padStart(2, '0')
    const date = `${Math.floor(period / 100)}-${String(period % 100).padStart(2, '0')}-${day}T00:00:00.000Z`
    const state = done < POSTED ? 'posted' : 'registered'
    const customer = type === 'AR' || type === 'PY' ? customerIdAt(random.skewed(customers)) : ''
    const voucher = [state, type, date, period, `${TEXTS[type]} ${number}`, `REF${number}`, customer] as const
    const lines = Math.min(2 + random.whole(MOST_LINES - 1), count - made)
    for (let line = 1; line <= lines; line++) yield lineOf(number, line, voucher, random, values)
    made += lines
  }
}

function lineOf(number: number, line: number, voucher: LedgerLine, random: Random, values: number): LedgerLine {
  const cents = 100 + random.skewed(20_000_000)
  return [
    number,
    line,
    ...voucher,
    accountAt(random.skewed(ACCOUNTS)),
    'C1',
    costCentreAt(random.skewed(COST_CENTRES)),
    'C5',
    projectAt(random.skewed(values)),
    (line % 2 === 0 ? -cents : cents) / 100,
    'NOK',
  ]
}
