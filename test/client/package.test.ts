// The package as it is published: packed, installed where no source is, and run by the Node.js of the system.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '#client'

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
      `import * as client from '@tabularium/client'\nconsole.log(client.VERSION)\n`,
    )
    expect(found?.major).toBeGreaterThanOrEqual(20)
    expect(execFileSync(found?.path ?? '', ['program.js'], { cwd: folder, encoding: 'utf8' }).trim()).toBe(VERSION)
  })

  it('has types that a program compiles with, without those of Node.js', () => {
    writeFileSync(
      join(folder, 'program.ts'),
      `import { VERSION } from '@tabularium/client'\nexport const text: string = VERSION\n`,
    )
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    expect(execFileSync(tsc, [...options, '--types', '', 'program.ts'], { cwd: folder, encoding: 'utf8' })).toBe('')
  })

  it('has the version of its package', () => {
    expect(JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version).toBe(VERSION)
  })
})
