// `purge`: what is expired, deleted or closed for long goes for good; what is held or referred to stays.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idOf, Place, sendAll } from '../support/place.ts'
import { run } from '../support/process.ts'
import { FEWER_KINDS } from '../support/world.ts'

const content = Buffer.from('a text that nobody else has').toString('base64')

const customer = (customerId: string) => ({
  customerId,
  customerName: `Customer ${customerId}`,
  countryCode: 'NO',
  customerGroupId: '10',
  contactPoints: [{ contactPointType: '1' }],
})
const employee = (employeeId: string, more: object = {}) => ({
  employeeId,
  fullName: `Employee ${employeeId}`,
  badge: employeeId,
  initials: 'E',
  contactPoints: [{ contactPointType: '1' }],
  ...more,
})
const note = (title: string, more: object = {}) => ({
  docType: 'NOTE',
  title,
  fileName: 'a.txt',
  fileContent: content,
  ...more,
})

describe.each(FEWER_KINDS)('purge on %s', (kind) => {
  let place: Place
  let documents: { deleted: string; held: string; kept: string; other: string }

  beforeAll(async () => {
    place = await Place.make(kind, 'test/fixtures/life-cycle.yaml')
    await place.up()
    const made = await sendAll(place, [
      ['POST', 'documents', note('Deleted')],
      ['POST', 'documents', note('Held', { fileContent: Buffer.from('held').toString('base64') })],
      ['POST', 'documents', note('Kept')],
      ['POST', 'documents', note('Other', { fileContent: Buffer.from('other').toString('base64') }), 'SV'],
    ])
    const [deleted = '', held = '', kept = '', other = ''] = made.map(idOf)
    documents = { deleted, held, kept, other }
    await sendAll(place, [
      ['POST', 'customers', customer('GONE')],
      ['POST', 'customers', customer('HELD')],
      ['POST', 'customers', customer('INDEXED')],
      ['POST', 'customers', customer('OPEN')],
      ['POST', 'customers', customer('GONE'), 'SV'],
      ['POST', 'employees', employee('LEFT')],
      ['POST', 'employees', employee('HELD')],
      ['POST', 'employees', employee('BOSS')],
      ['POST', 'employees', employee('STAYS', { managerId: 'BOSS' })],
      ['POST', 'attribute-values', { attributeId: 'C1', attributeValue: 'FREE', description: 'free' }],
      ['POST', 'attribute-values', { attributeId: 'C1', attributeValue: 'HELD-VALUE' }],
      ['POST', 'attribute-values', { attributeId: 'C1', attributeValue: 'OWNER' }],
      ['POST', 'attribute-values', { attributeId: 'DP', attributeValue: 'D1', owner: 'OWNER' }],
      ['POST', 'attribute-values', { attributeId: 'PM', attributeValue: 'CH' }],
      ['POST', 'attribute-values', { attributeId: 'AT', attributeValue: '9' }],
      ['POST', 'attribute-values', { attributeId: 'DP', attributeValue: 'D2' }],
      [
        'POST',
        'attribute-relations',
        { attributeId: 'C1', attributeValue: 'FREE', relatedAttributeId: 'DP', relationValue: 'D1' },
      ],
      [
        'POST',
        'attribute-relations',
        { attributeId: 'C1', attributeValue: 'OWNER', relatedAttributeId: 'DP', relationValue: 'D2' },
      ],
      [
        'POST',
        'documents',
        note('Case', {
          fileContent: Buffer.from('case').toString('base64'),
          docType: 'CASE',
          indexes: [{ sequenceNo: 1, indexValue: 'INDEXED' }],
        }),
      ],
      [
        'PATCH',
        'customers/OPEN',
        [
          { op: 'replace', path: '/customFieldGroups/notes/agent', value: 'CH' },
          { op: 'add', path: '/contactPoints/-', value: { contactPointType: '9' } },
        ],
      ],
      ['DELETE', `documents/${deleted}`],
      ['DELETE', `documents/${held}`],
      ['DELETE', 'customers/GONE'],
      ['DELETE', 'customers/HELD'],
      ['DELETE', 'customers/INDEXED'],
      ['DELETE', 'employees/LEFT'],
      ['DELETE', 'employees/HELD'],
      ['DELETE', 'employees/BOSS'],
      ...['C1/FREE', 'C1/HELD-VALUE', 'C1/OWNER', 'PM/CH', 'AT/9', 'DP/D2'].map((key) => {
        const [attributeId, attributeValue] = key.split('/')
        return ['DELETE', `attribute-values/${attributeId}/${attributeValue}/0`] as const
      }),
    ])
    await place.down()
  })
  afterAll(() => place.remove())

  it('tells in a dry run what it would remove and what it would keep and why, and writes nothing', async () => {
    const before = place.contents()
    const ended = await place.run('purge', '--deleted-before', '1d', '--closed-before', '1d', '--dry-run')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toBe('would remove 0 documents, 0 customers, 0 values; kept: 0 held, 0 in use\n')
    const now = new Date().toISOString()
    const { stdout } = await place.run('purge', '--deleted-before', now, '--closed-before', now, '--dry-run')
    expect(
      stdout
        .split('\n')
        .filter((line) => line.startsWith('EN'))
        .sort(),
    ).toEqual(
      [
        `EN document ${documents.deleted}: would remove: deleted`,
        `EN document ${documents.held}: kept, held by CASE-2`,
        'EN customer GONE: would remove: closed',
        'EN customer HELD: kept, held by CASE-1',
        'EN customer INDEXED: kept, document-archive refer to it',
        'EN employees LEFT: would remove: closed',
        'EN employees HELD: kept, held by CASE-4',
        'EN employees BOSS: kept, employees refer to it',
        'EN value AT 9 0: kept, customers refer to it',
        'EN value C1 FREE 0: would remove: closed',
        'EN value C1 HELD-VALUE 0: kept, held by CASE-3',
        'EN value C1 OWNER 0: kept, attribute-values refer to it',
        'EN value DP D2 0: kept, attribute-relations refer to it',
        'EN value PM CH 0: kept, customers refer to it',
      ].sort(),
    )
    expect(place.contents()).toEqual(before)
  })

  it('removes records, relations, files and search texts for good, each with an entry of the journal', async () => {
    const now = new Date().toISOString()
    const before = place.contents().length
    const ended = await place.run('purge', '--deleted-before', now, '--closed-before', now, '--company', 'EN')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(
      /\nremoved 1 document, 1 customer, 1 value, 1 record of employees; kept: 4 held, 6 in use\n$/,
    )
    // The content of the deleted document is that of a document which stays.
    expect(place.contents()).toHaveLength(before)
    await place.up()
    for (const path of [
      `documents/${documents.deleted}`,
      'customers/GONE',
      'attribute-values/C1/FREE/0',
      'attribute-values/A4/GONE/0',
      'employees/LEFT',
      'attribute-values/EM/LEFT/0',
    ]) {
      expect([path, (await place.send('GET', path)).status]).toEqual([path, 404])
    }
    for (const path of [
      `documents/${documents.held}`,
      `documents/${documents.kept}`,
      'customers/HELD',
      'customers/INDEXED',
      'employees/HELD',
      'employees/BOSS',
      'employees/STAYS',
    ]) {
      expect([path, (await place.send('GET', path)).status]).toEqual([path, 200])
    }
    expect((await place.send('GET', 'customers/GONE', undefined, 'SV')).status).toBe(200)
    const filter = encodeURIComponent(`userId eq 'purge'`)
    const entries = JSON.parse((await place.send('GET', `objects/audit-entries?$filter=${filter}`)).text)
    expect(
      entries.map(({ entity, recordKey, operation }: Record<string, string>) => [entity, recordKey, operation]),
    ).toEqual([
      ['document', JSON.stringify([documents.deleted]), 'delete'],
      ['customer', '["GONE"]', 'delete'],
      ['attribute-value', '["A4","GONE",0]', 'delete'],
      ['employees', '["LEFT"]', 'delete'],
      ['attribute-value', '["EM","LEFT",0]', 'delete'],
      ['attribute-relation', '["C1","FREE","DP","D1"]', 'delete'],
      ['attribute-value', '["C1","FREE",0]', 'delete'],
    ])
    await sendAll(place, [['DELETE', `documents/${documents.kept}`]])
    await place.down()
    await place.run('purge', '--deleted-before', new Date().toISOString())
    expect(place.contents()).toHaveLength(before - 1)
    expect(await run(['audit', 'verify', ...place.options])).toMatchObject({ code: 0 })
    expect(await run(['files', 'check', ...place.options])).toMatchObject({ code: 0 })
  })

  it('removes documents whose expiry date has passed, and expired responses for retries', async () => {
    await place.up()
    const [expired, later] = await sendAll(place, [
      ['POST', 'documents', note('Expired', { fileContent: Buffer.from('expired').toString('base64') })],
      ['POST', 'documents', note('Later', { fileContent: Buffer.from('later').toString('base64') })],
    ])
    await place.down()
    await place.sql(`update document set expiry_date = '2020-01-01T00:00:00.000Z' where title = 'Expired'`)
    const row = `'EN', 'integration', 'a key', 'f', '{}'`
    await place.sql(
      `insert into kept_answer (company_id, client_id, repeat_key, fingerprint, answer, at) values (${row}, '2020-01-01T00:00:00.000Z')`,
    )
    const ended = await place.run('purge', '--expired')
    expect(ended.stdout).toMatch(/^EN document \S+: removed: expired\nremoved 1 document, 0 customers, 0 values/)
    await place.up()
    expect((await place.send('GET', `documents/${idOf(expired ?? { text: '' })}`)).status).toBe(404)
    expect((await place.send('GET', `documents/${idOf(later ?? { text: '' })}`)).status).toBe(200)
    const { text } = await place.send('GET', '../metrics')
    for (const line of ['purged_records 6', 'legal_holds 5', 'idempotency_records 0', 'erased_records 0']) {
      expect(text).toMatch(new RegExp(`^tabularium_${line}$`, 'm'))
    }
    expect(text).toMatch(/^tabularium_purge_time_seconds [1-9]/m)
    await place.down()
  })

  it('keeps everything of a company that is held as a whole', async () => {
    await place.up()
    await sendAll(place, [
      ['POST', 'customers', customer('C'), 'HO'],
      ['DELETE', 'customers/C', undefined, 'HO'],
    ])
    await place.down()
    const { stdout } = await place.run('purge', '--closed-before', new Date().toISOString(), '--company', 'HO')
    const journal = await place.run('purge', '--journal-before', '3d')
    expect(
      journal.stdout
        .split('\n')
        .filter((line) => line.includes('change log'))
        .sort(),
    ).toEqual([
      'EN change log: kept, the company has holds',
      'HO change log: kept, the company has holds',
      'SV change log: emptied 0 entries',
    ])
    expect(stdout).toBe(
      'HO customer C: kept, held by ALL\nremoved 0 documents, 0 customers, 0 values; kept: 1 held, 0 in use\n',
    )
  })

  it.each([
    [[], /name what is to be purged/],
    [['--deleted-before', '2999-01-01'], /must not be in the future/],
    [['--journal-before', '1d'], /It must be more than two days ago/],
    [['--closed-before', 'yesterday'], /It must be a date like 2026-01-31, or an age like 90d, 24m or 10y/],
    [['--expired', '--company', 'XX'], /there is no company XX/],
  ])('bad usage %j ends with exit code 2 and one line', async (args, says) => {
    const ended = await place.run('purge', ...args)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(says)
  })
})
