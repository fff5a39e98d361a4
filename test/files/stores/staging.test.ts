// Staging of uploads: contents are received completely, or nothing of them is left.
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Problem } from '../../../src/errors/problem.ts'
import { StagingFolder } from '../../../src/files/staging.ts'

/** No process has this id: it is above the kernel's maximum. */
const NO_PID = 4_194_305
const SOME_UUID = '3b241101-e2bb-4255-8caf-4136c566a962'
const OWN_HOST = hostname()
  .replace(/[^A-Za-z0-9]/g, '_')
  .slice(0, 64)

describe('staging', () => {
  const work = mkdtempSync(join(tmpdir(), 'tabularium-staging-'))
  const folder = join(work, 'deep', 'staging')
  const left = () => readdirSync(folder)
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  afterAll(() => rmSync(work, { recursive: true, force: true }))

  it.each([0, 1, 65_535, 262_143, 262_144, 262_145, 3_000_000])('receives %i bytes as they are', async (size) => {
    const content = randomBytes(size)
    const staging = await StagingFolder.open(folder)
    const staged = await staging.take(inChunks(content, 10_007), size)
    expect(staged).toEqual({
      path: expect.any(String),
      hash: createHash('sha256').update(content).digest('hex'),
      size,
      head: content.subarray(0, 1_024),
    })
    expect(readFileSync(staged.path).equals(content)).toBe(true)
    expect(statSync(staged.path).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    await staging.discard(staged)
    await staging.discard(staged)
    expect(left()).toEqual([])
  })

  it('receives one chunk that is larger than what is written at once', async () => {
    const content = randomBytes(5_000_001)
    const staging = await StagingFolder.open(folder)
    const staged = await staging.take(Readable.from([content]), content.length)
    expect(readFileSync(staged.path).equals(content)).toBe(true)
    expect(staged.hash).toBe(createHash('sha256').update(content).digest('hex'))
  })

  it('refuses one byte more than the limit at once, closes the source, and leaves nothing', async () => {
    const staging = await StagingFolder.open(folder)
    let given = 0
    let isEnded = false
    const endless = (async function* () {
      try {
        for (;;) {
          given++
          yield randomBytes(1_000)
        }
      } finally {
        isEnded = true
      }
    })()
    const failure = await staging.take(endless, 10_000).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Problem)
    expect(failure).toMatchObject({
      status: 413,
      body: { code: 1010, message: 'The content of the file is larger than the limit of 10000 bytes.' },
    })
    expect({ given, isEnded }).toEqual({ given: 11, isEnded: true })
    expect(left()).toEqual([])
  })

  it('rethrows the error of the source, and leaves nothing', async () => {
    const staging = await StagingFolder.open(folder)
    const fault = new Error('the caller has gone')
    const broken = (async function* () {
      yield randomBytes(600_000)
      throw fault
    })()
    await expect(staging.take(broken, 1_000_000)).rejects.toBe(fault)
    const gone = new Readable({ read() {} })
    gone.push(randomBytes(1_000))
    setTimeout(() => gone.destroy(), 20)
    await expect(staging.take(gone, 1_000_000)).rejects.toThrow('Premature close')
    expect(left()).toEqual([])
  })

  it('asks for the next chunk only when the ones before are written', async () => {
    const staging = await StagingFolder.open(folder)
    let given = 0
    let most = 0
    const watched = (async function* () {
      for (; given < 100; given++) {
        const written = left().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
        most = Math.max(most, given * 100_000 - written)
        yield randomBytes(100_000)
      }
    })()
    const { size } = await staging.take(watched, 10_000_000)
    expect(size).toBe(10_000_000)
    expect(most).toBeLessThan(400_000)
  })

  it('sweeps files of ended processes, none of running ones, and no other files', async () => {
    const kept = await (await StagingFolder.open(folder)).take(Readable.from([Buffer.from('kept')]), 10)
    const put = (name: string, ageHours = 0) => {
      writeFileSync(join(folder, name), 'left')
      const time = new Date(Date.now() - ageHours * 3_600_000)
      utimesSync(join(folder, name), time, time)
      return name
    }
    const nameOf = (host: string, pid: number) => `${host}.${pid}.${SOME_UUID}.${crypto.randomUUID()}`
    const swept = [
      put(nameOf(OWN_HOST, NO_PID)),
      // The id of this process, before a restart of the machine or the container.
      put(nameOf(OWN_HOST, process.pid)),
      put(nameOf(OWN_HOST, process.ppid), 25),
      put(nameOf('elsewhere', 1), 25),
    ]
    const living = [put(nameOf(OWN_HOST, process.ppid)), put(nameOf('elsewhere', 1)), put('notes.txt', 1_000)]

    await StagingFolder.open(folder)
    expect(swept.filter((name) => existsSync(join(folder, name)))).toEqual([])
    expect(living.filter((name) => !existsSync(join(folder, name)))).toEqual([])
    expect(readFileSync(kept.path, 'utf8')).toBe('kept')
  })
})

async function* inChunks(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
