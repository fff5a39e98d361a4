// The modules that a command loads: they are most of a start's cost.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { SETUP, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET } from '../support/world.ts'

/** Prints the packages of the loaded files on standard error when the process exits; Node includes undici itself. */
const PRINT_PACKAGES = `data:text/javascript,${encodeURIComponent(String.raw`
import { registerHooks } from 'node:module'
const packages = new Set()
registerHooks({
  load(url, context, next) {
    packages.add(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1])
    return next(url, context)
  },
})
process.on('exit', () => {
  if (process.moduleLoadList.some((name) => name.includes('/undici/'))) packages.add('undici')
  process.stderr.write('packages: ' + [...packages].filter(Boolean).sort().join(' '))
})
`)}`

function packagesOf(args: readonly string[], more: NodeJS.ProcessEnv = {}): readonly string[] {
  // The first option keeps the program from replacing its process.
  const options = ['--max-semi-space-size=8', '--import', PRINT_PACKAGES]
  const env = { ...process.env, TEST_CLIENT_SECRET: CLIENT_SECRET, ...more }
  const { stderr } = spawnSync(process.execPath, [...options, 'src/main.ts', ...args], { encoding: 'utf8', env })
  const told = /packages: (.*)$/.exec(stderr)?.[1]
  if (told === undefined) throw new Error(stderr)
  return told.split(' ')
}

describe('a command loads what it needs', () => {
  it.each(['--help', 'serve --help', 'import customers', 'nonsense'])('%s: the flags alone', (line) => {
    expect(packagesOf(line.split(' '))).toEqual(['commander', 'fastest-levenshtein'])
  })

  it.each(['check', 'audit verify', 'token --client a'])('%s: neither the server nor the schemas', (line) => {
    const packages = packagesOf([...line.split(' '), '--data', '/nowhere/at/all'])
    expect(packages).toContain('pg')
    for (const heavy of ['fastify', 'typebox', 'yaml', 'pino', 'prom-client', 'undici'])
      expect(packages).not.toContain(heavy)
  })

  it.each(['query customers', 'get customers 1'])('%s: neither the server nor its store', (line) => {
    const args = [...line.split(' '), '--url', 'http://127.0.0.1:9', '--client', 'a']
    const packages = packagesOf(args, { TABULARIUM_SECRET: 'a' })
    expect(packages).toEqual(['commander', 'fastest-levenshtein', 'undici'])
  })

  it('setup, export and changes: not the server', () => {
    const folder = temporaryFolder()
    try {
      const data = ['--data', folder.path]
      for (const args of [
        ['setup', SETUP],
        ['export', 'customers', '--company', 'EN'],
        ['changes', '--company', 'EN', '--since', '0'],
        ['import', 'customers', SETUP],
      ]) {
        const packages = packagesOf([...args, ...data])
        expect(packages).toContain('kysely')
        for (const heavy of ['fastify', 'prom-client', 'undici']) expect(packages).not.toContain(heavy)
      }
    } finally {
      folder.remove()
    }
  })
})
