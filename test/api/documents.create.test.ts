// POST /v1/documents: specification, documents 1 to 3; decision 4.
import { describe, expect, it } from 'vitest'
import {
  base64,
  create,
  DOCUMENTS,
  INDEXES,
  information,
  invoiceOf,
  JPEG,
  NOT_BASE64,
  noteOf,
  onEachArchive,
  PDF,
  PNG,
  post,
  urlOf,
} from '../support/documents.ts'
import { runScenarios } from '../support/scenario.ts'
import type { World } from '../support/world.ts'

const GUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
/** No day ends while the tests run, and the day is in every year. */
const NOW = new Date('2026-03-10T12:00:00.000Z')
const [TODAY, YESTERDAY] = ['2026-03-10', '2026-03-09']

onEachArchive('POST /v1/documents', declareTests, { clock: () => NOW })

function declareTests(world: () => World): void {
  describe('a document that is accepted', () => {
    it('is answered completely, as the single GET answers it, with an address and a tag (rule 1)', async () => {
      const answer = await world().send({ as: 'integration', ...post(invoiceOf('Rent', { description: 'For May' })) })
      expect(answer.status).toBe(201)
      const { id, lastUpdate, expiryDate, ...rest } = answer.json
      expect(id).toMatch(GUID)
      expect(rest).toEqual({
        companyId: 'EN',
        docType: 'INVOICE',
        mimeType: 'application/pdf',
        status: 'N',
        revisionNo: 1,
        fileContent: base64(PDF),
        fileName: 'invoice.pdf',
        checkoutUserId: '',
        docSize: PDF.length,
        indexes: [...INDEXES, { sequenceNo: 3, indexValue: '' }],
        title: 'Rent',
        description: 'For May',
        notificationMessages: {},
      })
      expect(lastUpdate).toEqual({
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
        updatedBy: 'svc-integration',
      })
      expect(answer.headers.location).toBe(urlOf(id))
      const read = await world().send({ as: 'integration', url: urlOf(id) })
      expect(read.text).toBe(answer.text)
      expect(read.headers.etag).toBe(answer.headers.etag)
      expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)))
    })

    it('has an id, a size, a number and a status of the service, whatever the client says (rule 3)', async () => {
      const id = '11111111-2222-3333-4444-555555555555'
      const made = await create(world(), noteOf('Own ideas', { id, docSize: 5, revisionNo: 7, status: 'C' }))
      expect(made).toMatchObject({ revisionNo: 1, status: 'N', docSize: 'Content of Own ideas'.length })
      expect(made.id).not.toBe(id)
      const others = { id: {}, docSize: 'x', revisionNo: '', status: [] }
      expect(await create(world(), noteOf('Of other types', others))).toMatchObject({ revisionNo: 1, status: 'N' })
    })

    it('expires when its type says, counted from the day (rule 2)', async () => {
      const { expiryDate } = await create(world(), invoiceOf('Ten years'))
      expect(expiryDate).toBe('2036-03-10T00:00:00.000')
    })

    it.each([
      ['today', TODAY, `${TODAY}T00:00:00.000`],
      ['a later day', '2099-01-31', '2099-01-31T00:00:00.000'],
      ['a day without expiry of its type', '2031-05-01T12:00:00Z', '2031-05-01T12:00:00.000'],
    ])('expires on %s when the client says so (rule 2)', async (_name, given, answered) => {
      expect((await create(world(), noteOf('Expires', { expiryDate: given }))).expiryDate).toBe(answered)
      expect((await create(world(), invoiceOf('Expires', { expiryDate: given }))).expiryDate).toBe(answered)
    })

    it('never expires when neither says so (decision 4)', async () => {
      expect((await create(world(), noteOf('For ever'))).expiryDate).toBe('2099-12-31T00:00:00.000')
    })

    it('has its indexes in the order of their numbers, and empty where they were left out (decision 4)', async () => {
      const contract = { docType: 'CONTRACT', indexes: [{ sequenceNo: 10, indexValue: 'Nordfjord AS' }] }
      const made = await create(world(), noteOf('Contract', contract))
      expect(made.indexes).toEqual([
        { sequenceNo: 10, indexValue: 'Nordfjord AS' },
        { sequenceNo: 20, indexValue: '' },
      ])
    })

    it.each([
      ['page.PDF', PDF, 'application/pdf'],
      ['photo.jpg', JPEG, 'image/jpeg'],
      ['photo.jpeg', JPEG, 'image/jpeg'],
      ['scan.png', PNG, 'image/png'],
      ['notes.txt', Buffer.from('text'), 'text/plain'],
      ['list.csv', Buffer.from('a;b'), 'text/csv'],
      [
        'letter.docx',
        Buffer.from('PK\x03\x04'),
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      ],
      ['thing.xyz', Buffer.from('?'), 'application/octet-stream'],
      ['thing.xyzzy', Buffer.from('?'), 'application/octet-stream'],
      ['without', Buffer.from('?'), 'application/octet-stream'],
      ['.hidden', Buffer.from('?'), 'application/octet-stream'],
    ])('called %s has the type of its ending (decision 4)', async (fileName, content, mimeType) => {
      const made = await create(world(), noteOf('Typed', { fileName, fileContent: base64(content), mimeType: 'x/y' }))
      expect(made).toMatchObject({ fileName, mimeType, docSize: content.length, fileContent: base64(content) })
    })

    it('is read in PascalCase, with nulls and unknown members (client habits)', async () => {
      const body = Object.fromEntries(
        Object.entries(noteOf('Pascal')).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]),
      )
      const made = await create(world(), { ...body, Description: null, Unknown: 1, Indexes: null })
      expect(made).toMatchObject({ title: 'Pascal', description: '', indexes: [] })
    })

    it('stores equal contents once', async () => {
      const body = noteOf('Twice', { fileContent: base64('the very same bytes') })
      const [one, other] = [await create(world(), body), await create(world(), body)]
      expect(one.id).not.toBe(other.id)
      const rows = await world().query(
        `select distinct file_hash from document_revision where document_id in ('${one.id}', '${other.id}')`,
      )
      expect(rows).toHaveLength(1)
    })

    it('is stored for the company in the body or in the query, by default that of the caller (rule 1)', async () => {
      expect((await create(world(), noteOf('Default'))).companyId).toBe('EN')
      expect((await create(world(), noteOf('In the body', { companyId: 'sv' }), 'both')).companyId).toBe('SV')
      const inQuery = await world().send({
        as: 'both',
        ...post(noteOf('In the query')),
        url: `${DOCUMENTS}?companyId=SV`,
      })
      expect([inQuery.status, inQuery.json.companyId]).toEqual([201, 'SV'])
    })
  })

  const required = (field: string) => ({ code: 1010, message: `The ${field} field is required.` })
  const field = (name: string, code: number, message: string) => ({
    status: 400,
    findings: { [name]: [code, message] as const },
  })
  const { title: _title, ...untitled } = noteOf('x')
  const { fileContent: _content, ...empty } = noteOf('x')

  runScenarios(world, [
    { name: 'rule 1: refuses a document without a title', ...post(untitled), status: 400, json: required('Title') },
    { name: 'rule 1: refuses an empty title', ...post(noteOf('')), status: 400, json: required('Title') },
    {
      name: 'rule 1: refuses a title that is null',
      ...post(noteOf('x', { title: null })),
      status: 400,
      json: required('Title'),
    },
    {
      name: 'rule 1: refuses a document without a type',
      ...post(noteOf('x', { docType: '' })),
      status: 400,
      json: required('DocType'),
    },
    {
      name: 'rule 1: refuses a document without a file name',
      ...post(noteOf('x', { fileName: '' })),
      status: 400,
      json: required('FileName'),
    },
    { name: 'rule 1: refuses a document without content', ...post(empty), status: 400, json: required('FileContent') },
    {
      name: 'rule 1: refuses an empty content',
      ...post(noteOf('x', { fileContent: '' })),
      status: 400,
      json: required('FileContent'),
    },
    {
      name: 'rule 1: says that a content that is a number must be a string',
      ...post(noteOf('x', { fileContent: 5 })),
      status: 400,
      json: { code: 1010, message: 'The field fileContent must be a string.' },
    },
    {
      name: 'refuses an index without a number, and says that alone (rule 1)',
      ...post(invoiceOf('x', { indexes: [...INDEXES, { indexValue: 'x' }] })),
      status: 400,
      json: required('SequenceNo'),
    },
    {
      name: 'rule 1: refuses a content that is null',
      ...post(noteOf('x', { fileContent: null })),
      status: 400,
      json: required('FileContent'),
    },
    {
      name: 'tells everything that is missing together (decision 1)',
      ...post({}),
      status: 400,
      json: {
        code: 1010,
        message:
          'The FileContent field is required. The DocType field is required. The FileName field is required. The Title field is required.',
      },
    },
    {
      name: 'rule 1: refuses an index without a value',
      ...post(invoiceOf('x', { indexes: [...INDEXES, { sequenceNo: 3 }] })),
      status: 400,
      json: required('IndexValue'),
    },
    {
      name: 'rule 1: refuses an index with an empty value',
      ...post(invoiceOf('x', { indexes: [...INDEXES, { sequenceNo: 3, indexValue: '' }] })),
      status: 400,
      json: required('IndexValue'),
    },
    ...['@@@@', 'YWJ', 'YWJj=', 'YW=Jj', '=====', 'YW-_', 'data:text/plain;base64,YWJj', 'YWJjY==='].map(
      (fileContent) => ({
        name: `rule 1: refuses content that is no base64: ${JSON.stringify(fileContent)}`,
        ...post(noteOf('x', { fileContent })),
        status: 400,
        json: information(NOT_BASE64),
      }),
    ),
    {
      name: 'rule 1: refuses a value that its attribute does not have',
      ...post(invoiceOf('x', { indexes: [{ sequenceNo: 1, indexValue: 'CC999' }, INDEXES[1]] })),
      ...field('indexes', 3010, 'Value CC999 is not valid for attribute COSTC'),
    },
    {
      name: 'rule 1: refuses a document that lacks a required index',
      ...post(invoiceOf('x', { indexes: [INDEXES[1]] })),
      ...field('indexes', 3010, 'You must enter a value for Cost centre'),
    },
    {
      name: 'rule 1: refuses an invoice without indexes, with a message for each that is required',
      ...post(invoiceOf('x', { indexes: undefined })),
      status: 400,
      includes: {
        docType: 'INVOICE',
        notificationMessages: {
          indexes: [
            { code: 3010, message: 'You must enter a value for Cost centre' },
            { code: 3010, message: 'You must enter a value for Invoice number' },
          ],
        },
      },
    },
    {
      name: 'refuses an index that the type does not have (decision 4)',
      ...post(noteOf('x', { indexes: [{ sequenceNo: 1, indexValue: 'a' }] })),
      ...field('indexes', 3010, 'Document type NOTE has no index 1: it has none'),
    },
    {
      name: 'refuses an index that is no object, and says that alone (decision 1)',
      ...post(invoiceOf('x', { indexes: [...INDEXES, 'third'] })),
      status: 400,
      json: { code: 1010, message: 'The field indexes[2] must be an object.' },
    },
    {
      name: 'refuses an index that is given twice',
      ...post(invoiceOf('x', { indexes: [...INDEXES, INDEXES[0]] })),
      ...field('indexes', 3010, 'Index 1 is given twice'),
    },
    {
      name: 'refuses an index value that is too long',
      ...post(invoiceOf('x', { indexes: [INDEXES[0], { sequenceNo: 2, indexValue: 'x'.repeat(31) }] })),
      ...field('indexes', 3010, `Value ${'x'.repeat(31)} is longer than the 30 characters of Invoice number`),
    },
    {
      name: 'rule 2: refuses an expiry date before today',
      ...post(noteOf('x', { expiryDate: YESTERDAY })),
      ...field('expiryDate', 3010, 'The expiry date must be after today'),
    },
    {
      name: 'refuses an expiry date that is none (decision 1)',
      ...post(noteOf('x', { expiryDate: '31.12.2030' })),
      status: 400,
      code: 1010,
    },
    {
      name: 'refuses a type that the company does not have',
      ...post(noteOf('x', { docType: 'LETTER' })),
      ...field('docType', 3010, 'LETTER is not a legal DocType'),
    },
    {
      name: 'refuses a type that only another company has, in the same words',
      ...post(noteOf('x', { docType: 'SVONLY' })),
      ...field('docType', 3010, 'SVONLY is not a legal DocType'),
    },
    {
      name: 'refuses a picture that is none of the kind that its name says (decision 4)',
      ...post(noteOf('x', { fileName: 'photo.jpg', fileContent: base64(PNG) })),
      ...field('mimeType', 3010, 'The content of photo.jpg is not image/jpeg'),
    },
    ...['../x.pdf', 'a/b.pdf', 'a\\b.pdf', 'a\u0001.pdf', 'a\u202efdp.exe', '..', ' ', 'x'.repeat(4_000)].map(
      (fileName) => ({
        name: `refuses the file name ${JSON.stringify(fileName.slice(0, 20))}`,
        ...post(noteOf('x', { fileName })),
        status: 400,
        includes: { notificationMessages: { fileName: [{ code: 3010 }] } },
      }),
    ),
    {
      name: 'refuses a title of more than 255 characters',
      ...post(noteOf('x'.repeat(256))),
      ...field('title', 1010, 'The field Title must be a string or array type with a maximum length of 255.'),
    },
    {
      name: 'tells findings of every kind together, and never gives the content back',
      ...post(invoiceOf('', { fileName: 'a/b', expiryDate: YESTERDAY, indexes: [] })),
      status: 400,
      json: {
        docType: 'INVOICE',
        title: '',
        fileName: 'a/b',
        expiryDate: `${YESTERDAY}T00:00:00.000`,
        indexes: [],
        notificationMessages: {
          fileName: [{ code: 3010, message: "File name must not contain '/' or '\\'" }],
          title: [{ code: 1010, message: 'The Title field is required.' }],
          expiryDate: [{ code: 3010, message: 'The expiry date must be after today' }],
          indexes: [
            { code: 3010, message: 'You must enter a value for Cost centre' },
            { code: 3010, message: 'You must enter a value for Invoice number' },
          ],
        },
      },
    },
    ...['a.txt.', 'a.txt ', 'a.', ' . '].map((fileName) => ({
      name: `refuses the file name '${fileName}'`,
      ...post(noteOf('Trailing', { fileName })),
      ...field('fileName', 3010, 'File name must not end with a dot or a blank'),
    })),
    {
      name: 'refuses what is no JSON, with the position in the body as it was sent',
      ...post('{"fileContent":"YWJj","title":}'),
      status: 400,
      json: { code: 1010, message: "Malformed JSON at position 30: expected a value, found '}'" },
    },
    {
      name: 'refuses a content that is given twice',
      ...post('{"fileContent":"YWJj","FileContent":"YWJj"}'),
      status: 400,
      code: 1010,
    },
    { name: 'refuses a body that is no object', ...post('[]'), status: 400, code: 1010 },
    {
      name: 'refuses a company in the body that differs from the one in the query',
      ...post(noteOf('x', { companyId: 'SV' })),
      as: 'both',
      url: `${DOCUMENTS}?companyId=EN`,
      status: 400,
      code: 1010,
    },
    {
      name: 'rule 5: refuses a caller without the permission',
      ...post(noteOf('x')),
      as: 'reader',
      status: 403,
      json: { code: 2030, message: 'User is not authorised.' },
    },
    {
      name: 'rule 5: refuses an unknown company',
      ...post(noteOf('x', { companyId: 'XX' })),
      status: 403,
      json: { code: 2030, message: 'User is not authorised.' },
    },
    {
      name: 'rule 5: refuses the company of somebody else in the same words',
      ...post(noteOf('x', { companyId: 'SV' })),
      status: 403,
      json: { code: 2030, message: 'User is not authorised.' },
    },
    {
      name: 'refuses a caller without credentials',
      ...post(noteOf('x')),
      as: undefined,
      status: 401,
      json: { statusCode: 401, message: 'Invalid JWT.' },
    },
  ])
}
