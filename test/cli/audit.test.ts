// `audit`: detects manipulation of the change log by an attacker with access to the database: each kind is made by SQL,
// bypassing the service, and must be detected with the right entry named.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReadOnly } from '../../src/databases/open/open-read-only.ts'
import type { AuditEntryView } from '../../src/sql/service-tables.ts'
import { findChainEnd, readChain } from '../../src/store/audit/audit-store.ts'
import { type ChainFault, type NotedEntry, verifyChain } from '../../src/store/audit/verify-chain.ts'
import { hashOf, linkTo } from '../../src/store/chain/audit-chain.ts'
import { KnownDictionary } from '../../src/store/chain/dictionaries.ts'
import { packEntry } from '../../src/store/chain/packed-entry.ts'
import { addJournalView } from '../support/journal-view.ts'
import {
  call,
  type Folder,
  kill,
  linesOf,
  rowsOf,
  run,
  SETUP,
  serve,
  serveHere,
  temporaryFolder,
} from '../support/process.ts'
import { asSuperuser, newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

type Entry = AuditEntryView
type Sql = DatabaseSync

const VALUES = '/v1/attribute-values'
const NOTHING_ELSE = { code: 0, stderr: '' }

let folder: Folder
let heads: string
/** The entries of EN, as the service wrote them. */
let entries: Entry[]

beforeAll(async () => {
  folder = temporaryFolder()
  await run(['setup', SETUP, '--data', folder.path])
  // Applying a setup again takes a number in each company without writing an entry: the numbers have a gap.
  await run(['setup', SETUP, '--data', folder.path])
  const service = await serveHere(['--data', folder.path])
  for (const attributeValue of ['A1', 'A2', 'A3', 'A4']) {
    const body = { attributeId: 'C1', attributeValue, description: 'Påske \u{1f600}' }
    expect((await call(service.address + VALUES, { method: 'POST', body })).status).toBe(201)
  }
  heads = (await run(['audit', 'head', '--data', folder.path])).stdout
  await service.stop()
  const sql = openAt(folder.path)
  entries = entriesIn(sql)
  sql.close()
})
afterAll(() => folder.remove())

function openAt(path: string): Sql {
  const sql = new DatabaseSync(join(path, 'tabularium.db'))
  addJournalView(sql)
  return sql
}

const verify = (path: string, ...more: readonly string[]) => run(['audit', 'verify', '--data', path, ...more])

/** The entries of EN in a database, by their numbers. */
const entriesIn = (sql: Sql) =>
  sql.prepare(`select * from audit_entry where company_id = 'EN' order by entry_no`).all() as unknown as Entry[]

type Change = (sql: Sql, entries: Entry[]) => void

/** Runs `change` on a copy of the database, bypassing the service, and passes the copy to `look`. */
async function withChange<T>(change: Change, look: (path: string) => Promise<T>): Promise<T> {
  const copy = temporaryFolder()
  try {
    cpSync(folder.path, copy.path, { recursive: true })
    const sql = openAt(copy.path)
    change(sql, entriesIn(sql))
    sql.close()
    return await look(copy.path)
  } finally {
    copy.remove()
  }
}

/** The faults of EN's chain, found like by the command, without a process for each. */
async function faultsIn(data: string, noted: readonly NotedEntry[]): Promise<ChainFault[]> {
  await using database = await openReadOnly({ data })
  const end = await findChainEnd(database, 'EN')
  return await verifyChain(readChain(database, 'EN', end.entryNo), end, noted, () => {})
}

const faultsAfter = (change: Change, ...noted: NotedEntry[]) => withChange(change, (path) => faultsIn(path, noted))

const at = (entries: readonly Entry[], index: number): Entry => entries.at(index) as Entry

/** An entry with a hash that fits the entry before it. */
function forged(before: Entry, members: Partial<Entry>): Entry {
  const entry = { ...before, ...members, previous_hash: before.hash }
  return { ...entry, hash: hashOf(entry.previous_hash, entry) }
}

/** Stores an entry as the service would, without any check. */
function put(sql: Sql, entry: Entry): void {
  const { dictionary_no: no, bytes } = sql
    .prepare(
      `select dictionary_no, bytes from journal_dictionary where company_id = 'EN' and entity = 'attribute-value'`,
    )
    .get() as { dictionary_no: number; bytes: Uint8Array }
  const { at: time, ...packed } = packEntry(
    { ...entry, link: linkTo(entry.previous_hash) },
    new KnownDictionary({ no, madeAt: 1, bytes }),
  )
  sql
    .prepare('insert or replace into journal_entry values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      'EN',
      entry.entry_no,
      originOf(sql, entry),
      entry.record_key,
      time,
      entry.request_id,
      no,
      packed.before,
      packed.after,
      packed.hash,
    )
}

function originOf(sql: Sql, { entity, operation, user_id, client_id }: Entry): number {
  const origin = [entity, operation, user_id, client_id]
  sql
    .prepare(`insert or ignore into journal_origin select 'EN', max(origin_no) + 1, ?, ?, ?, ? from journal_origin`)
    .run(...origin)
  const found = sql.prepare(
    `select origin_no from journal_origin where company_id = 'EN' and (entity, operation, user_id, client_id) = (?, ?, ?, ?)`,
  )
  return Number(found.get(...origin)?.origin_no)
}

function repairHead(sql: Sql): void {
  const entries = entriesIn(sql)
  const last = at(entries, -1)
  sql
    .prepare(`update journal_counter set head_no = ?, head_hash = ?, entry_count = ? where company_id = 'EN'`)
    .run(last.entry_no, last.hash, entries.length)
}

/** Recomputes the chain from the entry at an index, as a skilled attacker would. */
function recomputeChain(sql: Sql, from: number): void {
  for (let index = from; index < entriesIn(sql).length; index++) {
    const entries = entriesIn(sql)
    put(sql, forged(at(entries, index - 1), { ...at(entries, index) }))
  }
  repairHead(sql)
}

/** Deletes the last two entries. */
function cut(sql: Sql): void {
  for (const entry of entriesIn(sql).slice(-2)) remove(sql, entry)
}

const remove = (sql: Sql, entry: Entry) =>
  sql.prepare(`delete from journal_entry where company_id = 'EN' and entry_no = ?`).run(entry.entry_no)

describe('audit verify', () => {
  it('finds every chain intact, with gaps between the numbers', async () => {
    const { stdout, ...rest } = await verify(folder.path)
    expect(rest).toMatchObject(NOTHING_ELSE)
    expect(stdout).toMatch(/^\d+ entries: 3 of 3 chains are whole\n$/)
    const [gaps] = rowsOf(folder.path, `select max(entry_no) - count(*) as n from audit_entry where company_id = 'EN'`)
    expect(gaps?.n).toBeGreaterThan(1)
  })

  it('reads one company when it is named, and refuses one that is not there', async () => {
    expect((await verify(folder.path, '--company', 'SV')).stdout).toContain('1 of 1 chain')
    expect(await verify(folder.path, '--company', 'NONE')).toMatchObject({ code: 2, stdout: '' })
  })

  it('reports the first broken entry of each company', async () => {
    const change = (sql: Sql) => sql.exec(`update journal_entry set request_id = 'x' where entry_no in (4, 5)`)
    const { code, stdout } = await withChange(change, verify)
    expect(code).toBe(1)
    expect(linesOf(stdout)).toEqual([
      'changed: entry 4 of what belongs to no company: the entry does not fit its hash',
      'changed: entry 4 of company EN: the entry does not fit its hash',
      'changed: entry 4 of company SV: the entry does not fit its hash',
      expect.stringContaining(': 0 of 3 chains are whole'),
    ])
  })
})

const MEMBERS = ['entity', 'record_key', 'operation', 'user_id', 'client_id', 'request_id', 'before', 'after']
const OTHERS: readonly (readonly [string, string])[] = [
  ...MEMBERS.map((member) => [member, 'x'] as const),
  ['at', '2026-01-01T00:00:00.000Z'],
  ['previous_hash', 'f'.repeat(64)],
  ['hash', 'f'.repeat(64)],
]

describe('a chain', () => {
  it.each(OTHERS)('reports the entry whose %s was changed', async (member, value) => {
    const change: Change = (sql, all) => {
      const entry = all.find(({ entry_no }) => entry_no === 6) as Entry
      put(sql, { ...entry, [member]: value })
    }
    expect(await faultsAfter(change)).toMatchObject([{ kind: 'changed', entryNo: 6 }])
  })

  const LAST = `company_id = 'EN' and entry_no = (select max(entry_no) from journal_entry where company_id = 'EN')`
  it.each([
    ['a compressed text', `update journal_entry set after = cast(after || 'x' as blob) where ${LAST}`],
    ['a text that cannot be decompressed', `update journal_entry set after = x'1f' where ${LAST}`],
    ['a text that asks for too much', `update journal_entry set after = x'1fffffff7f' where ${LAST}`],
    ['a text that is no UTF-8', `update journal_entry set after = x'20ff' where ${LAST}`],
    ['a text where there was none', `update journal_entry set before = after where ${LAST}`],
    ['the number of a dictionary', `update journal_entry set dictionary_no = 1 where ${LAST}`],
    ['the number of a dictionary that is not there', `update journal_entry set dictionary_no = 999 where ${LAST}`],
    ['the number of an origin', `update journal_entry set origin_no = 1 where ${LAST}`],
    ['the number of an origin that is not there', `update journal_entry set origin_no = 999 where ${LAST}`],
    ['a hash that was cut off', `update journal_entry set hash = substr(hash, 1, 8) where ${LAST}`],
  ])('tells the entry that was given %s', async (_what, text) => {
    const found = await faultsAfter((sql) => sql.exec(text))
    expect(found).toMatchObject([{ kind: 'changed', entryNo: at(entries, -1).entry_no }])
  })

  it.each([
    ['a dictionary was changed', `update journal_dictionary set bytes = zeroblob(length(bytes))`],
    ['a dictionary was taken away', 'delete from journal_dictionary'],
    ['an origin was changed', `update journal_origin set user_id = 'x'`],
    ['an origin was taken away', 'delete from journal_origin'],
  ])('tells the first entry that %s of', async (_what, text) => {
    const found = await faultsAfter((sql) => sql.exec(text))
    expect(found).toMatchObject([{ kind: 'changed', entryNo: at(entries, 0).entry_no }])
  })

  it('reports an entry whose hash was recomputed with it', async () => {
    const change: Change = (sql, entries) => {
      const index = entries.findIndex((entry) => entry.entry_no === 6)
      put(sql, forged(at(entries, index - 1), { ...at(entries, index), user_id: 'somebody-else' }))
    }
    expect(await faultsAfter(change)).toMatchObject([{ kind: 'changed', entryNo: 6 }])
  })

  it.each([
    ['first', 0],
    ['second', 1],
    ['sixth', 5],
  ])('tells where the %s entry is missing', async (_name, index) => {
    const [before, behind] = [entries[index - 1], at(entries, index + 1).entry_no]
    const words = `what stood between ${before ? `entry ${before.entry_no}` : 'the beginning'} and the entry is missing`
    const found = await faultsAfter((sql, all) => remove(sql, at(all, index)))
    expect(found).toEqual([{ kind: 'missing', entryNo: behind, message: words }])
  })

  it('reports two swapped entries', async () => {
    const change = (sql: Sql) => {
      const move = sql.prepare(`update journal_entry set entry_no = ? where company_id = 'EN' and entry_no = ?`)
      move.run(0, 6)
      move.run(6, 7)
      move.run(7, 0)
    }
    expect(await faultsAfter(change)).toMatchObject([{ kind: 'reordered', entryNo: 6 }])
  })

  it.each([['with a fitting hash'], ['without one']])(
    'reports an entry that was inserted into a gap %s',
    async (how) => {
      const before = entries.find((entry, index) => at(entries, index + 1).entry_no > entry.entry_no + 1) as Entry
      const entryNo = before.entry_no + 1
      const hash = how === 'without one' ? { hash: 'f'.repeat(64) } : {}
      const found = await faultsAfter((sql) => put(sql, { ...forged(before, { entry_no: entryNo }), ...hash }))
      expect(found).toMatchObject([{ kind: 'inserted', entryNo }])
    },
  )

  it('reports an entry that was appended', async () => {
    const entryNo = at(entries, -1).entry_no + 5
    const found = await faultsAfter((sql) => put(sql, forged(at(entries, -1), { entry_no: entryNo })))
    expect(found).toMatchObject([{ kind: 'appended', entryNo }])
  })

  it('reports that the end is cut off', async () => {
    const found = await faultsAfter((sql) => cut(sql))
    expect(found).toMatchObject([{ kind: 'cut', entryNo: at(entries, -3).entry_no }])
  })

  it('reports that the last entry was changed together with its hash', async () => {
    const found = await faultsAfter((sql) => put(sql, forged(at(entries, -2), { ...at(entries, -1), user_id: 'x' })))
    expect(found).toMatchObject([{ kind: 'changed', entryNo: at(entries, -1).entry_no }])
  })

  it('reports that the row of its end was changed or deleted', async () => {
    const counted = (sql: Sql) => sql.exec(`update journal_counter set entry_count = 1 where company_id = 'EN'`)
    expect(await faultsAfter(counted)).toMatchObject([{ kind: 'end', entryNo: at(entries, -1).entry_no }])
    const gone = (sql: Sql) => sql.exec(`delete from journal_counter where company_id = 'EN'`)
    expect(await faultsAfter(gone)).toMatchObject([{ kind: 'appended', entryNo: at(entries, 0).entry_no }])
  })
})

describe('audit verify --since', () => {
  const noted = () => linesOf(heads)
  const cutAndMended = (sql: Sql) => {
    cut(sql)
    repairHead(sql)
  }

  it('proves that what was noted is still part of the chain', async () => {
    const file = join(folder.path, 'heads.txt')
    writeFileSync(file, `${heads}\n`)
    for (const since of [noted(), [file]]) {
      expect(await verify(folder.path, '--since', ...since)).toMatchObject(NOTHING_ELSE)
    }
  })

  it('finds an end that is cut off although the row of the end was adjusted', async () => {
    expect(await faultsAfter(cutAndMended)).toEqual([])
    const { code, stdout } = await withChange(cutAndMended, (path) => verify(path, '--since', ...noted()))
    const no = at(entries, -1).entry_no
    expect({ code, first: linesOf(stdout)[0] }).toEqual({
      code: 1,
      first: `noted: entry ${no} of company EN: the entry was noted and is not there: the end of the chain is cut off`,
    })
  })

  it('finds a chain that was recomputed', async () => {
    const forge: Change = (sql, all) => {
      put(sql, { ...at(all, 5), user_id: 'somebody-else' })
      recomputeChain(sql, 5)
    }
    expect(await faultsAfter(forge)).toEqual([])
    const before = [at(entries, 4), at(entries, 5), at(entries, -1)].map(({ entry_no, hash }) => {
      return { entryNo: entry_no, hash }
    })
    const found = await faultsAfter(forge, ...before)
    expect(found.map(({ kind, entryNo }) => `${kind} ${entryNo}`)).toEqual(
      before.slice(1).map(({ entryNo }) => `noted ${entryNo}`),
    )
  })

  it('finds that a company that was noted is gone', async () => {
    const { code, stdout } = await verify(folder.path, '--since', `GONE:5:${'a'.repeat(64)}`)
    expect({ code, first: linesOf(stdout)[0] }).toEqual({
      code: 1,
      first: 'noted: entry 5 of company GONE: the entry was noted and there is no such company',
    })
  })

  it('refuses what is no line of `audit head`', async () => {
    expect(await verify(folder.path, '--since', 'EN:5:abc')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('audit head', () => {
  it('prints the last entry of each company and its hash', async () => {
    const lines = rowsOf(
      folder.path,
      `select company_id, entry_no, hash from audit_entry j
       where entry_no = (select max(entry_no) from audit_entry where company_id = j.company_id) order by company_id`,
    ).map((row) => `${row.company_id}:${row.entry_no}:${row.hash}`)
    expect(linesOf(heads)).toEqual(lines)
    expect(linesOf((await run(['audit', 'head', '--data', folder.path, '--company', 'SV'])).stdout)).toEqual([lines[2]])
  })

  it('says that there is no database, or none of this version', async () => {
    const empty = temporaryFolder()
    const none = await run(['audit', 'head', '--data', empty.path])
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no database') })
    const made = new DatabaseSync(join(empty.path, 'tabularium.db'))
    made.exec('create table setup_item (company_id text)')
    made.close()
    const old = await run(['audit', 'head', '--data', empty.path])
    expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining('was not opened by this version yet') })
    empty.remove()
  })
})

describe('the chain of a service', () => {
  it('is intact during writes, after a kill, and after a restart; denied accesses are written when it stops', async () => {
    const data = temporaryFolder()
    const args = ['--data', data.path, '--setup', SETUP, '--shutdown-grace', '0']
    const first = await serve(args)
    let isWriting = true
    const writers = Array.from({ length: 8 }, async (_, id) => {
      for (let count = 0; isWriting; count++) {
        const body = { attributeId: 'C1', attributeValue: `W${id}N${count}` }
        await call(first.address + VALUES, { method: 'POST', body }).catch(() => (isWriting = false))
      }
    })
    for (let round = 0; round < 2; round++) expect(await verify(data.path)).toMatchObject(NOTHING_ELSE)
    await kill(first)
    await Promise.all(writers)
    expect(await verify(data.path)).toMatchObject(NOTHING_ELSE)

    const second = await serveHere(args)
    expect((await call(`${second.address}/v1/customers/X`)).status).toBe(403)
    await second.stop()
    const refused = rowsOf(data.path, `select record_key from audit_entry where operation = 'refused'`)
    expect(refused).toEqual([{ record_key: '["GET","/v1/customers/X"]' }])
    expect(await verify(data.path)).toMatchObject(NOTHING_ELSE)
    data.remove()
  })
})

describe.runIf(STORE_KINDS.includes('postgres'))('audit verify on PostgreSQL', () => {
  it('reports the number of entries', async () => {
    const place = temporaryFolder()
    try {
      const url = await newDatabase()
      const where = ['--data', place.path, '--database', url]
      await run(['setup', SETUP, ...where])
      const [counted] = await queryOn(asSuperuser(url), 'select count(*) as entries from audit_entry')
      const { code, stdout } = await run(['audit', 'verify', ...where])
      expect([code, stdout.split(':')[0]]).toEqual([0, `${counted?.entries} entries`])
    } finally {
      place.remove()
    }
  })
})
