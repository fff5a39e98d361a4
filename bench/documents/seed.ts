// The data of the object endpoints' benchmark: a million ledger transactions and a hundred thousand customers. The same
// numbers give the same rows in every run.
import type Database from 'better-sqlite3'

export const TRANSACTIONS = 1_000_000
export const CUSTOMERS = 100_000
export const ACCOUNTS = 200
export const PERIODS = 12
const LINES = 4
const COUNTRIES = ['NO', 'SE', 'GB', 'NL', 'DE', 'FI', 'DK', 'FR']
const AT = '2026-01-01T00:00:00.000Z'

export const accountAt = (index: number): string => String(1000 + index * 40)
export const periodAt = (index: number): number => 202_601 + index
export const countryAt = (index: number): string => COUNTRIES[index % COUNTRIES.length] ?? ''

/** What a customer's name begins with: three letters, two hundred of each country. */
export function prefixAt(index: number): string {
  const letter = (place: number) => String.fromCharCode(97 + (Math.floor(index / place) % 8))
  return letter(64).toUpperCase() + letter(8) + letter(1)
}

/** Adds the rows within the caller's transaction. */
export function seedDocuments(db: Database.Database): void {
  seedCustomers(db)
  seedAccounts(db)
  seedLedger(db)
}

function seedCustomers(db: Database.Database): void {
  const insert = db.prepare(
    `insert into customer (company_id, customer_id, customer_name, country_code, customer_group_id, status, currency_code, updated_at, updated_by)
     values ('EN', ?, ?, ?, 'DOM', 'N', 'NOK', '${AT}', 'seed')`,
  )
  for (let index = 0; index < CUSTOMERS; index++) {
    insert.run(String(100_000 + index), `${prefixAt(index)} customer ${index}`, countryAt(Math.floor(index / 512)))
  }
}

function seedAccounts(db: Database.Database): void {
  const insert = db.prepare(
    `insert into attribute_value (company_id, attribute_id, attribute_value, period_to, description, status, updated_at, updated_by)
     values ('EN', 'A0', ?, 209912, ?, 'N', '${AT}', 'seed')`,
  )
  for (let index = 0; index < ACCOUNTS; index++) insert.run(accountAt(index), `Account ${index} of the benchmark`)
}

function seedLedger(db: Database.Database): void {
  const insert = db.prepare(
    `insert into ledger_transaction (company_id, transaction_number, sequence_number, state, status, transaction_type,
       transaction_date, period, description, external_reference, customer_id, account, attribute_id_1, attribute_value_1,
       amount, currency_amount, currency_code, debit_credit, updated_at, updated_by)
     values ('EN', ?, ?, 'posted', 'N', 'SI', ?, ?, ?, ?, ?, ?, 'C1', ?, ?, ?, 'NOK', ?, '${AT}', 'seed')`,
  )
  for (let index = 0; index < TRANSACTIONS; index++) {
    const [voucher, line] = [Math.floor(index / LINES), index % LINES]
    const period = periodAt(voucher % PERIODS)
    const day = String((voucher % 28) + 1).padStart(2, '0')
    const date = `2026-${String(period).slice(4)}-${day}T00:00:00.000Z`
    const amount = (line % 2 === 0 ? 1 : -1) * (((voucher * 37) % 100_000) / 4)
    const account = accountAt((Math.floor(voucher / PERIODS) + line * 7) % ACCOUNTS)
    const customer = String(100_000 + (voucher % CUSTOMERS))
    const [description, reference] = [`Order ${voucher} of the benchmark, line ${line + 1}`, `INV${voucher}`]
    const columns = [26_000_000 + voucher, line + 1, date, period, description, reference, customer, account]
    insert.run(...columns, `V${String(voucher % 1000).padStart(6, '0')}`, amount, amount, Math.sign(amount) || 1)
  }
}
