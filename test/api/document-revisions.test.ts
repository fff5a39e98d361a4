// POST of a document revision: specification, revisions 4 and 5; decision 4.
import { describe, expect, it } from 'vitest'
import {
  base64,
  create,
  information,
  JPEG,
  NOT_BASE64,
  noteOf,
  onEachArchive,
  PDF,
  PNG,
  postRevision,
  REVISIONS,
  revise,
  urlOf,
} from '../support/documents.ts'
import { findingsIn } from '../support/scenario.ts'
import type { Answer, World } from '../support/world.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const FILE = { comment: 'Corrected', fileName: 'second.txt', fileContent: base64('second') }

onEachArchive('POST of a document revision', (world) => {
  const send = (body: unknown, url = REVISIONS, headers = {}): Promise<Answer> =>
    world().send({ as: 'integration', ...postRevision(body, { url, headers }) })

  describe('a revision that is accepted', () => {
    it('is answered completely, as the single GET answers it, with an address and a tag (rule 4)', async () => {
      const { id } = await create(world(), noteOf('Answered'))
      const answer = await send({ id, ...FILE })
      expect(answer.status).toBe(201)
      expect(Object.keys(answer.json)).toEqual([
        'id',
        'comment',
        'fileContent',
        'fileName',
        'revisionNo',
        'mimeType',
        'lastUpdate',
      ])
      expect(answer.json).toEqual({
        id,
        ...FILE,
        revisionNo: 2,
        mimeType: 'text/plain',
        lastUpdate: {
          updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
          updatedBy: 'svc-integration',
        },
      })
      expect(answer.headers.location).toBe(`${REVISIONS}/${id}/2`)
      const read = await world().send({ as: 'integration', url: `${REVISIONS}/${id}/2` })
      expect(read.text).toBe(answer.text)
      expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)))
    })

    it('has the tag that the document has from then on', async () => {
      const { id } = await create(world(), noteOf('Tagged'))
      const answer = await send({ id, ...FILE })
      const read = await world().send({ as: 'integration', url: urlOf(id) })
      expect(read.headers.etag).toBe(answer.headers.etag)
    })

    it('is of the document in the body, in the path, or the same in both in any letter case (decision 4)', async () => {
      const { id } = await create(world(), noteOf('Addressed'))
      const upper = id.toUpperCase()
      expect((await send({ id: upper, ...FILE })).json).toMatchObject({ id, revisionNo: 2 })
      expect((await send(FILE, `${REVISIONS}/${upper}`)).json).toMatchObject({ id, revisionNo: 3 })
      expect((await send({ id, ...FILE }, `${REVISIONS}/${upper}/`)).json).toMatchObject({ id, revisionNo: 4 })
      expect((await send({ id: null, ...FILE }, `${REVISIONS}/${id}`)).json).toMatchObject({ id, revisionNo: 5 })
    })

    it('has the next number and a type of the service, whatever the client says (rule 4)', async () => {
      const { id } = await create(world(), noteOf('Own ideas'))
      const own = { revisionNo: 77, mimeType: 'x/y', lastUpdate: { updatedBy: 'me', updatedAt: '2001-01-01' } }
      const made = await revise(world(), id, own)
      expect(made).toMatchObject({
        revisionNo: 2,
        mimeType: 'text/plain',
        lastUpdate: { updatedBy: 'svc-integration' },
      })
      expect(await revise(world(), id, { revisionNo: 'x' })).toMatchObject({ revisionNo: 3, mimeType: 'text/plain' })
    })

    it('may have a file of another type than the document, which follows it (decision 4)', async () => {
      const made = await create(world(), noteOf('Followed', { description: 'Stays', expiryDate: '2031-01-01' }))
      await revise(world(), made.id, { fileName: 'scan..pdf', fileContent: base64(PDF) })
      const { json: now } = await world().send({ as: 'integration', url: urlOf(made.id) })
      const { lastUpdate, ...rest } = now
      expect(rest).toEqual({
        ...Object.fromEntries(Object.entries(made).filter(([name]) => name !== 'lastUpdate')),
        fileName: 'scan..pdf',
        mimeType: 'application/pdf',
        docSize: PDF.length,
        fileContent: base64(PDF),
        revisionNo: 2,
      })
      expect(lastUpdate.updatedAt >= made.lastUpdate.updatedAt).toBe(true)
      const listed = await world().send({ as: 'integration', url: `/v1/documents?id=${made.id}&withFileContent=true` })
      expect(listed.json.items[0]).toMatchObject({ revisionNo: 2, fileContent: base64(PDF), lastUpdate })
    })

    it('leaves the older ones as they were, for ever (decision 4)', async () => {
      const { id } = await create(world(), noteOf('Kept'))
      await revise(world(), id, { comment: 'second', fileName: 'b.png', fileContent: base64(PNG) })
      const before = await revisionTexts(world(), id, 2)
      await revise(world(), id, { comment: 'third', fileContent: base64('third') })
      const patch = [{ op: 'replace', path: '/title', value: 'Other' }]
      expect((await world().send({ as: 'integration', method: 'PATCH', url: urlOf(id), body: patch })).status).toBe(200)
      expect((await world().send({ as: 'integration', method: 'DELETE', url: urlOf(id) })).status).toBe(200)
      expect(await revisionTexts(world(), id, 2)).toEqual(before)
      expect(JSON.parse(before[0] ?? '')).toMatchObject({ comment: '', fileContent: base64('Content of Kept') })
      expect(JSON.parse(before[1] ?? '')).toMatchObject({ comment: 'second', fileContent: base64(PNG) })
    })

    it('is read in PascalCase, with nulls and unknown members (client habits)', async () => {
      const { id } = await create(world(), noteOf('Pascal'))
      const body = { Id: id, Comment: 'x', FileName: 'a.txt', FileContent: base64('x'), RevisionNo: null, Other: {} }
      expect((await send(body)).json).toMatchObject({ id, revisionNo: 2, comment: 'x' })
    })

    it('has one number of its own without a gap, however many come at once', async () => {
      const { id } = await create(world(), noteOf('Race'))
      const texts = Array.from({ length: 16 }, (_one, at) => `content ${at}`)
      const answers = await Promise.all(
        texts.map((text) => send({ id, comment: text, fileName: 'race.txt', fileContent: base64(text) })),
      )
      expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 201))
      const numbers = answers.map(({ json }) => json.revisionNo as number).sort((a, b) => a - b)
      expect(numbers).toEqual(texts.map((_text, at) => at + 2))
      for (const answer of answers) {
        const read = await world().send({ as: 'integration', url: `${REVISIONS}/${id}/${answer.json.revisionNo}` })
        expect(read.text).toBe(answer.text)
      }
      const newest = answers.find(({ json }) => json.revisionNo === 17)
      const { json } = await world().send({ as: 'integration', url: urlOf(id) })
      expect(json).toMatchObject({ revisionNo: 17, fileContent: newest?.json.fileContent })
    })

    it('is refused when the document has changed since (decision 5)', async () => {
      const { id } = await create(world(), noteOf('Matched'))
      const first = await world().send({ as: 'integration', url: urlOf(id) })
      const tag = String(first.headers.etag)
      const second = await send({ id, ...FILE }, REVISIONS, { 'if-match': tag })
      expect(second.status).toBe(201)
      const before = await world().dump()
      const third = await send({ id, ...FILE }, REVISIONS, { 'if-match': tag })
      expect([third.status, third.json.code]).toEqual([409, 3090])
      expect(third.json.message).toMatch(/ changed (?=.*\bfileContent\b)(?!.*fileHash)/)
      expect(await world().changesSince(before)).toEqual([])
      expect((await send({ id, ...FILE }, REVISIONS, { 'if-match': String(second.headers.etag) })).status).toBe(201)
      expect((await send({ id, ...FILE }, REVISIONS, { 'if-match': '*' })).status).toBe(201)
    })

    it('succeeds at most once for those that know the same state', async () => {
      const { id } = await create(world(), noteOf('One winner'))
      const { headers } = await world().send({ as: 'integration', url: urlOf(id) })
      const tag = { 'if-match': String(headers.etag) }
      // Contents of their own: the S3 service of the tests does not replace a content in one go.
      const all = Array.from({ length: 8 }, (_one, at) =>
        send({ id, ...FILE, fileContent: base64(`winner ${at}`) }, REVISIONS, tag),
      )
      const statuses = (await Promise.all(all)).map(({ status }) => status).sort()
      expect(statuses).toEqual([201, ...Array(7).fill(409)])
    })
  })

  const REQUIRED = (field: string) => ({ code: 1010, message: `The ${field} field is required.` })
  const MISSING = {
    code: 1010,
    message: 'The FileContent field is required. The Comment field is required. The FileName field is required.',
  }

  /** Refusals of a body for a document that is there. */
  const refusals: [name: string, changes: object, answer: unknown][] = [
    ['without a comment', { comment: undefined }, REQUIRED('Comment')],
    ['with an empty comment', { comment: '' }, REQUIRED('Comment')],
    ['with a comment that is null', { comment: null }, REQUIRED('Comment')],
    ['without content', { fileContent: undefined }, REQUIRED('FileContent')],
    ['with an empty content', { fileContent: '' }, REQUIRED('FileContent')],
    ['without a file name', { fileName: undefined }, REQUIRED('FileName')],
    ['with a content of blanks', { fileContent: ' \r\n\t' }, REQUIRED('FileContent')],
    ['with an empty file name', { fileName: '' }, REQUIRED('FileName')],
    ['with nothing at all', { comment: '', fileContent: '', fileName: '' }, MISSING],
    ['with content that is no base64', { fileContent: 'a?b=' }, information(NOT_BASE64)],
    [
      'with content that is a number',
      { fileContent: 5 },
      { code: 1010, message: 'The field fileContent must be a string.' },
    ],
    [
      'with content that is an object',
      { fileContent: {} },
      { code: 1010, message: 'The field fileContent must be a string.' },
    ],
  ]
  it.each(refusals)('refuses one %s (rule 4)', async (_name, changes, answer) => {
    await expectRefused(changes, 400, answer)
  })

  const TRAILING = 'File name must not end with a dot or a blank'
  const findings: [name: string, changes: object, field: string, code: number, message: string][] = [
    ['without an ending', { fileName: 'second' }, 'fileName', 3010, 'File name must include an extension'],
    ['that is nothing but an ending', { fileName: '.txt' }, 'fileName', 3010, 'File name must include an extension'],
    ['that ends with a dot', { fileName: 'second.txt.' }, 'fileName', 3010, TRAILING],
    ['that ends with a blank', { fileName: 'second.txt ' }, 'fileName', 3010, TRAILING],
    ['of dots and a blank of another kind', { fileName: '..\u00a0' }, 'fileName', 3010, TRAILING],
    [
      'of a picture with another one in it',
      { fileName: 'photo.jpg', fileContent: base64(PNG) },
      'mimeType',
      3010,
      'The content of photo.jpg is not image/jpeg',
    ],
    ['of a PDF that is none', { fileName: 'a.pdf' }, 'mimeType', 3010, 'The content of a.pdf is not application/pdf'],
    ['with a path in it', { fileName: '../a.txt' }, 'fileName', 3010, "File name must not contain '/' or '\\'"],
  ]
  it.each(findings)('refuses a file name %s (rule 4)', async (_name, changes, field, code, message) => {
    const answer = await expectRefused(changes, 400)
    expect(findingsIn(answer.json)).toEqual({ [field]: [code, message] })
    expect(answer.json).toMatchObject({ comment: 'Corrected', fileName: { ...FILE, ...changes }.fileName })
    expect(answer.json.fileContent).toBeUndefined()
  })

  it('refuses a comment that is too long', async () => {
    const answer = await expectRefused({ comment: 'x'.repeat(4_001) }, 400)
    expect(findingsIn(answer.json).comment?.[0]).toBe(1010)
    const { id } = await create(world(), noteOf('Long comment'))
    await revise(world(), id, { comment: 'x'.repeat(4_000) })
  })

  it('reports all errors together (decision 1)', async () => {
    const { json } = await expectRefused({ comment: '', fileName: 'photo', fileContent: '' }, 400)
    expect(findingsIn(json)).toEqual({
      comment: [1010, 'The Comment field is required.'],
      fileName: [3010, 'File name must include an extension'],
      fileContent: [1010, 'The FileContent field is required.'],
    })
    const alone = await send({})
    expect([alone.status, alone.json]).toEqual([
      400,
      { code: 1010, message: `The Id field is required. ${MISSING.message}` },
    ])
  })

  it.each([
    ['32 digits without dashes', UNKNOWN.replaceAll('-', ''), 'Guid should contain 32 digits with 4 dashes'],
    ['a word', 'abc', 'Guid should contain 32 digits with 4 dashes'],
    ['a wrong letter', UNKNOWN.replace('4', 'g'), 'Unrecognised Guid format.'],
    ['a dash at the wrong place', `0${UNKNOWN.slice(0, 8)}${UNKNOWN.slice(9)}`, 'Unrecognised Guid format.'],
  ])('refuses an id that is no GUID: %s (decision 4)', async (_name, id, message) => {
    for (const answer of [await send({ id, ...FILE }), await send(FILE, `${REVISIONS}/${id}`)]) {
      expect([answer.status, answer.json]).toEqual([400, information(message)])
    }
  })

  it('refuses an id in the body that differs from the one in the path (decision 4)', async () => {
    const { id } = await create(world(), noteOf('Differs'))
    const before = await world().dump()
    const answer = await send({ id: UNKNOWN, ...FILE }, `${REVISIONS}/${id}`)
    expect([answer.status, answer.json.code]).toEqual([400, 1010])
    expect(answer.json.message).toBe(`The id '${id}' of the path and '${UNKNOWN}' of the body differ.`)
    expect(await world().changesSince(before)).toEqual([])
  })

  it('refuses an unknown document, and one of another company with the same message (decision 4)', async () => {
    const { id: foreign } = await create(world(), noteOf('canary-of-SV'), 'sv')
    const before = await world().dump()
    for (const id of [UNKNOWN, foreign]) {
      for (const answer of [await send({ id, ...FILE }), await send(FILE, `${REVISIONS}/${id}`)]) {
        const message = `The entity of the following parameters [companyId: EN, id: ${id}] was not found.`
        expect([answer.status, answer.json]).toEqual([404, { code: 1040, message }])
      }
    }
    expect(await world().changesSince(before)).toEqual([])
  })

  it('refuses one of a deleted document (decision 4)', async () => {
    const { id } = await create(world(), noteOf('Gone'))
    await world().send({ as: 'integration', method: 'DELETE', url: urlOf(id) })
    const before = await world().dump()
    const answer = await send({ id, ...FILE })
    expect([answer.status, answer.json.code]).toEqual([422, 3010])
    expect(await world().changesSince(before)).toEqual([])
  })

  it.each([
    ['a caller who may only read', 'reader', ''],
    ['a caller who may only create', 'creator', ''],
    ['a caller who may nothing', 'nobody', ''],
    ['an unknown company', 'integration', '?companyId=XX'],
    ['the company of somebody else', 'integration', '?companyId=SV'],
  ])('refuses %s (rule 5)', async (_name, as, query) => {
    const { id } = await create(world(), noteOf('Guarded'))
    const before = await world().dump()
    for (const path of [REVISIONS, `${REVISIONS}/${id}`]) {
      const answer = await world().send({ as, ...postRevision({ id, ...FILE }, { url: path + query }) })
      expect([answer.status, answer.json]).toEqual([403, { code: 2030, message: 'User is not authorised.' }])
    }
    expect(await world().changesSince(before)).toEqual([])
  })

  it('is of the company in the body or in the query; two that differ are refused (decision 1)', async () => {
    const { id } = await create(world(), noteOf('Of SV', { companyId: 'SV' }), 'both')
    const as = { as: 'both', ...postRevision({ id, ...FILE, companyId: 'sv' }) }
    expect((await world().send(as)).status).toBe(201)
    const inQuery = { as: 'both', ...postRevision({ id, ...FILE }, { url: `${REVISIONS}?companyId=SV` }) }
    expect((await world().send(inQuery)).status).toBe(201)
    const differ = await world().send({ ...as, url: `${REVISIONS}?companyId=EN` })
    expect([differ.status, differ.json.code]).toEqual([400, 1010])
  })

  /** A content and a name that are valid, except for the changes. */
  async function expectRefused(changes: object, status: number, answer?: unknown): Promise<Answer> {
    const { id } = await create(world(), noteOf('Refused', { fileName: 'a.jpg', fileContent: base64(JPEG) }))
    const before = await world().dump()
    const refused = await send({ id, ...FILE, ...changes })
    expect([refused.status, refused.status === status ? '' : refused.text]).toEqual([status, ''])
    if (answer !== undefined) expect(refused.json).toEqual(answer)
    expect(await world().changesSince(before)).toEqual([])
    return refused
  }
})

async function revisionTexts(world: World, id: string, most: number): Promise<string[]> {
  const texts: string[] = []
  for (let no = 1; no <= most; no++) {
    texts.push((await world.send({ as: 'integration', url: `${REVISIONS}/${id}/${no}` })).text)
  }
  return texts
}
