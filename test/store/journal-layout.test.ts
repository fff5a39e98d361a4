// The layout of the change log: entries of an older version are answered as before, and take less space.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../src/databases/migrations/migrate.ts'
import { openStore } from '../../src/databases/open/open-store.ts'
import type { AuditEntryView } from '../../src/sql/service-tables.ts'
import { hashOf, START } from '../../src/store/chain/audit-chain.ts'
import { writeEntry } from '../../src/store/journal/journal.ts'
import type { Store } from '../../src/store/store.ts'
import { connectToPostgres, connectToSqlite } from '../support/direct-connection.ts'
import { faultsOf, type OlderDatabase, olderDatabase } from '../support/older-database.ts'
import { asSuperuser } from '../support/test-database.ts'
import { STORE_KINDS, type StoreKind } from '../support/world.ts'

const BEFORE = [
  '0001-records',
  '0002-documents',
  '0003-archive',
  '0004-audit',
  '0005-repeats',
  '0006-usage',
  '0007-relations',
]
const ACTOR = { userId: 'u', clientId: 'c', requestId: 'r' }

const open = (place: OlderDatabase): Promise<Store> =>
  openStore({ ...place, clock: () => new Date(), observe: () => {}, onFatal: () => {} })

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
  company_id: fc.constantFrom('', 'EN', 'SV'),
  entity: fc.constantFrom('customer', 'attribute-value', 'access'),
  record_key: fc.constantFrom('["A"]', '["B",1]'),
  operation: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
  user_id: fc.constantFrom('one', 'two'),
  client_id: fc.constantFrom('', 'shop'),
  at: fc
    .date({ min: new Date('1969-12-31T00:00:00.000Z'), max: new Date('2099-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  request_id: fc.constantFrom('', 'r1', '7f3c'),
  before: text,
  after: text,
})

/** Entries as the previous version has written them, chained, with gaps between their numbers. */
function randomEntries(count: number): AuditEntryView[] {
  const heads = new Map<string, { no: number; hash: string }>()
  return fc.sample(change, { numRuns: count, seed: 7 }).map((members) => {
    const head = heads.get(members.company_id) ?? { no: 0, hash: START }
    const entry = { ...members, entry_no: head.no + 1 + (members.before.length % 3) }
    const hash = hashOf(head.hash, entry)
    heads.set(members.company_id, { no: entry.entry_no, hash })
    return { ...entry, previous_hash: head.hash, hash }
  })
}

async function fill({ db, types, database }: OlderDatabase, entries: readonly AuditEntryView[]): Promise<void> {
  await migrate(db, types, BEFORE)
  for (const company of new Set(entries.map((entry) => entry.company_id))) {
    const own = entries.filter((entry) => entry.company_id === company)
    const { entry_no, hash } = own.at(-1) as AuditEntryView
    if (database !== undefined) await sql`select set_config('tabularium.company', ${company}, false)`.execute(db)
    await sql`insert into setup_item (company_id, kind, id) values (${company}, 'company', ${company})`.execute(db)
    await sql`insert into journal_counter values (${company}, ${entry_no}, ${entry_no}, ${hash}, ${own.length})`.execute(
      db,
    )
    for (const e of own) {
      await sql`insert into journal_entry values (${company}, ${e.entry_no}, ${e.entity}, ${e.record_key}, ${e.operation},
        ${e.user_id}, ${e.client_id}, ${e.at}, ${e.request_id}, ${e.before}, ${e.after}, ${e.previous_hash}, ${e.hash})`.execute(
        db,
      )
    }
  }
  await db.destroy()
}

/** All entries as they are answered, bypassing row-level security. */
async function answered({ data, database }: OlderDatabase): Promise<unknown[]> {
  const door =
    database === undefined ? connectToSqlite(join(data, 'tabularium.db')) : connectToPostgres(asSuperuser(database))
  const rows = await door.query('select * from audit_entry order by company_id, entry_no')
  await door.close()
  return rows.map((row) => ({ ...row, entry_no: Number(row.entry_no) }))
}

const byNumber = (entries: readonly AuditEntryView[]) =>
  ['', 'EN', 'SV'].flatMap((company) => entries.filter((entry) => entry.company_id === company))

describe.each(STORE_KINDS)('the change log of an older database on %s', (kind: StoreKind) => {
  it('is answered as it was, with intact chains, and continues', async () => {
    const place = await olderDatabase(kind)
    const entries = randomEntries(600)
    await fill(place, entries)
    const store = await open(place)
    expect(await answered(place)).toEqual(byNumber(entries))
    const counts = { '': 0, EN: 0, SV: 0 }
    for (const { company_id } of entries) counts[company_id as keyof typeof counts] += 1
    expect(await faultsOf(place)).toEqual(counts)
    const added = {
      entity: 'customer',
      key: ['A'],
      operation: 'update',
      before: 'old \u00e5',
      after: 'new \u00e5',
    } as const
    await store.write('EN', ACTOR, (tx) => writeEntry(tx, added))
    expect(await faultsOf(place)).toEqual({ ...counts, EN: counts.EN + 1 })
    const { before, after } = ((await answered(place)) as AuditEntryView[]).filter((e) => e.company_id === 'EN').at(-1)!
    expect({ before, after }).toEqual({ before: added.before, after: added.after })
    await store.close()
    await place.remove()
  })

  it.each([
    ['user_id', 'x'],
    ['after', 'x'],
    ['hash', 'x'],
    ['previous_hash', 'x'],
    ['at', 'x'],
  ])('does not hide that %s of an entry had been changed', async (member, value) => {
    const place = await olderDatabase(kind)
    const entries = randomEntries(60).filter((entry) => entry.company_id === 'EN')
    const changed = entries[5] as AuditEntryView
    await fill(place, [...entries.slice(0, 5), { ...changed, [member]: value }, ...entries.slice(6)])
    const store = await open(place)
    const { EN } = await faultsOf(place)
    expect(EN).toMatchObject([{ kind: 'changed', entryNo: changed.entry_no }])
    await store.close()
    await place.remove()
  })
})

const COMPANY = 'EN'
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
  it('is below a sixth of the uncompressed size', async () => {
    const place = await olderDatabase('sqlite')
    await migrate(place.db, place.types, BEFORE)
    await place.db.destroy()
    const older = new DatabaseSync(join(place.data, 'tabularium.db'))
    const insert = older.prepare('insert into journal_entry values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    let [no, previous] = [0, START]
    older.exec('begin')
    for (let customer = 0; customer < CUSTOMERS; customer++) {
      for (const { entity, key, after } of customerEntries(customer)) {
        no += 1
        const entry = {
          company_id: COMPANY,
          entry_no: no,
          entity,
          record_key: JSON.stringify(key),
          operation: 'create' as const,
          user_id: 'import',
          client_id: '',
          at: new Date(1_770_000_000_000 + no).toISOString(),
          request_id: '',
          before: '',
          after: JSON.stringify(after),
        }
        const hash = hashOf(previous, entry)
        insert.run(...Object.values(entry), previous, hash)
        previous = hash
      }
    }
    older.prepare(`insert into journal_counter values (?, ?, ?, ?, ?)`).run(COMPANY, no, no, previous, no)
    older.exec(`insert into setup_item (company_id, kind, id) values ('EN', 'company', 'EN'); commit`)
    const before = journalBytes(older)
    older.close()

    const store = await open(place)
    expect(await faultsOf(place)).toEqual({ EN: no })
    await store.close()
    const now = new DatabaseSync(join(place.data, 'tabularium.db'))
    const after = journalBytes(now)
    expect(after.journal_entry).toBeLessThan(before.journal_entry as number)
    expect(sum(after)).toBeLessThan((before.journal_entry as number) / 6)
    now.exec('vacuum')
    now.close()
    expect(statSync(join(place.data, 'tabularium.db')).size).toBeLessThan(sum(before) / 4)
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
