// The folder store on disks that fail: nothing is acknowledged that may be lost, and nothing wrong is left.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openFolderStore, stagingFolder } from '../../../src/files/folder.ts'
import { openFileStore } from '../../../src/files/open-file-store.ts'
import { StagingFolder } from '../../../src/files/staging.ts'
import type { StoreResult } from './store-program.ts'

const PROGRAM = [process.execPath, join(import.meta.dirname, 'store-program.ts')]
const MB = 1_000_000
/** One thread, so that calls are counted in one order. */
const ENVIRONMENT = { ...process.env, UV_THREADPOOL_SIZE: '1' }
const MOST_CALLS = 40

const work = mkdtempSync(join(tmpdir(), 'tabularium-folder-'))
const root = join(work, 'new', 'files')

const canTrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', work]).status === 0

beforeEach(() => {
  rmSync(join(work, 'new'), { recursive: true, force: true })
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

/** Runs the program under a command, such as `strace`. */
function run(command: readonly string[], steps: readonly number[]) {
  const [name = '', ...args] = [...command, ...PROGRAM, root, ...steps.map(String)]
  const { stdout, stderr, signal } = spawnSync(name, args, { encoding: 'utf8', env: ENVIRONMENT })
  return { told: stdout === '' ? undefined : (JSON.parse(stdout) as StoreResult), stderr, signal }
}

function shell(before: string): string[] {
  return ['sh', '-c', `${before} && exec "$@"`, 'sh']
}

const staged = () => readdirSync(stagingFolder(root))

describe('the file store in a folder', () => {
  it('is accessible to its owner only', async () => {
    const { store, staging } = await openFileStore({ files: root, data: '' })
    await store.put('EN', await staging.take(toChunks('text'), 10))
    const entries = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
    const modes = entries.map((name) => {
      const found = statSync(join(root, name))
      return `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`
    })
    expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']))
    expect(entries[0]).toBe('company-_e_n')
    expect(statSync(root).mode & 0o777).toBe(0o700)
  })

  it('lists nothing but contents', async () => {
    const { store, staging } = await openFileStore({ files: root, data: '' })
    const content = await staging.take(toChunks('text'), 10)
    await store.put('en', content)
    const path = join(root, 'company-en', content.hash.slice(0, 2), content.hash.slice(2, 4), content.hash)
    expect(readFileSync(path, 'utf8')).toBe('text')
    const other = 'f'.repeat(64)
    const foreign = [
      `${path}.1x1.png`,
      `${path}~`,
      join(root, 'company-en', 'aa', 'bb', other),
      join(root, 'company-EN', 'ff', 'ff', other),
      join(root, 'company-en', 'ff', 'ff', 'ff', other),
      join(root, 'lost+found', 'ff', 'ff', other),
      join(root, 'notes.txt'),
      join(root, 'company-.zz', 'ff', 'ff', other),
    ]
    for (const name of foreign) {
      mkdirSync(join(name, '..'), { recursive: true })
      writeFileSync(name, 'foreign')
    }
    expect(await Array.fromAsync(store.list())).toMatchObject([{ companyId: 'en', hash: content.hash, size: 4 }])
  })

  it('returns the first byte alone', async () => {
    const { store, staging } = await openFileStore({ files: root, data: '' })
    const { hash, ...rest } = await staging.take(toChunks('text'), 10)
    await store.put('en', { hash, ...rest })
    const given = await (await store.read('en', hash, { first: 0, last: 0 })).toArray()
    expect(Buffer.concat(given).toString()).toBe('t')
  })

  it('refuses a staged file that is not as long as what was received', async () => {
    const { store, staging } = await openFileStore({ files: root, data: '' })
    const content = await staging.take(toChunks('text'), 10)
    writeFileSync(content.path, 'tex')
    await expect(store.put('en', content)).rejects.toThrow('a staged file has 3 bytes instead of 4')
    expect(await Array.fromAsync(store.list())).toEqual([])
  })

  it.skipIf(process.platform !== 'linux')('says so when the staging folder is on another file system', async () => {
    const memory = '/dev/shm/'
    const elsewhere = mkdtempSync(join(root.startsWith(memory) ? process.cwd() : memory, '.tabularium-'))
    try {
      const store = await openFolderStore(root)
      const content = await (await StagingFolder.open(elsewhere)).take(toChunks('text'), 10)
      await expect(store.put('en', content)).rejects.toThrow('the staging folder is not on the same file system')
    } finally {
      rmSync(elsewhere, { recursive: true, force: true })
    }
  })

  it('says why a folder cannot be used', async () => {
    mkdirSync(join(root, '..'), { recursive: true })
    writeFileSync(root, 'a file')
    await expect(openFolderStore(root)).rejects.toThrow(/^the folder of the file store cannot be used: EEXIST/)
  })
})

describe('the file store on a disk that fails', () => {
  it('answers 503 for a file above the size limit, and stores smaller ones', () => {
    // 1 MB, or 2 MB where the shell counts in kilobytes.
    const { told } = run(shell('ulimit -f 2000'), [1_000, 5 * MB, 2_000])
    expect(told).toEqual({
      steps: [
        { size: 1_000, outcome: 'kept' },
        { size: 5 * MB, outcome: 503 },
        { size: 2_000, outcome: 'kept' },
      ],
      found: [1_000, 2_000],
    })
    expect(staged()).toEqual([])
  })

  it.skipIf(!canMount)(
    'answers 503 on a full disk, retains its contents, and continues when there is free space',
    () => {
      const mount = `mkdir -p '${root}' && mount -t tmpfs -o size=8m tmpfs '${root}'`
      const { told, stderr } = run(
        ['unshare', '-m', ...shell(mount)],
        [3 * MB, 4 * MB, 5 * MB, 1_000_001, -3 * MB, 2 * MB, 1_000],
      )
      expect({ told, stderr }).toEqual({
        told: {
          steps: [
            { size: 3 * MB, outcome: 'kept' },
            { size: 4 * MB, outcome: 'kept' },
            { size: 5 * MB, outcome: 503 },
            { size: 1_000_001, outcome: 'kept' },
            { size: -3 * MB, outcome: 'removed' },
            { size: 2 * MB, outcome: 'kept' },
            { size: 1_000, outcome: 'kept' },
          ],
          found: [1_000, 1_000_001, 2 * MB, 4 * MB],
        },
        stderr: '',
      })
    },
  )

  it.skipIf(!canMount)('answers 503 on a disk without room for another name', () => {
    const mount = `mkdir -p '${root}' && mount -t tmpfs -o nr_inodes=6 tmpfs '${root}'`
    const { told } = run(['unshare', '-m', ...shell(mount)], [1_000, 1_001])
    expect(told).toEqual({
      steps: [
        { size: 1_000, outcome: 'kept' },
        { size: 1_001, outcome: 503 },
      ],
      found: [1_000],
    })
  })

  it.skipIf(!canTrace)('has the bytes and all folders on the disk before it acknowledges', () => {
    const log = join(work, 'calls')
    const calls = 'trace=fsync,rename,renameat,renameat2'
    expect(run(['strace', '-f', '-y', '-o', log, '-e', calls], [1_000, 1_000]).told?.found).toEqual([1_000])
    const done = [...readFileSync(log, 'utf8').matchAll(/(fsync|rename)\w*\((?:\d+<([^>]+)>|"([^"]+)", "([^"]+)")/g)]
    const content = (name: string) => name.replace(/[0-9a-f]{64}/, 'HASH').replace(/\/..\/..(?=\/|$)/, '/aa/bb')
    const lines = done.map(([, call, synced, from, to]) => {
      const name = content((synced ?? to ?? '').replace(root, 'ROOT').replace(work, 'WORK'))
      return `${call} ${name.startsWith('ROOT/staging/') ? 'STAGED' : name}${from ? ' from staging' : ''}`
    })
    const kept = ['fsync STAGED', 'rename ROOT/company-_e_n/aa/bb/HASH from staging', 'fsync ROOT/company-_e_n/aa/bb']
    expect(lines).toEqual([
      'fsync WORK/new',
      'fsync WORK',
      kept[0],
      expect.stringMatching(/^fsync ROOT\/company-_e_n\/..$/),
      'fsync ROOT/company-_e_n',
      'fsync ROOT',
      ...kept.slice(1),
      // Storing it again updates its time. The parent folders are synced already.
      ...kept,
    ])
  })

  it.skipIf(!canTrace).each([
    { call: 'fsync', error: 'EIO', times: 8 },
    { call: 'rename', error: 'ENOSPC', times: 3 },
    { call: 'mkdir', error: 'EROFS', times: 8 },
  ])('acknowledges nothing that it does not have when $call fails with $error', ({ call, error, times }) => {
    // Creates the folders of the start.
    run([], [1])
    const outcomes: (string | number | undefined)[] = []
    for (let nth = 1; nth <= times; nth++) {
      const size = 1_000 + nth
      const { told, stderr } = run(injecting(call, `error=${error}`, nth), [size])
      const outcome = told?.steps[0]?.outcome
      expect({ outcome, stderr }).toEqual({ outcome: expect.toBeOneOf([503, 'kept']), stderr: '' })
      // After a failed sync of a folder a complete, unacknowledged content may exist.
      if (outcome === 'kept') expect(told?.found).toContain(size)
      expect(staged()).toEqual([])
      outcomes.push(outcome)
    }
    expect(outcomes).toContain(503)
    expect(outcomes.at(-1)).toBe('kept')
  })

  it.skipIf(!canTrace).each(['fsync', 'rename', 'mkdir'])(
    'has a content completely or not at all when it is killed at any %s',
    (call) => {
      run([], [1])
      for (let nth = 1; nth <= MOST_CALLS; nth++) {
        const size = 500_000 + nth
        const { told } = run(injecting(call, 'signal=SIGKILL', nth), [size])
        // Fails for a wrong content, and sweeps.
        const after = run([], [])
        expect(after.stderr).toBe('')
        expect(staged()).toEqual([])
        if (told) {
          expect(after.told?.found).toContain(size)
          return
        }
      }
      throw new Error('it was killed every time')
    },
  )
})

/** The program and its threads, with a fault at the nth call of a kind below the root. */
function injecting(call: string, fault: string, nth: number): string[] {
  return ['strace', '-f', '-o', '/dev/null', '-e', `inject=${call}:${fault}:when=${nth}`]
}

async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
