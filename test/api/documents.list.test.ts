// GET /v1/documents, its parameters: specification, documents 5 and the table of query parameters; decisions 0 and 4.
import { beforeAll, expect, it } from 'vitest'
import { base64, create, information, invoiceOf, noteOf, onEachArchive, urlOf } from '../support/documents.ts'
import { idOf, numberedIds } from '../support/numbered-ids.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'

const ids = numberedIds()
const clock = { at: Date.now() }

const filed = (title: string, ...values: string[]) =>
  invoiceOf(title, { indexes: values.map((indexValue, place) => ({ sequenceNo: place + 1, indexValue })) })

/** In the order of creation; the ids start with 1. */
const ARCHIVE = [
  filed('Rent', 'CC100', '4711'),
  filed('rent, again', 'CC100', '4711', 'Urgent'),
  filed('Power', 'CC200', 'AB-1 ', 'urgent'),
  filed('Power', 'CC200', 'ab-1', 'für Öl'),
  noteOf('Partner', { docType: 'CONTRACT', indexes: [{ sequenceNo: 10, indexValue: 'Nordfjord; AS' }] }),
  noteOf('Partner 2', {
    docType: 'CONTRACT',
    indexes: [
      { sequenceNo: 20, indexValue: '100' },
      { sequenceNo: 10, indexValue: 'Nordfjord AS' },
    ],
  }),
  noteOf('Äpfel und Öl'),
  noteOf('äPFEL'),
  noteOf('Apfel'),
  noteOf('*star'),
  noteOf('100% sure'),
  noteOf('100 sure'),
  noteOf('under_score'),
  noteOf('underscore'),
  noteOf(' lead'),
  noteOf("it's [a] \\ ^test$"),
  noteOf('\u{1f600} smile'),
  noteOf('\uffee wide'),
  noteOf('\u039f\u0394\u039f\u03a3\u0391'),
  noteOf('x'.repeat(255)),
  noteOf('rental'),
]
const [RENT, DELETED] = [idOf(1), idOf(ARCHIVE.length + 1)]
const newestFirst = (titles: readonly string[]) => [...titles].reverse()

