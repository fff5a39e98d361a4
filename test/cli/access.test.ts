// Clients, users and roles on the command line: what a setup removes, and what a start warns of.
import { globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifySecret } from '../../src/access/secrets.ts'
import { type DataLocation, emptyLocation } from '../support/data-location.ts'
import { type Folder, kill, linesOf, run, SETUP, serve, serveHere, temporaryFolder } from '../support/process.ts'
import { IS_FULL, SEED } from '../support/reliability-test.ts'
import { CLIENT_SECRET, FEWER_KINDS, STORE_KINDS } from '../support/world.ts'

const fixture = readFileSync(SETUP, 'utf8')
const WITHOUT_NOBODY = fixture
  .replace(/^ {2}- \{ id: (nobody|svc-nobody).*\n/gm, '')
  .replace(/^ {2}- id: nobody\n/m, '')
const DAY_MS = 86_400_000

describe.each(FEWER_KINDS)('Access on %s', (kind) => {
  let folder: Folder
  let location: DataLocation
  beforeAll(async () => {
    folder = temporaryFolder()
    location = await emptyLocation(kind, join(folder.path, 'data'))
    expect((await run(['setup', SETUP, ...location.flags])).code).toBe(0)
  })
  afterAll(() => folder.remove())

  const write = (name: string, text: string) => {
    const file = join(folder.path, name)
    writeFileSync(file, text)
    return file
  }
  const statusOf = async (address: string, client: string) => {
    const authorization = `Basic ${Buffer.from(`${client}:${CLIENT_SECRET}`).toString('base64')}`
    return (await fetch(`${address}/v1/attribute-values/C1/CC100/0`, { headers: { authorization } })).status
  }

  it('clients, users and roles are listed, for people and as JSON', async () => {
    const text = linesOf((await run(['clients', ...location.flags])).stdout)
    expect(text[0]).toMatch(/^client +user +state +secrets +company +roles$/)
    expect(text).toContainEqual(
      expect.stringMatching(/^both +svc-both +active +without end +EN +EN: integration; SV: integration$/),
    )
    const jsonOf = async (name: string) => JSON.parse((await run([name, '--format', 'json', ...location.flags])).stdout)
    expect(await jsonOf('clients')).toContainEqual({
      id: 'reader',
      user: 'svc-reader',
      disabled: false,
      secrets: [{ until: null, ended: false }],
      defaultCompany: 'EN',
      roles: { EN: ['reader'] },
    })
    expect(await jsonOf('users')).toContainEqual({
      id: 'svc-both',
      disabled: false,
      clients: ['both'],
      issuer: null,
      defaultCompany: 'EN',
      roles: { EN: ['integration'], SV: ['integration'] },
    })
    expect(await jsonOf('roles')).toContainEqual({
      id: 'reader',
      apis: { 'attribute-values': ['read'], 'attribute-relations': ['read'] },
      objects: [],
      rules: {},
      users: ['svc-reader'],
    })
    for (const name of ['users', 'roles']) expect((await run([name, ...location.flags])).code).toBe(0)
    expect(text.join()).not.toContain('scrypt')
  })

  it('access tells why a request is allowed or refused', async () => {
    const access = (client: string, ...more: string[]) =>
      run(['access', '--client', client, ...more, ...location.flags])
    const allowed = await access('reader', 'GET /v1/attribute-values/C1/CC100/0')
    expect(allowed).toMatchObject({ code: 0, stderr: '' })
    expect(linesOf(allowed.stdout)).toEqual([
      'allowed (client reader, user svc-reader, company EN)',
      'needs: attribute-values:read',
      'given by: role reader',
    ])
    const refused = await access('reader', '--company', 'en', 'POST /v1/attribute-values')
    expect(refused).toMatchObject({ code: 1, stderr: '' })
    expect(linesOf(refused.stdout)).toEqual([
      'refused with 403: no role of the caller has attribute-values:create (client reader, user svc-reader, company en)',
      'needs: attribute-values:create',
      'roles that allow it: role integration',
    ])
    const other = await access('both', '--format', 'json', 'GET /v1/objects/customers?companyId=SV')
    expect(JSON.parse(other.stdout)).toEqual({
      userId: 'svc-both',
      companyId: 'SV',
      needs: ['objects:read', 'objects: customers'],
      givenBy: ['integration'],
      wouldBeGivenBy: ['integration'],
      rules: [],
      withoutAssociated: [],
    })
    const nowhere = await access('reader', 'GET /v1/nothing')
    expect(linesOf(nowhere.stdout)).toEqual([expect.stringMatching(/^refused with 404: /)])
  })

  it.each([
    [['--client', 'readr', 'GET /v1/access'], 1, "there is no client 'readr'; did you mean 'reader'?"],
    [['--client', 'reader', '--company', 'XX', 'GET /v1/access'], 1, 'there is no company XX'],
    [['--client', 'reader', 'GET'], 2, 'It must be a method and an address'],
    [['--client', 'reader', '--company', 'EN', 'GET /v1/access?companyId=SV'], 2, 'is not the company of the'],
  ])('access %j is told in one line', async (args, code, message) => {
    const answer = await run(['access', ...args, ...location.flags])
    expect(answer).toMatchObject({ code, stdout: '' })
    expect(linesOf(answer.stderr)).toEqual([expect.stringContaining(message)])
  })

  it('a disabled client is listed so, an ended secret too, and no token is made for it', async () => {
    const changed = fixture
      .replace('{ id: reader,', '{ id: reader, disabled: true,')
      .replace('{ id: svc-sv,', '{ id: svc-sv, disabled: true,')
      .replace(
        /(id: watcher, user: svc-watcher, )secretHash: ("[^"]+")/,
        (_all, start, hash) => `${start}secrets: [{ hash: ${hash}, until: 2026-01-31T10:00+02:00 }]`,
      )
    expect((await run(['setup', write('changed.yaml', changed), ...location.flags])).code).toBe(0)
    const { stdout } = await run(['clients', '--format', 'json', ...location.flags])
    const clients = JSON.parse(stdout) as { id: string; disabled: boolean }[]
    expect(clients.filter(({ disabled }) => disabled).map(({ id }) => id)).toEqual(['reader', 'sv'])
    expect(clients.find(({ id }) => id === 'watcher')).toMatchObject({
      secrets: [{ until: '2026-01-31T08:00:00.000Z', ended: true }],
    })
    const text = (await run(['clients', ...location.flags])).stdout
    expect(text).toMatch(/^watcher +svc-watcher +active +ended 2026-01-31T08:00Z /m)
    const why = await run(['access', '--client', 'sv', 'GET /v1/access', ...location.flags])
    expect(why.stdout).toMatch(/^refused with 401: the client is disabled, or its user is /)
    for (const client of ['reader', 'sv']) {
      const { code, stderr } = await run(['token', '--client', client, ...location.flags])
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `tabularium: the client '${client}' is disabled, or its user is\n`,
      })
    }
    expect((await run(['setup', SETUP, ...location.flags])).code).toBe(0)
  })

  it('a start warns of what is kept though not in the file, and of secrets that end soon', async () => {
    const until = new Date(Date.now() + 13 * DAY_MS).toISOString()
    const file = write(
      'fewer.yaml',
      WITHOUT_NOBODY.replace(
        'secretEnv: TEST_CLIENT_SECRET',
        `secrets: [{ env: TEST_CLIENT_SECRET, until: ${until} }]`,
      ),
    )
    const service = await serve([...location.flags, '--setup', file, '--workers', '2'])
    const { stderr } = await kill(service)
    const warnings = linesOf(stderr).map((line) => JSON.parse(line))
    expect(warnings).toMatchObject([
      { msg: 'kept-though-not-in-file', items: 'client nobody, role nobody, user svc-nobody' },
      { msg: 'secrets-end-soon', clients: `integration (${until})` },
    ])
  })

  it('--prune removes what the dry run has named, and nothing else', async () => {
    const file = write('fewer.yaml', WITHOUT_NOBODY)
    const prune = ['setup', file, '--prune', 'clients,users,roles', ...location.flags]
    const preview = await run([...prune, '--dry-run'])
    expect(linesOf(preview.stdout)).toEqual(
      expect.arrayContaining(['- client nobody', '- role nobody', '- user svc-nobody']),
    )
    expect(await run(prune)).toEqual(preview)
    const last = linesOf((await run(prune)).stdout).at(-1)
    expect(last).toMatch(/^0 created, 0 changed, \d+ unchanged, 0 kept/)
    const service = await serveHere(location.flags)
    const statuses = await Promise.all(['nobody', 'reader', 'both'].map((client) => statusOf(service.address, client)))
    expect(statuses).toEqual([401, 200, 200])
    await service.stop()
  })

  it.each([
    [
      'companies',
      "option '--prune <sections>' argument 'companies' is invalid. Only clients, users, roles and subscriptions",
    ],
    ['clients,,', "argument 'clients,,' is invalid"],
  ])('--prune %s is bad usage', async (sections, message) => {
    const { code, stderr } = await run(['setup', SETUP, '--prune', sections, ...location.flags])
    expect(code).toBe(2)
    expect(linesOf(stderr)).toEqual([expect.stringContaining(message)])
  })
})

