// `import` as a company moves in: several files as one import, a map with constants, numbers that are kept and codes
// that are added; into a database, and into a service with `--url`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Place } from '../support/place.ts'
import { linesOf, run } from '../support/process.ts'
import { CLIENT_SECRET, STORE_KINDS } from '../support/world.ts'

const SETUP = 'test/fixtures/moving-in.yaml'
const CUSTOMER_MAP = `
Kundenr: customerId
Navn: customerName
Gruppe: customerGroupId
Land: countryCode
countryCode: "= switch([Land], 'Norge', 'NO', 'Sverige', 'SE')"
contactPoints:
  Kunde: customerId
  Type: contactPointType
  Sted: address.place
`.replace('Land: countryCode\n', 'Land:\n')
const CUSTOMERS =
  'Kundenr;Navn;Gruppe;Land\r\n50321;Kjølmark;10;Norge\r\nOLD-9;Ærø;20;Sverige\r\n50322;Uten;10;Norge\r\n'
const CONTACTS = 'Kunde;Type;Sted\r\nOLD-9;1;Lund\r\n50321;2;Bodø\r\n50321;1;Ålesund\r\n50999;1;Oslo\r\n'

describe.each(STORE_KINDS)('Moving in by the command on %s', (kind) => {
  let place: Place
  beforeEach(async () => {
    place = await Place.make(kind, SETUP)
  })
  afterEach(() => place.remove())

  const inFolder = (name: string) => join(place.folder.path, name)
  const write = (name: string, text: string, encoding: BufferEncoding = 'latin1') => {
    writeFileSync(inFolder(name), text, encoding)
    return inFolder(name)
  }
  const rejectsOf = (name: string) =>
    linesOf(readFileSync(inFolder(`${name}.rejects.csv`), 'latin1')).map((line) => line.trim())
  const files = () => {
    const customers = write('customers.csv', CUSTOMERS)
    const contacts = write('contacts.csv', CONTACTS)
    const map = write('map.yaml', CUSTOMER_MAP, 'utf8')
    return [
      customers,
      '--with',
      `contactPoints=${contacts}`,
      '--map',
      map,
      '--company',
      'EN',
      '--keep-ids',
      '--add-codes',
      'CG',
    ]
  }

  it('imports customers with their contacts and old numbers, and tells both files in one report', async () => {
    const dry = await place.run('import', 'customers', ...files(), '--dry-run')
    const report = (done: string) => [
      expect.stringMatching(new RegExp(`^2 rows ${done}imported, 1 rejected \\(see .*customers.csv.rejects.csv\\), `)),
      `contacts.csv: 3 rows with them, 1 rejected (see ${inFolder('contacts.csv')}.rejects.csv)`,
      `1 code ${done}added to CG: 20`,
      "read with separator ';', Windows-1252",
    ]
    expect([dry.code, linesOf(dry.stdout), dry.stderr]).toEqual([1, report('would be '), ''])
    expect(
      await place.sql("select * from attribute_value where attribute_id = 'CG' and attribute_value = '20'"),
    ).toEqual([])
    const kept = await place.run('import', 'customers', ...files())
    expect([kept.code, linesOf(kept.stdout)]).toEqual([1, report('')])
    expect(rejectsOf('customers.csv')).toEqual([
      '#line;#message;Kundenr;Navn;Gruppe;Land',
      expect.stringMatching(/^4;".*General.*";50322;Uten;10;Norge$/),
    ])
    expect(rejectsOf('contacts.csv')).toEqual([
      '#line;#message;Kunde;Type;Sted',
      '5;"customerId: no row of customers.csv that can be read has the customerId 50999";50999;1;Oslo',
    ])
    // What was rejected is mended in the file of rejected rows, and that is imported.
    const mended = rejectsOf('contacts.csv').join('\r\n').replace('50999;1', '50322;1')
    write('contacts.csv.rejects.csv', mended)
    const map = ['--map', inFolder('map.yaml'), '--company', 'EN', '--keep-ids']
    const again = await place.run(
      'import',
      'customers',
      inFolder('customers.csv.rejects.csv'),
      '--with',
      `contactPoints=${inFolder('contacts.csv.rejects.csv')}`,
      ...map,
    )
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^1 row imported, 0 rejected, /)])
    await place.up()
    const { text } = await place.send('GET', 'customers/50321')
    expect(JSON.parse(text)).toMatchObject({
      customerName: 'Kjølmark',
      countryCode: 'NO',
      contactPoints: [
        { contactPointType: '2', address: { place: 'Bodø' } },
        { contactPointType: '1', address: { place: 'Ålesund' } },
      ],
    })
    for (const id of ['OLD-9', '50322']) expect((await place.send('GET', `customers/${id}`)).status).toBe(200)
  })

  it('writes a map of the headings, and replaces none', async () => {
    const [customers = ''] = files()
    const template = inFolder('template.yaml')
    const asked = ['import', 'customers', customers, '--map-template', template, '--company', 'EN']
    const written = await place.run(...asked, '--with', `contactPoints=${inFolder('contacts.csv')}`)
    expect([written.code, written.stdout, written.stderr]).toEqual([0, '', ''])
    const text = readFileSync(template, 'utf8')
    expect(text).toContain('Kundenr: customerId # Customer number\n')
    expect(text).toMatch(/\ncontactPoints:\n {2}Kunde: customerId .*\n {2}Type: contactPointType /)
    const again = await place.run(...asked)
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('template.yaml is there already')])
    expect(readFileSync(template, 'utf8')).toBe(text)
    const lines = await place.run('import', 'customers', write('c.ndjson', '{}'), '--map-template', template)
    expect([lines.code, lines.stderr]).toEqual([2, expect.stringContaining('only of CSV files')])
  })

  it('goes on where an import was interrupted, and then tells all rejected rows of both files', async () => {
    const numbers = Array.from({ length: 3_000 }, (_, at) => at + 1)
    const orders = write('orders.csv', `orderNo\n${numbers.map((no) => `${no}\n`).join('')}`)
    const items = numbers.toReversed().map((no) => `${no},1,${no % 1_000 === 0 ? 'x' : 1}\n`)
    const lines = write('lines.csv', `orderNo,lineNo,quantity\n${items.join('')}0,1,1\n`)
    const importing = ['import', 'purchase-orders', orders, '--with', `lines=${lines}`, '--company', 'EN']
    const first = await place.run(...importing)
    expect([first.code, first.stdout]).toEqual([1, expect.stringMatching(/^2,997 rows imported, 3 rejected /)])
    const told = rejectsOf('lines.csv')
    expect(told.map((line) => line.split(';')[0]?.split(',')[0])).toEqual(['#line', '2', '1002', '2002', '3002'])
    // As if the process had ended after the first rows.
    await place.sql("update import_progress set line = 1500 where document = 'purchase-orders'")
    await place.sql('delete from own_purchase_order_lines')
    await place.sql('delete from own_purchase_orders')
    const second = await place.run(...importing)
    expect([second.code, second.stderr]).toEqual([1, 'going on after line 1,500\n'])
    expect(second.stdout).toMatch(/^1,499 rows imported, 2 rejected /)
    expect(rejectsOf('lines.csv').map((line) => line.split(',')[0])).toEqual(told.map((line) => line.split(',')[0]))
    expect(rejectsOf('orders.csv')).toHaveLength(4)
    const third = await place.run(...importing)
    expect([third.code, third.stdout]).toEqual([
      1,
      expect.stringContaining('0 rows imported: the file was imported already'),
    ])
  })

  it('does the same through a service, for an administrator of it', async () => {
    await place.up()
    const there = ['--url', place.address, '--client', 'administrator']
    const ask = (...args: string[]) => run([...args, ...there], { environment: { TABULARIUM_SECRET: CLIENT_SECRET } })
    const dry = await ask('import', 'customers', ...files(), '--dry-run')
    expect(linesOf(dry.stdout)).toEqual([
      expect.stringMatching(/^2 rows would be imported, 2 rejected \(see .*customers.csv.rejects.csv\)$/),
      '1 code would be added to CG: 20',
    ])
    const sent = await ask('import', 'customers', ...files())
    expect(linesOf(sent.stdout)).toEqual([
      expect.stringMatching(/^2 rows imported, 2 rejected /),
      '1 code added to CG: 20',
    ])
    expect(rejectsOf('customers.csv')).toEqual([
      'line,column,message,row',
      expect.stringMatching(/^"4",/),
      expect.stringMatching(/^"9","customerId","line 5 of contactPoints: no row of the records that can be read has/),
    ])
    expect(existsSync(inFolder('contacts.csv.rejects.csv'))).toBe(false)
    expect((await place.send('GET', 'customers/OLD-9')).status).toBe(200)
  })
})

