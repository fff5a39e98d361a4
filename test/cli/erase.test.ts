// `erase`: an erased person is found in no byte of database, files, journal and search index, nor in a backup that is
// taken afterwards; the chain of the change log is whole, and other records are what they were.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToPostgres } from '../support/direct-connection.ts'
import { keeps, REMOVED, removes, TABLES, unanswered } from '../support/erased-tables.ts'
import { COMMON, contactPoints, foundIn, Markers, tablesOf, textOf } from '../support/erased-texts.ts'
import { idOf, Place, sendAll } from '../support/place.ts'
import { credentials, run, temporaryFolder } from '../support/process.ts'
import { asSuperuser, newDatabase } from '../support/test-database.ts'
import { eventually } from '../support/uploads.ts'
import { WebhookReceiver } from '../support/webhooks/receiver.ts'
import { CLIENT_SECRET, STORE_KINDS } from '../support/world.ts'

const SETUP = 'test/fixtures/life-cycle.yaml'
/** The answer while tables are rewritten: on a busy machine longer than a request waits for them. */
const REWRITING = 503
const REASON = ['--reason', 'a request', '--company', 'EN']

function person(customerId: string, text: () => string) {
  return {
    customerId,
    customerName: text(),
    aliasName: text(),
    companyRegistrationNumber: text(),
    countryCode: 'NO',
    customerGroupId: '10',
    externalReference: text(),
    payment: { bankAccount: text(), postalAccount: text() },
    contactPoints: contactPoints(text),
    customFieldGroups: { notes: { text: text() } },
  }
}

/** What the database has of them is found in its files, or decompressed. */
const NOT_READ = /^journal_(?:entry|dictionary)$|_words$|_(?:config|content|data|docsize|idx)$/

