// `audit`: the chain of the change log against somebody who has the database: each kind of change is planted by SQL, past
// the service, and found with the right entry named.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChainHead, type EntryMembers, hashOf } from '../../src/store/audit-chain.ts'
import { call, type Folder, kill, linesOf, rowsOf, run, SETUP, serve, temporaryFolder } from '../support/process.ts'

type Entry = EntryMembers & ChainHead & { previous_hash: string; entry_no: number }
type Sql = Database.Database

const VALUES = '/v1/attribute-values'
const NOTHING_ELSE = { code: 0, stderr: '' }

let folder: Folder
let heads: string

beforeAll(async () => {
  folder = temporaryFolder()
  await run(['setup', SETUP, '--data', folder.path])
  // What is applied again takes a number in each company and writes no entry: the numbers have a gap.
  await run(['setup', SETUP, '--data', folder.path])
  const service = await serve(['--data', folder.path, '--shutdown-grace', '0'])
  for (const attributeValue of ['A1', 'A2', 'A3', 'A4']) {
    const body = { attributeId: 'C1', attributeValue, description: 'Påske \u{1f600}' }
    expect((await call(service.address + VALUES, { method: 'POST', body })).status).toBe(201)
  }
  heads = (await run(['audit', 'head', '--data', folder.path])).stdout
  service.child.kill('SIGTERM')
  await service.ended
})
afterAll(() => folder.remove())

const verify = (path: string, ...more: string[]) => run(['audit', 'verify', '--data', path, ...more])

/** The entries of EN in a database, by their numbers. */
const entriesIn = (sql: Sql) =>
  sql.prepare(`select * from journal_entry where company_id = 'EN' order by entry_no`).all() as Entry[]

/** Runs `change` on a copy of the database, then verifies it. */
async function afterChange(change: (sql: Sql, entries: Entry[]) => void, ...more: string[]) {
  const copy = temporaryFolder()
  try {
    cpSync(folder.path, copy.path, { recursive: true })
    const sql = new Database(join(copy.path, 'tabularium.db'))
    change(sql, entriesIn(sql))
    sql.close()
    return await verify(copy.path, ...more)
  } finally {
    copy.remove()
  }
}

const at = (entries: readonly Entry[], index: number): Entry => entries.at(index) as Entry

/** An entry with a hash that fits what is before it. */
function forged(before: Entry, members: Partial<Entry>): Entry {
  const entry = { ...before, ...members, previous_hash: before.hash }
  return { ...entry, hash: hashOf(entry.previous_hash, entry) }
}

function put(sql: Sql, entry: Entry): void {
  const names = Object.keys(entry)
  sql
    .prepare(`insert or replace into journal_entry (${names}) values (${names.map((name) => `@${name}`)})`)
    .run(entry as never)
}

function mendHead(sql: Sql): void {
  const entries = entriesIn(sql)
  const last = at(entries, -1)
  sql
    .prepare(`update journal_counter set head_no = ?, head_hash = ?, entry_count = ? where company_id = 'EN'`)
    .run(last.entry_no, last.hash, entries.length)
}

/** Makes the chain anew from the entry at an index, as one would who knows how. */
function chainAnew(sql: Sql, from: number): void {
  for (let index = from; index < entriesIn(sql).length; index++) {
    const entries = entriesIn(sql)
    put(sql, forged(at(entries, index - 1), { ...at(entries, index) }))
  }
  mendHead(sql)
}

const broken = async (finding: string, change: (sql: Sql, entries: Entry[]) => void, ...more: string[]) => {
  const { code, stdout, stderr } = await afterChange(change, ...more)
  const lines = linesOf(stdout)
  expect({ code, stderr, finding: lines[0] }).toEqual({
    code: 1,
    stderr: '',
    finding: expect.stringContaining(finding),
  })
  expect(lines).toHaveLength(2)
  return stdout
}

const remove = (sql: Sql, entry: Entry) =>
  sql.prepare(`delete from journal_entry where company_id = 'EN' and entry_no = ?`).run(entry.entry_no)

