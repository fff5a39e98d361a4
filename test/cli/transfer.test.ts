// `import` and `export`: the real command line, on SQLite and on PostgreSQL.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { locationsWith } from '../support/initialized-location.ts'
import { readParquet } from '../support/parquet-file.ts'
import { type Folder, run, temporaryFolder } from '../support/process.ts'
import { asSuperuser, queryOn } from '../support/test-database.ts'
import { FEWER_KINDS } from '../support/world.ts'

const SETUP = `
version: 1
companies:
  - id: EN
    name: Example Nordic AS
    customers: { attributeId: A4, legalValues: { countryCode: { valueList: COUNTRY } } }
    attributes:
      - { id: C1, name: COSTC }
      - { id: C2, name: DEPT }
      - { id: A4, name: CUSTOMER }
      - { id: AT, name: ADDRTYPE }
    relations: [{ id: REL1, name: Department, attributeId: C1, relatedAttributeId: C2 }]
    attributeValues: { C1: { CC1: One }, C2: { D1: One, D2: Two }, AT: { "1": General } }
    valueLists: { COUNTRY: { "NO": Norway } }
  - { id: SV, name: Example Svenska AB }
documents:
  - name: work-orders
    key: [companyId, workOrderId]
    properties:
      companyId: { type: string }
      workOrderId: { type: string }
      isOpen: { type: boolean }
      plan: { group: { startDate: { type: date-time }, hours: { type: number } } }
  - name: foreign
    table: work_order
    key: [companyId]
    properties: { companyId: { type: string } }
`