/** What an erasure does with each file of the data folder. */
const FILES: Record<string, string> = {
  ...removes('tabularium.db tabularium.db-wal files spool'),
  ...keeps('tabularium.db-shm ballast keys.json commands.lock instance.lock instance.pid integrity.json'),
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

const paper = (text: () => string, more: object = {}) => ({
  docType: 'NOTE',
  title: text(),
  description: text(),
  fileName: `${text()}.txt`,
  fileContent: base64(`A text with ${text()} in it.`),
  ...more,
})

/** What somebody keeps in the console of a customer, and of others. */
const settings = (customer: string, title: string) => ({
  language: 'nb',
  recent: [
    { document: 'customers', key: customer, title },
    { document: 'attribute-values', key: `A4,${customer},0`, title },
    { document: 'customers', key: 'OTHER', title: 'someone else' },
  ],
  views: { customers: { Mine: { filter: `customerId eq '${customer}'` }, All: { columns: 'customerId' } } },
})

describe.each(STORE_KINDS)('erase on %s', (kind) => {
  let place: Place
  let document: string
  const markers = new Markers()
  const marker = markers.next
  const id = marker()
  const value = marker()
  const backup = temporaryFolder()
  /** What was noted before anything was erased. */
  let noteLines = ''

  beforeAll(async () => {
    place = await Place.make(kind, SETUP)
    await place.up()
    const receiver = await WebhookReceiver.start()
    receiver.answer = () => 500
    const subscription = { name: 'Echo', url: receiver.url, payload: 'full' }
    await sendAll(place, [['POST', 'subscriptions', subscription]])
    const other = (customerId: string) => person(customerId, () => 'someone else')
    await sendAll(place, [
      ['POST', 'customers', person(id, marker)],
      ['POST', 'customers', other('OTHER')],
      ['POST', 'customers', other('HELD')],
      ['POST', 'customers', other('OPEN')],
      ['POST', 'customers', person('NAMED', () => 'someone named')],
      ['POST', 'customers', other(id), 'SV'],
      [
        'POST',
        'attribute-values',
        {
          attributeId: 'C1',
          attributeValue: value,
          description: marker(),
          contactPoints: contactPoints(marker),
        },
      ],
      ['POST', 'attribute-values', { attributeId: 'DP', attributeValue: 'D1', owner: value }],
      [
        'POST',
        'attribute-relations',
        { attributeId: 'PR', attributeValue: 'P1', relatedAttributeId: 'A4', relationValue: id },
      ],
      [
        'POST',
        'attribute-relations',
        { attributeId: 'A4', attributeValue: id, relatedAttributeId: 'C1', relationValue: value },
      ],
      [
        'POST',
        'attribute-relations',
        { attributeId: 'A4', attributeValue: 'OTHER', relatedAttributeId: 'C1', relationValue: value },
      ],
    ])
    await sendAll(place, [
      [
        'POST',
        'attribute-relations',
        { attributeId: 'PR', attributeValue: 'P1', relatedAttributeId: 'A4', relationValue: 'NAMED' },
      ],
    ])
    // Entries that share dictionaries with those of the person, and history of the person.
    for (let at = 0; at < 80; at++) {
      await sendAll(place, [
        ['PATCH', 'customers/OTHER', [{ op: 'replace', path: '/aliasName', value: `other ${at}` }]],
      ])
      if (at % 20 === 0) {
        await sendAll(place, [['PATCH', `customers/${id}`, [{ op: 'replace', path: '/aliasName', value: marker() }]]])
      }
    }
    const retried = { 'idempotency-key': marker() }
    for (let times = 0; times < 2; times++) {
      const operations = [{ op: 'replace', path: '/customerName', value: `${marker()}` }]
      const answer = await place.send(
        'PATCH',
        `customers/${id}`,
        operations,
        'EN',
        times === 0 ? retried : { 'x-request-id': marker() },
      )
      expect(answer.status).toBe(200)
    }
    const authorization = credentials.replace(/ .*/, ` ${base64(`nobody:${CLIENT_SECRET}`)}`)
    expect((await place.send('GET', `customers/${id}`, undefined, 'EN', { authorization })).status).toBe(403)
    const remark = [{ sequenceNo: 2, indexValue: marker() }]
    const [made] = await sendAll(place, [['POST', 'documents', paper(marker, { docType: 'CASE', indexes: remark })]])
    document = idOf(made ?? { text: '' })
    await sendAll(place, [
      ['POST', 'documents', paper(() => 'of somebody else')],
      [
        'POST',
        'document-revisions',
        { id: document, comment: marker(), fileName: 'b.txt', fileContent: base64(marker()) },
      ],
      ['GET', `objects/customers?$filter=contains(customerName,'${markers.all[3]}')`],
      ['GET', `documents?docType=NOTE&search=${markers.all.at(-1)}`],
      // Ends what refers to the person and to the value.
      ['DELETE', `attribute-relations/PR/P1/A4/${id}`],
      ['DELETE', `attribute-relations/A4/OTHER/C1/${value}`],
      ['PATCH', 'attribute-values/DP/D1/0', [{ op: 'remove', path: '/owner' }]],
    ])
    const ofPerson = `company_id = 'EN' and entry_no in
      (select entry_no from journal_entry where company_id = 'EN' and record_key like '%${id}%')`
    const told = `select count(*) as told from subscription_attempt where ${ofPerson}`
    await eventually(async () => Number((await place.sql(told))[0]?.told) > 0)
    await eventually(async () => (await textOf(place, 'document_text')).includes(COMMON))
    await place.down()
    await place.sql(`insert into batch_operation_result (company_id, operation_id, line, record_key, findings)
      values ('EN', 'an operation', 2, '{"customerId":"${id}"}', '[{"message":"${marker()}"}]')`)
    await place.sql(`insert into proposal (company_id, proposal_id, client_id, user_id, request, expires_at)
      values ('EN', 'one', 'integration', 'u', '{"customerName":"${marker()}"}', '2999-01-01T00:00:00.000Z')`)
    await place.sql(`insert into mirror_finding (company_id, document, record_key, findings)
      values ('EN', 'customers', '["${id}"]', '[{"member":"creditLimit","message":"must be number: ${marker()}"}]')`)
    await place.sql(`insert into person_settings (company_id, user_id, settings, version)
      values ('EN', 'u', '${JSON.stringify(settings(id, marker())).replaceAll("'", "''")}', 7)`)
    // As a receiver in the Internet may have answered.
    await place.sql(`update subscription_attempt set excerpt = 'got ${id}' where ${ofPerson}`)
    await receiver.stop()
  })
  afterAll(async () => {
    await place.remove()
    backup.remove()
  })

  it('has an answer for every table and every file of the data folder', async () => {
    expect(unanswered(await tablesOf(place))).toEqual([])
    expect(readdirSync(place.folder.path).filter((name) => !(name in FILES))).toEqual([])
  })

  it('tries each table whose values are removed: it has some of the person', async () => {
    const untried: string[] = []
    for (const name of Object.keys(TABLES).filter((name) => TABLES[name] === REMOVED && !NOT_READ.test(name))) {
      if (!(await textOf(place, name)).includes(COMMON)) untried.push(name)
    }
    expect(untried).toEqual([])
  })

  it('finds each marker before', async () => {
    const found = await foundIn(place, markers.all)
    expect(markers.all.filter((one) => !found.includes(one))).toEqual([])
  })

  it('leaves nothing of a person, a value and a document in any byte, and the chain whole', async () => {
    await place.run('backup', backup.path)
    noteLines = (await place.run('erase', 'noted')).stdout
    const others = [
      'customers/OTHER',
      'customers/HELD',
      'attribute-values/DP/D1/0',
      'objects/customers?$filter=customerId eq OTHER',
    ]
    const read = () => Promise.all(others.map(async (path) => (await place.send('GET', path)).text))
    await place.upAsProcess()
    const before = await read()
    const asFile = (headers: object) =>
      place.send('GET', 'objects/customers?$format=parquet&$select=customerId', undefined, 'en', {
        range: 'bytes=0-',
        ...headers,
      })
    const tag = String((await asFile({})).headers.get('etag'))
    expect((await asFile({ 'if-match': tag })).status).toBe(206)
    const traffic = new Traffic(place, 'NAMED')
    const runs = [
      await place.run('erase', 'customer', id, ...REASON),
      await place.run('erase', 'value', 'C1', value, ...REASON),
      await place.run('erase', 'document', document.toUpperCase(), ...REASON),
      // The company of the same key.
      await place.run('erase', 'customer', id, '--reason', 'a request', '--company', 'SV'),
    ]
    for (const ended of runs) {
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect(ended.stdout).toMatch(/: removed; \d+ entr(y|ies) of the change log erased\n$/)
    }
    await traffic.end()
    expect(readdirSync(join(place.folder.path, 'spool'))).toEqual([])
    expect((await asFile({ 'if-match': tag })).status).toBe(412)
    expect(await foundIn(place, [...markers.all, COMMON])).toEqual([])
    const verified = await place.run('audit', 'verify')
    expect(verified).toMatchObject({ code: 0, stderr: '' })
    expect(verified.stdout).toMatch(/4 of 4 chains are whole; [\d,]+ entries erased, as later ones say\n$/)
    expect(await place.run('check')).toMatchObject({ code: 0 })
    expect(await place.run('files', 'check')).toMatchObject({ code: 0 })
    for (const path of [
      `customers/${id}`,
      `attribute-values/A4/${id}/0`,
      `attribute-values/C1/${value}/0`,
      `documents/${document}`,
    ]) {
      expect([path, (await place.send('GET', path)).status]).toEqual([path, 404])
    }
    expect(await read()).toEqual(before)
    const [kept] = await place.sql(`select settings, version from person_settings where company_id = 'EN'`)
    expect(Number(kept?.version)).toBeGreaterThan(7)
    expect(JSON.parse(String(kept?.settings))).toEqual({
      language: 'nb',
      recent: [{ document: 'customers', key: 'OTHER', title: 'someone else' }],
      views: { customers: { All: { columns: 'customerId' } } },
    })
    const found = await place.send(
      'GET',
      'objects/audit-entries?$filter=recordKey eq \'["(erased)"]\'&select=before,after,operation',
    )
    const entries = JSON.parse(found.text) as { operation: string; before: string; after: string }[]
    expect(entries.filter(({ operation, after }) => operation === 'erase' && after.includes('a request'))).toHaveLength(
      3,
    )
    expect(entries.some(({ operation, before, after }) => operation !== 'erase' && before + after !== '')).toBe(false)
    await sendAll(place, [['PATCH', 'customers/OTHER', [{ op: 'replace', path: '/aliasName', value: 'later' }]]])
    await place.down()
    expect(await place.run('audit', 'verify')).toMatchObject({ code: 0 })
  })

  it('tells what is unknown or erased already, and what is held, and erases the others', async () => {
    const ended = await place.run('erase', 'customer', id, 'UNKNOWN', 'HELD', 'OPEN', ...REASON)
    expect(ended).toMatchObject({
      code: 1,
      stderr: `tabularium: there is nothing of customer ${id} in company EN
tabularium: there is nothing of customer UNKNOWN in company EN
tabularium: customer HELD is held by CASE-1: nothing was erased
`,
    })
    expect(ended.stdout).toMatch(/^EN customer OPEN: removed; 2 entries of the change log erased\n$/)
    const other = await place.run('erase', 'value', 'A4', 'OTHER', ...REASON)
    expect(other).toMatchObject({ code: 1, stderr: 'tabularium: value A4 OTHER is a customer: erase customer OTHER\n' })
    expect(await place.run('erase', 'customer', 'OTHER')).toMatchObject({ code: 2 })
    expect(await place.run('erase', 'customer', 'OTHER', '--reason', ' ', '--company', 'EN')).toMatchObject({ code: 2 })
  })

  it('empties and closes what something refers to', async () => {
    const ended = await place.run('erase', 'customer', 'NAMED', ...REASON)
    expect(ended.stdout).toMatch(
      /^EN customer NAMED: emptied and closed, because attribute-relations refer to it; [\d,]+ entries/,
    )
    await place.up()
    const found = JSON.parse((await place.send('GET', 'customers/NAMED')).text)
    expect(found).toMatchObject({
      customerName: '(erased)',
      aliasName: '',
      contactPoints: [],
      payment: { bankAccount: '', status: 'Closed' },
      customFieldGroups: { notes: { text: '' } },
    })
    const described = JSON.parse((await place.send('GET', 'attribute-values/A4/NAMED/0')).text)
    expect(described).toMatchObject({ description: '(erased)', status: 'C', contactPoints: [] })
    await place.down()
    expect(await foundIn(place, ['someone named'])).toEqual([])
    expect(await place.run('audit', 'verify')).toMatchObject({ code: 0 })
  })

  it('leaves nothing of a record that is changed while it is erased', async () => {
    await place.upAsProcess()
    await sendAll(place, [['POST', 'customers', person('CONTENDED', () => 'contended 0')]])
    const changing = (async () => {
      for (let at = 1; ; at++) {
        const body = [{ op: 'replace', path: '/aliasName', value: `contended ${at}` }]
        const { status } = await place.send('PATCH', 'customers/CONTENDED', body)
        if (status !== 200 && status !== REWRITING) return status
      }
    })()
    expect(await place.run('erase', 'customer', 'CONTENDED', ...REASON)).toMatchObject({ code: 0, stderr: '' })
    expect(await changing).toBe(404)
    await place.down()
    expect(await foundIn(place, ['contended'])).toEqual([])
    expect(await place.run('audit', 'verify')).toMatchObject({ code: 0 })
  })

  it('erases again, in a restored older backup, what was erased since', async () => {
    expect(noteLines).toBe('')
    const noted = await place.run('erase', 'noted')
    expect(noted.stdout).toMatch(/^(EN:(customer|value|document):[0-9a-f]{64}\n){6}SV:customer:[0-9a-f]{64}\n$/)
    const file = join(place.folder.path, 'erased.txt')
    writeFileSync(file, noted.stdout)
    const restored = await place.emptyPlace()
    try {
      const ended = await restored.run('restore', backup.path)
      expect(ended).toMatchObject({ code: 0 })
      expect(ended.stdout).toContain('run `erase again` with the lines of `erase noted`')
      expect((await foundIn(restored, [COMMON])).length).toBe(1)
      const again = await restored.run('erase', 'again', file)
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(again.stdout).toMatch(/\n6 records of 7 found and erased again\n$/)
      expect(await foundIn(restored, [...markers.all, COMMON])).toEqual([])
      expect(await restored.run('audit', 'verify')).toMatchObject({ code: 0 })
    } finally {
      await restored.remove()
    }
  })

  it('leaves nothing in a backup that is taken afterwards into the folder of one before', async () => {
    expect(bytesIn(backup.path, COMMON)).toBe(true)
    expect(await place.run('backup', backup.path)).toMatchObject({ code: 0 })
    expect(bytesIn(backup.path, COMMON)).toBe(false)
    expect(await run(['verify', backup.path])).toMatchObject({ code: 0 })
  })

  const databaseOf = (from: Place) => from.options.at(-1) ?? ''
  it.runIf(kind === 'postgres').each([
    ['reads', 'select 1', async () => databaseOf(place)],
    // New snapshots of all databases are as old as it.
    ['writes to another database', 'select pg_current_xact_id()', () => newDatabase()],
  ])('waits for a transaction that %s, because of which what it erases is kept', async (what, statement, database) => {
    await place.up()
    const name = `kept-${what.length}`
    const customer = name.toUpperCase()
    await sendAll(place, [['POST', 'customers', person(customer, () => `${name} text`)]])
    await place.down()
    const transaction = connectToPostgres(asSuperuser(await database()))
    try {
      await transaction.query(`begin isolation level repeatable read; ${statement}`)
      const erasing = place.run('erase', 'customer', customer, ...REASON)
      const asking = `select 1 from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()
        and query like '%pg_snapshot_xmin%'`
      await expect.poll(() => place.sql(asking)).not.toEqual([])
      expect(await Promise.race([erasing, place.sql("select 'it waits' as still")])).toEqual([{ still: 'it waits' }])
      await transaction.query('commit')
      expect(await erasing).toMatchObject({ code: 0, stderr: '' })
      expect(await foundIn(place, [`${name} text`])).toEqual([])
    } finally {
      await transaction.close()
    }
  })
})

/** Changes and reads a customer without a pause: the service answers beside what is erased, at the latest behind it. */
class Traffic {
  readonly #running: Promise<number>
  #isEnding = false

  constructor(place: Place, customerId: string) {
    this.#running = this.#send(place, `customers/${customerId}`)
  }

  async #send(place: Place, path: string): Promise<number> {
    let sent = 0
    while (!this.#isEnding || sent === 0) {
      const body = [{ op: 'replace', path: '/aliasName', value: `someone named ${sent}` }]
      const statuses = [(await place.send('PATCH', path, body)).status, (await place.send('GET', path)).status]
      expect(statuses.filter((status) => status !== 200 && status !== REWRITING)).toEqual([])
      if (statuses.every((status) => status === 200)) sent++
    }
    return sent
  }

  async end(): Promise<void> {
    this.#isEnding = true
    expect(await this.#running).toBeGreaterThan(0)
  }
}

/** Whether a text is in a file of a folder, in any letter case. */
function bytesIn(folder: string, text: string): boolean {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.some((entry) =>
    readFileSync(join(entry.parentPath, entry.name)).toString('latin1').toLowerCase().includes(text),
  )
}
