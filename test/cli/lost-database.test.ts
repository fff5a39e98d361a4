// A data folder whose database is missing, empty or damaged: every command says so and what to do, and writes nothing.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/databases/open/open-store.ts'
import { breakPage } from '../support/damage.ts'
import { filesBelow, stateOf } from '../support/data-location.ts'
import { run, runProcess, SETUP, serveHere, temporaryFolder } from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'

const folder = temporaryFolder()
const whole = join(folder.path, 'whole')
const backup = join(folder.path, 'backup')
const quiet = ['--port', '0', '--log-level', 'silent', '--workers', '1']
let copies = 0

const COMMANDS = [
  ['serve', ...quiet],
  ['setup', SETUP],
  ['setup', SETUP, '--dry-run'],
  ['check'],
  ['export', 'customers'],
  ['backup', join(folder.path, 'none')],
  ['audit', 'verify'],
  ['advise'],
  ['token', '--client', 'integration'],
]

beforeAll(async () => {
  expect(await run(['setup', SETUP, '--data', whole])).toMatchObject({ code: 0 })
  expect(await run(['backup', backup, '--data', whole])).toMatchObject({ code: 0 })
  // Large, and the same in each copy.
  rmSync(join(whole, 'ballast'))
})
afterAll(() => folder.remove())

/** A copy of the whole folder, with a change. */
function changed(change: (file: string, data: string) => void): string {
  const data = join(folder.path, `data-${copies++}`)
  cpSync(whole, data, { recursive: true })
  change(join(data, 'tabularium.db'), data)
  return data
}

/** One line that names the file and the next step, and nothing is written. */
async function expectRefused(args: readonly string[], data: string, says: string): Promise<void> {
  const before = filesBelow(data)
  const { code, stdout, stderr } = await run([...args, '--data', data])
  expect({ args, code, stdout, stderr }).toEqual({ args, code: 1, stdout: '', stderr: `tabularium: ${says}\n` })
  expect(filesBelow(data)).toEqual(before)
}

const RESTORE = 'restore the last backup into a new folder: tabularium restore BACKUP --data FOLDER'
const lost = (data: string, how: string) =>
  `${join(data, 'tabularium.db')} is ${how}, though it held the database: ${RESTORE}`

const LOG_ALONE = (file: string, data: string) => {
  rmSync(join(data, 'integrity.json'))
  writeFileSync(`${file}-wal`, 'the log of the database')
}

describe('a database that is lost', () => {
  it.each(COMMANDS.map((args) => ({ args, command: args.join(' ') })))('is told by $command', async ({ args }) => {
    const empty = changed((file) => truncateSync(file))
    await expectRefused(args, empty, lost(empty, 'empty'))
    const missing = changed((file) => rmSync(file))
    await expectRefused(args, missing, lost(missing, 'missing'))
  })

  it('is told where its log is left alone', async () => {
    const empty = changed((file, data) => {
      truncateSync(file)
      LOG_ALONE(file, data)
    })
    await expectRefused(['serve', ...quiet], empty, lost(empty, 'empty'))
    const missing = changed((file, data) => {
      rmSync(file)
      LOG_ALONE(file, data)
    })
    await expectRefused(['serve', ...quiet], missing, lost(missing, 'missing'))
  })

  it('is not made anew by a worker that starts later', async () => {
    const data = changed((file) => rmSync(file))
    const before = filesBelow(data)
    const opening = openStore({ data, isWorker: true, clock: () => new Date(), observe: () => {}, onFatal: () => {} })
    await expect(opening).rejects.toThrow(lost(data, 'missing'))
    expect(filesBelow(data)).toEqual(before)
  })

  longIt('is told once by several processes', async () => {
    const data = changed((file) => truncateSync(file))
    const { code, stderr } = await runProcess(['serve', '--port', '0', '--workers', '2', '--data', data])
    expect({ code, stderr }).toEqual({ code: 1, stderr: `tabularium: ${lost(data, 'empty')}\n` })
  })

  it('is restored from a backup into its folder, where nothing else is left', async () => {
    const data = join(folder.path, 'emptied')
    mkdirSync(data)
    cpSync(join(whole, 'integrity.json'), join(data, 'integrity.json'))
    await expectRefused(['check'], data, lost(data, 'missing'))
    expect(await run(['restore', backup, '--data', data])).toMatchObject({ code: 0, stderr: '' })
    expect(await run(['check', '--data', data])).toMatchObject({ code: 0 })
  })

  it('is not made anew where a restore was interrupted', async () => {
    const data = join(folder.path, 'halfway')
    mkdirSync(data)
    writeFileSync(join(data, 'restored.db.tmp'), 'the beginning of a database')
    for (const args of [['serve', ...quiet], ['setup', SETUP], ['check']]) {
      await expectRefused(args, data, `the restore into ${data} is not finished: run it again`)
    }
    expect(await run(['restore', backup, '--data', data])).toMatchObject({ code: 0 })
  })

  it.each(['empty', 'missing'])('that is %s in a backup is told, and not restored', async (how) => {
    const target = join(folder.path, `backup-${how}`)
    cpSync(backup, target, { recursive: true })
    const file = join(stateOf(target), 'tabularium.db')
    if (how === 'empty') truncateSync(file)
    else rmSync(file)
    const fault = how === 'empty' ? /damaged: tabularium\.db has 0 of \d+ bytes/ : /missing: tabularium\.db/
    expect(await run(['verify', target])).toMatchObject({ code: 1, stderr: '', stdout: expect.stringMatching(fault) })
    const data = join(folder.path, `restored-${how}`)
    const restored = await run(['restore', target, '--data', data])
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringMatching(fault) })
    expect(existsSync(data)).toBe(false)
  })
})

