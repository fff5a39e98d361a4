// The version before and this one on one database: side by side on PostgreSQL, one after the other on SQLite.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DataLocation, emptyLocation } from '../support/data-location.ts'
import { call, kill, run, runProcess, type Serving, serve, temporaryFolder } from '../support/process.ts'
import { queryOn } from '../support/test-database.ts'
import { FEWER_KINDS } from '../support/world.ts'
import { type PreviousProgram, previousProgram } from './previous-program.ts'
import { answer, walk } from './walk.ts'

const SETUP = 'test/fixtures/documents.yaml'

/** A setup with a document that has a table of its own. */
const ownSetup = (document: string) => `version: 1
documents:
  - name: ${document}
    key: [companyId, id]
    properties:
      companyId: { type: string }
      id: { type: string }
      hours: { type: number }
`

/** What a later version will do, which each program here allows: columns in tables that it writes, and a table. */
const EXPANSION = [
  `alter table attribute_value add column later_text text not null default ''`,
  `alter table setup_item add column later_text text not null default ''`,
  'create table later_table (company_id text not null, id text not null, primary key (company_id, id))',
]

describe.each(FEWER_KINDS)('The version before and this one on %s', (kind) => {
  const folder = temporaryFolder()
  let previous: PreviousProgram
  let place: DataLocation
  const serving = new Set<Serving>()

  beforeAll(async () => {
    previous = await previousProgram()
  })
  afterEach(async () => {
    for (const service of serving) await kill(service)
    serving.clear()
  })
  afterAll(() => folder.remove())

  const emptyPlace = async (name: string) => {
    place = await emptyLocation(kind, join(folder.path, name))
  }

  /** Each version has a data folder, as on a machine of its own: commands go to the server that uses it. */
  const on = ({ version = 'this', program }: Partial<PreviousProgram>) => {
    const { data, database, flags } = place
    const options = program === undefined ? {} : { program }
    if (database === undefined) return { flags, options }
    const keys = join(data, previous.version, 'keys.json')
    const shared = { TABULARIUM_FILES: join(data, 'files'), ...(existsSync(keys) ? { TABULARIUM_KEYS: keys } : {}) }
    return {
      flags: ['--data', join(data, version), '--database', database],
      options: { ...options, environment: shared },
    }
  }

  async function started(version: Partial<PreviousProgram>, ...more: string[]): Promise<Serving> {
    const { flags, options } = on(version)
    const service = await serve([...flags, ...more], options)
    serving.add(service)
    return service
  }

  async function stopped(service: Serving): Promise<void> {
    service.child.kill('SIGTERM')
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0 })
    serving.delete(service)
  }

  const command = (version: Partial<PreviousProgram>, ...args: string[]) => {
    const { flags, options } = on(version)
    return runProcess([...args, ...flags], options)
  }

  const sideBySide = async () => {
    await emptyPlace('both')
    const older = await started(previous, '--setup', SETUP)
    const newest = await newestMigration(place)
    await walk('before', older.address, older.address)
    const newer = await started({})
    await walk('older-first', older.address, newer.address)
    await walk('newer-first', newer.address, older.address)

    await expand(place, newest)
    await walk('expanded', older.address, newer.address)
    await stopped(older)
    await walk('alone', newer.address, newer.address)
    const again = await started(previous)
    await walk('older-again', again.address, newer.address)
    await kill(again)
    const after = await started(previous)
    await walk('after-crash', newer.address, after.address)

    const both = [after.address, newer.address]
    await expectSetupBy({}, 'work-orders', both)
    await expectSetupBy(previous, 'tickets', both)
    await walk('after-setup', after.address, newer.address)

    expect(await command({}, 'audit', 'verify')).toMatchObject({ code: 0, stderr: '' })
    const refused = await command(previous, 'backup', join(folder.path, 'incomplete'))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('back it up with that') })
  }

  /** One version makes a table for a document and fills it; both answer from it. */
  async function expectSetupBy(version: Partial<PreviousProgram>, document: string, addresses: readonly string[]) {
    const [setup, rows] = [join(folder.path, 'own.yaml'), join(folder.path, 'rows.csv')]
    writeFileSync(setup, ownSetup(document))
    writeFileSync(rows, 'companyId,id,hours\nEN,1,1.5\n')
    expect(await command(version, 'setup', setup)).toMatchObject({ code: 0 })
    expect(await command(version, 'import', document, rows, '--company', 'EN')).toMatchObject({ code: 0 })
    for (const address of addresses) await expectRows(`${address}/v1/objects/${document}?select=id,hours`)
  }

  const inTurn = async () => {
    await emptyPlace('both')
    const older = await started(previous, '--setup', SETUP)
    const newest = await newestMigration(place)
    await walk('before', older.address, older.address)
    await stopped(older)
    const newer = await started({})
    await walk('after', newer.address, newer.address)
    await stopped(newer)
    await expand(place, newest)
    const back = await started(previous)
    await walk('back', back.address, back.address)
    await stopped(back)
    const again = await started({})
    for (const name of ['before', 'after', 'back'])
      await answer(200, `${again.address}/v1/attribute-values/C1/${name}/0`)
    await walk('again', again.address, again.address)
    await stopped(again)
    expect(await command({}, 'audit', 'verify')).toMatchObject({ code: 0, stderr: '' })
    expect(await command({}, 'check')).toMatchObject({ code: 0 })
    expect(await command(previous, 'audit', 'verify')).toMatchObject({ code: 0, stderr: '' })
  }

  if (kind === 'postgres') it('serve side by side, through restarts, setups and an expansion', sideBySide, 300_000)
  else it('serve one after the other, and back', inTurn, 180_000)

  it('pass a backup of the version before on', async () => {
    await emptyPlace('backed-up')
    const older = await started(previous, '--setup', SETUP)
    await walk('kept', older.address, older.address)
    const target = join(folder.path, 'backup-of-older')
    expect(await command(previous, 'backup', target)).toMatchObject({ code: 0 })
    await stopped(older)
    await emptyPlace('restored')
    expect(await command({}, 'restore', target)).toMatchObject({ code: 0 })
    const newer = await started({})
    await answer(200, `${newer.address}/v1/attribute-values/C1/kept/0`)
    await walk('added', newer.address, newer.address)
    const backup = join(folder.path, 'backup-of-newer')
    expect(await command({}, 'backup', backup)).toMatchObject({ code: 0 })
    expect(await run(['verify', backup])).toMatchObject({ code: 0 })
  })
})

async function newestMigration({ query }: DataLocation): Promise<string> {
  const [row] = await query('select max(name) as name from kysely_migration')
  return String(row?.name).slice(0, 4)
}

/** `newest` is the migration that a program must know to use the database afterwards. */
async function expand({ data, database }: DataLocation, newest: string): Promise<void> {
  const name = `9998-expansion.since-${newest}`
  const record = `insert into kysely_migration values ('${name}', '2999-01-01T00:00:00.000Z')`
  if (database !== undefined) {
    await queryOn(database, ...EXPANSION, record)
    return
  }
  const connection = new DatabaseSync(join(data, 'tabularium.db'))
  for (const statement of [...EXPANSION, record]) connection.exec(statement)
  connection.close()
}

/** A server follows a setup within seconds. */
async function expectRows(url: string): Promise<void> {
  const ask = async () => {
    const { status, text } = await call(url)
    return { url, status, text }
  }
  await expect.poll(ask).toEqual({ url, status: 200, text: '[{"id":"1","hours":1.5}]' })
}
