// The modules that a command loads: they are most of a start's cost.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { SETUP, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET } from '../support/world.ts'

/**
 * Prints the packages of the loaded files on standard error when the process exits; Node includes undici itself. A worker
 * names itself.
 */
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
  const name = process.env.NODE_UNIQUE_ID || process.send ? 'packages of a worker: ' : 'packages: '
  process.stderr.write('\n' + name + [...packages].filter(Boolean).sort().join(' ') + '\n')
})
`)}`

const SERVING = ['find-my-way', 'jose', 'kysely', 'pg', 'prom-client', 'typebox', 'yaml']
const OPTIONS = ['--import', PRINT_PACKAGES]

function packagesOf(args: readonly string[], more: NodeJS.ProcessEnv = {}): readonly string[] {
  const env = { ...process.env, TEST_CLIENT_SECRET: CLIENT_SECRET, ...more }
  const { stderr } = spawnSync(process.execPath, [...OPTIONS, 'src/main.ts', ...args], { encoding: 'utf8', env })
  return toldIn(stderr, 'packages')
}

function toldIn(stderr: string, name: string): readonly string[] {
  const told = new RegExp(`^${name}: (.*)$`, 'm').exec(stderr)?.[1]
  if (told === undefined) throw new Error(stderr)
  return told.split(' ')
}

it('--version: nothing', () => expect(packagesOf(['--version'])).toEqual(['']))

it('serve: the process that leads workers loads nothing that serves, and workers no client of fetch', async () => {
  const folder = temporaryFolder()
  try {
    const args = ['serve', '--workers', '2', '--port', '0', '--data', folder.path, '--setup', SETUP]
    const env = { ...process.env, TEST_CLIENT_SECRET: CLIENT_SECRET }
    const service = spawn(process.execPath, [...OPTIONS, 'src/main.ts', ...args], { env })
    let stderr = ''
    service.stderr.on('data', (text) => (stderr += text))
    service.stdout.once('data', () => service.kill('SIGINT'))
    await once(service, 'close')
    const [leader, worker] = [toldIn(stderr, 'packages'), toldIn(stderr, 'packages of a worker')]
    expect(leader).toContain('pino')
    for (const heavy of SERVING) expect(leader).not.toContain(heavy)
    expect(worker).toEqual(expect.arrayContaining(SERVING))
    for (const one of [leader, worker]) expect(one).not.toContain('undici')
  } finally {
    folder.remove()
  }
})

describe('a command loads what it needs', () => {
  it.each(['--help', 'serve --help', 'import customers', 'nonsense'])('%s: the flags alone', (line) => {
    expect(packagesOf(line.split(' '))).toEqual(['commander', 'fastest-levenshtein'])
  })

  const HEAVY = ['find-my-way', 'typebox', 'yaml', 'prom-client', 'undici']

  it.each(['check', 'audit verify', 'token --client a'])('%s: neither the server nor the schemas', (line) => {
    const packages = packagesOf([...line.split(' '), '--data', '/nowhere/at/all'])
    expect(packages).toContain('pg')
    // `check` opens the store as a service does, and logs as one what goes wrong.
    for (const heavy of line === 'check' ? HEAVY : [...HEAVY, 'pino']) expect(packages).not.toContain(heavy)
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
        for (const heavy of ['find-my-way', 'prom-client', 'undici']) expect(packages).not.toContain(heavy)
      }
    } finally {
      folder.remove()
    }
  })
})