const SETUPS = [...globSync('test/fixtures/*.yaml').sort(), 'examples/demo/company.yaml']

describe.each(STORE_KINDS)('setup --print on %s', (kind) => {
  // External tables and attached files have to be there before the setup. What is printed does not depend on the store.
  const setups = SETUPS.filter((file) => !file.includes('external'))
  const some = setups.filter((_file, at) => (at + SEED) % (kind === 'sqlite' ? 5 : 15) === 0)
  it.each(IS_FULL ? setups : some)('of %s is applied again without a change', async (setup) => {
    const folder = temporaryFolder()
    try {
      const { flags } = await emptyLocation(kind, join(folder.path, 'data'))
      expect(await run(['setup', setup, ...flags])).toMatchObject({ code: 0, stderr: '' })
      const printed = join(folder.path, 'printed.yaml')
      writeFileSync(printed, (await run(['setup', '--print', ...flags])).stdout)
      const again = await run(['setup', printed, '--dry-run', ...flags])
      expect(again.stderr).toBe('')
      expect(linesOf(again.stdout)).toEqual([
        expect.stringMatching(/^0 created, 0 changed, \d+ unchanged, 0 kept .*: 0 created, 0 changed$/),
      ])
      const bare = await emptyLocation(kind, join(folder.path, 'bare'))
      expect((await run(['setup', printed, ...bare.flags])).code).toBe(0)
      expect((await run(['setup', '--print', ...bare.flags])).stdout).toBe(readFileSync(printed, 'utf8'))
    } finally {
      folder.remove()
    }
  })
})

