// Error messages for newcomers: a command that cannot run says why and what to do, in one line.
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kill, run, runProcess, SETUP, serve, serveHere, temporaryFolder } from '../support/process.ts'
import { newDatabase } from '../support/test-database.ts'
import { canMountDisk, onReadOnlyDisk } from '../support/test-disk.ts'
import { FEWER_KINDS } from '../support/world.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

function write(name: string, text: string): string {
  const file = join(folder.path, name)
  writeFileSync(file, text)
  return file
}

describe('an address that cannot be listened at', () => {
  let other: Server
  let port = 0
  beforeAll(async () => {
    other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    port = (other.address() as { port: number }).port
  })
  afterAll(() => other.close())

  it.each(['serve', 'demo'])('%s: a port in use is reported before anything is created', async (command) => {
    const data = join(folder.path, 'never')
    const { code, stdout, stderr } = await run([command, '--port', String(port), '--data', data])
    const says = `tabularium: --port ${port} is taken by another program; --port 0 picks a free one\n`
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: says })
    expect(existsSync(data)).toBe(false)
  })

  it.each(['203.0.113.1', 'no-such-host.invalid'])(
    '--host %s is reported as no address of this machine',
    async (host) => {
      const data = join(folder.path, 'never')
      const { code, stderr } = await run(['serve', '--port', '0', '--host', host, '--data', data])
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `tabularium: --host ${host} is no address of this machine\n`,
      })
      expect(existsSync(data)).toBe(false)
    },
  )
})

describe('a data folder that cannot be used', () => {
  it('is reported when a file has its name, or that of a parent folder', async () => {
    const file = write('a-file', '')
    for (const data of [file, join(file, 'below')]) {
      const { code, stderr } = await run(['setup', SETUP, '--data', data])
      expect({ code, stderr }).toEqual({ code: 1, stderr: `tabularium: --data: ${data} is no folder\n` })
    }
  })

  it('is reported when no folder can be created there, and does not hang', async () => {
    const { code, stderr } = await run(['setup', SETUP, '--data', '/proc/tabularium/data'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'tabularium: --data: the folder /proc/tabularium/data cannot be made\n',
    })
  })

  it('is reported when this user may not write there', async () => {
    const data = join(folder.path, 'locked')
    chmodSync(folder.path, 0o755)
    mkdirSync(data, { mode: 0o555 })
    await expectLocked(data, asNobody)
  })

  it('is reported when nothing of a database may be written, nor its disk', async () => {
    const data = join(folder.path, 'read-only')
    const disk = join(folder.path, 'disk')
    await run(['setup', SETUP, '--data', data])
    mkdirSync(disk)
    if (canMountDisk) await expectLocked(join(disk, 'data'), { before: onReadOnlyDisk(disk, data) })
    // As a copy is that was made beside a service.
    for (const name of ['integrity.json', 'instance.pid']) rmSync(join(data, name))
    for (const name of readdirSync(data)) chmodSync(join(data, name), 0o555)
    chmodSync(folder.path, 0o755)
    chmodSync(data, 0o555)
    await expectLocked(data, asNobody)
    chmodSync(data, 0o755)
  })

  // Root may write everywhere.
  const asNobody =
    process.getuid?.() === 0 ? { before: 'exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"' } : {}

  async function expectLocked(data: string, how: { readonly before?: string }) {
    const { code, stderr } = await runProcess(['setup', SETUP, '--data', data], how)
    expect({ code, stderr: stderr.replace(/\(\w+\)/, '(somebody)') }).toEqual({
      code: 1,
      stderr: `tabularium: --data: this user (somebody) may not write in ${data}\n`,
    })
  }
})

describe.each(FEWER_KINDS)('records on %s', (kind) => {
  let place: readonly string[] = []
  beforeAll(async () => {
    const data = ['--data', join(folder.path, kind)]
    place = kind === 'sqlite' ? data : [...data, '--database', await newDatabase()]
    expect(await run(['setup', SETUP, ...place])).toMatchObject({ code: 0, stderr: '' })
  })

  const values = (count: number) =>
    ['attributeId,attributeValue,description', ...Array.from({ length: count }, (_, at) => `C1,N${count}${at},x`)].join(
      '\n',
    )

  it('counts one row as a row', async () => {
    for (const [count, says] of [
      [1, '1 row imported, 0 rejected'],
      [2, '2 rows imported, 0 rejected'],
    ] as const) {
      const file = write(`${kind}-${count}.csv`, values(count))
      const { code, stdout } = await run(['import', 'attribute-values', file, '--company', 'EN', ...place])
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(new RegExp(`^${says}, `)) })
    }
  })

  it.each([
    ['import', 'customer', "there is no document customer; did you mean 'customers'?"],
    ['import', 'value-lists', "there is no document value-lists; did you mean 'value-list'?"],
    ['export', 'general-ledger-transaction', "did you mean 'general-ledger-transactions'?"],
    ['export', 'zzz', 'there is no document zzz (see'],
  ])('%s %s names the nearest document', async (command, document, says) => {
    const file = command === 'import' ? [write('any.csv', 'a\n1\n')] : []
    const { code, stderr } = await run([command, document, ...file, '--company', 'EN', ...place])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^tabularium: argument 'document': .*\n$/),
    })
    expect(stderr).toContain(says)
  })

  it.each([
    ['export', 'customers'],
    ['audit', 'verify'],
  ])('%s %s names the nearest company', async (...command) => {
    const { code, stderr } = await run([...command, '--company', 'ENN', ...place])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "tabularium: option '--company': there is no company ENN; did you mean 'EN'? (see --help)\n",
    })
  })
})

it.each(FEWER_KINDS)('a service without a company says so at its start (%s)', async (kind) => {
  const data = ['--data', join(folder.path, `none-${kind}`)]
  const place = kind === 'sqlite' ? data : [...data, '--database', await newDatabase()]
  const service = await serveHere(place)
  const { stderr } = await service.stop()
  expect(stderr).toMatch(/^\{[^\n]*"remedy":"no company is set up: serve --setup company\.yaml, or tabularium demo"/)
  const refused = await run(['export', 'customers', ...place])
  expect(refused).toMatchObject({
    code: 1,
    stderr: 'tabularium: no company is set up: run setup company.yaml first\n',
  })
})

describe.runIf(FEWER_KINDS.includes('sqlite'))('a service whose data folder is gone', () => {
  it.each([
    ['moved', '1', (data: string) => renameSync(data, `${data}-elsewhere`)],
    ['deleted under two processes', '2', (data: string) => rmSync(data, { recursive: true })],
  ] as const)('says so and stops: %s', async (how, workers, lose) => {
    const data = join(folder.path, `lost ${how}`)
    const service = await serve(['--data', data, '--setup', SETUP, '--workers', workers])
    lose(data)
    const { code, stderr } = await service.ended
    await kill(service)
    expect(code).toBe(70)
    expect(stderr).toContain(`the data folder ${data} is gone`)
    expect(stderr).not.toContain('nearly full')
  })
})

it('--version prints the program, its commit, and its platform', async () => {
  const { code, stdout, stderr } = await run(['files', 'check', '--version'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { node, sqlite } = process.versions
  const [, program, runtime] = /^(tabularium \S+)(?: \([0-9a-f]{7,}\))?, (.*)\n$/.exec(stdout) ?? []
  expect([program, runtime]).toEqual([
    `tabularium ${process.env.npm_package_version ?? '1.0.0-rc.1'}`,
    `Node ${node}, SQLite ${sqlite}`,
  ])
})
