// The layout of the change log: entries are answered as they were written, and take little space.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { MIGRATION_NAMES, migrate } from '../../src/databases/migrations/migrate.ts'
import { openStore } from '../../src/databases/open/open-store.ts'
import type { AuditEntryView } from '../../src/sql/service-tables.ts'
import { type LoggedChange, writeEntries, writeEntry } from '../../src/store/journal/journal.ts'
import type { Store } from '../../src/store/store.ts'
import { connectToPostgres, connectToSqlite } from '../support/direct-connection.ts'
import { faultsOf, type OlderDatabase, olderDatabase } from '../support/older-database.ts'
import { asSuperuser } from '../support/test-database.ts'
import { STORE_KINDS, type StoreKind } from '../support/world.ts'

const COMPANY = 'EN'
const ACTOR = { userId: 'u', clientId: 'c', requestId: 'r' }

async function opened(place: OlderDatabase): Promise<Store> {
  const { db, types, database } = place
  await migrate(db, types, MIGRATION_NAMES)
  if (database !== undefined) await sql`select set_config('tabularium.company', ${COMPANY}, false)`.execute(db)
  await sql`insert into setup_item (company_id, kind, id) values (${COMPANY}, 'company', ${COMPANY})`.execute(db)
  await sql`insert into journal_counter (company_id) values (${COMPANY})`.execute(db)
  await db.destroy()
  return openStore({ ...place, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
}

/** Writes the entries, some in each transaction. */
async function writeAll(store: Store, changes: readonly LoggedChange[], atOnce: number): Promise<void> {
  for (let at = 0; at < changes.length; at += atOnce) {
    await store.write(COMPANY, ACTOR, async (tx) => {
      let current: typeof tx = tx
      for (const [no, change] of changes.slice(at, at + atOnce).entries()) {
        if (no > 0) current = tx.nextEntry()
        writeEntry(current, change)
      }
      await writeEntries(tx)
    })
  }
}

const part = fc.oneof(
  fc.constantFrom('"description":"', '\u00c5pningstid', '\u{1f600}', "'", '","periodFrom":0,', 'a'.repeat(300)),
  fc.string(),
)
const text = fc.oneof(
  { arbitrary: fc.constant(''), weight: 1 },
  // PostgreSQL takes no NUL in a text.
  {
    arbitrary: fc.array(part, { maxLength: 30 }).map((parts) => parts.join('').replaceAll('\0', '').toWellFormed()),
    weight: 5,
  },
)
const change = fc.record({
  entity: fc.constantFrom('customer', 'attribute-value', 'access'),
  key: fc.constantFrom(['A'], ['B', 1]),
  operation: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
  before: text,
  after: text,
})

/** The texts of all entries as they are answered, bypassing row-level security. */
async function answered({ data, database }: OlderDatabase): Promise<Pick<AuditEntryView, 'before' | 'after'>[]> {
  const door =
    database === undefined ? connectToSqlite(join(data, 'tabularium.db')) : connectToPostgres(asSuperuser(database))
  const rows = await door.query('select before, after from audit_entry order by company_id, entry_no')
  await door.close()
  return rows as Pick<AuditEntryView, 'before' | 'after'>[]
}

describe.each(STORE_KINDS)('the change log on %s', (kind: StoreKind) => {
  it('answers texts as they were written, with an intact chain', async () => {
    const place = await olderDatabase(kind)
    const store = await opened(place)
    const changes = fc.sample(change, { numRuns: 600, seed: 7 })
    await writeAll(store, changes, 7)
    expect(await answered(place)).toEqual(changes.map(({ before, after }) => ({ before, after })))
    expect(await faultsOf(place)).toEqual({ [COMPANY]: changes.length })
    await store.close()
    await place.remove()
  })
})

const CUSTOMERS = 4_000

/** The entries of a customer, its value and its relation, and of another attribute's value, as POST writes them. */
function customerEntries(no: number) {
  const id = String(100_000 + no)
  const street = `${(no * 7919) % 500} ${['Station', 'Church', 'Harbour', 'Mill'][no % 4]} Road`
  const name = `${['Nordic', 'Alpine', 'Baltic', 'Atlantic', 'Polar'][no % 5]} ${(no * 104_729) % 65_536} Trading`
  const point = {
    additionalContactInfo: {
      contactPerson: '',
      contactPosition: '',
      eMail: `post@c${no}.example`,
      eMailCc: '',
      gtin: '',
      url: '',
    },
    address: {
      countryCode: 'NO',
      place: 'Bergen',
      postcode: String(1_000 + (no % 9_000)),
      province: '',
      streetAddress: street,
    },
    contactPointType: '1',
    phoneNumbers: Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7].map((n) => [`telephone${n}`, n === 1 ? String(no * 31) : '']),
    ),
    sortOrder: 0,
  }
  const dates = { dateFrom: '1900-01-01T00:00:00.000', dateTo: '2099-12-31T00:00:00.000' }
  const value = {
    attributeName: 'CUSTOMER',
    companyId: COMPANY,
    contactPoints: [],
    customValue: 0,
    owner: '',
    ownerAttributeId: '',
  }
  const period = { ownerAttributeName: '', periodFrom: 0, periodTo: 209_912, relatedValues: [], status: 'N' }
  const related = {
    percentage: 0,
    relatedValue: 'NO1',
    relationGroup: 'LEGAL',
    relationId: 'LEGALID',
    relationName: 'Legal entity',
  }
  const flags = [
    'calculatePayDiscountOnTax',
    'checkCreditOnHeadOffice',
    'hasFixedCurrency',
    'hasFixedPaymentTerms',
    'hasFixedTaxSystem',
  ]
  const customer = {
    aliasName: '',
    companyId: COMPANY,
    companyRegistrationNumber: String(900_000_000 + no * 13),
    contactPoints: [point],
    countryCode: 'NO',
    customFieldGroups: {},
    customerGroupId: '10',
    customerId: id,
    customerName: name,
    externalReference: '',
    invoice: {
      ...Object.fromEntries(flags.map((flag) => [flag, false])),
      creditLimit: 0,
      currencyCode: '',
      languageCode: '',
      paymentTermsId: '',
    },
    lastUpdated: { updatedAt: '2026-11-22T09:06:25.962', updatedBy: 'import' },
    payment: {
      bankAccount: '',
      debtCollectionCode: '',
      expiryDate: '2099-12-31T00:00:00.000',
      payMethod: '',
      postalAccount: '',
      status: 'Active',
    },
    relatedValues: [{ ...dates, ...related, unitValue: 0 }],
  }
  const relation = {
    attributeId: 'A4',
    attributeValue: id,
    relatedAttributeId: 'LI',
    relationValue: 'NO1',
    relationId: 'LEGALID',
    unitValue: 0,
    percentage: 0,
    ...dates,
  }
  const other = {
    attributeId: 'C1',
    attributeValue: `V${no}`,
    ...value,
    description: `Cost centre of ${name}`,
    ...period,
  }
  return [
    { entity: 'customer', key: [id], after: customer },
    {
      entity: 'attribute-value',
      key: ['A4', id, 0],
      after: { attributeId: 'A4', attributeValue: id, description: name, ...value, ...period },
    },
    { entity: 'attribute-relation', key: ['A4', id, 'LI', 'NO1'], after: relation },
    { entity: 'attribute-value', key: ['C1', `V${no}`, 0], after: other },
  ]
}

