import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { residentBytes } from '../../base/process/program-version.ts'
import { JobFailed, JobKilled, QueueFull } from './job-faults.ts'
import { type JobContent, JobPool, type PoolSettings } from './job-pool.ts'

const MIB = 1024 * 1024
const MEMORY_BYTES = 256 * MIB
const PROGRAM = new URL('../../../test/files/bombs/misbehaving-process.ts', import.meta.url)
const TIMEOUT_MS = 10_000
const IS_LINUX = process.platform === 'linux'

const NOBODY = { group: '', member: '' }
const pools: JobPool[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function poolOf(settings: Partial<PoolSettings> = {}): JobPool {
  const pool = new JobPool({ processes: 1, memoryBytes: MEMORY_BYTES, queue: 8, program: PROGRAM, ...settings })
  pools.push(pool)
  return pool
}

function contentOf(...pieces: Uint8Array[]): JobContent {
  const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return { sizeBytes, read: async () => Readable.from(pieces) }
}

interface About {
  readonly pid: number
  readonly env: Readonly<Record<string, string>>
}

async function about(pool: JobPool): Promise<About> {
  return JSON.parse(Buffer.from(await run(pool, 'about')).toString()) as About
}

function run(pool: JobPool, kind: string, options = {}, timeoutMs = TIMEOUT_MS, content?: JobContent) {
  return pool.run(NOBODY, { kind, options, timeoutMs }, content)
}

/** The error of a job that ends without an answer. */
async function faultOf(job: Promise<unknown>): Promise<Error> {
  const fault = await job.then(
    () => undefined,
    (error) => error as Error,
  )
  if (!fault) throw new Error('the job was done')
  return fault
}

/** Resolves when the process has ended, or is a zombie. */
async function gone(pid: number): Promise<void> {
  const isThere = () =>
    existsSync(`/proc/${pid}/status`) && !/^State:\sZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  while (isThere()) await new Promise((resume) => setTimeout(resume, 10))
}

describe('a job', () => {
  it('is answered from its content, however that comes', async () => {
    const pool = poolOf()
    expect(Buffer.from(await run(pool, 'echo', {}, TIMEOUT_MS, contentOf())).toString()).toBe('')
    const parts = ['a', '', 'bc'].map((text) => Buffer.from(text))
    expect(Buffer.from(await run(pool, 'echo', {}, TIMEOUT_MS, contentOf(...parts))).toString()).toBe('abc')
    const large = Buffer.alloc(19 * MIB, 'content ')
    expect(Buffer.from(await run(pool, 'echo', {}, TIMEOUT_MS, contentOf(large))).equals(large)).toBe(true)
  })

  it('that says no leaves the process as it is', async () => {
    const pool = poolOf()
    const { pid } = await about(pool)
    const fault = await faultOf(run(pool, 'refuse', { message: 'this is no picture' }))
    expect(fault).toBeInstanceOf(JobFailed)
    expect(fault.message).toBe('this is no picture')
    expect((await faultOf(run(pool, 'unheard-of'))).message).toBe('there are no jobs of the kind unheard-of')
    expect((await about(pool)).pid).toBe(pid)
  })

  it('is refused when its content would fill the process', async () => {
    const fault = await faultOf(run(poolOf(), 'echo', {}, TIMEOUT_MS, { ...contentOf(), sizeBytes: 200 * MIB }))
    expect(fault).toBeInstanceOf(JobFailed)
  })

  it('whose content cannot be opened costs no process', async () => {
    const pool = poolOf()
    const { pid } = await about(pool)
    const broken = { sizeBytes: 1, read: () => Promise.reject(new Error('no such file')) }
    expect((await faultOf(run(pool, 'echo', {}, TIMEOUT_MS, broken))).message).toBe('no such file')
    expect((await about(pool)).pid).toBe(pid)
  })

  it.each([
    ['breaks off', () => Readable.from(failing()), 'the disk is gone'],
    [
      'is shorter than it said',
      () => Readable.from([Buffer.alloc(10)]),
      'the content has not the 100 bytes that it should have',
    ],
    [
      'is longer than it said',
      () => Readable.from([Buffer.alloc(1_000)]),
      'the content has not the 100 bytes that it should have',
    ],
  ])('whose content %s fails with that, and the next has another process', async (_what, open, message) => {
    const pool = poolOf()
    const { pid } = await about(pool)
    const fault = await faultOf(run(pool, 'echo', {}, TIMEOUT_MS, { sizeBytes: 100, read: async () => open() }))
    expect(fault.message).toBe(message)
    expect((await about(pool)).pid).not.toBe(pid)
  })
})

function* failing(): Generator<Uint8Array> {
  yield Buffer.alloc(10)
  throw new Error('the disk is gone')
}

describe('a process', () => {
  it.each([
    ['takes too long', 'circle', 'time', 500],
    ['waits for nothing', 'forget', 'ended', TIMEOUT_MS],
    ['exits', 'exit', 'ended', TIMEOUT_MS],
    ['aborts', 'abort', 'ended', TIMEOUT_MS],
    ['breaks', 'segfault', 'ended', TIMEOUT_MS],
  ])('that %s is replaced', async (_what, kind, reason, timeoutMs) => {
    const pool = poolOf()
    const { pid } = await about(pool)
    const fault = await faultOf(run(pool, kind, {}, timeoutMs))
    expect(fault).toBeInstanceOf(JobKilled)
    expect((fault as JobKilled).reason).toBe(reason)
    expect((await about(pool)).pid).not.toBe(pid)
  })

  it.runIf(IS_LINUX)('that waits is not ended for the time in which it does nothing', async () => {
    expect(await run(poolOf(), 'sleep', { ms: 1_500 }, 1_000)).toHaveLength(0)
  })

  it('whose answer is larger than any of ours is ended', async () => {
    const fault = await faultOf(run(poolOf(), 'answer', { bytes: 21 * MIB }))
    expect(fault).toBeInstanceOf(JobKilled)
  })

  it.runIf(IS_LINUX).each(['fillBuffers', 'fillHeap'])('never has more memory than it may: %s', async (kind) => {
    const pool = poolOf()
    const { pid } = await about(pool)
    const most = { bytes: 0 }
    const look = setInterval(() => (most.bytes = Math.max(most.bytes, residentBytes(pid) ?? 0)), 1)
    const fault = await faultOf(run(pool, kind))
    clearInterval(look)
    expect(fault).toBeInstanceOf(JobKilled)
    expect(most.bytes).toBeGreaterThan(64 * MIB)
    expect(most.bytes).toBeLessThanOrEqual(MEMORY_BYTES)
  })

  it.runIf(IS_LINUX)('is held by the kernel, and leaves no picture of its memory', async () => {
    const { pid } = await about(poolOf())
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
    expect(limits).toMatch(/^Max core file size +0 +0 /m)
    expect(limits).toMatch(/^Max data size +\d+ +\d+ /m)
    expect(limits).toMatch(/^Max cpu time +\d+ +\d+ /m)
  })

  describe('has no way out of what it was given', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-jobs-'))
    const secret = join(folder, 'keys.json')
    writeFileSync(secret, 'a private key')
    let server: Server
    let address = ''
    let requested = 0
    let pool: JobPool
    beforeAll(async () => {
      pool = new JobPool({ processes: 1, memoryBytes: MEMORY_BYTES, queue: 8, program: PROGRAM })
      server = createServer((_request, response) => {
        requested += 1
        response.end('reached')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      address = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
    })
    afterAll(async () => {
      await pool.close()
      server.close()
      rmSync(folder, { recursive: true })
    })
    const root = fileURLToPath(new URL('../../../', import.meta.url))

    it.each([
      ['reads what the service keeps', 'read', { path: secret }],
      ['reads the accounts of the machine', 'read', { path: '/etc/passwd' }],
      ['reads the environment of the service', 'parent-environment', {}],
      ['reads its own environment as the system has it', 'read', { path: '/proc/self/environ' }],
      ['reads beside the program', 'read', { path: join(root, 'README.md') }],
      ['reads beside the program, around a corner', 'read', { path: join(root, 'src/../README.md') }],
      ['lists a folder', 'list', { path: folder }],
      ['lists the folder of the service', 'list', { path: root }],
      ['becomes a text', 'load', { name: 'data:text/javascript,export const a = 1' }],
      ['loads a program from the network', 'load', { name: 'http://127.0.0.1/x.js' }],
      ...[
        'net',
        'node:net',
        'tls',
        'http',
        'https',
        'http2',
        'dns',
        'dns/promises',
        'dgram',
        'inspector',
        'cluster',
      ].flatMap((name): [string, string, object][] => [
        [`imports ${name}`, 'load', { name }],
        [`requires ${name}`, 'require', { name }],
      ]),
      ['uses the innards of Node.js', 'binding', { name: 'tcp_wrap' }],
      ['fetches', 'fetch', {}],
      ['starts a program', 'spawn', {}],
      ['starts a thread', 'thread', {}],
    ])('never %s', async (_what, kind, options) => {
      expect(await faultOf(run(pool, kind, kind === 'fetch' ? { url: address } : options))).toBeInstanceOf(JobFailed)
      expect(requested).toBe(0)
    })

    it.each(['net', 'node:http', 'dns', 'dgram'])('never is given %s as a part of Node.js', async (name) => {
      expect(Buffer.from(await run(pool, 'builtin', { name })).toString()).toBe('undefined')
    })

    it.runIf(spawnSync('unshare', ['--map-current-user', '--net', 'true']).status === 0)(
      'has no network, where the system lets us take it away',
      async () => {
        const { pid } = await about(pool)
        expect(readlinkSync(`/proc/${pid}/ns/net`)).not.toBe(readlinkSync('/proc/self/ns/net'))
        // Not even the loopback interface is up.
        expect(Buffer.from(await run(pool, 'sockets')).toString()).toBe('')
      },
    )
  })

  it('knows nothing of our environment', async () => {
    process.env.TABULARIUM_TEST_SECRET = 'secret'
    const { env } = await about(poolOf())
    delete process.env.TABULARIUM_TEST_SECRET
    const ours = Object.keys(env).filter((name) => !name.startsWith('MALLOC_') && name !== 'UV_THREADPOOL_SIZE')
    expect(ours.filter((name) => name !== 'PATH' && name !== 'PWD')).toEqual([])
  })

  it('writes no files and makes no code from texts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabularium-jobs-'))
    const path = join(folder, 'written')
    const pool = poolOf()
    expect(await faultOf(run(pool, 'write', { path }))).toBeInstanceOf(JobFailed)
    expect(existsSync(path)).toBe(false)
    expect(await faultOf(run(pool, 'evaluate'))).toBeInstanceOf(JobFailed)
    rmSync(folder, { recursive: true })
  })

  it('that cannot start fails its job', async () => {
    const pool = poolOf({ program: new URL('file:///nowhere/program.js') })
    const fault = await faultOf(run(pool, 'echo'))
    expect(fault).toBeInstanceOf(JobKilled)
    expect(fault.message).toContain('Cannot find module')
  })

  it.runIf(IS_LINUX)('is ended when it is idle', async () => {
    const pool = poolOf({ idleMs: 50 })
    const { pid } = await about(pool)
    await gone(pid)
    expect((await about(pool)).pid).not.toBe(pid)
  })

  it.runIf(IS_LINUX).each([
    ['ends', ''],
    ['is killed', "process.kill(process.pid, 'SIGKILL')"],
  ])('ends with the service that %s, and does not hold it', async (_how, last) => {
    const script = `
      import { JobPool } from ${JSON.stringify(new URL('./job-pool.ts', import.meta.url).href)}
      const settings = { processes: 1, memoryBytes: ${MEMORY_BYTES}, queue: 1, program: new URL(${JSON.stringify(PROGRAM.href)}) }
      const answer = await new JobPool(settings).run({ group: '', member: '' }, { kind: 'about', options: {}, timeoutMs: ${TIMEOUT_MS} })
      console.log(JSON.parse(Buffer.from(answer)).pid)
      ${last}`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(Number(stdout)).toBeGreaterThan(0)
    await gone(Number(stdout))
  })
})

