// The demo never shares a store with another company: the secrets of the demo are published.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { run, SETUP, serveHere } from '../support/process.ts'
import { newDatabase, queryOn } from '../support/test-database.ts'
import { FEWER_KINDS } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'tabularium-demo-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DEMO = 'examples/demo/company.yaml'

it('refuses a folder with another company, and leaves it as it is', async () => {
  const data = join(folder, 'own')
  expect((await run(['setup', SETUP, '--data', data])).code).toBe(0)
  const before = readFileSync(join(data, 'tabularium.db'))
  const refused = await run(['demo', '--data', data, '--port', '0'])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/^tabularium: option '--data': .* holds records of your own[^\n]*\n$/)
  expect(readFileSync(join(data, 'tabularium.db'))).toEqual(before)
  expect(existsSync(join(data, 'demo.json'))).toBe(false)
})

it('applies no other setup to a folder of the demo', async () => {
  const data = join(folder, 'demo')
  const demo = await serveHere(['--data', data, '0'], {}, 'demo')
  await demo.stop()
  for (const command of [
    ['setup', SETUP],
    ['setup', SETUP, '--dry-run'],
    ['serve', '--setup', SETUP, '--port', '0'],
  ]) {
    const refused = await run([...command, '--data', data])
    expect([command, refused.code, refused.stdout]).toEqual([command, 2, ''])
    expect(refused.stderr).toMatch(/^tabularium: option '--data': .* is the demo's[^\n]*\n$/)
  }
})

it('accepts a published secret from this machine only, and warns of it at each start', async () => {
  const data = join(folder, 'copied')
  const setup = join(folder, 'copied.yaml')
  writeFileSync(setup, readFileSync(DEMO))
  const open = await run(['serve', '--setup', setup, '--data', data, '--port', '0', '--host', '0.0.0.0'])
  expect(open).toMatchObject({ code: 2, stdout: '' })
  // Log lines that wait to be written come behind it.
  expect(open.stderr.split('\n').find((line) => line.startsWith('tabularium:'))).toMatch(
    /^tabularium: option '--host': 0\.0\.0\.0 is open to others, and the secrets of the clients demo,.* are published/,
  )
  for (let start = 0; start < 2; start++) {
    const service = await serveHere(['--data', data])
    expect((await service.stop()).stderr).toMatch(/"clients":"demo,[^"]*","msg":"published-secrets"/)
  }
})

describe.runIf(FEWER_KINDS.includes('postgres'))('on PostgreSQL', () => {
  const served = async (database: string) => {
    const args = ['--database', database, '--data', join(folder, 'postgres'), '0']
    const demo = await serveHere(args, {}, 'demo')
    return demo.stop()
  }

  it('refuses a database with another company, and leaves it as it is', async () => {
    const own = await newDatabase()
    // With the id of the demo's company, which the specification's example has too.
    const named = join(folder, 'named.yaml')
    writeFileSync(named, 'version: 1\ncompanies: [{ id: EN, name: Our own company }]\n')
    for (const [file, found] of [
      [named, 'company EN, Our own company'],
      [SETUP, 'client both'],
    ] as const) {
      expect((await run(['setup', file, '--database', own])).code).toBe(0)
      const before = await queryOn(own, 'select * from setup_item order by company_id, kind, id')
      const refused = await run(['demo', '--database', own, '--data', join(folder, 'postgres'), '--port', '0'])
      expect(refused).toMatchObject({ code: 2, stdout: '' })
      expect(refused.stderr).toMatch(
        new RegExp(`^tabularium: option '--database': it holds records of your own \\(${found}[^\\n]*\\n$`),
      )
      expect(await queryOn(own, 'select * from setup_item order by company_id, kind, id')).toEqual(before)
    }
  })

  it('serves the demo in an empty database, and again in its own', async () => {
    const database = await newDatabase()
    expect((await served(database)).code).toBe(0)
    expect((await served(database)).code).toBe(0)
  })
})