/** A query, and the titles of the matching documents, in the order of creation. */
const FILTERS: readonly [rule: string, query: string, titles: readonly string[]][] = [
  ['title: a beginning in any letter case', 'title=RENT', ['Rent', 'rent, again', 'rental']],
  ['title: a beginning, not a part', 'title=ent', []],
  ['title: the whole title is its own beginning', 'title=rent,%20again', ['rent, again']],
  ['title: more than the title is none', 'title=rent,%20again!', []],
  [
    'title: umlauts in any letter case, and as people type them',
    'title=%C3%A4pfel',
    ['Äpfel und Öl', 'äPFEL', 'Apfel'],
  ],
  ['title: umlauts, large', 'title=%C3%84PFEL%20UND%20%C3%96L', ['Äpfel und Öl']],
  ['title: letters and their umlauts', 'title=apfel', ['Äpfel und Öl', 'äPFEL', 'Apfel']],
  ['title: umlauts in two parts', 'title=A%CC%88pfel%20u', ['Äpfel und Öl']],
  ['title: a sigma is one wherever it stands', 'title=%CE%9F%CE%94%CE%9F%CE%A3', ['\u039f\u0394\u039f\u03a3\u0391']],
  ['title: a sigma as the last of a word', 'title=%CE%BF%CE%B4%CE%BF%CF%82', ['\u039f\u0394\u039f\u03a3\u0391']],
  ['title: * is itself', 'title=*', ['*star']],
  ['title: * matches nothing', 'title=ren*', []],
  ['title: % is itself', 'title=100%25', ['100% sure']],
  ['title: % matches nothing', 'title=%25', []],
  ['title: _ is itself', 'title=under_', ['under_score']],
  ['title: signs of patterns are themselves', 'title=it%27s%20%5Ba%5D%20%5C%20%5Etest$', ["it's [a] \\ ^test$"]],
  ['title: not trimmed before', 'title=%20lead', [' lead']],
  ['title: not trimmed before, elsewhere', 'title=+rent', []],
  ['title: not trimmed behind', 'title=rent%20', []],
  ['title: a blank is a character', 'title=+', [' lead']],
  ['title: letters beyond the first plane', 'title=%F0%9F%98%80', ['\u{1f600} smile']],
  ['title: letters below them', 'title=%EF%BF%AE', ['\uffee wide']],
  ['title: 255 characters', `title=${'X'.repeat(255)}`, ['x'.repeat(255)]],
  ['title: 255 characters of any kind', `title=${'%F0%9F%98%80'.repeat(255)}`, []],
  ['doctype: one type', 'doctype=CONTRACT', ['Partner', 'Partner 2']],
  ['doctype: a type without documents', 'docType=MEMO', []],
  ['indexes: the first', 'indexes=CC100', ['Rent', 'rent, again']],
  ['indexes: in any letter case', 'indexes=cc200;ab-1', ['Power']],
  ['indexes: umlauts in any letter case', 'indexes=CC200;AB-1;F%C3%9CR%20%C3%B6l', ['Power']],
  ['indexes: whole values, no beginnings', 'indexes=CC1', []],
  ['indexes: no wildcard', 'indexes=*', []],
  ['indexes: position by position', 'indexes=4711', []],
  ['indexes: the first two', 'indexes=CC100;4711', ['Rent', 'rent, again']],
  ['indexes: an empty segment is an empty value', 'indexes=CC100;4711;', ['Rent']],
  ['indexes: an empty segment in the middle', 'indexes=CC100;;urgent', []],
  ['indexes: an empty first segment', 'indexes=;4711', []],
  ['indexes: empty segments alone', 'indexes=;', []],
  ['indexes: not trimmed behind', 'indexes=cc200;ab-1%20', ['Power']],
  ['indexes: not trimmed before', 'indexes=cc200;%20ab-1', []],
  ['indexes: by the order of their numbers', 'indexes=nordfjord%20as;100', ['Partner 2']],
  ['indexes: a semicolon always separates', 'indexes=Nordfjord;%20AS', []],
  ['indexes: an encoded semicolon separates too', 'indexes=CC100%3B4711%3BUrgent', ['rent, again']],
  ['indexes: more values than indexes', 'indexes=CC100;4711;;', []],
  ['indexes: more values than any document can have', `indexes=${';'.repeat(5_000)}`, []],
  ['indexes: as many values as a document can have', `indexes=${';'.repeat(199)}`, []],
  ['id: that document alone', `id=${RENT}`, ['Rent']],
  ['id: in upper case', `Id=${RENT.toUpperCase()}`, ['Rent']],
  ['id: an unknown one', 'id=0b0ed4a5-6b9b-4b8e-9d3f-5f6f0c1f3a11', []],
  ['id: a deleted one', `id=${DELETED}`, []],
  ['filters combine', 'doctype=INVOICE&title=RENT&indexes=CC100;4711;URGENT', ['rent, again']],
  ['filters combine: none is left out', 'doctype=INVOICE&title=power&indexes=CC100', []],
  ['filters combine with an id', `doctype=CONTRACT&id=${RENT}`, []],
  ['names in any case, with $ or without', '$Title=rent&DOCTYPE=INVOICE&$Indexes=cc100;4711;', ['Rent']],
  [
    'an empty parameter is none',
    '&title=ren&indexes=&doctype=&id=&search=&limit=&start=&withFileContent=&',
    ['Rent', 'rent, again', 'rental'],
  ],
  ['unknown parameters are passed over', 'foo=1&from=1&doc_type=x&title=partner%202&filter=x', ['Partner 2']],
]

const malformed = (query: string, message: string): Scenario => ({
  name: `refuses ${query.slice(0, 60)} with 400, code 1010`,
  url: `/v1/documents?${query}`,
  status: 400,
  json: { code: 1010, message },
})
const illegal = (query: string, message: string): Scenario => ({
  name: `refuses ${query.slice(0, 60)} with 400, code 1020`,
  url: `/v1/documents?${query}`,
  status: 400,
  json: { code: 1020, message },
})

const doubled = [
  'start=0&START=0',
  'limit=1&$top=1',
  'limit=1&$limit=1',
  'title=&Title=',
  'indexes=a&$Indexes=b',
  'docType=NOTE&doctype=NOTE',
  'withFileContent=true&withfilecontent=false',
  'id=x&ID=y',
  'companyId=EN&$companyid=EN',
]

