// The demo and a company of one's own never meet: the secrets of the demo are published.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { run, SETUP, serve } from '../support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tabularium-demo-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const DEMO = 'examples/demo/company.yaml'

it('refuses a folder with a company of somebody else, and leaves it as it is', async () => {
  const data = join(folder, 'own')
  expect((await run(['setup', SETUP, '--data', data])).code).toBe(0)
  const before = readFileSync(join(data, 'tabularium.db'))
  const refused = await run(['demo', '--data', data, '--port', '0'])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/^tabularium: option '--data': .* holds records of your own[^\n]*\n$/)
  expect(readFileSync(join(data, 'tabularium.db'))).toEqual(before)
  expect(existsSync(join(data, 'demo.json'))).toBe(false)
})

it('lets no other setup into a folder of the demo', async () => {
  const data = join(folder, 'demo')
  const demo = await serve(['--data', data, '--transactions', '0'], {}, 'demo')
  demo.child.kill('SIGINT')
  await demo.ended
  for (const command of [
    ['setup', SETUP],
    ['setup', SETUP, '--dry-run'],
    ['serve', '--setup', SETUP, '--port', '0'],
  ]) {
    const refused = await run([...command, '--data', data])
    expect([command, refused.code, refused.stdout]).toEqual([command, 2, ''])
    expect(refused.stderr).toMatch(/^tabularium: option '--data': .* is the demo's[^\n]*\n$/)
  }
}, 120_000)

it('serves a published secret to this machine alone, and warns of it at each start', async () => {
  const data = join(folder, 'copied')
  const setup = join(folder, 'copied.yaml')
  writeFileSync(setup, readFileSync(DEMO))
  const open = await run(['serve', '--setup', setup, '--data', data, '--port', '0', '--host', '0.0.0.0'])
  expect(open).toMatchObject({ code: 2, stdout: '' })
  expect(open.stderr.trimEnd().split('\n').at(-1)).toMatch(
    /^tabularium: option '--host': 0\.0\.0\.0 is open to others, and the secrets of the clients demo,.* are published/,
  )
  for (let start = 0; start < 2; start++) {
    const service = await serve(['--data', data])
    service.child.kill('SIGINT')
    expect((await service.ended).stderr).toMatch(/"clients":"demo,[^"]*","msg":"published-secrets"/)
  }
}, 120_000)
