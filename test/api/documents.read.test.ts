// GET /v1/documents/{id}: specification, documents 4; decisions 0, 1 and 4.
import { beforeAll, expect, it } from 'vitest'
import {
  base64,
  create,
  INDEXES,
  information,
  invoiceOf,
  noteOf,
  onEachArchive,
  PDF,
  revise,
  urlOf,
} from '../support/documents.ts'
import { idOf, numberedIds } from '../support/numbered-ids.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'

const ids = numberedIds()
const [INVOICE, OF_SV, DELETED] = [idOf(1), idOf(2), idOf(3)]
const UNKNOWN = '0b0ed4a5-6b9b-4b8e-9d3f-5f6f0c1f3a11'

const DIGITS = 'Guid should contain 32 digits with 4 dashes'
const FORMAT = 'Unrecognised Guid format.'
const notAuthorised = { code: 2030, message: 'User is not authorised.' }
const notFound = (companyId: string, id: string) => ({
  code: 1040,
  message: `The entity of the following parameters [companyId: ${companyId}, id: ${id}] was not found.`,
})

const malformed = (message: string, given: readonly string[]): Scenario[] =>
  given.map((id) => ({
    name: `rule 4: refuses the id '${id.slice(0, 50)}': ${message}`,
    url: urlOf(id),
    status: 400,
    json: information(message),
  }))

const scenarios: Scenario[] = [
  {
    name: 'rule 4: answers a document to a caller who may only read',
    as: 'reader',
    url: urlOf(INVOICE),
    status: 200,
    includes: { id: INVOICE, companyId: 'EN', fileContent: base64(PDF) },
    answerHeaders: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  },
  {
    name: 'rule 4: finds a document by its id in upper case (decision 4)',
    url: urlOf(INVOICE.toUpperCase()),
    status: 200,
    includes: { id: INVOICE },
  },
  {
    name: 'rule 4: takes the company in any letter case, unknown parameters, an empty one and a slash (habits)',
    url: urlOf(INVOICE, '/?&foo=1&COMPANYID=en'),
    status: 200,
    includes: { id: INVOICE, companyId: 'EN' },
  },
  { name: 'rule 4: takes an empty company as none', url: urlOf(INVOICE, '?companyId='), status: 200 },
  {
    name: 'refuses a company that is named twice (decision 0)',
    url: urlOf(INVOICE, '?companyId=EN&$CompanyID=EN'),
    status: 400,
    code: 1020,
  },
  {
    name: 'answers whatever the caller accepts (decision 0)',
    url: urlOf(INVOICE),
    headers: { accept: 'image/png' },
    status: 200,
    includes: { id: INVOICE },
  },
  {
    name: 'answers a deleted document with its content and status T (decision 4)',
    url: urlOf(DELETED),
    status: 200,
    includes: { id: DELETED, status: 'T', title: 'Deleted', fileContent: base64('Content of Deleted') },
  },
  {
    name: 'rule 4: refuses an unknown id with 404, code 1040, naming companyId and id',
    url: urlOf(UNKNOWN),
    status: 404,
    json: notFound('EN', UNKNOWN),
  },
  {
    name: 'rule 4: names an unknown id as it would be kept, and the company as it is set up',
    url: urlOf(UNKNOWN.toUpperCase(), '?companyId=en'),
    status: 404,
    json: notFound('EN', UNKNOWN),
  },
  {
    name: 'rule 4: does not find the document of another company of the caller',
    as: 'both',
    url: urlOf(INVOICE, '?companyId=SV'),
    status: 404,
    json: notFound('SV', INVOICE),
  },
  {
    name: 'rule 4: finds nothing in a company without document types',
    url: urlOf(INVOICE, '?companyId=NO1'),
    status: 404,
    json: notFound('NO1', INVOICE),
  },
  ...malformed(DIGITS, [
    'x',
    '1',
    '0b0ed4a56b9b4b8e9d3f5f6f0c1f3a11',
    `{${UNKNOWN}}`.replaceAll('{', '%7B').replaceAll('}', '%7D'),
    `${UNKNOWN}0`,
    UNKNOWN.slice(1),
    `${UNKNOWN}%20`,
    `urn:uuid:${UNKNOWN}`,
    `${'%F0%9F%98%80'.repeat(36)}`,
    '..%2F..%2Fetc%2Fpasswd',
    "'%20or%20''='",
    'x'.repeat(500),
  ]),
  ...malformed(FORMAT, [
    UNKNOWN.replace('0', 'g'),
    UNKNOWN.replaceAll('-', '0'),
    UNKNOWN.replace('-', '_'),
    `${UNKNOWN.slice(1)}-`,
    `-${UNKNOWN.slice(1)}`,
    `${UNKNOWN.slice(0, -1)}%20`,
    '0b0ed4a56-b9b-4b8e-9d3f-5f6f0c1f3a11',
    // The letters are wide ones: U+FF41 and U+FF11.
    UNKNOWN.replace('a', '%EF%BD%81'),
    UNKNOWN.replace('1', '%EF%BC%91'),
  ]),
  { name: 'refuses a NUL in the id', url: urlOf(`${UNKNOWN.slice(1)}%00`), status: 400, code: 1010 },
  {
    name: 'rule 5: refuses a caller without the permission',
    as: 'creator',
    url: urlOf(INVOICE),
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'rule 5: refuses a caller without the permission before the id is looked at',
    as: 'nobody',
    url: urlOf('x'),
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'rule 5: refuses an unknown company',
    url: urlOf(INVOICE, '?companyId=XX'),
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'rule 5: refuses the company of somebody else in the same words',
    url: urlOf(OF_SV, '?companyId=SV'),
    status: 403,
    json: notAuthorised,
  },
  {
    name: 'refuses a caller without credentials',
    as: undefined,
    url: urlOf(INVOICE),
    status: 401,
    json: { statusCode: 401, message: 'Invalid JWT.' },
  },
]

