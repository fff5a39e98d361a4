import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { QueryCaller } from '../store/store.ts'
import { SpoolFolder, type SpoolSettings } from './spool-folder.ts'
import { openSpooled, SpooledAnswers } from './spooled-answers.ts'

const MIB = 1024 * 1024
const NOW = Date.parse('2026-01-01T12:00:00Z')

let folder: string
let now: number
let settings: SpoolSettings

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'))
  now = NOW
  let no = 0
  settings = {
    folder,
    maxBytes: 40 * MIB,
    leavesBytes: 0,
    keptMs: 60_000,
    now: () => now,
    newId: () => `id-${++no}`,
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* content(mebibytes: number, error?: Error) {
  for (let no = 0; no < mebibytes; no++) yield Buffer.alloc(MIB, no)
  if (error) throw error
  return 7
}

const key = (question: string) => ({ question, state: 's' })
const COMPANY_OF = async (id: string) => ({ id, erasures: 0 })
const NOTES = { isCut: false, changeNumber: 12 }

/** Adds a file that was last used at the moment of the clock. */
async function add(spool: SpoolFolder, question: string, mebibytes: number) {
  const file = await spool.add(key(question), NOTES, content(mebibytes))
  await spool.keep(file)
  return file
}

describe('the spool folder', () => {
  it('keeps what is known of a file in its name, for other processes', async () => {
    await add(await SpoolFolder.open(settings), 'q1', 2)
    const other = await SpoolFolder.open({ ...settings, newId: () => 'other' })
    const [found, ...others] = await other.find('q1')
    expect(found).toMatchObject({
      question: 'q1',
      state: 's',
      rows: 7,
      bytes: 2 * MIB,
      madeAt: NOW,
      isCut: false,
      changeNumber: 12,
    })
    expect(others).toEqual([])
    expect(await other.find('q2')).toEqual([])
  })

  it('removes what was not used for long, and what a process that has ended has left', async () => {
    const spool = await SpoolFolder.open(settings)
    const [first, second] = [await add(spool, 'q1', 1), await add(spool, 'q2', 1)]
    const left = join(folder, 'crashed.part')
    writeFileSync(left, 'half')
    utimesSync(left, NOW / 1000, NOW / 1000)
    now += 50_000
    await spool.keep(second)
    now += 20_000
    await SpoolFolder.open(settings)
    expect([existsSync(first.path), existsSync(second.path), existsSync(left)]).toEqual([false, true, false])
  })

  it('removes the files that nobody has used for the longest time when there is no room', async () => {
    const spool = await SpoolFolder.open(settings)
    const files = []
    for (const question of ['q1', 'q2', 'q3']) {
      files.push(await add(spool, question, 10))
      now += 1_000
    }
    await spool.keep(files[0] as never)
    now += 1_000
    await add(spool, 'q4', 10)
    expect(files.map(({ path }) => existsSync(path))).toEqual([true, false, true])
  })

  it('refuses a file that there is no room for with 503, and leaves nothing of it', async () => {
    const spool = await SpoolFolder.open(settings)
    await expect(spool.add(key('q1'), NOTES, content(60))).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': '30' },
    })
    expect(readdirSync(folder)).toEqual([])
    const full = await SpoolFolder.open({ ...settings, leavesBytes: 2 ** 60 })
    await expect(full.add(key('q1'), NOTES, content(1))).rejects.toMatchObject({ status: 503 })
    expect(readdirSync(folder)).toEqual([])
  })

  it('leaves nothing of a file whose content breaks off', async () => {
    const spool = await SpoolFolder.open(settings)
    await expect(spool.add(key('q1'), NOTES, content(3, new Error('gone')))).rejects.toThrow('gone')
    expect(readdirSync(folder)).toEqual([])
  })

  it('goes on reading a file that is removed meanwhile', async () => {
    const spool = await SpoolFolder.open(settings)
    const file = await add(spool, 'q1', 3)
    const chunks = await openSpooled(file, { first: MIB, last: 3 * MIB - 1 })
    rmSync(file.path)
    const read = Buffer.concat(await Array.fromAsync(chunks))
    expect([read.length, read[0], read.at(-1)]).toEqual([2 * MIB, 1, 2])
    await expect(openSpooled(file)).rejects.toMatchObject({ status: 503 })
  })
})

describe('spooled answers', () => {
  function caller() {
    const stops: (() => void)[] = []
    const requester: QueryCaller = { flow: { group: 'EN', member: 'c' }, onAbandoned: (stop) => stops.push(stop) }
    return { requester, isWaiting: () => stops.length > 0, leave: () => stops.forEach((stop) => void stop()) }
  }

  it('are made once for all who wait, and given up when the last of them has left', async () => {
    const answers = new SpooledAnswers(await SpoolFolder.open(settings), COMPANY_OF)
    const [one, other] = [caller(), caller()]
    let hasBegun = false
    let ended = 0
    let made = 0
    const make = async () => {
      made += 1
      async function* body() {
        hasBegun = true
        try {
          for (;;) {
            yield Buffer.alloc(10)
            await new Promise((resolve) => setImmediate(resolve))
          }
        } finally {
          ended += 1
        }
        return 0
      }
      return { ...NOTES, body: body() }
    }
    const waiting = [answers.fileOf(key('q1'), one.requester, make), answers.fileOf(key('q1'), other.requester, make)]
    const failed = Promise.allSettled(waiting)
    await vi.waitUntil(() => hasBegun && one.isWaiting() && other.isWaiting(), { interval: 1, timeout: 120_000 })
    one.leave()
    expect([made, ended]).toEqual([1, 0])
    other.leave()
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect([made, ended]).toEqual([1, 1])
    expect(readdirSync(folder)).toEqual([])
    const again = await answers.fileOf(key('q1'), caller().requester, async () => ({ ...NOTES, body: content(1) }))
    expect(again.bytes).toBe(MIB)
  })
})