describe('hash-secret', () => {
  const hashed = (args: readonly string[], input: string) => run(['hash-secret', ...args], { input })

  it.each(['a secret of this test\n', 'a secret of this test\r\n', 'a secret of this test'])(
    'hashes %j from standard input, so that it verifies',
    async (input) => {
      const { code, stdout } = await hashed([], input)
      expect(code).toBe(0)
      expect(stdout).toMatch(/^scrypt\$16384\$8\$1\$\S+\n$/)
      expect(await verifySecret('a secret of this test', stdout.trim())).toBe(true)
    },
  )

  it('makes a secret of its own', async () => {
    const { stdout } = await hashed(['--generate'], '')
    const [, secret = '', hash = ''] = /^secret: ([\w-]{43})\nhash: {3}(scrypt\$\S+)\n$/.exec(stdout) ?? []
    expect(await verifySecret(secret, hash)).toBe(true)
  })

  it.each([
    ['short\n', 'shorter than 8 characters'],
    ['two lines\nof text\n', 'must be one line'],
    [`${'x'.repeat(1_000_000)}\n`, 'longer than 1000 characters'],
  ])('refuses a bad one', async (input, message) => {
    const { code, stdout, stderr } = await hashed([], input)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(linesOf(stderr)).toEqual([expect.stringContaining(message)])
  })

  it('takes no secret as an argument', async () => {
    expect((await hashed(['a secret of this test'], '')).code).toBe(2)
  })
})

describe('user add', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())
  const file = join(folder.path, 'company.yaml')
  const add = (args: readonly string[], input = 'a password of this test\n') => run(['user', 'add', ...args], { input })
  const ANNA = ['anna.lie', '--setup', file, '--company', 'EN', '--role', 'reader']

  it('adds a person whose password is that of standard input, and keeps the mode of the file', async () => {
    writeFileSync(file, readFileSync(SETUP, 'utf8'), { mode: 0o640 })
    expect(await add(ANNA)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^anna\.lie is added to .*; apply it/),
    })
    const [, hash = ''] = /id: anna\.lie[\s\S]*passwordHash: (scrypt\S+)/.exec(readFileSync(file, 'utf8')) ?? []
    expect(await verifySecret('a password of this test', hash)).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder.path)).toEqual(['company.yaml'])
    expect((await run(['setup', file, '--dry-run', '--data', join(folder.path, 'data')])).stdout).toContain(
      'user anna.lie',
    )
  })

  it.each([
    [['anna', '--setup', 'nowhere.yaml'], 'long enough, surely', 2, '--setup'],
    [[...ANNA.slice(0, 4), 'XX'], 'long enough, surely', 1, 'the file has no company XX'],
    [['anna', '--setup', file, '--role', 'reader'], 'long enough, surely', 2, '--company'],
    [ANNA, 'too short', 2, 'the password is shorter than 12 characters'],
    [['anna', '--company', 'EN'], 'long enough, surely', 2, '--setup'],
  ])('refuses %j with %j and changes nothing', async (args, input, code, message) => {
    writeFileSync(file, readFileSync(SETUP, 'utf8'))
    const ended = await add(args, input)
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' })
    expect(linesOf(ended.stderr)).toEqual([expect.stringContaining(message)])
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(SETUP, 'utf8'))
  })
})
