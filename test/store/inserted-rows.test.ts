// Rows that an import inserts many of at once, on SQLite and PostgreSQL: each as it is given, and each key once.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../../src/databases/open/open-store.ts'
import type { SqlValue } from '../../src/sql/dialect.ts'
import type { Actor, RowTarget, Store, Tx } from '../../src/store/store.ts'
import { asSuperuser, newDatabase, queryOn } from '../support/test-database.ts'
import { STORE_KINDS } from '../support/world.ts'

const ACTOR: Actor = { userId: 'tester', clientId: 'tests', requestId: 'r1' }

const LINES: RowTarget = {
  table: 'ledger_transaction',
  columns: [
    { name: 'transaction_number', type: 'integer' },
    { name: 'sequence_number', type: 'integer' },
    { name: 'description', type: 'string' },
    { name: 'amount', type: 'decimal', scale: 4 },
  ],
  key: ['transaction_number', 'sequence_number'],
}

/** A row with this key. */
const line = (number: number, description = ''): SqlValue[] => [number, 1, description, 0]

/** What is special to a format of rows, to SQL or to neither. */
const TEXTS = [
  '',
  '\\N',
  '\\.',
  '\\',
  'a\\tb',
  'tab\there',
  'two\nlines',
  'two\r\nlines',
  '\r',
  '\b\f\v',
  'a "quote", a comma; it\u0027s',
  '{a,b}',
  'NULL',
  '\u{1f600} \u00e6\u00f8\u00e5',
  'x'.repeat(70_000),
]

/** On SQLite also as a large write of an import, which a thread of its own stores. */
const WAYS = [
  ...STORE_KINDS.map((kind) => ({ kind, way: `${kind}`, isLarge: false })),
  ...STORE_KINDS.filter((kind) => kind === 'sqlite').map((kind) => ({
    kind,
    way: `${kind}, by a thread`,
    isLarge: true,
  })),
]

describe.each(WAYS)('inserted rows on $way', ({ kind, isLarge }) => {
  let folder: string
  let database: string | undefined
  let store: Store
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabularium-rows-'))
    database = kind === 'postgres' ? await newDatabase() : undefined
    const clock = () => new Date()
    store = await openStore({
      data: folder,
      database,
      isBulk: isLarge,
      clock,
      observe: () => {},
      onFatal: () => {},
    })
    await store.writeSetup(ACTOR, async (tx) => void (await tx.in('EN')))
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const write = <T>(work: (tx: Tx) => Promise<T>) => store.write('EN', ACTOR, work, isLarge)
  const insert = (...rows: SqlValue[][]) => write((tx) => tx.insertRows(LINES, rows))
  const stored = async (columns: string): Promise<Record<string, unknown>[]> => {
    const text = `select ${columns} from ledger_transaction order by transaction_number`
    if (database) return queryOn(asSuperuser(database), text)
    const connection = new DatabaseSync(join(folder, 'tabularium.db'), { readOnly: true })
    const rows = connection.prepare(text).all()
    connection.close()
    return rows
  }

  it('are told from those whose key exists, of which the first one stays', async () => {
    expect(await insert(line(1, 'first'), line(2, 'first'), line(1, 'second'))).toEqual([true, true, false])
    expect(await insert(line(2, 'third'), line(3, 'first'), line(3, 'second'))).toEqual([false, true, false])
    expect(await insert(line(1))).toEqual([false])
    expect(await insert()).toEqual([])
    const rows = await stored('transaction_number, description, company_id, updated_by')
    expect(rows.map((row) => Object.values(row).map(String))).toEqual([
      ['1', 'first', 'EN', 'tester'],
      ['2', 'first', 'EN', 'tester'],
      ['3', 'first', 'EN', 'tester'],
    ])
  })

  it('have every text as it was given', async () => {
    expect(await insert(...TEXTS.map((text, at) => line(at, text)))).toEqual(TEXTS.map(() => true))
    expect((await stored('description')).map((row) => row.description)).toEqual(TEXTS)
  })

  it('have every number as it was given', async () => {
    const most = Number.MAX_SAFE_INTEGER
    await insert([1, most, '', most], [2, -most, '', -1])
    const rows = await stored('sequence_number, cast(amount as text) as amount')
    expect(rows.map((row) => Number(row.sequence_number))).toEqual([most, -most])
    const amounts = rows.map((row) => String(row.amount))
    expect(amounts).toEqual(database ? ['900719925474.0991', '-0.0001'] : [String(most), '-1'])
  })

  it('are inserted twice in one write, and not at all by one that fails', async () => {
    const twice = write(async (tx) => [
      ...(await tx.insertRows(LINES, [line(1)])),
      ...(await tx.insertRows(LINES, [line(1), line(2)])),
    ])
    expect(await twice).toEqual([true, false, true])
    const failing = write(async (tx) => {
      await tx.insertRows(LINES, [line(3)])
      throw new Error('no more')
    })
    await expect(failing).rejects.toThrow('no more')
    expect(await insert(line(3))).toEqual([true])
    expect(await stored('transaction_number')).toHaveLength(3)
  })

  it('leave the session usable after a row that the database refuses', async () => {
    await expect(insert([1, 'no number', '', 0])).rejects.toThrow()
    expect(await insert(line(1))).toEqual([true])
  })

  it.runIf(isLarge)('are not written at all where the thread ends, and another one writes the next', async () => {
    const started = once(process, 'worker')
    const ended = write(async (tx) => {
      await tx.insertRows(LINES, [line(1)])
      const [thread] = (await started) as [Worker]
      await thread.terminate()
      return tx.insertRows(LINES, [line(2)])
    })
    await expect(ended).rejects.toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('Nothing was written') },
    })
    expect(await insert(line(1))).toEqual([true])
    expect(await stored('transaction_number')).toHaveLength(1)
  })
})