describe.each(FEWER_KINDS)('import and export on %s', (kind) => {
  const placeIn = locationsWith(kind, SETUP.replace(/ {2}- name: foreign[\s\S]*$/, ''))
  let folder: Folder
  let store: readonly string[]

  beforeEach(async () => {
    folder = temporaryFolder()
    store = (await placeIn(folder.path)).flags
  })
  afterEach(() => folder.remove())

  const write = (name: string, text: string | Buffer): string => {
    const path = join(folder.path, name)
    writeFileSync(path, text)
    return path
  }
  /** Changes the database directly; the program is not running. */
  const change = async (statements: readonly string[]): Promise<void> => {
    if (kind === 'sqlite') {
      const connection = new DatabaseSync(join(folder.path, 'tabularium.db'))
      for (const statement of statements) connection.exec(statement)
      connection.close()
      return
    }
    await queryOn(asSuperuser(store.at(-1) ?? ''), ...statements)
  }
  const bring = (document: string, file: string, ...more: string[]) =>
    run(['import', document, file, '--company', 'EN', ...store, ...more])
  const take = (document: string, ...more: string[]) => run(['export', document, ...more, '--company', 'EN', ...store])

  it('imports what was exported, in both formats, whatever the texts contain', async () => {
    const texts = [
      'plain',
      'a "quote", a comma',
      'two\r\nlines',
      '=1+1',
      "'=1",
      '\u{1f600} \u00e6\u00f8\u00e5',
      '-',
      '',
    ]
    texts.push('[{not a list', '[]', '\ttab', '"', ' blanks ', '\r\n')
    const lines = texts.map((description, index) =>
      JSON.stringify({
        transactionNumber: 1,
        sequenceNumber: index + 1,
        state: index % 2 ? 'registered' : 'posted',
        description,
        supplierId: index % 2 ? '20610' : '',
        transactionDate: '2026-01-31',
        amounts: { amount: -12.5 * index, currencyCode: 'NOK' },
        accountingInformation: { account: '3000' },
      }),
    )
    const first = await bring('general-ledger-transactions', write('a.ndjson', `${lines.join('\n')}\n`))
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^14 rows imported, 0 rejected, [\d,]+ rows\/s\n$/)
    const asJson = await take('general-ledger-transactions')
    for (const format of ['csv', 'ndjson']) {
      const file = join(folder.path, `out.${format}`)
      const stderr = expect.stringMatching(/^change number [1-9]\d*\n$/)
      expect(await take('general-ledger-transactions', file)).toMatchObject({ code: 0, stdout: '', stderr })
      const moved = write(`moved.${format}`, readFileSync(file, 'utf8').replaceAll('EN', 'SV'))
      const args = ['general-ledger-transactions', moved, '--company', 'SV', ...store]
      expect(await run(['import', ...args, '--again'])).toMatchObject({ code: format === 'csv' ? 0 : 1 })
      const there = await run(['export', 'general-ledger-transactions', '--company', 'SV', ...store])
      expect(withoutStamp(there.stdout)).toEqual(withoutStamp(asJson.stdout.replaceAll('EN', 'SV')))
    }
  })

  it('imports the valid rows, and reports the error and position of each other one', async () => {
    const file = write(
      'orders.csv',
      'workOrderId,isOpen,plan.startDate,plan.hours\nW1,true,2026-01-31,1.5\nW2,perhaps,soon,2\n,true,,\nW1,false,,\nW4,true,2026-02-01\nW5,FALSE,,3\n',
    )
    const { code, stdout } = await bring('work-orders', file)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^2 rows imported, 4 rejected \(see .*orders\.csv\.rejects\.csv\), /)
    expect(readFileSync(`${file}.rejects.csv`, 'utf8').split('\r\n')).toEqual([
      '#line,#message,workOrderId,isOpen,plan.startDate,plan.hours',
      '6,"3 cells, where the first line has 4 names; a column that is always filled, moved to the end, keeps a spreadsheet from leaving out empty cells",W4,true,2026-02-01',
      '3,"isOpen: The field isOpen must be a boolean.; plan.startDate: The field plan.startDate must be a date-time.",W2,perhaps,soon,2',
      '4,"workOrderId: The WorkOrderId field is required.",,true,,',
      '5,"workOrderId: The data was changed or deleted by another user: work-orders W1 exists already.",W1,false,,',
      '',
    ])
    const { stdout: rows } = await take('work-orders', '--select', 'workOrderId,isOpen,plan(hours)')
    expect(rows).toBe(
      '{"workOrderId":"W1","isOpen":true,"plan":{"hours":1.5}}\n{"workOrderId":"W5","isOpen":false,"plan":{"hours":3}}\n',
    )
  })

  it('rejects a number that would lose digits, in CSV and in NDJSON, and takes the others as they are', async () => {
    const long = '-12345678901234.56'
    const file = write('hours.csv', `workOrderId,plan.hours\nH1,${long}\nH2,-12345678901234.5\nH3,1.50\n`)
    expect((await bring('work-orders', file)).stdout).toMatch(/^2 rows imported, 1 rejected/)
    const message = `The field plan.hours must be a number of at most 15 significant digits, which ${long} is not.`
    expect(readFileSync(`${file}.rejects.csv`, 'utf8').split('\r\n')).toEqual([
      '#line,#message,workOrderId,plan.hours',
      `2,"plan.hours: ${message}",H1,${long}`,
      '',
    ])
    const lines = write('hours.ndjson', `{"workOrderId":"H4","plan":{"hours":${long}}}\n`)
    expect((await bring('work-orders', lines)).stdout).toMatch(/^0 rows imported, 1 rejected/)
    expect(readFileSync(`${lines}.rejects.csv`, 'utf8')).toContain(`"1","plan.hours","${message}"`)
    const value = write('values.ndjson', `{"attributeId":"C1","attributeValue":"L1","customValue":${long}}\n`)
    expect((await bring('attribute-values', value)).stdout).toMatch(/^0 rows imported, 1 rejected/)
    expect(readFileSync(`${value}.rejects.csv`, 'utf8')).toContain(`which ${long} is not`)
    expect((await take('work-orders', '--select', 'workOrderId,plan(hours)', '--format', 'csv')).stdout).toBe(
      'workOrderId,plan.hours\r\nH2,-12345678901234.5\r\nH3,1.5\r\n',
    )
  })

  it('imports a file once, and resumes after the last committed batch', async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => JSON.stringify({ workOrderId: `W${index}` }))
    const whole = write('whole.ndjson', `${lines.join('\n')}\n`)
    expect((await bring('work-orders', whole)).stdout).toMatch(/^2,500 rows imported, 0 rejected/)
    const again = await bring('work-orders', whole)
    expect(again).toMatchObject({ code: 0, stderr: 'going on after line 2,500\n' })
    expect(again.stdout).toBe('0 rows imported: the file was imported already (--again does it once more)\n')

    // As after a process that was killed after its second batch.
    await change([
      "delete from own_work_orders where work_order_id like 'W2%'",
      'update import_progress set line = 2000',
    ])
    const before = (await take('work-orders')).stdout.trim().split('\n').length
    const resumed = await bring('work-orders', whole)
    expect(resumed.stderr).toBe('going on after line 2,000\n')
    expect(resumed.stdout).toMatch(/^500 rows imported, 0 rejected/)
    expect((await take('work-orders')).stdout.trim().split('\n')).toHaveLength(before + 500)
  })

  it('imports the same file into each company independently', async () => {
    const file = write('both.ndjson', '{"workOrderId":"W1"}\n{"workOrderId":"W2"}\n')
    for (const company of ['EN', 'SV']) {
      const { stdout, stderr } = await run(['import', 'work-orders', file, '--company', company, ...store])
      expect({ company, stdout, stderr }).toEqual({
        company,
        stdout: expect.stringMatching(/^2 rows imported, 0 rejected/),
        stderr: '',
      })
    }
  })

  it('stops at a file that is not UTF-8', async () => {
    const broken = write('x.ndjson', Buffer.concat([Buffer.from('{"workOrderId":"W1"}\n'), Buffer.from([0xff, 10])]))
    const stopped = await bring('work-orders', broken)
    expect(stopped).toMatchObject({ code: 1, stdout: '', stderr: 'tabularium: line 2 of the file is not UTF-8\n' })
  })

  it('imports values, relations and customers by the rules of their endpoints', async () => {
    const values = write('values.csv', 'attributeId,attributeValue,description\nC1,CC2,Two\nXX,1,None\nC1,CC2,Twice\n')
    expect((await bring('attribute-values', values)).stdout).toMatch(/^1 row imported, 2 rejected/)
    expect(readFileSync(`${values}.rejects.csv`, 'utf8')).toContain(
      '3,"attributeId: XX is not a valid attribute",XX,1,None',
    )
    const link = { attributeId: 'C1', attributeValue: 'CC2', relatedAttributeId: 'C2', relationValue: 'D1' }
    const relations = write(
      'r.ndjson',
      `${JSON.stringify(link)}\n${JSON.stringify({ ...link, relationValue: 'D2' })}\n`,
    )
    // Each relation is checked by itself: only the import finds that a second one overlaps the first.
    expect((await bring('attribute-relations', relations, '--dry-run')).stdout).toMatch(
      /^2 rows would be imported, 0 rejected, .*\nchecked each row by itself: /,
    )
    expect((await bring('attribute-relations', relations)).stdout).toMatch(/^1 row imported, 1 rejected/)
    const customer = { customerId: '1', customerName: 'Fjord AS', customerGroupId: 'A', countryCode: 'NO' }
    const points = { contactPoints: [{ contactPointType: '1' }] }
    const rows = [{ ...customer, ...points }, customer, { ...customer, ...points, customerId: '2', countryCode: 'XX' }]
    const customers = write('c.ndjson', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
    expect((await bring('customers', customers)).stdout).toMatch(/^1 row imported, 2 rejected/)
    expect(readFileSync(`${customers}.rejects.csv`, 'utf8')).toContain('"3","countryCode","Illegal value."')
    const misspelled = write('m.ndjson', JSON.stringify({ ...customer, ...points, payment: { payMetod: 'x' } }))
    expect((await bring('customers', misspelled)).code).toBe(1)
    expect(readFileSync(`${misspelled}.rejects.csv`, 'utf8')).toContain(
      `"1","payment.payMetod","there is no such property; did you mean 'payMethod'?"`,
    )
  })

  it('--update changes customers that exist, and creates the others', async () => {
    const csv = (name: string) =>
      `customerId,customerName,customerGroupId,countryCode,contactPoints\n7,${name},A,NO,"[{""contactPointType"":""1""}]"\n`
    expect((await bring('customers', write('a.csv', csv('Fjord AS')), '--update')).stdout).toMatch(/^1 row imported, 0/)
    expect((await bring('customers', write('b.csv', csv('Vik AS')), '--update')).stdout).toMatch(/^1 row imported, 0/)
    expect((await take('customers', '--select', 'customerId,customerName')).stdout).toBe(
      '{"customerId":"7","customerName":"Vik AS"}\n',
    )
  })

  it('--update changes records of the setup that exist, and creates the others', async () => {
    const csv = (hours: string) => `workOrderId,plan.hours\nU1,1.5\nU2,${hours}\n`
    expect((await bring('work-orders', write('u1.csv', csv('2')))).stdout).toMatch(/^2 rows imported, 0 rejected/)
    const again = write('u2.csv', `${csv('3')}U3,4\n`)
    const updated = await bring('work-orders', again, '--update')
    expect(updated.stdout).toMatch(/^2 rows imported, 1 unchanged, 0 rejected/)
    const { stdout } = await take('work-orders', '--select', 'workOrderId,plan(hours)', '--format', 'csv')
    expect(stdout).toContain('U1,1.5\r\nU2,3\r\nU3,4\r\n')
  })

  it('--update reports how many customers were unchanged, and writes nothing for them', async () => {
    const entries = async () => (await take('audit-entries', '--select', 'entryNo')).stdout
    const customer = { customerId: '8', customerName: 'Vik AS', customerGroupId: 'A', countryCode: 'NO' }
    const line = JSON.stringify({ ...customer, contactPoints: [{ contactPointType: '1' }] })
    expect((await bring('customers', write('new.ndjson', `${line}\n`))).code).toBe(0)
    const taken = await take('customers', '--select', '*,contactPoints,relatedValues')
    expect([taken.code, taken.stderr]).toEqual([0, expect.stringMatching(/^change number \d+\n$/)])
    const whole = write('whole.ndjson', taken.stdout)
    const before = await entries()
    const { code, stdout } = await bring('customers', whole, '--update')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^0 rows imported, [1-9] unchanged, 0 rejected, /)])
    expect(await entries()).toBe(before)
  })

  it('exports what a filter matches', async () => {
    const { stdout } = await take(
      'attribute-values',
      '--filter',
      "attributeId eq 'C2'",
      '--select',
      'attributeValue',
      '--format',
      'csv',
    )
    expect(stdout).toBe('attributeValue\r\nD1\r\nD2\r\n')
  })

  it('exports Parquet, by the name of the file or --format', async () => {
    const file = join(folder.path, 'values.parquet')
    const asked = ['--filter', "attributeId eq 'C2'", '--select', 'attributeValue,description,periodFrom']
    const { code, stderr } = await take('attribute-values', file, ...asked)
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^change number \d+$/m) })
    const { rows, about } = await readParquet(readFileSync(file))
    expect(rows).toEqual([
      { attributeValue: 'D1', description: 'One', periodFrom: '0' },
      { attributeValue: 'D2', description: 'Two', periodFrom: '0' },
    ])
    expect(about).toEqual({
      'tabularium.company': 'EN',
      'tabularium.document': 'attribute-values',
      'tabularium.query': "$filter=attributeId eq 'C2'&$select=attributeValue,description,periodFrom",
      'tabularium.changeNumber': stderr.match(/\d+/)?.[0],
    })
    const named = join(folder.path, 'values.data')
    await take('attribute-values', named, '--format', 'parquet', ...asked)
    expect(readFileSync(named)).toEqual(readFileSync(file))
    expect(existsSync(`${named}.tmp`)).toBe(false)
  })

  it.each([
    [['import', 'attributes', 'FILE'], "argument 'document': attributes are set up, not imported"],
    [['import', 'nothing', 'FILE'], "argument 'document': there is no document nothing"],
    [['import', 'customers', 'nowhere.csv'], "argument 'file': there is no file nowhere.csv"],
    [['import', 'customers', 'src'], "argument 'file': src is not a file"],
    [
      ['import', 'attribute-values', 'FILE', '--update'],
      "option '--update': only customers and documents of the setup can be updated",
    ],
    [
      ['export', 'work-orders', '--format', 'xml'],
      "option '--format <format>' argument 'xml' is invalid. Allowed choices are csv, ndjson, excel, parquet.",
    ],
    [
      ['export', 'customers', 'out.csv', '--filter', 'custmerName eq 1'],
      "option '--filter': Unknown property 'custmerName' at position 0 of $filter; did you mean 'customerName'?",
    ],
    [
      ['export', 'customers', '--select', 'customerId,'],
      "option '--select': Syntax error at position 11: expected a property, found the end ($select)",
    ],
    [['export', 'nothing'], "argument 'document': there is no document nothing"],
  ])('tells bad usage in one line: %j', async (args, message) => {
    const file = write('x.ndjson', '')
    const { code, stdout, stderr } = await run([
      ...args.map((one) => (one === 'FILE' ? file : one)),
      '--company',
      'EN',
      ...store,
    ])
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `tabularium: ${message} (see --help)\n` })
  })

  it('wants a company where there are several, and one that is there', async () => {
    const told = async (...args: string[]) => (await run(['export', 'customers', ...store, ...args])).stderr
    expect(await told()).toBe("tabularium: option '--company': there are several companies, name one (see --help)\n")
    expect(await told('--company', 'XX')).toBe("tabularium: option '--company': there is no company XX (see --help)\n")
  })

  it('fails in one line, and leaves no file behind, for a file that is wrong', async () => {
    const nowhere = await take('customers', join(folder.path, 'nowhere', 'out.csv'))
    expect(nowhere).toMatchObject({ code: 1, stdout: '' })
    expect(nowhere.stderr).toMatch(/^tabularium: ENOENT: [^\n]*\n$/)
    const out = join(folder.path, 'out')
    mkdirSync(out)
    expect(await take('customers', out)).toMatchObject({ code: 1, stdout: '' })
    expect(existsSync(`${out}.tmp`)).toBe(false)
    const named = await bring('work-orders', write('x.csv', 'workOrderId,plan.hour\nW1,1\n'))
    expect(named.stderr).toBe(
      "tabularium: in the first line there is no property 'plan.hour'; did you mean 'plan.hours'? (cells end at ','; separator and --map say otherwise)\n",
    )
  })

  it('exports the states of the ledger that a filter names', async () => {
    const states = ['posted', 'registered', 'historical']
    const rows = states.map((state, index) => JSON.stringify({ transactionNumber: index, sequenceNumber: 1, state }))
    await bring('general-ledger-transactions', write('s.ndjson', rows.join('\n')))
    const { stdout } = await take(
      'general-ledger-transactions',
      ...['--select', 'state', '--format', 'csv', '--filter', "state in ('posted','historical')"],
    )
    expect(stdout).toBe('state\r\nposted\r\nhistorical\r\n')
  })

  it('reports a malformed row, imports those around it, and appends to the rejects when it resumes', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => `W${index}`)
    rows[3] = '"W"3'
    rows[1_200] = ''.padEnd(10_001, 'x')
    const file = write('orders.csv', `workOrderId\n${rows.join('\n')}\n`)
    expect((await bring('work-orders', file)).stdout).toMatch(/^1,498 rows imported, 2 rejected/)
    await change(['delete from own_work_orders', 'update import_progress set line = 1001'])
    expect((await bring('work-orders', file)).stderr).toBe('going on after line 1,001\n')
    const rejects = readFileSync(`${file}.rejects.csv`, 'utf8').trim().split('\r\n')
    expect(rejects.slice(0, 2)).toEqual(['#line,#message,workOrderId', expect.stringMatching(/^5,"the cell goes on/)])
    expect(
      rejects.filter((one) =>
        one.startsWith('1202,"workOrderId: The field WorkOrderId must be a string or array type'),
      ),
    ).toHaveLength(1)
  })
})

/** A record without the time and the user of its import. */
function withoutStamp(ndjson: string): unknown[] {
  const records = ndjson
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return records.map(({ lastUpdated: _stamp, ...record }) => record)
}
