// `erase` of records that a setup declares: employees, and what refers to them. They are found in no byte afterwards,
// and what stays of one that something refers to is its key.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMON, contactPoints, foundIn, Markers } from '../support/erased-texts.ts'
import { Place, sendAll } from '../support/place.ts'
import { credentials, temporaryFolder } from '../support/process.ts'
import { CLIENT_SECRET, FEWER_KINDS } from '../support/world.ts'

const REASON = ['--reason', 'a request', '--company', 'EN']
const DAY = '2026-01-31'

function employee(employeeId: string, text: () => string, more: object = {}) {
  return {
    employeeId,
    fullName: text(),
    badge: employeeId,
    initials: 'XY',
    born: '1980-02-29',
    salary: 12.34,
    home: { street: text(), phone: text() },
    accounts: [
      { iban: text(), bank: text() },
      { iban: text(), bank: '' },
    ],
    contactPoints: contactPoints(text),
    ...more,
  }
}

const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }]

describe.each(FEWER_KINDS)('erase records of the setup on %s', (kind) => {
  let place: Place
  const markers = new Markers()
  const marker = markers.next
  const id = marker()
  const absence = `absences/${id}/${DAY}`
  const backup = temporaryFolder()
  const read = async (at: Place, path: string) => JSON.parse((await at.send('GET', path)).text)

  beforeAll(async () => {
    place = await Place.make(kind, 'test/fixtures/life-cycle.yaml')
    await place.up()
    const other = (name: string, more: object = {}) => employee(name, () => `other ${name}`, more)
    await sendAll(place, [
      ['POST', 'employees', employee(id, marker)],
      ['POST', 'employees', other('BOSS')],
      ['POST', 'employees', other('STAYS', { managerId: 'BOSS' })],
      ['PATCH', 'employees/BOSS', replace('/managerId', 'BOSS')],
      ['POST', 'employees', other('HELD')],
      ['POST', 'customers', { customerId: 'NAMED', customerName: 'someone else', ...CUSTOMER }],
      ['POST', 'contracts', { contractNo: 7, title: marker(), of: { employeeId: id }, signers: [{ signer: id }] }],
      ['POST', 'contracts', { contractNo: 71, title: 'another', customerId: 'NAMED' }],
      ['POST', 'absences', { employeeId: id, fromDate: DAY, note: marker() }],
      ['POST', 'absences', { employeeId: 'STAYS', fromDate: DAY, note: 'other absent' }],
      ['POST', 'absence-days', { dayNo: 1, employeeId: 'STAYS', fromDate: DAY }],
      ['POST', 'attribute-values', { attributeId: 'C1', attributeValue: 'C' }],
      [
        'POST',
        'attribute-relations',
        { attributeId: 'EM', attributeValue: id, relatedAttributeId: 'C1', relationValue: 'C' },
      ],
    ])
    for (let at = 0; at < 3; at++) {
      await sendAll(place, [['PATCH', `employees/${id}`, replace('/fullName', marker())]])
    }
    // Responses for retries: of the record, and of another one that refers to it.
    const retried = [
      await place.send('PATCH', `employees/${id}`, replace('/fullName', marker()), 'EN', { 'idempotency-key': 'a' }),
      await place.send('PATCH', 'employees/STAYS', replace('/managerId', id), 'EN', { 'idempotency-key': 'b' }),
      await place.send('PATCH', 'contracts/7', replace('/title', marker()), 'EN', { 'idempotency-key': 'c' }),
    ]
    expect(retried.map(({ status }) => status)).toEqual([200, 200, 200])
    const authorization = credentials.replace(/ .*/, ` ${Buffer.from(`nobody:${CLIENT_SECRET}`).toString('base64')}`)
    expect((await place.send('GET', absence, undefined, 'EN', { authorization })).status).toBe(403)
    // Ends what refers to the person.
    await sendAll(place, [
      ['PATCH', 'employees/STAYS', replace('/managerId', 'BOSS')],
      ['PATCH', 'contracts/7', replace('/of/employeeId', 'STAYS')],
      ['PATCH', 'contracts/7', replace('/signers', [])],
    ])
    await place.down()
    await place.sql(`insert into batch_operation_result (company_id, operation_id, line, record_key, findings)
      values ('EN', 'an operation', 2, '{"employeeId":"${id}"}', '[{"message":"${marker()}"}]')`)
  })
  afterAll(async () => {
    await place.remove()
    backup.remove()
  })

  it('finds each marker before', async () => {
    const found = await foundIn(place, markers.all)
    expect(markers.all.filter((one) => !found.includes(one))).toEqual([])
  })

  it('leaves nothing of records with keys of a text, a number and several parts, and the chain whole', async () => {
    await place.run('backup', backup.path)
    await place.upAsProcess()
    const others = ['employees/STAYS', 'employees/HELD', 'contracts/71', `absences/STAYS/${DAY}`]
    const readOthers = () => Promise.all(others.map(async (path) => (await place.send('GET', path)).text))
    const before = await readOthers()
    expect(await place.run('erase', 'absences', `${id}/${DAY}`, ...REASON)).toMatchObject({ code: 0, stderr: '' })
    const ended = await place.run('erase', 'employees', id, 'HELD', 'UNKNOWN', ...REASON)
    expect(ended.code).toBe(1)
    expect(ended.stderr).toBe(`tabularium: employees HELD is held by CASE-4: nothing was erased
tabularium: there is nothing of employees UNKNOWN in company EN
`)
    expect(ended.stdout).toMatch(
      new RegExp(`^EN employees ${id}: removed; [\\d,]+ entries of the change log erased\\n$`),
    )
    expect(await place.run('erase', 'record', 'contracts', '7', ...REASON)).toMatchObject({ code: 0, stderr: '' })
    expect(await foundIn(place, [...markers.all, COMMON])).toEqual([])
    for (const path of [`employees/${id}`, 'contracts/7', absence, `attribute-values/EM/${id}/0`]) {
      expect([path, (await place.send('GET', path)).status]).toEqual([path, 404])
    }
    expect(await readOthers()).toEqual(before)
    await place.down()
    expect(await place.run('audit', 'verify')).toMatchObject({ code: 0, stderr: '' })
    expect(await place.run('check')).toMatchObject({ code: 0 })
  })

  it('empties what something refers to: its key stays, and texts that it must have say so', async () => {
    const boss = await place.run('erase', 'employees', 'BOSS', ...REASON)
    expect(boss.stdout).toMatch(/^EN employees BOSS: emptied and closed, because employees refer to it; [\d,]+ entries/)
    const day = await place.run('erase', 'absences', `STAYS/${DAY}`, ...REASON)
    expect(day.stdout).toMatch(/^EN absences STAYS \S+: emptied, because absence-days refer to it; 1 entry/)
    const customer = await place.run('erase', 'customer', 'NAMED', ...REASON)
    expect(customer.stdout).toMatch(/^EN customer NAMED: emptied and closed, because contracts refer to it/)
    await place.up()
    expect(await read(place, 'employees/BOSS')).toEqual({
      companyId: 'EN',
      employeeId: 'BOSS',
      fullName: '(erased)',
      badge: '',
      initials: '',
      born: '1900-01-01T00:00:00.000',
      salary: 0,
      status: 'C',
      home: { street: '', phone: '' },
      accounts: [],
      managerId: '',
      lastUpdated: { updatedAt: expect.any(String), updatedBy: 'erase' },
      contactPoints: [],
      relatedValues: [],
    })
    expect(await read(place, 'attribute-values/EM/BOSS/0')).toMatchObject({ description: '(erased)', status: 'C' })
    expect(await read(place, `absences/STAYS/${DAY}`)).toMatchObject({ note: '' })
    // An emptied record can be changed again.
    await sendAll(place, [['PATCH', 'employees/BOSS', replace('/fullName', 'Somebody')]])
    await place.down()
    expect(await foundIn(place, ['other BOSS', 'other absent'])).toEqual([])
    expect(await place.run('audit', 'verify')).toMatchObject({ code: 0 })
  })

  it.each([
    [['value', 'EM', 'STAYS'], 1, 'value EM STAYS is a record of the setup: erase employees STAYS'],
    [['employes', 'STAYS'], 2, "there is no document of the setup employes; did you mean 'employees'?"],
    [['absences', 'STAYS'], 2, "'STAYS' is no key of absences, which is employeeId/fromDate"],
    [['contracts', 'seven'], 2, "'seven' is no key of contracts, which is contractNo"],
  ])('refuses %j', async (args, code, says) => {
    const ended = await place.run('erase', ...args, ...REASON)
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(says) })
  })

  it('erases again in a restored backup, whose own tables have their lists and hold what is unique', async () => {
    const noted = await place.run('erase', 'noted')
    expect(noted.stdout).toMatch(
      /^EN:absences:\w{64}\nEN:employees:\w{64}\nEN:contracts:\w{64}\nEN:employees:\w{64}\nEN:absences:\w{64}\nEN:customer:\w{64}\n$/,
    )
    const file = join(place.folder.path, 'erased.txt')
    writeFileSync(file, noted.stdout)
    const restored = await place.emptyPlace()
    try {
      expect(await restored.run('restore', backup.path)).toMatchObject({ code: 0 })
      await restored.up()
      const { accounts, contactPoints: points } = await read(restored, `employees/${id}`)
      expect([accounts.length, points.length, markers.all.includes(accounts[0].iban)]).toEqual([2, 1, true])
      const taken = employee('NEW', () => 'new', { badge: 'HELD' })
      const refused = await restored.send('POST', 'employees', taken)
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('HELD: already exists')])
      await restored.down()
      await expect(restored.sql(COPY_OF_HELD)).rejects.toThrow(/unique/i)
      const again = await restored.run('erase', 'again', file)
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(again.stdout).toMatch(/\n6 records of 6 found and erased again\n$/)
      expect(await foundIn(restored, [...markers.all, COMMON])).toEqual([])
      expect(await restored.run('audit', 'verify')).toMatchObject({ code: 0 })
    } finally {
      await restored.remove()
    }
  })
})

const CUSTOMER = { countryCode: 'NO', customerGroupId: '10', contactPoints: [{ contactPointType: '1' }] }

/** Nothing but the index refuses it. */
const COPY_OF_HELD = `update own_employees set badge = 'HELD' where employee_id = 'STAYS'`