const refusals: Scenario[] = [
  malformed('docType=LETTER', "The value 'LETTER' is not valid for docType."),
  malformed('doctype=SVONLY', "The value 'SVONLY' is not valid for docType."),
  malformed('doctype=+NOTE', "The value ' NOTE' is not valid for docType."),
  malformed('companyId=NO1&doctype=NOTE', "The value 'NOTE' is not valid for docType."),
  malformed(`doctype=${'x'.repeat(60)}`, `The value '${'x'.repeat(40)}...' is not valid for docType.`),
  malformed(`title=${'x'.repeat(256)}`, 'The value of title must have at most 255 characters.'),
  malformed(`title=${'%C3%A4'.repeat(256)}`, 'The value of title must have at most 255 characters.'),
  ...['yes', '1', '0', 'tru', 'true;'].map((value) =>
    malformed(`withFileContent=${value}`, `The value '${value}' is not valid for withFileContent.`),
  ),
  ...['abc', '1.5', '1e3', '0x10', '--1', '%D9%A1', '1,000', '%20'].map((value) =>
    illegal(`start=${value}`, 'Start must be an integer'),
  ),
  ...['-1', '50001', 'abc', '1.5', '1e3', '99999999999', '9'.repeat(400), '-99999999999', '%20'].map((value) =>
    illegal(`limit=${value}`, 'Limit value must be between 0 and 50000'),
  ),
  illegal('$top=50001', 'Limit value must be between 0 and 50000'),
  illegal('start=abc&limit=-1', 'Start must be an integer. Limit value must be between 0 and 50000.'),
  ...doubled.map((query) => {
    const name = /^\w+/.exec(query)?.[0].toLowerCase() ?? ''
    return illegal(query, `The query option '${name === 'companyid' ? 'companyId' : name}' is given more than once.`)
  }),
  illegal('$fitler=x', "Unknown query option '$fitler'; did you mean 'title'?"),
  illegal('$titel=x', "Unknown query option '$titel'; did you mean 'title'?"),
  illegal('$LIMITS=1', "Unknown query option '$LIMITS'; did you mean 'limit'?"),
  ...['x', '0b0ed4a56b9b4b8e9d3f5f6f0c1f3a11', '%20'].map((id) => ({
    name: `refuses the id '${id}', which is no GUID (decision 4)`,
    url: `/v1/documents?id=${id}`,
    status: 400,
    json: information('Guid should contain 32 digits with 4 dashes'),
  })),
  { name: 'refuses what is no percent-encoding', url: '/v1/documents?title=%E4', status: 400, code: 1010 },
  { name: 'refuses a NUL', url: '/v1/documents?title=a%00', status: 400, code: 1010 },
  ...['creator', 'nobody'].map((as) => ({
    name: `rule 5: refuses ${as}, who has no permission, with 403`,
    as,
    url: '/v1/documents?limit=-1',
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  })),
  ...['XX', 'SV', 'null'].map((companyId) => ({
    name: `rule 5: refuses the company ${companyId} with 403, whether it exists or not`,
    url: `/v1/documents?companyId=${companyId}`,
    status: 403,
    json: { code: 2030, message: 'User is not authorised.' },
  })),
  {
    name: 'refuses a caller without credentials',
    as: undefined,
    url: '/v1/documents',
    status: 401,
    json: { statusCode: 401, message: 'Invalid JWT.' },
  },
]

