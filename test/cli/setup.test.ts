// `setup FILE` and `token`: the real command line on a data folder of its own.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, type Folder, linesOf, rowsOf, run, SETUP, serveHere, temporaryFolder } from '../support/process.ts'

let folder: Folder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const data = () => ['--data', folder.path]
const fixture = readFileSync(SETUP, 'utf8')

function write(name: string, text: string): string {
  const path = join(folder.path, name)
  writeFileSync(path, text)
  return path
}

const counts = () =>
  ['setup_item', 'journal_entry', 'attribute', 'relation', 'attribute_value'].map((table) =>
    Number(rowsOf(folder.path, `select count(*) as n from ${table}`)[0]?.n),
  )

describe('setup', () => {
  it('--dry-run prints what would change, and changes nothing', async () => {
    const { code, stdout, stderr } = await run(['setup', SETUP, '--dry-run', ...data()])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(linesOf(stdout)).toEqual(
      expect.arrayContaining(['+ company EN', '+ attribute EN/C1', '+ relation EN/REL1', '+ client integration']),
    )
    expect(linesOf(stdout).at(-1)).toMatch(/^[1-9]\d* created, 0 changed, 0 unchanged, 0 kept/)
    expect(readdirSync(folder.path)).toEqual([])
  })

  it('does what its dry run said, and nothing the second time', async () => {
    const preview = await run(['setup', SETUP, '--dry-run', ...data()])
    const first = await run(['setup', SETUP, ...data()])
    expect(first).toEqual({ ...preview })
    const stored = counts()
    expect(Math.min(...stored)).toBeGreaterThan(0)

    const second = await run(['setup', SETUP, ...data()])
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(linesOf(second.stdout)).toEqual([
      expect.stringMatching(
        /^0 created, 0 changed, [1-9]\d* unchanged, 0 kept .*attribute values: 0 created, 0 changed$/,
      ),
    ])
    expect(counts()).toEqual(stored)
  })

  it('names each change, and retains what is no longer in the file', async () => {
    await run(['setup', SETUP, ...data()])
    const changed = fixture.replace('name: COSTC', 'name: COSTCENTRE').replace('SICK: Sickness', 'SICK: Illness')
    const file = write('changed.yaml', changed.replace(/^ {2}- \{ id: nobody, user.*\n/m, ''))
    const { code, stdout } = await run(['setup', file, ...data()])
    expect(code).toBe(0)
    expect(linesOf(stdout)).toEqual([
      '~ attribute EN/C1: name "COSTC" -> "COSTCENTRE"',
      '= client nobody (not in the file: kept)',
      '~ 1 description of EN/C0',
      expect.stringMatching(/^0 created, 1 changed, \d+ unchanged, 1 kept .*attribute values: 0 created, 1 changed$/),
    ])
  })

  it('never shows a secret', async () => {
    const environment = { TEST_CLIENT_SECRET: 'canary-secret-of-this-test' }
    const first = await run(['setup', SETUP, '--verbose', ...data()], { environment })
    const again = await run(['setup', SETUP, ...data()])
    expect(again.stdout).toContain('~ client integration: secret')
    expect(`${first.stdout}${first.stderr}${again.stdout}${again.stderr}`).not.toMatch(/canary|hash/i)
  })

  it('says every problem of a faulty file with its place, and changes nothing', async () => {
    const faulty = fixture
      .replace('maxLength: 12', 'maxLenght: 12')
      .replace('version: 1', 'version: 7')
      .replace('contactPoints: true', 'contactPoints: perhaps')
    const file = write('faulty.yaml', faulty)
    const { code, stdout, stderr } = await run(['setup', file, ...data()])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const lines = linesOf(stderr.replace(/^tabularium: /, ''))
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).toMatch(/^.*faulty\.yaml:\d+:\d+ [\w.[\]]+: \S/)
    expect(lines.map((line) => line.slice(file.length + 1))).toEqual([
      expect.stringMatching(/^2:10 version: /),
      expect.stringMatching(/^\d+:\d+ companies\S*attributes\S*: unknown key 'maxLenght'; did you mean 'maxLength'\?$/),
      expect.stringMatching(/^\d+:\d+ companies\S*attributes\S*contactPoints: expected boolean/),
    ])
    expect(counts()).toEqual([0, 0, 0, 0, 0])
  })

  it('says where YAML itself is broken', async () => {
    const file = write('broken.yaml', 'version: 1\ncompanies: [\n')
    const { code, stderr } = await run(['setup', file, ...data()])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^tabularium: .*broken\.yaml:\d+:\d+: /)
  })

  it('names the client whose secret is missing in the environment', async () => {
    const file = write('other.yaml', fixture.replace('secretEnv: TEST_CLIENT_SECRET', 'secretEnv: NOT_SET_ANYWHERE'))
    const { code, stderr } = await run(['setup', file, ...data()])
    expect(code).toBe(1)
    expect(linesOf(stderr)).toEqual([expect.stringMatching(/other\.yaml:\d+:\d+ clients\S*: .*NOT_SET_ANYWHERE/)])
  })
})

describe('token', () => {
  it('prints a token that the running service accepts', async () => {
    const service = await serveHere(['--setup', SETUP, ...data()])
    try {
      const { code, stdout, stderr } = await run(['token', '--client', 'integration', ...data()])
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/),
        stderr: '',
      })
      const url = `${service.address}/v1/attribute-values/C1/CC100/0`
      expect((await call(url, { authorization: `Bearer ${stdout.trim()}` })).status).toBe(200)
      expect((await call(url, { authorization: `Bearer ${stdout.trim().slice(0, -6)}AAAAAA` })).status).toBe(401)
    } finally {
      await service.stop()
    }
  })

  it('of an unknown client is accepted nowhere', async () => {
    const service = await serveHere(['--setup', SETUP, ...data()])
    try {
      const { stdout } = await run(['token', '--client', 'stranger', ...data()])
      const url = `${service.address}/v1/attribute-values/C1/CC100/0`
      expect((await call(url, { authorization: `Bearer ${stdout.trim()}` })).status).toBe(401)
    } finally {
      await service.stop()
    }
  })
})
