// Reader processes: reused when an abandoned answer is soon done, killed when it is not, and never left behind.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ReaderPool } from '../../src/databases/sqlite/file/reader-pool.ts'
import type { ReaderQuery } from '../../src/databases/sqlite/file/reader-process.ts'
import { INTERNAL_CALLER } from '../../src/store/store.ts'
import { type Folder, temporaryFolder } from '../support/process.ts'
import { soon } from '../support/soon.ts'

/** No query takes as long, on any machine. */
const PATIENCE_MS = 600_000

let folder: Folder
let pool: ReaderPool

beforeEach(() => {
  folder = temporaryFolder()
  const file = join(folder.path, 'x.db')
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal')
  database.exec('create table t (n integer)')
  database.exec(`create table journal_counter as select 'EN' as company_id, 7 as last_entry`)
  database.close()
  pool = new ReaderPool([file], PATIENCE_MS)
})
afterEach(async () => {
  await pool.close()
  folder.remove()
})

/** So many rows of a hundred letters each. */
function rows(count: number): ReaderQuery {
  const text = `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${count}) select printf('%0100d', n) from c`
  return { companyId: 'EN', text, parameters: [], isSingleValue: false, format: 'ndjson', cells: [] }
}

/** The ids of the running readers of this database; those of tests before may be about to end. */
function readers(): string[] {
  const children = readdirSync(`/proc/${process.pid}/task`).flatMap((thread) =>
    fileOf(`/proc/${process.pid}/task/${thread}/children`).split(' ').filter(Boolean),
  )
  const commandOf = (id: string) => fileOf(`/proc/${id}/cmdline`)
  return children.filter((id) => commandOf(id).includes('reader-process') && commandOf(id).includes(folder.path))
}

/** Empty where the thread or process has just ended. */
function fileOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

it('reuses a reader whose answer was abandoned when the rest of it comes at once', async () => {
  // On a busy machine the rest comes late.
  const patient = new ReaderPool([join(folder.path, 'x.db')], PATIENCE_MS, undefined, { graceMs: 30_000 })
  try {
    const { content: answer, changeNumber } = await patient.ask(rows(5_000), INTERNAL_CALLER)
    expect(changeNumber).toBe(7)
    const [reader] = readers()
    await answer.next()
    await answer.return(0)
    await expect(bytesOf(patient.ask(rows(10), INTERNAL_CALLER))).resolves.toBe(1_010)
    expect(readers()).toContain(reader)
  } finally {
    await patient.close()
  }
})

it('kills a reader whose large answer was abandoned, and goes on with another', async () => {
  const { content: answer } = await pool.ask(rows(1_000_000_000), INTERNAL_CALLER)
  const [reader] = readers()
  await answer.return(0)
  await soon(() => expect(readers()).not.toContain(reader))
  await expect(bytesOf(pool.ask(rows(10), INTERNAL_CALLER))).resolves.toBe(1_010)
})

const endless = { ...rows(1), text: `${rows(1_000_000_000).text} where n < 0` }
const toMessage = (answer: Promise<unknown>) => answer.then(String, (error: Error) => error.message)

it('drops abandoned queries, before they have a reader and when they run', async () => {
  const stops: (() => void)[] = []
  const ask = () => toMessage(pool.ask(endless, { ...INTERNAL_CALLER, onAbandoned: (stop) => stops.push(stop) }))
  // More than there are ever readers.
  const asked = Array.from({ length: 8 }, ask)
  await soon(() => expect(readers().length).toBeGreaterThanOrEqual(2))
  for (const stop of stops) stop()
  const outcomes = new Set(await Promise.all(asked))
  expect(outcomes).toEqual(new Set(['Nobody waits for the answer.', 'The query was ended with its reader.']))
  await expect(bytesOf(pool.ask(rows(10), INTERNAL_CALLER))).resolves.toBe(1_010)
})