it.each([
  [['--with', 'lines'], "option '--with': expected the name of a list and a file, such as lines=lines.csv"],
  [['--with', 'lines=/nowhere.csv'], "option '--with': there is no file /nowhere.csv"],
  [['--with', 'no=FILE'], "purchase-orders have no list 'no'"],
  [['--with', 'lines=FILE', '--with', 'lines=FILE'], "option '--with': two files for the list lines"],
  [['--add-codes', 'C9'], "option '--add-codes': EN has no attribute 'C9'; did you mean 'C1'?"],
  [['--add-codes', 'C1', '--update'], "option '--add-codes': not together with --update"],
  [['--map', 'MAP'], 'text: there is no function'],
])('%j is refused, and nothing is imported', async (options, says) => {
  const place = await Place.make('sqlite', SETUP)
  try {
    const file = join(place.folder.path, 'orders.csv')
    writeFileSync(file, 'orderNo\n1\n')
    const map = join(place.folder.path, 'map.yaml')
    writeFileSync(map, "text: = no('a')\n")
    const given = options.map((option) => option.replace('FILE', file).replace('MAP', map))
    const refused = await place.run('import', 'purchase-orders', file, '--company', 'EN', ...given)
    expect([(refused.code ?? 0) > 0, refused.stdout, refused.stderr]).toEqual([true, '', expect.stringContaining(says)])
    expect(await place.sql('select * from own_purchase_orders')).toEqual([])
  } finally {
    await place.remove()
  }
})
