// The disk of the data folder fills up repeatedly: reads continue, writes are rejected, nothing is torn, and no restart
// is needed.
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, kill, rowsOf, runProcess, type Serving, serve, temporaryFolder } from '../../support/process.ts'
import { IS_FULL, randomNumbers, reliabilityTest, SEED, triesOf } from '../../support/reliability-test.ts'
import { canMountDisk, leaveFree, onFullDisk, onTestDisk, pathSeenBy } from '../../support/test-disk.ts'
import { staged, tornFiles } from './content-files.ts'
import { FullDiskLoad } from './disk/full-disk-load.ts'
import { faultsOf, SETUP } from './disk/writes.ts'

const FILLS = triesOf({ long: 4, full: 100 })
const MIB = 1024 * 1024
/** Memory that is allocated only when it is written. */
const ROOM_BYTES = 1024 * MIB
/** Below a mark of 512 MiB the service accepts no writes. */
const LOW_BYTES = [100 * MIB, 500 * MIB] as const
const FULL_BYTES = [0, 256 * 1024] as const
const WITH_ROOM_MS = 400
const WITHOUT_ROOM_MS = 600
const READY_WITHIN_MS = 5_000
const NEVER_READY_MS = 300_000
const WRITERS = 4
const READERS = 2
/** These stay out of the copy of the data folder; a socket cannot be copied. */
const LEFT_OUT = /\/ballast$|-shm$|\.sock$/

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

describe.skipIf(!canMountDisk)('D7 a disk that is full', () => {
  const place = temporaryFolder()
  const disk = join(place.path, 'disk')
  let service: Serving
  let pid = 0
  let seen = ''

  beforeAll(async () => {
    mkdirSync(disk)
    service = await serve(['--data', join(disk, 'data'), ...SETUP], { before: onTestDisk(disk, ROOM_BYTES) })
    pid = service.child.pid ?? 0
    seen = join(pathSeenBy(pid, disk), 'data')
  })
  afterAll(async () => {
    if (service) await kill(service)
    place.remove()
  })

  it('D7 tells who starts on a disk that is too small where it is, what is free, and what is needed', async () => {
    const small = temporaryFolder()
    try {
      const data = join(small.path, 'data')
      const args = ['serve', '--port', '0', '--log-level', 'error', '--data', data, ...SETUP]
      const { code, stderr } = await runProcess(args, { before: onTestDisk(small.path, 140 * MIB) })
      expect(code).toBe(1)
      const [, folder, free] = /\(the disk of (\S+) has (\d+) MB free, and writing needs 537 MB\)\n$/.exec(stderr) ?? []
      expect([folder, stderr]).toEqual([data, expect.stringMatching(/^tabularium: The disk is nearly full/)])
      expect(Number(free)).toBeLessThan(147)
    } finally {
      small.remove()
    }
  })

  it(
    'D7 rejects only writes, and only as long as it is full',
    async () => {
      await reliabilityTest('D7', 'the disk fills up while clients write and read', async () => {
        const random = randomNumbers(SEED)
        const load = new FullDiskLoad(service.address, random)
        const running = load.run(WRITERS, READERS)
        const readyAfter: number[] = []
        try {
          for (let fill = 0; fill < FILLS; fill++) readyAfter.push(await fillOnce(load, fill, random))
        } finally {
          load.end()
          await running
        }
        expectAllKept(load)
        const slowest = Math.max(...readyAfter)
        if (IS_FULL) expect(slowest).toBeLessThanOrEqual(READY_WITHIN_MS)
        return (
          `${FILLS} fills, ${load.stored.length + load.records.length} writes acknowledged, ${load.refused.size} refused, ` +
          `ready after at most ${Math.round(slowest)} ms; reads p99 ${percentile(load.reads.room)} ms with room, ` +
          `${percentile(load.reads.full)} ms without (${load.reads.full.length})`
        )
      })
    },
    600_000 + FILLS * 15_000,
  )

  /** Returns the time until the service writes again. */
  async function fillOnce(load: FullDiskLoad, fill: number, random: () => number): Promise<number> {
    await pause(random() * WITH_ROOM_MS)
    const [least, most] = fill % 2 === 0 ? FULL_BYTES : LOW_BYTES
    const [begun, refused] = [Date.now(), load.refused.size]
    leaveFree(pid, disk, Math.floor(least + random() * (most - least)))
    load.isFull = true
    while (load.refused.size === refused && load.wrong.length === 0) await pause(10)
    await pause(random() * WITHOUT_ROOM_MS)
    expect(load.wrong).toEqual([])
    // Staged contents are not torn: they have no name yet.
    expect(tornFiles(join(seen, 'files'), begun)).toEqual([])
    leaveFree(pid, disk, ROOM_BYTES)
    load.isFull = false
    const roomSince = performance.now()
    while (!(await load.addDocument())) {
      if (performance.now() - roomSince > NEVER_READY_MS)
        throw new Error('the service takes no writes though it has room')
      await pause(20)
    }
    return performance.now() - roomSince
  }

  /** The process is the same as before. */
  function expectAllKept(load: FullDiskLoad): void {
    expect(load.wrong).toEqual([])
    expect(service.child.exitCode).toBeNull()
    // SQLite cannot open a path below /proc, so the file is copied. The service is idle.
    const copy = join(place.path, 'copy')
    cpSync(seen, copy, { recursive: true, filter: (path) => !LEFT_OUT.test(path) })
    expect([...faultsOf(copy), ...staged(join(copy, 'files'))]).toEqual([])
    const stored = rowsOf(copy, 'select title, file_hash from document').map((row) => `${row.title} ${row.file_hash}`)
    expect(stored.sort()).toEqual(load.stored.map(({ title, hash }) => `${title} ${hash}`).sort())
    const values = rowsOf(copy, `select attribute_value as name from attribute_value where attribute_value like 'W%'`)
    expect(values.map(({ name }) => String(name)).sort()).toEqual([...load.records].sort())
  }
})

describe.skipIf(!canMountDisk)('D7 a start on a disk that is full', () => {
  const place = temporaryFolder()
  const disk = join(place.path, 'disk')
  const data = join(place.path, 'data')
  const flags = ['--data', join(disk, 'data'), '--shutdown-grace', '0']
  const value = '/v1/attribute-values/C1/CC100/0'

  beforeAll(async () => {
    mkdirSync(disk)
    await kill(await serve(['--data', data, ...SETUP]))
  })
  afterAll(() => place.remove())

  it('D7 answers reads and refuses writes behind a kill, with the setup that it has', async () => {
    const again = await serve([...flags, ...SETUP], { before: onFullDisk(disk, data) })
    expect(await call(again.address + value)).toMatchObject({ status: 200 })
    expect(await call(again.address + value, { method: 'DELETE' })).toMatchObject({ status: 503 })
    await kill(again)
  })

  it('D7 tells in one line that it is full where nothing can be read either, and keeps the trace of the database', async () => {
    // Without the shared memory of the log, which a clean end removes.
    const before = onFullDisk(disk, data)
      .replace('/data &&', '/data && rm -f $0/data/*-shm &&')
      .replace('exec "$@"', '"$@"; code=$?; test -e "$0/data/integrity.json" && exit $code')
    const { code, stderr } = await runProcess(['serve', '--port', '0', '--log-level', 'error', ...flags], {
      before,
    })
    expect([code, stderr]).toEqual([
      1,
      `tabularium: the disk of ${join(disk, 'data')} is full: make room, such as by deleting its file ballast\n`,
    ])
  })
})

function percentile(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other)
  return (sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(1)
}
