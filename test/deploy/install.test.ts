// The page *Install*: each of its blocks is run as it stands, in a folder with the files of a release, an empty cache
// of npm and nothing set but the folders that a user has. What has no engine here is named.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEMO_AUTHORIZATION } from '../support/demo.ts'
import { freePort } from '../support/free-port.ts'
import { type Folder, temporaryFolder } from '../support/process.ts'

const run = promisify(execFile)
const BLOCK = /```text\n([\s\S]*?)```/g
const page = readFileSync('guides/start/install.md', 'utf8')
const blocks = [...page.matchAll(BLOCK)].map(([, block = '']) => block.trim())
/** The newest line of Node.js that the package is tried with. */
const NEWEST_NODE = '26'
/** Engines of containers. */
const NOT_RUN = /^(?:tar -xf .*-image-|skopeo|podman)/

let folder: Folder
let home = ''
/** Where this machine has its packages from; `NODE_EXTRA_CA_CERTS` says whom it trusts there. */
const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
beforeAll(async () => {
  folder = temporaryFolder()
  home = join(folder.path, 'home')
  const release = join(folder.path, 'release')
  mkdirSync(release)
  await run('npm', ['pack', '--silent', '--pack-destination', release])
  const [file = ''] = globSync(join(release, '*.tgz'))
  const cpu = process.arch === 'arm64' ? 'arm64' : 'x64'
  await run('sh', ['scripts/installation.sh', cpu, file, join(folder.path, 'installation')])
  await run('sh', ['scripts/executable.sh', join(folder.path, 'installation'), file.replace('.tgz', `-linux-${cpu}`)])
  await run('sh', ['-c', 'sha256sum -- *.tgz *-linux-* > SHA256SUMS'], { cwd: release })
})
afterAll(() => folder.remove())

/** A user with a folder for global packages, and the programs of the system. */
async function environment() {
  const { PATH = '', NODE_EXTRA_CA_CERTS = '' } = process.env
  const prefix = join(home, 'packages')
  return {
    HOME: home,
    PATH: `${join(prefix, 'bin')}:${PATH}`,
    npm_config_prefix: prefix,
    npm_config_cache: join(home, 'cache'),
    TABULARIUM_PORT: String(await freePort()),
    npm_config_registry: registry,
    NODE_EXTRA_CA_CERTS,
  }
}

/** Runs a line until it ends, or until the demo that it starts has answered, and `use` has used it. */
async function runLine(line: string, use = async (_address: string) => {}, before = ''): Promise<void> {
  const cwd = join(folder.path, 'release')
  const env = await environment()
  env.PATH = `${before}${env.PATH}`
  if (!line.endsWith(' demo')) return void (await run('sh', ['-c', line], { cwd, env }))
  const demo = spawn('sh', ['-c', line], { cwd, env, stdio: 'ignore', detached: true })
  const address = `http://127.0.0.1:${env.TABULARIUM_PORT}/v1/attribute-values/C1?$limit=1`
  const ask = () => fetch(address, { headers: DEMO_AUTHORIZATION }).then(({ status }) => status)
  try {
    // Packages are fetched first.
    await expect.poll(() => demo.exitCode ?? ask().catch(() => 'no answer'), { timeout: 500_000 }).toBe(200)
    await use(new URL('/', address).href)
  } finally {
    const ended = once(demo, 'exit')
    if (demo.exitCode === null && demo.pid) process.kill(-demo.pid, 'SIGINT')
    if (demo.exitCode === null) await ended
  }
}

it('has the version of the package, and blocks for all files of a release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const [, named] of page.matchAll(/tabularium-(\d[\w.-]*?)(?:\.tgz|-linux|-image)/g)) expect(named).toBe(version)
  const shown = blocks.flatMap((block) => block.split('\n')).filter((line) => !NOT_RUN.test(line))
  expect(shown).toHaveLength(6)
})

it.each(blocks.filter((block) => !NOT_RUN.test(block)))('works as it stands: %s', async (block) => {
  for (const line of block.split('\n')) {
    // The page shows the file for the most usual processor.
    await runLine(process.arch === 'arm64' ? line.replace('-linux-x64', '-linux-arm64') : line)
  }
})

it('works on the newest Node.js as well', async () => {
  const cpu = process.arch === 'arm64' ? 'arm64' : 'x64'
  const place = join(folder.path, 'newest')
  mkdirSync(place)
  await run('npm', ['install', '--no-audit', '--no-fund', `node-linux-${cpu}@${NEWEST_NODE}`], { cwd: place })
  const node = join(place, `node_modules/node-linux-${cpu}/bin`)
  rmSync(join(folder.path, 'release/data'), { recursive: true, force: true })
  const env = { ...process.env, TABULARIUM_SECRET: 'demo-secret' }
  await runLine(
    'tabularium demo',
    async (url) => {
      const { stdout } = await run('node', ['bin/tabularium.js', 'smoke', '--url', url, '--client', 'demo'], { env })
      expect(stdout).toContain(' 0 failed, 0 not asked')
    },
    `${node}:`,
  )
})

it('leaves no process behind', () => {
  const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  expect(processes.split('\n').filter((line) => line.includes(home))).toEqual([])
})
