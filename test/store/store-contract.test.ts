// The contract of the store: the same tests for SQLite and PostgreSQL.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MIGRATION_NAMES } from '../../src/databases/migrations/migrate.ts'
import { openStore } from '../../src/databases/open/open-store.ts'
import { authorizeReading, openReader, openWriter, pragma } from '../../src/databases/sqlite/dialect/connection.ts'
import type { Observation } from '../../src/observe/observation.ts'
import { writeEntry } from '../../src/store/journal/journal.ts'
import { listSetupItems, putAttribute, putSetupItem } from '../../src/store/service-state/setup-store.ts'
import { putAppliedSetup } from '../../src/store/setup-version.ts'
import type { Actor, Store, Tx } from '../../src/store/store.ts'
import { storeOver } from '../../src/store/store-over.ts'
import { addJournalView } from '../support/journal-view.ts'
import { PostgresServer } from '../support/postgres.ts'
import { IS_LONG } from '../support/reliability-test.ts'
import { asSuperuser, queryOn } from '../support/test-database.ts'
import { STORE_KINDS, type StoreKind } from '../support/world.ts'
import { migratedPlace, newPlace, type StoredPlace } from '../support/world-templates.ts'

type Row = Record<string, unknown>

/** A database, opened by stores and also read and changed directly. */
interface Place {
  /** For what only one engine has. */
  readonly role: string
  readonly observed: Observation[]
  open(parameters?: string, isService?: boolean): Promise<Store>
  /** Runs a statement as the database's administrator. */
  run(text: string): Promise<Row[]>
  /** Runs statements on one session as the role that the service uses. */
  asService(...texts: readonly string[]): Promise<Row[]>
  remove(): Promise<void>
}

const ACTOR: Actor = { userId: 'tester', clientId: 'tests', requestId: 'r1' }

/** `isByThread`: each write is a large one, which a thread of its own stores. */
function placeOf({ data: folder, database: url }: StoredPlace, isByThread = false): Place {
  const observed: Observation[] = []
  const stores: Store[] = []
  const open = async (parameters = '', isService = false) => {
    const opened = await openStore({
      isService,
      isBulk: isByThread,
      data: folder,
      database: url && url + parameters,
      clock: () => new Date(),
      observe: (observation) => observed.push(observation),
      onFatal: () => {},
    })
    const store = isByThread ? withLargeWrites(opened) : opened
    stores.push(store)
    return store
  }
  const run = (text: string) => (url ? queryOn(asSuperuser(url), text) : inFile(join(folder, 'tabularium.db'), text))
  const remove = async () => {
    for (const store of stores) await store.close().catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    role: url ? new URL(url).username : '',
    observed,
    open,
    run,
    asService: (...texts) => queryOn(url ?? '', ...texts),
    remove,
  }
}

function withLargeWrites(store: Store): Store {
  return storeOver(store, { write: (companyId, actor, work) => store.write(companyId, actor, work, true) })
}

async function inFile(file: string, text: string): Promise<Row[]> {
  const connection = new DatabaseSync(file)
  addJournalView(connection)
  try {
    return connection.prepare(text).all() as Row[]
  } finally {
    connection.close()
  }
}

/** Companies exist once a setup has named them. */
async function prepare(store: Store): Promise<void> {
  await store.writeSetup(ACTOR, async (tx) => {
    for (const company of ['EN', 'SV']) await tx.in(company)
  })
}

/** One record of a company with its entry. */
async function put(tx: Tx, id: string): Promise<number> {
  await putSetupItem(tx, { company_id: tx.companyId, kind: 'test', id, definition: '{}' })
  writeEntry(tx, { entity: 'test', key: [id], operation: 'create', before: '', after: '{}' })
  return tx.entryNo
}

const idsIn = async (store: Store, companyId: string) =>
  (await listSetupItems(store.reading(companyId))).filter((row) => row.company_id === companyId).map((row) => row.id)

const entriesOf = async (place: Place, companyId: string) =>
  (
    await place.run(`select entry_no, record_key from audit_entry where company_id = '${companyId}' order by entry_no`)
  ).map((row) => ({ no: Number(row.entry_no), id: JSON.parse(String(row.record_key))[0] as string }))

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