describe.runIf(STORE_KINDS.includes('sqlite'))('the size of the change log', () => {
  it('is a sixth of that of its texts, and below the half of it with all that an entry has besides', async () => {
    const place = await olderDatabase('sqlite')
    const store = await opened(place)
    const changes = Array.from({ length: CUSTOMERS }, (_, no) => customerEntries(no))
      .flat()
      .map(({ after, ...entry }) => ({
        ...entry,
        operation: 'create' as const,
        before: '',
        after: JSON.stringify(after),
      }))
    await writeAll(store, changes, 500)
    await store.close()
    const connection = new DatabaseSync(join(place.data, 'tabularium.db'))
    const whole = changes.reduce((all, { after }) => all + after.length, 0)
    const { texts } = connection
      .prepare('select sum(length(before) + length(after)) as texts from journal_entry')
      .get()!
    expect(texts).toBeLessThan(whole / 6)
    expect(sum(journalBytes(connection))).toBeLessThan(whole / 2)
    connection.close()
    await place.remove()
  })
})

/** The bytes of the log's tables and indexes. */
function journalBytes(connection: DatabaseSync): Record<string, number> {
  const rows = connection
    .prepare(`select name, sum(pgsize) as bytes from dbstat where name like '%journal!_%' escape '!' group by name`)
    .all() as { name: string; bytes: number }[]
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
}

const sum = (bytes: Record<string, number>) => Object.values(bytes).reduce((all, one) => all + one, 0)
