// `import` of tables as spreadsheet programs write them: the committed files of test/fixtures/spreadsheets.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { spreadsheets } from '../fixtures/spreadsheets/make.ts'
import { locationsWith } from '../support/initialized-location.ts'
import { call, type Folder, kill, run, serve, temporaryFolder } from '../support/process.ts'
import { longIt } from '../support/reliability-test.ts'
import { FEWER_KINDS } from '../support/world.ts'

const FOLDER = 'test/fixtures/spreadsheets'
/** How each file is reported to be read, and the one option that some need. */
const FILES: Readonly<Record<string, readonly [read: string, ...options: string[]]>> = {
  'excel-de-csv-utf8.csv': ["separator ';', UTF-8, decimal comma, dates dd.mm.yyyy"],
  'excel-no-csv.csv': ["separator ';', Windows-1252, decimal comma, dates dd.mm.yyyy"],
  'excel-us-csv.csv': ["separator ',', Windows-1252, decimal point, dates mm/dd/yyyy"],
  'excel-us-unicode-text.txt': ['separator tab, UTF-16 LE, decimal point, dates mm/dd/yyyy'],
  'excel-de-unicode-text.txt': [
    "separator tab, UTF-16 LE, decimal comma, dates Excel's day numbers",
    '--map',
    `${FOLDER}/german-headings.yaml`,
  ],
  'excel-no-csv-msdos.csv': [
    "separator ';', MS-DOS (cp850), decimal comma, dates dd.mm.yyyy",
    '--read-with',
    'encoding=cp850',
  ],
  'excel-gb-csv.csv': [
    "separator ',', Windows-1252, decimal point, dates dd/mm/yyyy",
    '--read-with',
    'dates=dd/mm/yyyy',
  ],
  'excel-no-csv-macintosh.csv': [
    "separator ';', Macintosh, decimal comma, dates dd.mm.yyyy",
    '--read-with',
    'encoding=macintosh',
  ],
  'libreoffice-de.csv': ["separator ',', UTF-8, decimal comma, dates dd.mm.yyyy"],
  'libreoffice-no-quoted-texts.csv': ["separator ';', UTF-8, decimal comma, dates dd.mm.yyyy"],
  'numbers-no.csv': ["separator ';', UTF-8, decimal comma, dates dd.mm.yyyy"],
  'google-sheets-us.csv': ["separator ',', UTF-8, decimal point, dates mm/dd/yyyy"],
}
/** The same customers without a spreadsheet. */
const CUSTOMERS = [
  {
    customerId: '0042',
    customerName: 'Kj\u00f8lmark & S\u00f8nner AS',
    countryCode: 'NO',
    customerGroupId: 'G1',
    externalReference: 'line one\nline "two"; end, or not',
    invoice: { creditLimit: 12500.5, hasFixedCurrency: true },
    payment: { expiryDate: '2027-12-31' },
    contactPoints: [
      {
        contactPointType: '1',
        address: { place: '\u00c5lesund', streetAddress: 'Gamle gata 3' },
        phoneNumbers: { telephone1: '+47 22 33 44 55' },
      },
      { contactPointType: '2', address: { place: 'Bod\u00f8' } },
    ],
    customFieldGroups: { credit: { insured: true, score: 1.25 } },
  },
  {
    customerId: '1001',
    customerName: 'M\u00fcller GmbH',
    countryCode: 'DE',
    customerGroupId: 'G1',
    invoice: { creditLimit: 1234567.89 },
    payment: { expiryDate: '2028-02-03' },
    contactPoints: [{ contactPointType: '1', address: { place: 'K\u00f6ln', streetAddress: 'Stra\u00dfe 1' } }],
  },
  {
    customerId: '1002',
    customerName: "O'Brien Ltd, Dublin",
    countryCode: 'IE',
    customerGroupId: 'G2',
    externalReference: '-',
    invoice: { creditLimit: 1000, hasFixedCurrency: true },
    payment: { expiryDate: '2026-01-15' },
    contactPoints: [{ contactPointType: '1', address: { place: 'Dublin' } }, { contactPointType: '2' }],
    customFieldGroups: { credit: { score: 0.5 } },
  },
  {
    customerId: '1003',
    customerName: '\u00c6r\u00f8 V\u00e6rft',
    countryCode: 'DK',
    customerGroupId: 'G2',
    externalReference: '7',
    contactPoints: [
      {
        contactPointType: '1',
        address: { place: '\u00c6r\u00f8sk\u00f8bing', streetAddress: '"Havnen" 4; bag' },
      },
    ],
  },
]