function storeContract(kind: StoreKind, isByThread = false): void {
  let place: Place
  let store: Store
  beforeEach(async () => {
    place = placeOf(await migratedPlace(kind), isByThread)
    store = await place.open()
    await prepare(store)
  })
  afterEach(() => place.remove())

  it('returns the result of a write, and stores what it wrote', async () => {
    expect(await store.write('EN', ACTOR, (tx) => put(tx, 'a'))).toBe(2)
    expect(await idsIn(store, 'EN')).toEqual(['a'])
    const [entry] = await place.run(`select * from audit_entry where company_id = 'EN'`)
    expect(entry).toMatchObject({ user_id: 'tester', client_id: 'tests', request_id: 'r1', record_key: '["a"]' })
  })

  it('stores nothing of a write whose work throws, not even its number', async () => {
    const refused = store.write('EN', ACTOR, async (tx) => {
      await put(tx, 'a')
      await put(tx.nextEntry(), 'b')
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    expect(await idsIn(store, 'EN')).toEqual([])
    expect(await store.write('EN', ACTOR, (tx) => put(tx, 'c'))).toBe(2)
    expect(await entriesOf(place, 'EN')).toEqual([{ no: 2, id: 'c' }])
  })

  it('stores nothing of a write in which a statement failed, and rethrows its error', async () => {
    const failed = store.write('EN', ACTOR, async (tx) => {
      await put(tx, 'a')
      writeEntry(tx, { entity: 'test', key: ['a'], operation: 'create', before: '', after: '' })
    })
    await expect(failed).rejects.toThrow(/unique/i)
    expect(await idsIn(store, 'EN')).toEqual([])
    expect(await store.write('EN', ACTOR, (tx) => put(tx, 'b'))).toBe(2)
  })

  it('rolls back only the failed write among writes that share a transaction', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        store.write('EN', ACTOR, async (tx) => {
          // When nothing is written yet, the first time when others have been, and again.
          if (index % 10 === 3) throw new Error(`refused ${index}`)
          await put(tx, `w${index}`)
          if (index % 10 === 8) throw new Error(`refused ${index}`)
          return index
        }),
      ),
    )
    const kept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(kept).toEqual(Array.from({ length: 40 }, (_, index) => index).filter((index) => index % 5 !== 3))
    expect(reasons).toEqual([3, 8, 13, 18, 23, 28, 33, 38].map((index) => `Error: refused ${index}`))
    expect((await idsIn(store, 'EN')).sort()).toEqual(kept.map((index) => `w${index}`).sort())
    expect((await entriesOf(place, 'EN')).map((entry) => entry.no)).toEqual(kept.map((_, index) => index + 2))
  })

  it('numbers the entries of each company by itself, in the order in which the writes are committed', async () => {
    const committed: Record<string, number[]> = { EN: [], SV: [] }
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const company = index % 3 === 0 ? 'SV' : 'EN'
        committed[company]?.push(await store.write(company, ACTOR, (tx) => put(tx, `n${index}`)))
      }),
    )
    for (const company of ['EN', 'SV']) {
      const numbers = (await entriesOf(place, company)).map((entry) => entry.no)
      expect(numbers).toEqual(numbers.map((_, index) => index + 2))
      expect([...(committed[company] ?? [])].sort((one, other) => one - other)).toEqual(numbers)
    }
  })

  it('never shows an entry before one with a lesser number is there', async () => {
    let isWriting = true
    const gaps: number[][] = []
    const watching = (async () => {
      while (isWriting) {
        const numbers = (await entriesOf(place, 'EN')).map((entry) => entry.no)
        if (numbers.some((no, index) => no !== index + 2)) gaps.push(numbers)
        await pause(1)
      }
    })()
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.write('EN', ACTOR, (tx) => put(tx, `g${round}-${index}`))),
      )
    }
    isWriting = false
    await watching
    expect(gaps).toEqual([])
  })

  it('lets one write of a company after the other: what was read still holds at the commit', async () => {
    const count = 25
    await Promise.all(
      Array.from({ length: count }, () =>
        store.write('EN', ACTOR, async (tx) => {
          const seen = (await listSetupItems(tx)).filter((row) => row.company_id === 'EN').length
          await put(tx, `c${seen}`)
        }),
      ),
    )
    expect(await idsIn(store, 'EN')).toHaveLength(count)
  })

  it('shows no write before its commit', async () => {
    let seenByItself: string[] = []
    let seenByOthers: string[] = ['unread']
    await store.write('EN', ACTOR, async (tx) => {
      await put(tx, 'a')
      seenByItself = (await listSetupItems(tx)).map((row) => row.id)
      seenByOthers = await idsIn(store, 'EN')
    })
    expect({ seenByItself, seenByOthers }).toEqual({ seenByItself: ['a'], seenByOthers: [] })
    expect(await idsIn(store, 'EN')).toEqual(['a'])
  })

  it('applies a setup over several companies as one: a failure undoes all of it', async () => {
    const failed = store.writeSetup(ACTOR, async (tx) => {
      await put(await tx.in('EN'), 'a')
      await put(await tx.in('NEW'), 'b')
      throw new Error('refused')
    })
    await expect(failed).rejects.toThrow('refused')
    expect([...(await idsIn(store, 'EN')), ...(await idsIn(store, 'NEW'))]).toEqual([])
    expect(await place.run(`select * from journal_counter where company_id = 'NEW'`)).toEqual([])
    // The sessions that were undone serve their companies again.
    expect(await store.write('EN', ACTOR, (tx) => put(tx, 'c'))).toBe(2)
  })

  it('refuses a write of a company that no setup has named', async () => {
    await expect(store.write('NONE', ACTOR, (tx) => put(tx, 'a'))).rejects.toThrow(
      'company NONE has no journal counter',
    )
    expect(await idsIn(store, 'NONE')).toEqual([])
  })

  it('keeps quotes, wildcards and code points beyond the first plane as they are', async () => {
    const ids = [`'; drop table setup_item; --`, '%_\\', '\u{1F5C3}\uFF21\u0130', ' blanks ', '"\\u0000"']
    for (const id of ids) await store.write('EN', ACTOR, (tx) => put(tx, id))
    expect((await idsIn(store, 'EN')).sort()).toEqual([...ids].sort())
  })

  it('has its data after it was closed and opened again, and goes on with the next number', async () => {
    await store.write('EN', ACTOR, (tx) => put(tx, 'a'))
    await store.close()
    store = await place.open()
    expect(await idsIn(store, 'EN')).toEqual(['a'])
    expect(await store.write('EN', ACTOR, (tx) => put(tx, 'b'))).toBe(3)
  })

  it('has the writes that were in progress when it was closed', async () => {
    const writes = Array.from({ length: 30 }, (_, index) => store.write('EN', ACTOR, (tx) => put(tx, `z${index}`)))
    const [results] = await Promise.all([Promise.allSettled(writes), store.close()])
    const kept = results.filter((result) => result.status === 'fulfilled').length
    store = await place.open()
    expect(await idsIn(store, 'EN')).toHaveLength(kept)
  })

  it('runs its migrations once', async () => {
    const before = await place.run('select * from kysely_migration')
    await store.close()
    store = await place.open()
    expect(await place.run('select * from kysely_migration')).toEqual(before)
    expect(before.map((row) => row.name)).toEqual(MIGRATION_NAMES)
  })

  it('does not open a database that a newer version has changed, and changes nothing in it', async () => {
    await store.close()
    await place.run(`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z')`)
    const before = await place.run('select * from kysely_migration order by name')
    await expect(place.open()).rejects.toThrow(
      'the database was changed by a newer version of Tabularium (9999-later): run that version, or restore a backup',
    )
    expect(await place.run('select * from kysely_migration order by name')).toEqual(before)
    // Without that row the database is as it was.
    await place.run(`delete from kysely_migration where name = '9999-later'`)
    store = await place.open()
    await store.ping()
  })
}

