// Rows of up to a megabyte, which pass the service as bytes, in parts of one size: no row is a text in it, or whole.
import { expect, it, vi } from 'vitest'
import { PooledProcess } from '../../src/process-pool/pooled-process.ts'
import { insertRows, objects } from '../support/object-records.ts'
import { readParquet } from '../support/parquet-file.ts'
import { onEachStore, startWorld } from '../support/world.ts'

const PART_BYTES = 64 * 1024
/** Letters of one to four bytes, and what JSON escapes. */
const LETTERS = 'a\u00e6\u20ac\u{1f600}"\\\n'

const accountsOf = (items: number, length: number) =>
  Array.from({ length: items }, (_, no) => ({
    iban: `${no}`.padEnd(length, LETTERS),
    currencyCode: 'NOK',
    isMain: false,
  }))

/** Small ones, about as long as a part, and larger ones, so that parts end anywhere in them. */
const ROWS = [0, 1, 3, 40, 39, 41, 0, 100, 2, 60, 1, 1, 100, 0, 7].map((items, no) => ({
  supplierId: `L${100 + no}`,
  bankAccounts: accountsOf(items, items === 100 ? 9_900 : 1_600 + no),
}))

onEachStore(
  'Large rows',
  (world) => {
    const ask = async (accept: string) => {
      const url = objects('suppliers', { select: 'supplierId,bankAccounts', orderby: 'supplierId', limit: '1000' })
      const answer = await world().send({ as: 'integration', url, headers: { accept } })
      expect(answer.status).toBe(200)
      return answer
    }

    it('are answered in every format as they are stored', async () => {
      expect((await ask('application/json')).json).toEqual(ROWS)
      const lines = (await ask('application/x-ndjson')).text.trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual(ROWS)
      const { rows } = await readParquet((await ask('application/vnd.apache.parquet')).bytes)
      expect(rows.map((row) => ({ ...row, bankAccounts: JSON.parse(String(row.bankAccounts)) }))).toEqual(ROWS)
    })

    it('reach the process that writes a Parquet file in small parts', async () => {
      const sent = vi.spyOn(PooledProcess.prototype, 'sendPart')
      const before = JSON.stringify(ROWS).length
      await ask('application/vnd.apache.parquet')
      const lengths = sent.mock.calls.map(([part]) => part.length)
      sent.mockRestore()
      expect(lengths.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(before)
      expect(Math.max(...lengths)).toBeLessThanOrEqual(PART_BYTES)
    })
  },
  async (kind) => {
    const world = await startWorld(kind, 'test/fixtures/own-records.yaml')
    const stored = ROWS.map(({ supplierId, bankAccounts }) => ({
      company_id: 'EN',
      supplier_id: supplierId,
      bank_accounts: JSON.stringify(bankAccounts),
    }))
    for (const row of stored) await insertRows(world, 'own_suppliers', [row])
    return world
  },
)
