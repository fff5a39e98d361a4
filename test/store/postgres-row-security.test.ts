// A database role from which row-level security hides everything: this is reported, instead of an empty answer.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApplication } from '../../src/app/app.ts'
import { run, SETUP, temporaryFolder } from '../support/process.ts'
import { asSuperuser, newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const UNSEEN =
  /reads nothing of the company EN, which the setup has: row-level security hides their rows|reads nothing of the companies/

describe.runIf(STORE_KINDS.includes('postgres'))('A role that reads nothing', () => {
  const folder = temporaryFolder()
  let database = ''
  const start = (setup?: string) =>
    buildApplication({
      data: join(folder.path, 'data'),
      database,
      setup,
      basePath: '',
      observe: () => {},
      onFatal: () => {},
    })
  beforeAll(async () => {
    database = await newDatabase()
    const application = await start('test/fixtures/company.yaml')
    await application.stop(0)
    await queryOn(asSuperuser(database), 'drop policy own_company on journal_counter')
  })
  afterAll(() => folder.remove())

  it('is reported at start', async () => {
    await expect(start()).rejects.toThrow(UNSEEN)
  })

  it.each([['audit', 'verify'], ['audit', 'head'], ['backup', 'TARGET'], ['advise']])(
    'is reported by the command %s %s',
    async (...words) => {
      const args = words.map((word) => (word === 'TARGET' ? join(folder.path, 'backup') : word))
      const { code, stderr } = await run([...args, '--database', database, '--data', join(folder.path, 'data')])
      expect([code, stderr]).toEqual([1, expect.stringMatching(UNSEEN)])
    },
  )
})

describe.runIf(STORE_KINDS.includes('postgres'))('Rows that are hidden', () => {
  const folder = temporaryFolder()
  let database = ''
  const COMMANDS = ['audit verify', 'audit head', 'backup TARGET', 'export attribute-values --company EN', 'advise']
  const refusals = async (url: string) => {
    const ended: unknown[] = []
    for (const command of COMMANDS) {
      const args = command.split(' ').map((word) => (word === 'TARGET' ? join(folder.path, 'backup') : word))
      const { code, stdout, stderr } = await run([...args, '--database', url, '--data', join(folder.path, 'data')])
      ended.push([command, code, stdout, stderr])
    }
    return ended
  }
  const refused = (reason: string) =>
    COMMANDS.map((command) => [
      command,
      1,
      '',
      expect.stringMatching(new RegExp(`^tabularium: [^\\n]*${reason}[^\\n]*\\n$`)),
    ])

  beforeAll(async () => {
    database = await newDatabase()
    await run(['setup', SETUP, '--database', database, '--data', join(folder.path, 'data')])
  })
  afterAll(() => folder.remove())

  it.each([
    ['create policy hides on attribute_value as restrictive using (false)', 'drop policy hides on attribute_value'],
    ['create policy hides on journal_entry as restrictive using (entry_no > 3)', 'drop policy hides on journal_entry'],
    ["alter policy own_company on attribute_value using (company_id = 'nobody')", ''],
  ])('end each command that reads all: %s', async (hide, show) => {
    const admin = asSuperuser(database)
    await queryOn(admin, hide)
    expect(await refusals(database)).toEqual(refused('reads not all of the tables (attribute_value|journal_entry)'))
    if (show) await queryOn(admin, show)
  })
})

/** Until migration 0107. */
const EARLIER_SETTING = `case coalesce(current_setting('tabularium.bound_company', true), '')
  when '' then 'tabularium.company' else 'tabularium.bound_company' end`
const EARLIER = `company_id = case current_setting(${EARLIER_SETTING})
  when ' ' then '' else current_setting(${EARLIER_SETTING}) end`

describe.runIf(STORE_KINDS.includes('postgres'))('Policies of an earlier version', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  it('hide nothing more, and are renewed', async () => {
    const database = await newDatabase()
    const place = ['--database', database, '--data', join(folder.path, 'data')]
    await run(['setup', SETUP, ...place])
    const kinds = `select count(distinct pg_get_expr(polqual, polrelid))::int as using,
      count(distinct pg_get_expr(polwithcheck, polrelid))::int as checked from pg_policy`
    for (const table of ['attribute_value', 'own_supplier']) {
      await queryOn(database, `create table if not exists ${table} (company_id text)`)
      await queryOn(database, `alter table ${table} enable row level security`)
      await queryOn(database, `drop policy if exists own_company on ${table}`)
      await queryOn(database, `create policy own_company on ${table} using (${EARLIER}) with check (${EARLIER})`)
    }
    expect(await queryOn(database, kinds)).toEqual([{ using: 2, checked: 2 }])
    expect(await run(['audit', 'verify', ...place])).toMatchObject({ code: 0 })
    await queryOn(database, "delete from kysely_migration where name ^@ '0107'")
    expect(await run(['migrate', '--database', database])).toMatchObject({ code: 0 })
    expect(await queryOn(database, kinds)).toEqual([{ using: 1, checked: 1 }])
  })
})

describe.runIf(STORE_KINDS.includes('postgres'))('Entries of the change log that are missing', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  it('end a backup, and are told by audit verify', async () => {
    const database = await newDatabase()
    const place = ['--database', database, '--data', join(folder.path, 'data')]
    await run(['setup', SETUP, ...place])
    await queryOn(asSuperuser(database), "delete from journal_entry where company_id = 'EN' and entry_no > 2")
    const { code, stderr } = await run(['backup', join(folder.path, 'backup'), ...place])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^tabularium: \d+ of \d+ entries of the change log of company EN can be read/),
    ])
    expect(await run(['audit', 'verify', ...place])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/of company EN/),
    })
  })
})
