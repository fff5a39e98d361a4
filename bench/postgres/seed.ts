// The same rows as on SQLite, made by the database itself.
import pg from 'pg'
import { ACCOUNTS, CUSTOMERS, PERIODS, TRANSACTIONS } from '../documents/seed.ts'

const AT = '2026-01-01T00:00:00.000Z'
const LINES = 4

const CUSTOMER_ROWS = `
  insert into customer (company_id, customer_id, customer_name, country_code, customer_group_id, status, currency_code, updated_at, updated_by)
  select 'EN', (100000 + n)::text,
    chr(65 + (n / 64) % 8) || chr(97 + (n / 8) % 8) || chr(97 + n % 8) || ' customer ' || n,
    (array['NO','SE','GB','NL','DE','FI','DK','FR'])[1 + (n / 512) % 8], 'DOM', 'N', 'NOK', '${AT}', 'seed'
  from generate_series(0, ${CUSTOMERS - 1}) n`

const ACCOUNT_ROWS = `
  insert into attribute_value (company_id, attribute_id, attribute_value, period_to, description, status, updated_at, updated_by)
  select 'EN', 'A0', (1000 + n * 40)::text, 209912, 'Account ' || n || ' of the benchmark', 'N', '${AT}', 'seed'
  from generate_series(0, ${ACCOUNTS - 1}) n`

const LEDGER_ROWS = `
  insert into ledger_transaction (company_id, transaction_number, sequence_number, state, status, transaction_type,
    transaction_date, period, description, external_reference, customer_id, account, attribute_id_1, attribute_value_1,
    amount, currency_amount, currency_code, debit_credit, updated_at, updated_by)
  select 'EN', 26000000 + v, l + 1, 'posted', 'N', 'SI',
    '2026-' || lpad((1 + v % ${PERIODS})::text, 2, '0') || '-' || lpad((1 + v % 28)::text, 2, '0') || 'T00:00:00.000Z',
    202601 + v % ${PERIODS}, 'Order ' || v || ' of the benchmark, line ' || (l + 1), 'INV' || v,
    (100000 + v % ${CUSTOMERS})::text, (1000 + ((v / ${PERIODS} + l * 7) % ${ACCOUNTS}) * 40)::text,
    'C1', 'V' || lpad((v % 1000)::text, 6, '0'), a, a, 'NOK', case when a < 0 then -1 else 1 end, '${AT}', 'seed'
  from (select n / ${LINES} as v, n % ${LINES} as l,
    (case when n % 2 = 0 then 1 else -1 end) * (((n / ${LINES})::bigint * 37) % 100000) / 4.0 as a
    from generate_series(0, ${TRANSACTIONS - 1}) n) lines`

/** Fills the database of the service, which must not be running. */
export async function seedPostgres(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query("select set_config('tabularium.company', 'EN', false)")
  for (const statement of [CUSTOMER_ROWS, ACCOUNT_ROWS, LEDGER_ROWS, 'vacuum analyze']) await client.query(statement)
  await client.end()
}
