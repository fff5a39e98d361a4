// Files that commands write and read by their names, and their output: pipes, links, permissions, full disks, and texts
// that are not UTF-8.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Folder, linesOf, run, runProcess, type Serving, serve, temporaryFolder } from '../support/process.ts'

const SETUP = `
version: 1
companies: [{ id: EN, name: Example Nordic AS }]
documents:
  - name: goods
    key: [companyId, goodsId]
    properties: { companyId: { type: string }, goodsId: { type: string } }
`
const ROWS = 'goodsId\nG1\nG2\n'

let folder: Folder
let data: string
let place: string
beforeAll(async () => {
  folder = temporaryFolder()
  data = join(folder.path, 'data')
  writeFileSync(join(folder.path, 'setup.yaml'), SETUP)
  writeFileSync(join(folder.path, 'goods.csv'), ROWS)
  expect((await run(['setup', join(folder.path, 'setup.yaml'), '--data', data])).code).toBe(0)
  expect((await run(['import', 'goods', join(folder.path, 'goods.csv'), '--data', data])).code).toBe(0)
})
afterAll(() => folder.remove())
let places = 0
beforeEach(() => {
  place = join(folder.path, `files-${places++}`)
  mkdirSync(place)
})

const at = (name: string) => join(place, name)
const pipeAt = (name: string) => {
  execFileSync('mkfifo', [at(name)])
  return at(name)
}