describe('audit verify', () => {
  it('finds every chain whole, with gaps between the numbers', async () => {
    const { stdout, ...rest } = await verify(folder.path)
    expect(rest).toMatchObject(NOTHING_ELSE)
    expect(stdout).toMatch(/^\d+ entries: 3 of 3 chains are whole\n$/)
    const [gaps] = rowsOf(
      folder.path,
      `select max(entry_no) - count(*) as n from journal_entry where company_id = 'EN'`,
    )
    expect(gaps?.n).toBeGreaterThan(1)
  })

  it('reads one company when it is named, and refuses one that is not there', async () => {
    expect((await verify(folder.path, '--company', 'SV')).stdout).toContain('1 of 1 chains')
    expect(await verify(folder.path, '--company', 'NONE')).toMatchObject({ code: 2, stdout: '' })
  })

  const MEMBERS = ['entity', 'record_key', 'operation', 'user_id', 'client_id', 'at', 'request_id', 'before', 'after']
  it.each([...MEMBERS, 'previous_hash', 'hash'])('finds the entry whose %s was changed', async (member) => {
    const no = 6
    await broken(`changed: entry ${no} of company EN`, (sql) =>
      sql.prepare(`update journal_entry set ${member} = 'x' where company_id = 'EN' and entry_no = ?`).run(no),
    )
  })

  it('finds an entry whose hash was made anew with it', async () => {
    await broken('changed: entry 6 of company EN', (sql, entries) => {
      const index = entries.findIndex((entry) => entry.entry_no === 6)
      put(sql, forged(at(entries, index - 1), { ...at(entries, index), user_id: 'somebody-else' }))
    })
  })

  it.each([
    ['first', 0],
    ['sixth', 5],
  ])('finds where the %s entry is missing', async (_name, index) => {
    const [before, behind] = [index === 0 ? 'the beginning' : 'entry 6', index === 0 ? 3 : 8]
    await broken(`missing: entry ${behind} of company EN: what stood between ${before} and`, (sql, entries) =>
      remove(sql, at(entries, index)),
    )
  })

  it('finds two entries that have changed places', async () => {
    await broken('reordered: entry 6 of company EN', (sql) => {
      const move = sql.prepare(`update journal_entry set entry_no = ? where company_id = 'EN' and entry_no = ?`)
      for (const [to, from] of [
        [0, 6],
        [6, 7],
        [7, 0],
      ])
        move.run(to, from)
    })
  })

  it('finds an entry that was put into a gap, with a fitting hash and without', async () => {
    const gapIn = (entries: readonly Entry[]) =>
      entries.findIndex((entry, index) => (entries[index + 1]?.entry_no ?? 0) > entry.entry_no + 1)
    for (const hash of [undefined, 'f'.repeat(64)]) {
      let no = 0
      const stdout = await broken('inserted: entry ', (sql, entries) => {
        const before = at(entries, gapIn(entries))
        no = before.entry_no + 1
        put(sql, { ...forged(before, { entry_no: no }), ...(hash ? { hash } : {}) })
      })
      expect(stdout).toContain(`inserted: entry ${no} of company EN`)
    }
  })

  it('finds an entry that was added behind the end', async () => {
    let no = 0
    const stdout = await broken('appended: entry ', (sql, entries) => {
      no = at(entries, -1).entry_no + 5
      put(sql, forged(at(entries, -1), { entry_no: no }))
    })
    expect(stdout).toContain(`appended: entry ${no} of company EN`)
  })

  it('finds that the end is cut off', async () => {
    let no = 0
    const stdout = await broken('cut: entry ', (sql, entries) => {
      for (const entry of entries.slice(-3)) remove(sql, entry)
      no = at(entries, -4).entry_no
    })
    expect(stdout).toContain(`cut: entry ${no} of company EN`)
  })

  it('finds that the last entry was changed together with its hash', async () => {
    let no = 0
    const stdout = await broken('changed: entry ', (sql, entries) => {
      no = at(entries, -1).entry_no
      put(sql, forged(at(entries, -2), { ...at(entries, -1), user_id: 'x' }))
    })
    expect(stdout).toContain(`changed: entry ${no} of company EN`)
  })

  it('finds that the count of entries was changed, and that the end of a chain was taken away', async () => {
    await broken('end: entry ', (sql) =>
      sql.prepare(`update journal_counter set entry_count = 1 where company_id = 'EN'`).run(),
    )
    await broken('appended: entry 2 of company EN', (sql) =>
      sql.prepare(`delete from journal_counter where company_id = 'EN'`).run(),
    )
  })

  it('tells the first broken entry of each company', async () => {
    const { code, stdout } = await afterChange((sql) =>
      sql.prepare(`update journal_entry set user_id = 'x' where entry_no in (4, 5)`).run(),
    )
    expect(code).toBe(1)
    expect(linesOf(stdout)).toEqual([
      'changed: entry 4 of what belongs to no company: the entry does not fit its hash',
      'changed: entry 4 of company EN: the entry does not fit its hash',
      'changed: entry 4 of company SV: the entry does not fit its hash',
      expect.stringContaining(': 0 of 3 chains are whole'),
    ])
  })
})

