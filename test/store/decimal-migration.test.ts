// A database of a version that stored amounts as doubles: they become exact decimals, or the schema stays as it was.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { MIGRATION_NAMES, migrate } from '../../src/databases/migrations/migrate.ts'
import { openStore } from '../../src/databases/open/open-store.ts'
import { ledgerDocument } from '../../src/objects/general-ledger-transactions.ts'
import { readOptions } from '../../src/query/options.ts'
import { planCollection } from '../../src/query/plan.ts'
import { customerDocument } from '../../src/records/kinds/customer-document.ts'
import { compileCollection } from '../../src/sql/compile/compile-query.ts'
import { type ByteStream, INTERNAL_CALLER } from '../../src/store/store.ts'
import { type OlderDatabase, olderDatabase } from '../support/older-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const BEFORE = MIGRATION_NAMES.filter((name) => name < '0013')
const AMOUNTS = [
  '0',
  '0.1',
  '0.2',
  '-0.3',
  '-12345678901234.5',
  '99999999999.9999',
  '90071992547409.9',
  '-0.0001',
  '1e13',
]

/** As the previous version has left it: with an index of a setup. */
async function fill({ db, types, database }: OlderDatabase, amounts: readonly string[]): Promise<void> {
  await migrate(db, types, BEFORE)
  if (database !== undefined) await sql`select set_config('tabularium.company', 'EN', false)`.execute(db)
  for (const [no, amount] of amounts.entries()) {
    const line = sql.raw(`'EN', ${no}, 1, 'posted', ${amount}, -(${amount})`)
    await sql`insert into ledger_transaction
      (company_id, transaction_number, sequence_number, state, amount, currency_amount) values (${line})`.execute(db)
    const customer = sql.raw(`'EN', '${no}', ${amount}`)
    await sql`insert into customer (company_id, customer_id, credit_limit) values (${customer})`.execute(db)
  }
  await sql`create index setup_of_amounts on ledger_transaction (company_id, amount)`.execute(db)
}

const open = (place: OlderDatabase) =>
  openStore({ ...place, clock: () => new Date(), observe: () => {}, onFatal: () => {} })

async function textOf(pieces: ByteStream): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += Buffer.from(piece).toString()
  return text
}

describe.each(STORE_KINDS)('amounts of an older database on %s', (kind) => {
  it('are the same decimals, and add up exactly', async () => {
    const place = await olderDatabase(kind)
    await fill(place, AMOUNTS)
    await place.db.destroy()
    const store = await open(place)
    const answer = async (document: ReturnType<typeof ledgerDocument | typeof customerDocument>, select: string) => {
      const plan = planCollection(document, readOptions([['select', select]]))
      const { content: body } = await store.collect('EN', {
        format: 'json',
        cells: [],
        compile: (engine, form) => compileCollection(plan, [['company_id', 'EN']], engine, { form }),
        ...INTERNAL_CALLER,
        isUrgent: false,
      })
      return typeof body === 'object' && !(body instanceof Uint8Array) ? textOf(body) : body.toString()
    }
    const customers = customerDocument(undefined)
    const lines = await answer(ledgerDocument(customers), 'amounts(amount,currencyAmount)')
    const texts = AMOUNTS.map((amount) => amount.replace('1e13', '10000000000000'))
    const negated = texts.map((text) => (text === '0' ? text : text.startsWith('-') ? text.slice(1) : `-${text}`))
    expect(lines).toBe(
      `[${texts.map((text, at) => `{"amounts":{"amount":${text},"currencyAmount":${negated[at]}}}`).join()}]`,
    )
    const limits = await answer(customers, 'invoice(creditLimit)')
    expect(limits).toBe(`[${texts.map((text) => `{"invoice":{"creditLimit":${text}}}`).join()}]`)
    await store.close()
    await place.remove()
  })

  it.each(['0.00001', '1e14', '0.123456789012345'])(
    'that hold %s, which is no amount, stay as they were, and the start says which it is',
    { timeout: 600_000 },
    async (amount) => {
      const place = await olderDatabase(kind)
      await fill(place, ['1', amount])
      const refusal = await open(place).catch((error: Error) => error)
      const cause = (refusal as Error).cause as Error
      expect(cause.message).toMatch(/in ledger_transaction\.amount .*is no amount of 4 decimals/)
      expect(Number(/-?\d[\d.e+-]*/i.exec(cause.message)?.[0])).toBe(Number(amount))
      const rows = await sql<{ amount: number }>`select amount from ledger_transaction order by amount`.execute(
        place.db,
      )
      expect(rows.rows.map((row) => row.amount).sort()).toEqual([1, Number(amount)].sort())
      await place.db.destroy()
      await place.remove()
    },
  )
})