describe('a folder that never had a database', () => {
  /** What a first start leaves that is killed before it has made the file, its header, or its schema. */
  const BEGUN: Record<string, (file: string) => void> = {
    'no file': () => {},
    'an empty file': (file) => writeFileSync(file, ''),
    'a file with a header alone': (file) => {
      const made = new DatabaseSync(file)
      made.exec('pragma journal_mode = wal')
      made.close()
    },
  }

  it.each(Object.entries(BEGUN))('begins where a first start left %s', async (_what, begin) => {
    const data = join(folder.path, `begun-${copies++}`)
    mkdirSync(data)
    for (const lock of ['instance.lock', 'commands.lock']) writeFileSync(join(data, lock), '')
    writeFileSync(join(data, 'keys.json.tmp'), '')
    begin(join(data, 'tabularium.db'))
    const service = await serveHere(['--data', data, '--setup', SETUP])
    // From here on a missing database is a lost one.
    expect(existsSync(join(data, 'integrity.json'))).toBe(true)
    await service.stop()
    expect(JSON.parse(readFileSync(join(data, 'integrity.json'), 'utf8'))).toMatchObject({
      closed: { sizeBytes: statSync(join(data, 'tabularium.db')).size },
    })
  })
})

describe('a database that is damaged', () => {
  it.each(COMMANDS.map((args) => ({ args, command: args.join(' ') })))('is named by $command', async ({ args }) => {
    const none = changed((file) => writeFileSync(file, 'this is no database'.repeat(1000)))
    const { code, stdout, stderr } = await run([...args, '--data', none])
    const says = `tabularium: ${join(none, 'tabularium.db')} is damaged (file is not a database): ${RESTORE}\n`
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: says })
  })

  it('is named where a page of it cannot be read', async () => {
    const data = changed((_file, data) => void breakPage(data, 'attribute_value'))
    const { code, stderr } = await run(['export', 'attribute-values', '--company', 'EN', '--data', data])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(join(data, 'tabularium.db')) })
    expect(stderr).toContain(RESTORE)
  })

  it('is not what an attached file is called', async () => {
    const attached = join(folder.path, 'attached.db')
    writeFileSync(attached, 'this is no database'.repeat(1000))
    const { code, stderr } = await run(['serve', ...quiet, '--data', whole, '--attach', `other=${attached}`])
    const says = `tabularium: the database ${attached}, attached as other, cannot be read: file is not a database\n`
    expect({ code, stderr }).toEqual({ code: 1, stderr: says })
  })
})