describe.each(['here', 'by the service'])('A file of a command that is done %s', (where) => {
  let service: Serving | undefined
  beforeAll(async () => {
    if (where === 'by the service') service = await serve(['--data', data])
  })
  afterAll(async () => {
    service?.child.kill('SIGTERM')
    await service?.ended
  })

  const take = (file: string) => run(['export', 'goods', file, '--format', 'csv', '--data', data])
  const expectRows = (content: string) => expect(content).toMatch(/G1[\s\S]*G2/)

  it('is written through a pipe to who reads it', async () => {
    const pipe = pipeAt('pipe')
    const reader = spawn('cat', [pipe])
    const exported = runProcess(['export', 'goods', pipe, '--format', 'csv', '--data', data])
    expectRows(await text(reader.stdout))
    expect((await exported).code).toBe(0)
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })

  it('is written behind links, also where there is none yet', async () => {
    for (const target of ['there.csv', 'new.csv']) {
      if (target === 'there.csv') writeFileSync(at(target), 'old')
      mkdirSync(at(`of-${target}`))
      symlinkSync(join('..', target), join(at(`of-${target}`), 'near'))
      symlinkSync(join(`of-${target}`, 'near'), at(`far-${target}`))
      expect((await take(at(`far-${target}`))).code).toBe(0)
      expectRows(readFileSync(at(target), 'utf8'))
      expect(lstatSync(at(`far-${target}`)).isSymbolicLink()).toBe(true)
    }
  })

  it('keeps its permissions, its other names, and nothing beside it', async () => {
    writeFileSync(at('kept.csv'), 'old')
    chmodSync(at('kept.csv'), 0o640)
    expect((await take(at('kept.csv'))).code).toBe(0)
    expect(statSync(at('kept.csv')).mode & 0o777).toBe(0o640)
    linkSync(at('kept.csv'), at('other.csv'))
    writeFileSync(at('kept.csv'), 'old')
    expect((await take(at('kept.csv'))).code).toBe(0)
    expectRows(readFileSync(at('other.csv'), 'utf8'))
    expect(readdirSync(place).sort()).toEqual(['kept.csv', 'other.csv'])
  })

  it('is no device afterwards that it was not before', async () => {
    expect((await take('/dev/null')).code).toBe(0)
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  it('of rejected rows is written behind a link', async () => {
    writeFileSync(at('rows.csv'), `goodsId\n"a"b\n`)
    writeFileSync(at('rejects'), 'old', { mode: 0o600 })
    symlinkSync('rejects', at('rows.csv.rejects.csv'))
    const imported = await run(['import', 'goods', at('rows.csv'), '--data', data, '--again'])
    expect([imported.code, readFileSync(at('rejects'), 'utf8')]).toEqual([1, expect.stringContaining('\n2,')])
    expect([lstatSync(at('rows.csv.rejects.csv')).isSymbolicLink(), statSync(at('rejects')).mode & 0o777]).toEqual([
      true,
      0o600,
    ])
  })

  it('is read from a pipe', async () => {
    const pipe = pipeAt('rows.csv')
    const writer = spawn('sh', ['-c', `printf 'goodsId\\nP-${where}\\n"a"b\\n' > "$0"`, pipe])
    const imported = await runProcess(['import', 'goods', pipe, '--data', data], { before: `cd ${place}` })
    expect([imported.code, imported.stdout]).toEqual([
      1,
      expect.stringMatching(/^1 row imported, 1 rejected \(see rows/),
    ])
    expect(writer.exitCode ?? 0).toBe(0)
    expect(existsSync(at('rows.csv.rejects.csv'))).toBe(true)
  })
})

describe('A text that is not UTF-8', () => {
  const LATIN = Buffer.from(SETUP.replace('Example Nordic', 'M\u00f8ller & S\u00f8nn'), 'latin1')
  const UTF_16 = Buffer.from(`\ufeff${SETUP}`, 'utf16le')

  it.each([
    ['of a setup', (file: string) => ['setup', file, '--data', data]],
    ['of a dry run', (file: string) => ['setup', file, '--data', data, '--dry-run']],
    ['of a service', (file: string) => ['serve', '--setup', file, '--data', data, '--port', '0']],
    ['of settings', (file: string) => ['check', '--config', file, '--data', data]],
    [
      'of headings',
      (file: string) => [
        'import',
        'goods',
        join(folder.path, 'goods.csv'),
        '--map',
        file,
        '--format',
        'csv',
        '--data',
        data,
      ],
    ],
    ['of noted hashes', (file: string) => ['audit', 'verify', '--since', file, '--data', data]],
    ['of erased records', (file: string) => ['erase', 'again', file, '--data', data]],
    ['of a setup that gets a user', (file: string) => ['user', 'add', 'kari', '--setup', file, '--company', 'EN']],
    ['of keys', (file: string) => ['serve', '--keys', file, '--data', data, '--port', '0']],
  ])('%s is refused with its line', async (_what, args) => {
    writeFileSync(at('latin.yaml'), LATIN, { mode: 0o600 })
    writeFileSync(at('utf-16.yaml'), UTF_16, { mode: 0o600 })
    for (const [name, message] of [
      ['latin.yaml', `${at('latin.yaml')}:3 is not UTF-8: save it as UTF-8`],
      ['utf-16.yaml', `${at('utf-16.yaml')} is UTF-16: save it as UTF-8`],
    ] as const) {
      const ended = await run(args(at(name)))
      const told = linesOf(ended.stderr).filter((line) => line.startsWith('tabularium: '))
      expect([ended.code, told[0]]).toEqual([1, `tabularium: ${message}`])
      expect(readFileSync(at(name)).equals(name === 'latin.yaml' ? LATIN : UTF_16)).toBe(true)
    }
  })
})

describe('An output that cannot be written', () => {
  const FULL = 'tabularium: standard output cannot be written: ENOSPC: no space left on device, write\n'

  it.each([
    ['--help'],
    ['--version'],
    ['export', 'goods'],
    ['import', 'goods', '--template'],
    ['setup', 'SETUP', '--dry-run'],
  ])('ends %s %s in one line', async (...args) => {
    const place = args.length > 1 ? ['--data', data] : []
    const all = [...args.map((arg) => (arg === 'SETUP' ? join(folder.path, 'setup.yaml') : arg)), ...place]
    const ended = await runProcess(all, { before: 'exec >/dev/full' })
    expect([ended.code, ended.stderr]).toEqual([1, FULL])
  })

  it('is no failure where it is that of errors', async () => {
    const ended = await runProcess(['export', 'goods', '--data', data], { before: 'exec 2>/dev/full' })
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('"G1"')])
  })
})