describe.each(STORE_KINDS)('the store on %s', (kind) => storeContract(kind))

describe.runIf(IS_LONG && STORE_KINDS.includes('sqlite'))('the store on sqlite, by a thread', () => {
  storeContract('sqlite', true)
})

describe.runIf(STORE_KINDS.includes('sqlite'))('SQLite', () => {
  let place: Place
  beforeEach(async () => {
    place = placeOf(await newPlace('sqlite'))
  })
  afterEach(() => place.remove())

  it('is opened in the only mode that preserves every acknowledged write', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-pragmas-'))
    const writer = openWriter(join(folder, 'x.db'))
    const read = (name: string) => pragma(writer, name)
    const settings = {
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      trusted_schema: 0,
      busy_timeout: 5000,
      temp_store: 2,
      journal_size_limit: 64 * 1024 * 1024,
      wal_autocheckpoint: 4000,
      cell_size_check: 1,
    }
    expect(Object.fromEntries(Object.keys(settings).map((name) => [name, read(name)]))).toEqual(settings)
    expect(read('mmap_size') ?? 0).toBe(0)

    const reader = openReader(join(folder, 'x.db'))
    expect(() => reader.exec('create table t (x)')).toThrow(/readonly/)
    expect(() => reader.exec(`attach '${join(folder, 'y.db')}' as other; create table other.t (x)`)).toThrow(
      /readonly|query_only|unable to open|too many attached/,
    )
    reader.close()
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('shows a write the version of a setup that was applied before it in the same commit', async () => {
    const store = await place.open()
    await prepare(store)
    const versions: number[] = []
    const note = async (tx: Tx) => void versions.push(tx.setupVersion)
    const apply = () => store.writeSetup(ACTOR, async (tx) => putAppliedSetup(await tx.in(''), 7))
    await Promise.all([store.write('EN', ACTOR, note), apply(), store.write('EN', ACTOR, note)])
    expect(versions).toEqual([0, 7])
  })

  it('compiles queries that read documents alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-authorizer-'))
    const file = join(folder, 'x.db')
    const writer = openWriter(file)
    for (const table of ['customer', 'setup_item', 'kept_answer', 'kysely_migration'])
      writer.exec(`create table ${table} (x)`)
    const reader = openReader(file)
    const prepare = authorizeReading(reader)
    for (const allowed of ['select x from customer', `select json_group_array(value) from json_each('[1]')`])
      expect(() => prepare(allowed)).not.toThrow()
    for (const refused of [
      'select x from setup_item',
      'select x from customer where x in (select x from kept_answer)',
      'select x from kysely_migration',
      'select sql from sqlite_schema',
      `select name from pragma_table_info('customer')`,
      'pragma table_info(customer)',
      `select load_extension('x')`,
      'insert into customer values (1)',
      'create temp table t (x)',
      `attach ':memory:' as m`,
    ]) {
      expect(() => prepare(refused).all(), refused).toThrow(/not authorized|prohibited|readonly|too many/)
    }
    reader.close()
    writer.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('refuses a second service on the same folder, and releases the folder with the first', async () => {
    const service = await place.open('', true)
    await expect(place.open('', true)).rejects.toThrow(/the data folder .* is in use by another Tabularium/)
    const command = await place.open()
    await command.close()
    await service.close()
    await (await place.open('', true)).ping()
  })
})

