// Read-only commands create nothing on the disk: every command of the program writes or is tested here.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run, SETUP, temporaryFolder } from '../support/process.ts'
import { newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const WRITES = [
  'init',
  'serve',
  'mirror',
  'setup',
  'import',
  'backup',
  'restore',
  'demo',
  'keys',
  'user',
  'migrate',
  'distribute',
]
/** They ask a running service; login keeps credentials. */
const ASKS = ['smoke', 'types', 'login', 'query', 'get', 'patch']

const folder = temporaryFolder()
afterAll(() => folder.remove())
const rows = join(folder.path, 'rows.csv')
const backup = join(folder.path, 'backup')

/** Read-only commands with their arguments, run on an empty location. */
const READS: readonly (readonly [command: string, args: readonly string[]])[] = [
  ['setup --dry-run', ['setup', SETUP, '--dry-run']],
  ['import', ['import', 'customers', rows]],
  ['import --dry-run', ['import', 'customers', rows, '--dry-run']],
  ['import --template', ['import', 'customers', '--template']],
  ['export', ['export', 'customers']],
  ['changes', ['changes', '--since', '0']],
  ['files check', ['files', 'check']],
  ['clients', ['clients']],
  ['users', ['users']],
  ['roles', ['roles']],
  ['access', ['access', '--client', 'integration', '--company', 'EN', 'GET /v1/documents']],
  ['erase noted', ['erase', 'noted']],
  ['purge --dry-run', ['purge', '--expired', '--dry-run']],
  ['check', ['check']],
  ['audit verify', ['audit', 'verify']],
  ['audit head', ['audit', 'head']],
  ['advise', ['advise']],
  ['backup', ['backup', backup]],
  ['token', ['token', '--client', 'integration']],
]

beforeAll(() => writeFileSync(rows, 'customerId\n1\n'))

it('every command of the program writes, or is tested here', async () => {
  const tried = READS.map(([command]) => command.split(' ')[0])
  const { stdout } = await run(['help', 'all'])
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) [^\n]*/gm)].map(([, name]) => name ?? '')
  const listed = commands.filter((name) => !['tabularium', 'help'].includes(name))
  expect(listed.length).toBeGreaterThan(10)
  // Verify reads a backup alone; health, mcp and the others ask a service.
  expect(
    listed.filter((name) => ![...WRITES, ...tried, 'verify', 'health', ...ASKS, 'hash-secret'].includes(name)),
  ).toEqual([])
})

const TRIED = { code: 0, stderr: '', says: /\d+ created, 0 changed/ }
const REFUSED = { code: 1, stdout: '', says: /^tabularium: (there is no|no company)[^\n]*\n$/ }

async function requireUntouched(command: string, args: readonly string[]): Promise<void> {
  const before = readdirSync(folder.path, { recursive: true })
  const ended = await run(args)
  const { says, ...wanted } = command === 'setup --dry-run' ? TRIED : REFUSED
  expect(ended).toMatchObject(wanted)
  expect(ended.stdout + ended.stderr).toMatch(says)
  expect(readdirSync(folder.path, { recursive: true })).toEqual(before)
}

describe('makes nothing', () => {
  it.each(READS)('%s: where there is no data folder', (command, args) =>
    requireUntouched(command, [...args, '--data', join(folder.path, 'none', 'below')]),
  )

  it.each(READS)('%s: in an empty data folder', (command, args) => {
    const data = join(folder.path, 'empty')
    mkdirSync(data, { recursive: true })
    return requireUntouched(command, [...args, '--data', data])
  })

  it('verify: where there is no backup', async () => {
    const before = readdirSync(folder.path, { recursive: true })
    const { code, stdout, stderr } = await run(['verify', join(folder.path, 'no-backup')])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/^[^\n]*no-backup[^\n]*\n$/)
    expect(readdirSync(folder.path, { recursive: true })).toEqual(before)
  })
})

describe.runIf(STORE_KINDS.includes('postgres'))(
  'makes nothing in an empty database of PostgreSQL, nor beside it',
  () => {
    let database = ''
    beforeAll(async () => {
      database = await newDatabase()
    })

    it.each(READS)('%s', async (command, args) => {
      const place = ['--database', database, '--data', join(folder.path, 'none')]
      if (command === 'setup --dry-run') await requireUntouched(command, [...args, ...place])
      else {
        const before = readdirSync(folder.path, { recursive: true })
        const { code, stdout, stderr } = await run([...args, ...place])
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toMatch(/^tabularium: [^\n]*\n$/)
        expect(readdirSync(folder.path, { recursive: true })).toEqual(before)
      }
      expect(await queryOn(database, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])
    })
  },
)