const COMPANIES = ['REF', ...Object.keys(FILES).map((_name, at) => `C${at}`)]
const company = (id: string) => `
  - id: ${id}
    name: Company ${id}
    language: "NO"
    customers:
      attributeId: A4
      customFieldGroups: [{ name: credit, fields: [{ name: insured, type: boolean }, { name: score, type: number }] }]
    attributes: [{ id: A4, name: CUSTOMER }, { id: AT, name: ADDRTYPE }]
    attributeValues: { AT: { "1": General, "2": Delivery } }`
const SETUP = `
version: 1
companies: ${COMPANIES.map(company).join('')}
roles:
  - { id: all, apis: { objects: [read, export] }, objects: [customers] }
users:
  - { id: import, defaultCompany: REF, roles: { ${COMPANIES.map((id) => `${id}: [all]`).join(', ')} } }
clients:
  - { id: integration, user: import, secretEnv: TEST_CLIENT_SECRET }
`
const SELECT = '*,contactPoints,customFieldGroups'

describe.each(FEWER_KINDS)('a spreadsheet on %s', (kind) => {
  const placeIn = locationsWith(kind, SETUP)
  let folder: Folder
  let store: readonly string[]

  beforeEach(async () => {
    folder = temporaryFolder()
    store = (await placeIn(join(folder.path, 'data'))).flags
  })
  afterEach(() => folder.remove())

  const write = (name: string, content: string | Buffer): string => {
    const path = join(folder.path, name)
    writeFileSync(path, content)
    return path
  }
  const bring = (companyId: string, file: string, ...more: string[]) =>
    run(['import', 'customers', file, '--company', companyId, ...store, ...more])
  const bringReference = () =>
    bring('REF', write('reference.ndjson', CUSTOMERS.map((customer) => `${JSON.stringify(customer)}\n`).join('')))
  const take = (companyId: string, ...more: string[]) =>
    run(['export', 'customers', '--company', companyId, ...store, ...more])

  it('of Excel, LibreOffice, Numbers and Google Sheets is imported with at most one option, with equal records', async () => {
    expect(await bringReference()).toMatchObject({ code: 0 })
    for (const [at, [name, [read, ...options]]] of Object.entries(FILES).entries()) {
      const file = write(name, readFileSync(join(FOLDER, name)))
      const count = name === 'excel-gb-csv.csv' ? 2 : 4
      const { code, stdout, stderr } = await bring(`C${at}`, file, ...options)
      expect({ name, code, stderr, lines: stdout.split('\n').slice(1) }).toEqual({
        name,
        code: 0,
        stderr: '',
        lines: [`read with ${read}`, ''],
      })
      expect(stdout).toMatch(new RegExp(`^${count} rows imported, 0 rejected`))
    }
    const service = await serve(store)
    try {
      const recordsOf = async (companyId: string) => {
        const query = new URLSearchParams({ $select: SELECT, companyId })
        const { status, text } = await call(`${service.address}/v1/objects/customers?${query}`)
        expect(status).toBe(200)
        return (JSON.parse(text) as Record<string, unknown>[]).map((record) => ({
          ...record,
          companyId: '',
          lastUpdated: '',
        }))
      }
      // The running service gets the file, the mapping file and the options.
      const [, ...options] = FILES['excel-de-unicode-text.txt'] ?? []
      const file = join(folder.path, 'excel-de-unicode-text.txt')
      const { code, stdout } = await bring('C4', file, ...options, '--again', '--update')
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^0 rows imported, 4 unchanged, 0 rejected, /)])
      const { stdout: template } = await run(['import', 'customers', '--template', '--company', 'C4', ...store])
      expect(template).toMatch(/^customerId,customerName,/)
      const reference = await recordsOf('REF')
      expect(reference).toHaveLength(4)
      for (const [at, name] of Object.keys(FILES).entries()) {
        const expected = name === 'excel-gb-csv.csv' ? [reference[1], reference[3]] : reference
        expect({ name, records: await recordsOf(`C${at}`) }).toEqual({ name, records: expected })
      }
    } finally {
      await kill(service)
    }
  })

  longIt('that was exported, for programs or for Excel, is imported with equal records', async () => {
    const texts = [
      '=1+1',
      "'=1",
      "''-",
      '-',
      '\ttab',
      'a "quote"; a, comma',
      'two\r\nlines',
      '\u{1f600} \u00e6',
      '',
      ' x ',
    ]
    const lines = texts.map((description, at) => ({
      transactionNumber: 1,
      sequenceNumber: at + 1,
      description,
      transactionDate: ['2026-01-31', '2026-02-03T10:00:00.500Z', '2026-02-03T23:59:59Z'][at % 3],
      amounts: { amount: [1.234, -12.5, 1000][at % 3], currencyCode: 'NOK' },
    }))
    const select = 'transactionDate,amounts(amount,currencyCode),transactionNumber,sequenceNumber,description,state'
    const moves = {
      customers: `customerId,customerName,countryCode,customerGroupId,externalReference,invoice,payment,contactPoints,customFieldGroups`,
      'general-ledger-transactions': select,
    }
    expect(await bringReference()).toMatchObject({ code: 0 })
    const ledger = write('ledger.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const all = ['import', 'general-ledger-transactions', ledger, '--company', 'REF', ...store]
    expect(await run(all)).toMatchObject({ code: 0 })
    for (const [document, columns] of Object.entries(moves)) {
      const from = async (companyId: string, ...more: string[]) =>
        (await run(['export', document, '--company', companyId, '--select', columns, ...store, ...more])).stdout
      const records = await from('REF')
      for (const [companyId, format] of [['C0', 'csv'] as const, ['C1', 'excel'] as const]) {
        const file = write(`${document}-${format}.csv`, await from('REF', '--format', format))
        const { code, stdout } = await run(['import', document, file, '--company', companyId, ...store])
        expect([document, format, code, stdout.split('\n')[1]]).toEqual([
          document,
          format,
          0,
          expect.stringMatching(
            format === 'csv'
              ? /^read with separator ',', UTF-8, decimal point, dates yyyy-mm-dd$/
              : /^read with separator ';', UTF-8, decimal comma, dates yyyy-mm-dd$/,
          ),
        ])
        expect(await from(companyId)).toBe(records)
      }
    }
  })

  it('is as the script of its folder writes it', () => {
    const found = Object.fromEntries(Object.keys(FILES).map((name) => [name, readFileSync(join(FOLDER, name))]))
    expect(found).toEqual(spreadsheets())
  })

  it.each([
    ['excel-no-csv-msdos.csv', /the letters of the file may be those of Windows, MS-DOS or the Macintosh: .*encoding=/],
    [
      'excel-gb-csv.csv',
      /^tabularium: line 2, payment.expiryDate: '03\/02\/2028' may have the day or the month first.*dates=dd/,
    ],
    ['excel-de-unicode-text.txt', /there is no property 'Kundennummer'/],
  ])('that does not tell its form is refused as a whole, with the option that does: %s', async (name, message) => {
    const { code, stdout, stderr } = await bring('C0', write(name, readFileSync(join(FOLDER, name))))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect((await take('C0')).stdout).toBe('')
  })

  it('is mended in its rejects, which have its separator and encoding, and imported again', async () => {
    const head =
      'customerId;customerName;countryCode;customerGroupId;contactPoints.2.contactPointType;payment.expiryDate'
    const rows = ['1;S\u00f8r;NO;G1;1;31.12.2027', '2;\u00d8st;NO;G1;9;soon', '3;Vest;;G1;1;']
    const text = `\ufeff${[head, ...rows].join('\r\n')}\r\n`
    const file = write('customers.txt', Buffer.from(text, 'utf16le'))
    const first = await bring('C0', file)
    expect(first.stdout).toMatch(
      /^1 row imported, 2 rejected \(see .*customers\.txt\.rejects\.csv\), .*\nread with .*UTF-16/,
    )
    const rejects = readFileSync(`${file}.rejects.csv`).toString('utf16le')
    expect(rejects.split('\r\n')).toEqual([
      `\ufeff#line;#message;${head}`,
      expect.stringMatching(/^3;"contactPoints\.2\.contactPointType: .*";2;\u00d8st;NO;G1;9;soon$/),
      '4;"countryCode: The CountryCode field is required.";3;Vest;;G1;1;',
      '',
    ])
    const mended = rejects.replace('G1;9;soon', 'G1;1;').replace('3;Vest;;', '3;Vest;SE;')
    writeFileSync(`${file}.rejects.csv`, Buffer.from(mended, 'utf16le'))
    const { code, stdout } = await bring('C0', `${file}.rejects.csv`)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^2 rows imported, 0 rejected/)])
    expect((await take('C0', '--select', 'customerId,customerName')).stdout).toContain('"customerName":"\u00d8st"')
  })

  it('is imported through the template, whose line of names is legal as it stands', async () => {
    const template = (await run(['import', 'customers', '--template', '--company', 'C0', ...store])).stdout
    expect(template).toMatch(/^customerId,.*,contactPoints\.1\.address\.place,.*customFieldGroups\.credit\.score\r\n$/)
    expect((await bring('C0', write('empty.csv', template))).stdout).toMatch(/^0 rows imported, 0 rejected/)
    for (const document of ['attribute-values', 'attribute-relations', 'general-ledger-transactions']) {
      const { stdout } = await run([
        'import',
        document,
        '--template',
        '--read-with',
        'separator=;',
        '--company',
        'C0',
        ...store,
      ])
      const file = write(`${document}.csv`, stdout)
      expect(await run(['import', document, file, '--company', 'C0', ...store])).toMatchObject({ code: 0, stderr: '' })
    }
  })

  it('is checked by a dry run, which stores neither records nor progress', async () => {
    const name = 'excel-us-csv.csv'
    const lines = readFileSync(join(FOLDER, name), 'latin1')
    const file = write(name, Buffer.from(lines.replace('1001,', ','), 'latin1'))
    const dry = await bring('C0', file, '--dry-run')
    expect(dry.code).toBe(1)
    expect(dry.stdout).toMatch(/^3 rows would be imported, 1 rejected \(see .*rejects\.csv\)/)
    expect(readFileSync(`${file}.rejects.csv`, 'latin1')).toMatch(/\r\n\d+,"customerId: .*M\u00fcller/)
    expect((await take('C0')).stdout).toBe('')
    expect((await bring('C0', file)).stdout).toMatch(/^3 rows imported, 1 rejected/)
    const update = await bring('C0', file, '--again', '--update', '--dry-run')
    expect(update.stdout).toMatch(/^0 rows would be imported, 3 unchanged, 1 rejected/)
    const ledger = write('ledger.csv', 'transactionNumber,sequenceNumber,amounts.amount\n1,1,2.5\n1,1,3\n1,2,x\n')
    const rows = ['import', 'general-ledger-transactions', ledger, '--company', 'C0', ...store]
    const entries = async () =>
      (await run(['export', 'audit-entries', '--company', 'C0', '--select', 'entryNo', ...store])).stdout
    const before = await entries()
    expect((await run([...rows, '--dry-run'])).stdout).toMatch(/^1 row would be imported, 2 rejected/)
    expect(await entries()).toBe(before)
    expect((await run(rows)).stdout).toMatch(/^1 row imported, 2 rejected/)
    const again = await bring('C0', file)
    expect(again.stdout).toBe('0 rows imported: the file was imported already (--again does it once more)\n')
  })

  it('is imported once, and goes on where it was, whatever its separator', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `K${at};S\u00f8r ${at};NO;G1;1;1,5`)
    const head =
      'customerId;customerName;countryCode;customerGroupId;contactPoints.1.contactPointType;invoice.creditLimit'
    const file = write('many.csv', Buffer.from(`sep=;\r\n${[head, ...rows].join('\r\n')}\r\n;;;;;\r\n`, 'latin1'))
    expect((await bring('C0', file)).stdout).toMatch(/^30 rows imported, 0 rejected/)
    const again = await bring('C0', file)
    expect(again.stderr).toBe('going on after line 32\n')
    expect((await bring('C0', file, '--again')).stdout).toMatch(/^0 rows imported, 30 rejected/)
    expect(readFileSync(`${file}.rejects.csv`, 'latin1')).toMatch(/^sep=;\r\n#line;#message;customerId;/)
    expect(existsSync(`${file}.rejects.csv.tmp`)).toBe(false)
  })

  it.each([
    ['10 MB of names', Buffer.alloc(10_000_000, 'name,'), /line 1 of the file is longer than 1048576 bytes$/],
    [
      '500,000 columns',
      Buffer.alloc(1_000_000, 'a,'),
      /the first line cannot be read: it has more than 262144 characters$/,
    ],
    [
      'two encodings',
      Buffer.from('customerId\n\xc3\xb8\n\xf8x\n', 'latin1'),
      /line 3 of the file is not UTF-8: save it as CSV UTF-8/,
    ],
    ['half a character', Buffer.from('\ufeffcustomerId\n\ud800\n', 'utf16le'), /line 2 of the file is not UTF-16 LE$/],
    [
      'two separators',
      Buffer.from('customerId,a;b\n'),
      /there is no property 'a;b' \(cells end at ','; separator and --map say otherwise\)$/,
    ],
  ])('that is hostile is refused in one line: %s', async (_what, content, message) => {
    const { code, stdout, stderr } = await bring('C0', write('hostile.csv', content))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trim()).toMatch(message)
    expect(stderr.length).toBeLessThan(2_000)
  })

  it('has cells rejected that no record can have, each with its heading', async () => {
    const head = 'customerId,customerName,countryCode,customerGroupId,contactPoints.1.contactPointType,Limit,'
    const map = write('map.yaml', 'Limit: invoice.creditLimit\nNotes:\n')
    const row = (id: string, name: string, limit: string, rest = '') => `${id},${name},NO,G1,1,"${limit}",${rest}`
    const rows = [row('1', 'A\0B', '1'), row('2', 'B', '1,5'), row('3', 'C', '2.5'), row('4', 'D', '1', 'x'), '5']
    const file = write('cells.csv', `${[head, ...rows].join('\n')}\n`)
    const { stdout } = await bring('C0', file, '--map', map, '--read-with', 'decimal=point')
    expect(stdout).toMatch(/^1 row imported, 4 rejected/)
    const told = readFileSync(`${file}.rejects.csv`, 'utf8')
    expect(told).toMatch(/2,"customerName: /)
    expect(told).toContain(`3,"Limit: '1,5' has no decimal point, as the other numbers have (decimal=point)"`)
    expect(told).toContain('5,"a cell without a name in the first line",4,D')
    expect(told).toMatch(/6,"1 cells, where the first line has 7 names; a column that is always filled/)
  })

  it.each([
    [['x.ndjson', '--read-with', 'separator=;'], "option '--read-with separator=': only of a CSV file (--format csv)"],
    [['x.ndjson', '--map', 'MAP'], "option '--map': only of a CSV file (--format csv)"],
    [
      ['x.csv', '--read-with', 'point=comma'],
      "option '--read-with <name=value...>' argument 'point=comma' is invalid. It must be separator, encoding, decimal or dates with a value, such as decimal=comma.",
    ],
    [
      ['x.csv', '--read-with', 'dates=ymd'],
      "option '--read-with <name=value...>' argument 'dates=ymd' is invalid. The dates must be one of dd/mm/yyyy mm/dd/yyyy.",
    ],
    [['x.csv', '--map', 'nowhere.yaml'], "option '--map': there is no file nowhere.yaml"],
    [['x.csv', '--map', 'MAP'], "MAP:1:9 Nummer: there is no property 'custmerId'; did you mean 'customerId'?"],
    [[], "missing required argument 'file'"],
  ])('tells bad usage in one line: %j', async (args, message) => {
    for (const name of ['x.csv', 'x.ndjson']) write(name, '')
    const map = write('map.yaml', 'Nummer: custmerId\n')
    const given = args.map((one) => (one.startsWith('x.') ? join(folder.path, one) : one === 'MAP' ? map : one))
    const { code, stderr } = await run(['import', 'customers', ...given, '--company', 'C0', ...store])
    expect({ code, stderr }).toEqual({ code: 2, stderr: `tabularium: ${message.replace('MAP', map)} (see --help)\n` })
  })
})