describe('a pool', () => {
  it('starts no more processes than it may, and refuses who would wait too long', async () => {
    const pool = poolOf({ processes: 2, queue: 3 })
    // One company leaves a process to others: two of them use both.
    const job = { kind: 'sleep', options: { ms: 300 }, timeoutMs: TIMEOUT_MS }
    const flows = ['EN', 'SV'].map((group) => ({ group, member: '' }))
    const ends = await Promise.allSettled([...flows, ...flows, ...flows].map((flow) => pool.run(flow, job)))
    const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(faults).toEqual([expect.any(QueueFull)])
    const pids = await Promise.all([about(pool), about(pool), about(pool)])
    expect(new Set(pids.map(({ pid }) => pid)).size).toBeLessThanOrEqual(2)
  })

  it('gives the place of a process that is gone to who waits', async () => {
    const pool = poolOf()
    const first = faultOf(run(pool, 'circle', {}, 300))
    const others = [run(pool, 'echo'), faultOf(run(pool, 'exit')), run(pool, 'echo')]
    expect(await first).toBeInstanceOf(JobKilled)
    await Promise.all(others)
  })

  it('fails all jobs when no process can be started', async () => {
    const pool = poolOf({ program: new URL('file:///nowhere/program.js') })
    const faults = await Promise.all(Array.from({ length: 5 }, () => faultOf(run(pool, 'echo'))))
    for (const fault of faults) expect(fault).toBeInstanceOf(JobKilled)
  })

  it('that is closed ends what runs and refuses what waits and what comes', async () => {
    const pool = poolOf()
    await about(pool)
    const running = faultOf(run(pool, 'sleep', { ms: 60_000 }, 60_000))
    const waiting = faultOf(run(pool, 'echo'))
    await pool.close()
    expect(await running).toBeInstanceOf(JobKilled)
    expect(await waiting).toMatchObject({ status: 503 })
    expect(await faultOf(run(pool, 'echo'))).toMatchObject({ status: 503 })
  })
})