onEachArchive(
  'GET /v1/documents/{id}',
  (world) => {
    const get = (url: string, headers: Record<string, string> = {}, as = 'integration') =>
      world().send({ as, url, headers })

    beforeAll(async () => {
      ids.restart()
      await create(world(), invoiceOf('Rent', { description: 'For "May"', expiryDate: '2031-05-01' }))
      await create(world(), noteOf('canary-of-SV', { companyId: 'SV' }), 'sv')
      await create(world(), noteOf('Deleted'))
      await world().send({ as: 'integration', method: 'DELETE', url: urlOf(DELETED) })
    })

    it('rule 4: answers every field of the table, compact and in its order, and no null', async () => {
      const answer = await get(urlOf(INVOICE))
      const { updatedAt } = answer.json.lastUpdate
      expect(updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
      expect(answer.text).toBe(
        JSON.stringify({
          id: INVOICE,
          companyId: 'EN',
          docType: 'INVOICE',
          mimeType: 'application/pdf',
          status: 'N',
          expiryDate: '2031-05-01T00:00:00.000',
          revisionNo: 1,
          fileContent: base64(PDF),
          fileName: 'invoice.pdf',
          checkoutUserId: '',
          lastUpdate: { updatedAt, updatedBy: 'svc-integration' },
          docSize: PDF.length,
          indexes: [...INDEXES, { sequenceNo: 3, indexValue: '' }],
          title: 'Rent',
          description: 'For "May"',
          notificationMessages: {},
        }),
      )
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
    })

    it('rule 4: a document without indexes, description and expiry has them all the same', async () => {
      const { id } = await create(world(), noteOf('Bare'))
      const { json } = await get(urlOf(id))
      expect(json).toMatchObject({ indexes: [], description: '', expiryDate: '2099-12-31T00:00:00.000' })
      expect(JSON.stringify(json)).not.toContain('null')
    })

    it('rule 4: gives every text and every byte back', async () => {
      const bytes = Buffer.from(Array.from({ length: 256 * 3 + 1 }, (_, at) => at % 256))
      const title = 'Ä"\\/\u0001\t\u2028 </script> \u{1f600} \u00a0 null'
      const body = noteOf(title, { fileName: 'Ü \u{1f600}.bin', description: '\r\n', fileContent: base64(bytes) })
      const { id } = await create(world(), body)
      expect((await get(urlOf(id))).json).toMatchObject({
        title,
        fileName: 'Ü \u{1f600}.bin',
        description: '\r\n',
        fileContent: base64(bytes),
        docSize: bytes.length,
      })
    })

    it('rule 4: answers the document of another company byte for byte as one that is not there', async () => {
      const url = (id: string) => urlOf(id, '?companyId=EN')
      const [foreign, unknown] = [await get(url(OF_SV)), await get(url(UNKNOWN))]
      expect(foreign.status).toBe(404)
      expect(foreign.text).toBe(unknown.text.replace(UNKNOWN, OF_SV))
      const headersOf = ({ 'x-request-id': _, date: _date, ...rest }: typeof foreign.headers) => rest
      expect(headersOf(foreign.headers)).toEqual(headersOf(unknown.headers))
    })

    it('answers the content of the newest revision (decision 4)', async () => {
      const { id } = await create(world(), noteOf('Revised'))
      const before = await get(urlOf(id))
      await revise(world(), id, { fileName: 'second.pdf', fileContent: base64(PDF) })
      const after = await get(urlOf(id))
      expect(after.json).toEqual({
        ...before.json,
        revisionNo: 2,
        fileName: 'second.pdf',
        mimeType: 'application/pdf',
        fileContent: base64(PDF),
        docSize: PDF.length,
        lastUpdate: after.json.lastUpdate,
      })
      expect(after.headers.etag).not.toBe(before.headers.etag)
    })

    it('answers 304 without a body to a caller who sends the tag, as a list, weak, or as any (decision 5)', async () => {
      const { headers } = await get(urlOf(INVOICE))
      const etag = String(headers.etag)
      expect(etag).toMatch(/^"\d+"$/)
      for (const named of [etag, `W/${etag}`, `"0", ${etag}`, '*']) {
        const answer = await get(urlOf(INVOICE), { 'if-none-match': named })
        expect([named, answer.status, answer.text, answer.headers.etag]).toEqual([named, 304, '', etag])
      }
      expect((await get(urlOf(INVOICE), { 'if-none-match': '"0"' })).status).toBe(200)
    })

    it('answers a new tag and the record after every change, and never 304 for an id that is not there', async () => {
      const { id } = await create(world(), noteOf('Tagged'))
      const tags = new Set<unknown>()
      const renamed = [{ op: 'replace', path: '/title', value: 'Tagged anew' }]
      const change = [
        () => world().send({ as: 'integration', method: 'PATCH', url: urlOf(id), body: renamed }),
        () => world().send({ as: 'integration', method: 'DELETE', url: urlOf(id) }),
      ]
      for (const next of change) {
        const { headers } = await get(urlOf(id))
        tags.add(headers.etag)
        expect((await next()).status).toBe(200)
        expect((await get(urlOf(id), { 'if-none-match': String(headers.etag) })).status).toBe(200)
      }
      tags.add((await get(urlOf(id))).headers.etag)
      expect(tags.size).toBe(3)
      expect((await get(urlOf(UNKNOWN), { 'if-none-match': '*' })).status).toBe(404)
    })

    it('answers many at once, each with its own content', async () => {
      const made = await Promise.all(Array.from({ length: 20 }, (_, n) => create(world(), noteOf(`Many ${n}`))))
      const read = await Promise.all(made.map(({ id }) => get(urlOf(id))))
      expect(read.map(({ json }) => json.fileContent)).toEqual(made.map(({ title }) => base64(`Content of ${title}`)))
    })

    runScenarios(world, scenarios)
  },
  { newId: ids.next },
)
