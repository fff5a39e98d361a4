// The package as it is published: packed, installed where no source is, and run by the Node.js of the system.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, 'packages/client')

/** A Node.js that is none of the packages, with its version; absent where the system has none. */
function systemNode(): { path: string; major: number } | undefined {
  for (const folder of (process.env.PATH ?? '').split(':').filter((one) => !one.includes('node_modules'))) {
    try {
      const path = join(folder, 'node')
      const version = execFileSync(path, ['--version'], { encoding: 'utf8' })
      return { path, major: Number(/^v(\d+)/.exec(version)?.[1]) }
    } catch {}
  }
  return undefined
}

describe('the package of the client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-client-'))
  const installed = join(folder, 'node_modules/@tabularium/client')
  const found = systemNode()

  beforeAll(() => {
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: PACKAGE,
      encoding: 'utf8',
    })
    const { filename } = Object.values(JSON.parse(packed))[0] as { filename: string }
    writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "type": "module", "private": true }')
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], { cwd: folder })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('holds compiled modules and their types, and no tests', () => {
    const files = globSync('**/*', { cwd: installed })
    expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'README.md', 'package.json']))
    expect(files.filter((file) => /\.test\.|^src/.test(file))).toEqual([])
  })

  it('needs no Node.js and no library', () => {
    const wrong = globSync('dist/**/*.js', { cwd: installed }).filter((file) =>
      /\bprocess\b[.[]|node:|\bfrom '[^.]/.test(readFileSync(join(installed, file), 'utf8')),
    )
    expect(wrong).toEqual([])
    const { dependencies, engines } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect([dependencies, engines]).toEqual([undefined, { node: '>=20' }])
  })

  it.skipIf(found === undefined)(`runs by the Node.js of the system (${found?.major ?? 'none'})`, () => {
    writeFileSync(
      join(folder, 'program.js'),
      `import { createClient, RateLimitProblem } from '@tabularium/client'
      const answers = [
        Response.json({ access_token: 'token', expires_in: 3600 }),
        new Response('{"customerId":"1"}\\n{"customerId":"2"}\\n'),
        Response.json({ code: 1020, message: 'Later.' }, { status: 429, headers: { 'retry-after': '7' } }),
      ]
      const service = { url: 'http://localhost', clientId: 'a', clientSecret: 'b' }
      const client = createClient(service, { tries: 1, fetch: async () => answers.shift() })
      const rows = await client.objects.customers.list()
      const problem = await client.customers.get('1').catch((thrown) => thrown)
      console.log(rows.length, problem instanceof RateLimitProblem, problem.retryAfter)`,
    )
    expect(found?.major).toBeGreaterThanOrEqual(20)
    const told = execFileSync(found?.path ?? '', ['program.js'], { cwd: folder, encoding: 'utf8' })
    expect(told.trim()).toBe('2 true 7')
  })

  it('has types that a program compiles with, without those of Node.js', () => {
    writeFileSync(
      join(folder, 'program.ts'),
      `import { createClient, type Stored } from '@tabularium/client'
      const client = createClient({ url: 'http://localhost', token: async () => 'token' })
      export const one: Promise<Stored<{ name: string }>> = client.records<{ name: string }>('suppliers').get('1')`,
    )
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    expect(execFileSync(tsc, [...options, '--types', '', 'program.ts'], { cwd: folder, encoding: 'utf8' })).toBe('')
  })
})
