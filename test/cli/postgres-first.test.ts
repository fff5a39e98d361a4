// Wrong addresses of PostgreSQL: every command that opens a database exits with
// one line that names the cause.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PostgresServer } from '../support/postgres.ts'
import { run, SETUP, temporaryFolder } from '../support/process.ts'
import { newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
const data = join(folder.path, 'data')

/** Every command that opens a database. */
const COMMANDS = [
  'serve --port 0 --log-level warn',
  'demo --port 0 --log-level warn',
  `setup ${SETUP}`,
  `setup ${SETUP} --dry-run`,
  `import customers ${SETUP}`,
  'export customers',
  'files check',
  'check',
  'audit verify',
  'audit head',
  'advise',
  `backup ${join(folder.path, 'backup')}`,
  'token --client integration',
] as const

const NO_PORT = 'postgres://app:secret@127.0.0.1:1/records'

async function refusalOf(command: string, database: string) {
  const args = ['--database', database, '--data', data]
  const { code, stdout, stderr } = await run([...command.split(' '), ...args])
  expect({ command, code, stdout }).toEqual({ command, code: 1, stdout: '' })
  expect(stderr).toMatch(/^tabularium: [^\n]*\n$/)
  expect(stderr).not.toContain('secret')
  return stderr.slice('tabularium: '.length, -1)
}

describe.runIf(STORE_KINDS.includes('postgres'))('An address of PostgreSQL that leads nowhere', () => {
  let server: PostgresServer
  /** `HOST:PORT`, and an address of a role that may log in. */
  let place = ''
  let owned = ''
  const of = (user: string, database = 'records', more = '') => `postgres://${user}@${place}/${database}${more}`

  beforeAll(async () => {
    const access = join(folder.path, 'hba.conf')
    // Passwords are required, as in current installations.
    writeFileSync(access, 'host all postgres 127.0.0.1/32 password\nhost all all 127.0.0.1/32 scram-sha-256\n', {
      mode: 0o644,
    })
    // The server may run as another user.
    chmodSync(folder.path, 0o755)
    server = await PostgresServer.start(['-c', `hba_file=${access}`])
    place = server.admin.replace(/^.*@/, '')
    owned = await newDatabase({ admin: server.admin })
    await queryOn(
      `${server.admin}/postgres`,
      `create role app login password 'secret'`,
      'create database records',
      'revoke connect on database template1 from public',
    )
  })
  afterAll(() => server?.remove())

  it.each<readonly [fault: string, address: () => string, says: () => string]>([
    [
      'without a password',
      () => of('app'),
      () => `PostgreSQL at ${place} asks for a password of the role app: write it in the address, or in PGPASSWORD`,
    ],
    [
      'with a wrong password',
      () => of('app:wrong'),
      () => 'the password of the role app is wrong, or there is no such role',
    ],
    [
      'of a role that is not there',
      () => of('nobody:wrong'),
      () => 'the password of the role nobody is wrong, or there is no such role',
    ],
    [
      'of a host that is not there',
      () => 'postgres://app:secret@no-such-host.invalid/records',
      () => 'there is no host no-such-host.invalid',
    ],
    ['of a port where nobody listens', () => NO_PORT, () => 'no PostgreSQL answers at 127.0.0.1:1'],
    [
      'of a database that is not there',
      () => of('app:secret', 'none'),
      () => `there is no database none at ${place}: create database none owner app`,
    ],
    [
      'of a database that the role may not use',
      () => of('app:secret', 'template1'),
      () => `the role app may not use the database template1: permission denied for database "template1"`,
    ],
    [
      'of a role that may not make tables',
      () => of('app:secret'),
      () => 'the role app may not make tables in the schema public: grant create, usage on schema public to app',
    ],
    [
      'that asks for TLS where there is none',
      () => of('app:secret', 'records', '?sslmode=require'),
      () => `PostgreSQL at ${place} offers no TLS, which the address asks for: sslmode=disable does without`,
    ],
    [
      'with a certificate that is not there',
      () => of('app:secret', 'records', '?sslmode=verify-ca&sslrootcert=/no/root.crt'),
      () => 'there is no file /no/root.crt',
    ],
    [
      'that cannot be read',
      () => 'postgres://app:se#cret@127.0.0.1/records',
      () => 'the address cannot be read: special characters of a password are percent-encoded, such as %40 for @',
    ],
  ])('%s: serve says so in one line', async (_fault, address, says) => {
    expect(await refusalOf(COMMANDS[0], address())).toBe(`--database: ${says()}`)
  })

  it.each(COMMANDS)('without a password: %s ends, and says so', async (command) => {
    expect(await refusalOf(command, of('app'))).toMatch(/^--database: PostgreSQL at \S+ asks for a password/)
  })

  it.each(COMMANDS)('of a port without a server: %s ends, and says so', async (command) => {
    expect(await refusalOf(command, NO_PORT)).toBe('--database: no PostgreSQL answers at 127.0.0.1:1')
  })

  it('prints the message of the driver with --verbose', async () => {
    const { stderr } = await run(['serve', '--verbose', '--port', '0', '--database', of('app:secret'), '--data', data])
    expect(stderr).toMatch(/\n {4}at .*\ncaused by: Error: the database could not be brought .*\n {4}at /)
    expect(stderr).toMatch(/caused by: error: permission denied for schema public\n {4}at /)
  })

  it.each(['allow', 'prefer', 'require', 'verify-ca', 'verify-full'])(
    'takes sslmode=%s without a warning of the driver',
    async (mode) => {
      const says = await refusalOf('audit head', of('app:secret', 'records', `?sslmode=${mode}`))
      expect(says).toMatch(/^--database: PostgreSQL at \S+ offers no TLS/)
    },
  )

  it('takes sslmode=disable, and refuses a word that is none (exit code 2)', async () => {
    expect(await run(['setup', SETUP, '--database', `${owned}?sslmode=disable`])).toMatchObject({ code: 0, stderr: '' })
    const refused = await run(['setup', SETUP, '--database', `${owned}?sslmode=requird`])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(
      /^tabularium: [^\n]*sslmode must be disable, no-verify, allow, prefer, require, verify-ca or verify-full\.[^\n]*\n$/,
    )
  })
})