describe('audit verify --since', () => {
  const noted = () => linesOf(heads)

  it('proves that what was noted is still part of the chain', async () => {
    const file = join(folder.path, 'heads.txt')
    writeFileSync(file, `${heads}\n`)
    for (const since of [noted(), [file]]) {
      expect(await verify(folder.path, '--since', ...since)).toMatchObject(NOTHING_ELSE)
    }
  })

  it('finds an end that is cut off although the row that tells the end was mended', async () => {
    const cut = (sql: Sql, entries: Entry[]) => {
      for (const entry of entries.slice(-2)) remove(sql, entry)
      mendHead(sql)
    }
    expect(await afterChange(cut)).toMatchObject(NOTHING_ELSE)
    const [, no] = /^EN:(\d+):/m.exec(heads) ?? []
    await broken(`noted: entry ${no} of company EN: the entry was noted and is not there`, cut, '--since', ...noted())
  })

  it('finds a chain that was made anew', async () => {
    const forge = (sql: Sql, entries: Entry[]) => {
      put(sql, { ...at(entries, 5), user_id: 'somebody-else' })
      chainAnew(sql, 5)
    }
    expect(await afterChange(forge)).toMatchObject(NOTHING_ELSE)
    const [, no] = /^EN:(\d+):/m.exec(heads) ?? []
    await broken(`noted: entry ${no} of company EN: the entry is not what was noted`, forge, '--since', ...noted())
  })

  it('finds that a company that was noted is gone', async () => {
    const since = `GONE:5:${'a'.repeat(64)}`
    const { code, stdout } = await verify(folder.path, '--since', since)
    expect({ code, first: linesOf(stdout)[0] }).toEqual({
      code: 1,
      first: 'noted: entry 5 of company GONE: the entry was noted and there is no such company',
    })
  })

  it('refuses what is no line of `audit head`', async () => {
    for (const since of ['EN:5', 'EN:5:abc']) {
      expect(await verify(folder.path, '--since', since)).toMatchObject({ code: 2, stdout: '' })
    }
  })
})

describe('audit head', () => {
  it('prints the last entry of each company and its hash', async () => {
    const lines = rowsOf(
      folder.path,
      `select company_id, entry_no, hash from journal_entry j
       where entry_no = (select max(entry_no) from journal_entry where company_id = j.company_id) order by company_id`,
    ).map((row) => `${row.company_id}:${row.entry_no}:${row.hash}`)
    expect(linesOf(heads)).toEqual(lines)
    expect(linesOf((await run(['audit', 'head', '--data', folder.path, '--company', 'SV'])).stdout)).toEqual([lines[2]])
  })

  it('says that there is no database, or none of this version', async () => {
    const empty = temporaryFolder()
    const none = await run(['audit', 'head', '--data', empty.path])
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no database') })
    new Database(join(empty.path, 'tabularium.db')).exec('create table setup_item (company_id text)').close()
    const old = await run(['audit', 'head', '--data', empty.path])
    expect(old).toMatchObject({ code: 1, stderr: expect.stringContaining('was not opened by this version yet') })
    empty.remove()
  })
})

describe('the chain of a service', () => {
  it('is whole while it writes, after it was killed, and after it went on; refused access is written when it stops', async () => {
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

    const second = await serve(args)
    expect((await call(`${second.address}/v1/customers/X`)).status).toBe(403)
    second.child.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
    const refused = rowsOf(data.path, `select record_key from journal_entry where operation = 'refused'`)
    expect(refused).toEqual([{ record_key: '["GET","/v1/customers/X"]' }])
    expect(await verify(data.path)).toMatchObject(NOTHING_ELSE)
    data.remove()
  })
})