it('does not start a query that was abandoned at once', async () => {
  const given = toMessage(pool.ask(endless, { ...INTERNAL_CALLER, onAbandoned: (stop) => stop() }))
  await expect(given).resolves.toBe('Nobody waits for the answer.')
  await expect(bytesOf(pool.ask(rows(10), INTERNAL_CALLER))).resolves.toBe(1_010)
})

it('answers an urgent query while all readers are busy, and then has no more than before', async () => {
  const held = await Promise.all([
    pool.ask(rows(1_000_000_000), INTERNAL_CALLER),
    pool.ask(rows(1_000_000_000), INTERNAL_CALLER),
  ])
  const others = [pool.ask(rows(1_000_000_000), INTERNAL_CALLER), pool.ask(rows(1_000_000_000), INTERNAL_CALLER)]
  const most = readers().length
  await expect(bytesOf(pool.ask(rows(10), INTERNAL_CALLER, true))).resolves.toBe(1_010)
  await soon(() => expect(readers().length).toBeLessThanOrEqual(most))
  for (const { content } of held) await content.return(0)
  for (const answer of others) await (await answer).content.return(0)
  await expect(bytesOf(pool.ask(rows(10), INTERNAL_CALLER))).resolves.toBe(1_010)
})

async function bytesOf(asked: ReturnType<ReaderPool['ask']>): Promise<number> {
  let bytes = 0
  for await (const piece of (await asked).content) bytes += piece.length
  return bytes
}

it('answers another client of the company, and another company, while one client holds all that it may have', async () => {
  const by = (group: string, member: string) => ({ ...INTERNAL_CALLER, flow: { group, member } })
  const held = Array.from({ length: 30 }, () => toMessage(pool.ask(rows(1_000_000_000), by('EN', 'greedy'))))
  const others = [by('EN', 'other'), by('SV', 'third')]
  expect(await Promise.all(others.map((one) => bytesOf(pool.ask(rows(10), one))))).toEqual([1_010, 1_010])
  await pool.close()
  await Promise.all(held)
})

it('ends an idle reader, and starts another when one is needed', async () => {
  const idle = new ReaderPool([join(folder.path, 'x.db')], PATIENCE_MS, undefined, { idleMs: 300 })
  try {
    await expect(bytesOf(idle.ask(rows(10), INTERNAL_CALLER))).resolves.toBe(1_010)
    const [reader] = readers()
    await expect.poll(readers, { timeout: PATIENCE_MS }).toEqual([])
    await expect(bytesOf(idle.ask(rows(10), INTERNAL_CALLER))).resolves.toBe(1_010)
    expect(readers()).not.toContain(reader)
  } finally {
    await idle.close()
  }
})

it('reuses a reader for repeated queries', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const busy = new ReaderPool([join(folder.path, 'x.db')], PATIENCE_MS, undefined, { idleMs: 1_000 })
  try {
    await bytesOf(busy.ask(rows(10), INTERNAL_CALLER))
    const [reader] = readers()
    for (let time = 0; time < 20; time++) {
      vi.advanceTimersByTime(100)
      await bytesOf(busy.ask(rows(10), INTERNAL_CALLER))
    }
    expect(readers()).toContain(reader)
  } finally {
    vi.useRealTimers()
    await busy.close()
  }
})

it('cancels an answer when all its chunks together take too long, and goes on', async () => {
  const impatient = new ReaderPool([join(folder.path, 'x.db')], 700)
  try {
    // A chunk takes some milliseconds.
    const endless = rows(1_000_000_000)
    await expect(bytesOf(impatient.ask({ ...endless, isBounded: true }, INTERNAL_CALLER))).rejects.toThrow(
      'took longer than 0.7 s',
    )
    // On a busy machine the start of another reader takes as long.
    const again = async () => expect(await bytesOf(impatient.ask(rows(10), INTERNAL_CALLER))).toBe(1_010)
    await vi.waitFor(again, { timeout: PATIENCE_MS })
  } finally {
    await impatient.close()
  }
})
