// Decimals of the ledger and of custom documents through import, export, backup and restore: the same text on
// SQLite and PostgreSQL.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyLocation } from '../support/data-location.ts'
import { locationsWith } from '../support/initialized-location.ts'
import { type Folder, run, temporaryFolder } from '../support/process.ts'
import { FEWER_KINDS } from '../support/world.ts'

const SETUP = `
version: 1
companies:
  - { id: EN, name: Example Nordic AS }
  - { id: SV, name: Example Svenska AB }
documents:
  - name: invoices
    key: [companyId, invoiceId]
    properties:
      companyId: { type: string }
      invoiceId: { type: string }
      total: { type: decimal }
      rate: { type: decimal, scale: 9 }
      more: { group: { pieces: { type: decimal, scale: 0 }, share: { type: decimal, scale: 4 } } }
`

const INVOICES = [
  'invoiceId,total,rate,more.pieces,more.share',
  'A,9999999999999999.99,999999999.999999999,999999999999999999,-12345678901234.56',
  'B,-9999999999999999.99,-0.000000001,-999999999999999999,99999999999999.9999',
  'C,12.5,0.000012345,0,90071992547409.9',
  'D,0,1,1,0.1',
]
const AMOUNTS = ['-12345678901234.56', '99999999999999.9999', '-0.0001', '0.1', '90071992547409.9', '1000000', '0']

describe.each(FEWER_KINDS)('decimals on %s', (kind) => {
  const placeIn = locationsWith(kind, SETUP)
  let folder: Folder
  let store: readonly string[]

  const write = (name: string, lines: readonly string[]): string => {
    const path = join(folder.path, name)
    writeFileSync(path, lines.map((line) => `${line}\r\n`).join(''))
    return path
  }
  const bring = (document: string, file: string, company = 'EN') =>
    run(['import', document, file, '--company', company, ...store])
  const take = async (document: string, company: string, ...more: string[]) =>
    (await run(['export', document, ...more, '--company', company, ...store])).stdout

  beforeEach(async () => {
    folder = temporaryFolder()
    store = (await placeIn(join(folder.path, 'data'))).flags
  })
  afterEach(() => folder.remove())

  it('of a custom document are imported and exported with all their digits, and those with more are rejected', async () => {
    const more = [...INVOICES, 'E,0.001,0,0,0', 'F,0,0,0.5,0', 'G,10000000000000000,0,0,0', 'H,1e1,0,0,0']
    const file = write('invoices.csv', more)
    expect((await bring('invoices', file)).stdout).toMatch(/^5 rows imported, 3 rejected/)
    const rejects = readFileSync(`${file}.rejects.csv`, 'utf8').split('\r\n')
    expect(rejects.slice(1, 4)).toEqual([
      '6,"total: The field total must be a number of at most 16 digits before and 2 behind the point, which 0.001 is not.",E,0.001,0,0,0',
      '7,"more.pieces: The field more.pieces must be a number of at most 18 digits before and 0 behind the point, which 0.5 is not.",F,0,0,0.5,0',
      '8,"total: The field total must be a number of at most 16 digits before and 2 behind the point, which 10000000000000000 is not.",G,10000000000000000,0,0,0',
    ])
    const select = ['--select', 'invoiceId,total,rate,more', '--filter', "invoiceId ne 'H'"]
    expect((await take('invoices', 'EN', ...select, '--format', 'csv')).split('\r\n')).toEqual([...INVOICES, ''])
    const lines = await take('invoices', 'EN', ...select)
    expect(lines.split('\n')[0]).toBe(
      '{"invoiceId":"A","total":9999999999999999.99,"rate":999999999.999999999,"more":{"pieces":999999999999999999,"share":-12345678901234.56}}',
    )
    expect((await bring('invoices', write('taken.ndjson', lines.trim().split('\n')), 'SV')).stdout).toMatch(/^4 rows/)
    expect(await take('invoices', 'SV', ...select)).toBe(lines)
    const found = await take(
      'invoices',
      'EN',
      '--select',
      'invoiceId',
      '--filter',
      'rate lt total and more/share gt more/pieces',
    )
    expect(found).toBe('{"invoiceId":"C"}\n')
  })

  it('of the ledger are imported, exported, backed up and restored with all their digits', async () => {
    const rows = AMOUNTS.map((amount, no) => `${no},1,${amount}`)
    const file = write('ledger.csv', ['transactionNumber,sequenceNumber,amounts.amount', ...rows])
    expect((await bring('general-ledger-transactions', file)).stdout).toMatch(/^7 rows imported, 0 rejected/)
    const select = ['--select', 'transactionNumber,amounts(amount,currencyAmount,debitCredit)']
    const lines = await take('general-ledger-transactions', 'EN', ...select)
    const expected = AMOUNTS.map((amount, no) => {
      const side = amount.startsWith('-') ? -1 : 1
      return `{"transactionNumber":${no},"amounts":{"amount":${amount},"currencyAmount":${amount},"debitCredit":${side}}}\n`
    })
    expect(lines).toBe(expected.join(''))
    const backup = join(folder.path, 'backup')
    expect(await run(['backup', backup, ...store])).toMatchObject({ code: 0 })
    store = (await emptyLocation(kind, join(folder.path, 'restored'))).flags
    expect(await run(['restore', backup, ...store])).toMatchObject({ code: 0 })
    expect(await take('general-ledger-transactions', 'EN', ...select)).toBe(lines)
  })
})