describe.runIf(STORE_KINDS.includes('postgres'))('PostgreSQL', () => {
  let place: Place
  beforeEach(async () => {
    place = placeOf(await newPlace('postgres'))
  })
  afterEach(() => place.remove())

  const attributeOf = (company: string) => async (store: Store) =>
    store.write(company, ACTOR, (tx) =>
      putAttribute(tx, {
        attribute_id: 'C1',
        name: `of ${company}`,
        description: '',
        maintenance: 'manual',
        contact_points: 0,
        auto_numbering: 0,
        owner_attribute_id: '',
      }),
    )
  const TENANT_TABLES = [
    'journal_counter',
    'journal_entry',
    'journal_origin',
    'journal_dictionary',
    'numbering',
    'attribute',
    'attribute_value',
    'attribute_relation',
    'relation',
    'company',
    'value_list',
    'ledger_transaction',
    'customer',
    'import_progress',
    'import_row',
    'document',
    'document_index',
    'document_revision',
    'document_text',
    'swept_file',
    'kept_answer',
    'table_version',
    'subscription',
    'subscription_event',
    'subscription_attempt',
    'batch_operation',
    'batch_operation_result',
    'proposal',
    'mirror_document',
    'mirror_finding',
    'person_settings',
  ]

  it.each([2, 6])('lets %d stores open an empty database at once', async (count) => {
    const stores = await Promise.all(Array.from({ length: count }, () => place.open()))
    for (const store of stores) await store.ping()
    expect((await place.run('select name from kysely_migration')).map((row) => row.name)).toEqual(MIGRATION_NAMES)
  })

  it('lets two stores write to the same company at once without a number taken twice', async () => {
    const stores = [await place.open(), await place.open()] as const
    await prepare(stores[0])
    const writes = Array.from({ length: 60 }, (_, index) =>
      (stores[index % 2] ?? stores[0]).write('EN', ACTOR, (tx) => put(tx, `p${index}`)),
    )
    const numbers = await Promise.all(writes)
    expect(numbers.sort((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, index) => index + 2))
  })

  it('shows a session only the company to which it is bound, even without a predicate', async () => {
    const store = await place.open()
    await prepare(store)
    for (const company of ['EN', 'SV']) await attributeOf(company)(store)
    for (const company of ['EN', 'SV']) await store.write(company, ACTOR, (tx) => put(tx, 'a'))
    for (const table of [
      'journal_counter',
      'journal_entry',
      'journal_origin',
      'journal_dictionary',
      'audit_entry',
      'attribute',
    ]) {
      const text = `select distinct company_id from ${table}`
      expect(await place.asService(`select set_config('tabularium.bound_company', 'EN', false)`, text)).toEqual([
        { company_id: 'EN' },
      ])
      await expect(place.asService(text)).rejects.toThrow('unrecognized configuration parameter')
    }
    const changed = place.asService(
      `select set_config('tabularium.bound_company', 'EN', false)`,
      `update attribute set name = 'changed' returning company_id`,
    )
    expect(await changed).toEqual([{ company_id: 'EN' }])
  })

  it('does not let a session write for another company', async () => {
    const store = await place.open()
    await prepare(store)
    for (const text of [
      `insert into attribute (company_id, attribute_id) values ('SV', 'C9')`,
      `insert into journal_entry (company_id, entry_no) values ('SV', 99)`,
      `update journal_counter set company_id = 'SV2'`,
    ]) {
      await expect(place.asService(`select set_config('tabularium.bound_company', 'EN', false)`, text)).rejects.toThrow(
        /row-level security/,
      )
    }
  })

  it('guards every table with a company but the setup, against its owner too', async () => {
    await place.open()
    const guarded = await place.run(
      `select relname from pg_class where relkind = 'r' and relrowsecurity and relforcerowsecurity order by relname`,
    )
    expect(guarded.map((row) => row.relname)).toEqual([...TENANT_TABLES].sort())
    const withCompany = await place.run(
      `select table_name from information_schema.columns where column_name = 'company_id' and table_schema = 'public'`,
    )
    const unguarded = withCompany.map((row) => String(row.table_name)).filter((name) => !TENANT_TABLES.includes(name))
    // The view reads with the rights of its caller.
    expect(unguarded.sort()).toEqual(['audit_entry', 'setup_item'])
  })

  it('warns when its role bypasses row-level security, and only then', async () => {
    await (await place.open()).close()
    expect(place.observed).toEqual([])
    await place.run(`alter role ${place.role} bypassrls`)
    await (await place.open()).close()
    expect(place.observed).toEqual([
      { kind: 'store-warning', message: 'the database role bypasses row-level security; use an ordinary role' },
    ])
  })

  it.each(['database', 'role', 'address'])('commits durably although its %s says otherwise', async (what) => {
    if (what !== 'address') await place.run(`alter ${what} ${place.role} set synchronous_commit = off`)
    const store = await place.open(what === 'address' ? '?options=-c%20synchronous_commit%3Doff' : '')
    await prepare(store)
    const show = { name: 'show_synchronous_commit', build: () => sql`show synchronous_commit` }
    const inWrite = await store.write('EN', ACTOR, (tx) => tx.first(show, {}))
    expect(inWrite).toEqual({ synchronous_commit: 'on' })
  })

  it('keeps its time limits whatever options its address has', async () => {
    const store = await place.open('?options=-c%20work_mem%3D8MB')
    const show = { name: 'show_lock_timeout', build: () => sql`show lock_timeout` }
    expect(await store.reading('').first(show, {})).toEqual({ lock_timeout: '5s' })
  })

  it.each(['fsync', 'full_page_writes'])('refuses a server that runs with %s = off', async (setting) => {
    const server = await PostgresServer.start(['-c', `${setting}=off`])
    try {
      await expect(openAt(`${server.admin}/postgres`)).rejects.toThrow(
        `PostgreSQL runs with ${setting} = off: acknowledged writes could be lost`,
      )
    } finally {
      await server.remove()
    }
  })

  it.each([
    ['while it waits', 0],
    ['between two statements', 100],
  ])(
    'answers 503 when the database ends the session of a write %s, and goes on with another',
    async (_when, idleMs) => {
      const store = await place.open()
      await prepare(store)
      const own = { name: 'own_pid', build: () => sql<{ pid: number }>`select pg_backend_pid() as pid` }
      const written = store.write('EN', ACTOR, async (tx) => {
        await put(tx, 'a')
        const { pid } = (await tx.first(own, {})) as unknown as { pid: number }
        await place.run(`select pg_terminate_backend(${pid})`)
        await pause(idleMs)
        await put(tx.nextEntry(), 'b')
      })
      await expect(written).rejects.toMatchObject({ status: 503 })
      expect(await idsIn(store, 'EN')).toEqual([])
      expect(await store.write('EN', ACTOR, (tx) => put(tx, 'c'))).toBe(2)
    },
  )
})

function openAt(url: string): Promise<Store> {
  return openStore({ data: tmpdir(), database: url, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
}