onEachArchive(
  'GET /v1/documents',
  (world) => {
    const get = (query: string, as = 'integration') => world().send({ as, url: `/v1/documents?${query}` })
    const all = ARCHIVE.map(({ title }) => String(title))

    beforeAll(async () => {
      ids.restart()
      for (const body of [...ARCHIVE, noteOf('Rent, deleted')]) {
        clock.at += 1
        await create(world(), body)
      }
      await world().send({ as: 'integration', method: 'DELETE', url: urlOf(DELETED) })
      await create(world(), noteOf('Rent of SV', { companyId: 'SV' }), 'sv')
    })

    it.each(FILTERS)('%s', async (_rule, query, expected) => {
      const { status, json } = await get(`${query}&limit=${query.includes('limit') ? '' : 100}`.replace(/&limit=$/, ''))
      expect([status, json.total, json.count]).toEqual([200, expected.length, expected.length])
      expect(json.items.map(({ title }: { title: string }) => title)).toEqual(newestFirst(expected))
    })

    it('rule 5: answers the first 10 documents of the default company, newest first, when nothing is asked', async () => {
      const { status, json, headers } = await world().send({ as: 'reader', url: '/v1/documents' })
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
      expect(json).toMatchObject({ start: 0, limit: 10, count: 10, total: all.length })
      expect(json.items.map(({ title }: { title: string }) => title)).toEqual(newestFirst(all).slice(0, 10))
    })

    it('envelope and items have exactly the documented members, compact and in their order', async () => {
      const answer = await get('title=rent,%20again')
      const [{ lastUpdate, expiryDate }] = answer.json.items
      const item = {
        id: idOf(2),
        companyId: 'EN',
        docType: 'INVOICE',
        mimeType: 'application/pdf',
        status: 'N',
        expiryDate,
        revisionNo: 1,
        fileName: 'invoice.pdf',
        checkoutUserId: '',
        lastUpdate,
        indexes: ['CC100', '4711', 'Urgent'].map((indexValue, place) => ({ sequenceNo: place + 1, indexValue })),
        title: 'rent, again',
        description: '',
      }
      const whole = JSON.stringify({ start: 0, limit: 10, count: 1, total: 1, items: [item] })
      expect(answer.text).toBe(whole)
      expect(answer.headers['content-length']).toBe(String(whole.length))
      const { id, fileName } = item
      const content = `"fileContent":"${invoiceOf('x').fileContent}","fileName":"${fileName}"`
      const withContent = await get(`id=${id}&withFileContent=true`)
      expect(withContent.text).toBe(whole.replace(`"fileName":"${fileName}"`, content))
      const {
        fileContent: _,
        docSize: _size,
        notificationMessages: _messages,
        ...rest
      } = (await world().send({ as: 'integration', url: urlOf(id) })).json
      expect(item).toEqual(rest)
    })

    it.each(['TRUE', 'true', 'True', '%20true%20'])(
      'withFileContent=%s gives each item its own content',
      async (value) => {
        const { json } = await get(`doctype=NOTE&limit=50&withfilecontent=${value}`)
        expect(json.items).toHaveLength(15)
        for (const { title, fileContent } of json.items) expect(fileContent).toBe(base64(`Content of ${title}`))
      },
    )

    it.each(['FALSE', 'false', 'False', ''])('withFileContent=%s gives none', async (value) => {
      const { json } = await get(`title=rent&withFileContent=${value}`)
      for (const item of json.items) expect(item).not.toHaveProperty('fileContent')
      expect(json.count).toBe(3)
    })

    const total = ARCHIVE.length
    it.each([
      ['start=0', 0, 10, 10],
      ['start=-5', 0, 10, 10],
      ['start=-99999999999999999999', 0, 10, 10],
      ['start=%2B1', 1, 10, 10],
      ['start=', 0, 10, 10],
      [`start=${total - 1}`, total - 1, 10, 1],
      [`start=${total}`, total, 10, 0],
      [`start=${total + 1}`, total + 1, 10, 0],
      ['start=2147483647', 2_147_483_647, 10, 0],
      [`start=${'9'.repeat(400)}`, 2_147_483_647, 10, 0],
      ['limit=', 0, 10, 10],
      ['limit=0', 0, 0, 0],
      ['limit=-0', 0, 0, 0],
      ['limit=0&start=5&withFileContent=true', 5, 0, 0],
      ['limit=1', 0, 1, 1],
      ['limit=007', 0, 7, 7],
      [`limit=${total}`, 0, total, total],
      ['limit=50000', 0, 50_000, total],
      ['$limit=3', 0, 3, 3],
      ['top=4', 0, 4, 4],
      ['$TOP=5&$start=1', 1, 5, 5],
      ['$skip=2&top=3', 2, 3, 3],
      ['Offset=1&limit=1', 1, 1, 1],
      [`start=${total - 2}&limit=50000&withFileContent=true`, total - 2, 50_000, 2],
    ])('%s: start %d, limit %d, count %d', async (query, start, limit, count) => {
      const { status, json, text } = await get(query)
      expect([status, json.items.length]).toEqual([200, count])
      expect(text.startsWith(`{"start":${start},"limit":${limit},"count":${count},"total":${total},"items":[`)).toBe(
        true,
      )
      const titles = newestFirst(all).slice(start, start + limit)
      expect(json.items.map(({ title }: { title: string }) => title)).toEqual(titles)
    })

    it('a company without documents has an empty envelope', async () => {
      expect((await get('companyId=no1')).text).toBe('{"start":0,"limit":10,"count":0,"total":0,"items":[]}')
    })

    it('never lists the documents of another company', async () => {
      const { json } = await get('companyId=sv&title=rent', 'both')
      expect(json.items.map(({ title, companyId }: Record<string, string>) => [title, companyId])).toEqual([
        ['Rent of SV', 'SV'],
      ])
      expect((await get('limit=50000')).text).not.toContain('of SV')
    })

    runScenarios(world, refusals)
  },
  { newId: ids.next, clock: () => new Date(clock.at) },
)
