// GET of document revisions, the list and a single one: specification, revisions 1, 2 and 5.
import { beforeAll, describe, expect, it } from 'vitest'
import { base64, create, information, noteOf, onEachArchive, REVISIONS, revise, urlOf } from '../support/documents.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const LARGEST = 2_147_483_647

onEachArchive('GET of document revisions', (world) => {
  let id = ''
  let foreign = ''
  beforeAll(async () => {
    id = (await create(world(), noteOf('First'))).id
    await revise(world(), id, { comment: 'second', fileName: 'b.txt', fileContent: base64('two') })
    await revise(world(), id, { comment: 'third', fileName: 'c.txt', fileContent: base64('three') })
    foreign = (await create(world(), noteOf('canary-of-SV'), 'sv')).id
  })

  const get = (path: string, as: string | undefined = 'integration') =>
    world().send({ url: `${REVISIONS}/${path}`, ...(as === '' ? {} : { as }) })

  describe('the list', () => {
    it('is an envelope, letter by letter, of all with their contents in their order (rule 1)', async () => {
      const items: string[] = []
      for (const no of [1, 2, 3]) items.push((await get(`${id}/${no}`)).text)
      const answer = await get(id)
      expect(answer.status).toBe(200)
      expect(answer.text).toBe(`{"start":0,"limit":10,"count":3,"total":3,"items":[${items.join(',')}]}`)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.json.items[0]).toEqual({
        id,
        comment: '',
        fileContent: base64('Content of First'),
        fileName: 'note.txt',
        revisionNo: 1,
        mimeType: 'text/plain',
        lastUpdate: { updatedAt: expect.any(String), updatedBy: 'svc-integration' },
      })
    })

    it.each([
      ['', 0, 10, [1, 2, 3]],
      ['?limit=0', 0, 0, []],
      ['?limit=0&start=2', 0, 0, []],
      ['?limit=1', 0, 1, [1]],
      ['?limit=1&start=2', 2, 1, [3]],
      ['?limit=2&start=1', 1, 2, [2, 3]],
      ['?limit=2&start=2', 2, 2, [3]],
      ['?start=3', 3, 10, []],
      ['?start=4', 4, 10, []],
      [`?start=${LARGEST}&limit=${LARGEST}`, LARGEST, LARGEST, []],
      [`?limit=${LARGEST}`, 0, LARGEST, [1, 2, 3]],
      ['?start=-1', 0, 10, [1, 2, 3]],
      ['?start=&limit=', 0, 10, [1, 2, 3]],
      ['?&START=1&Limit=1&unknown=x&companyid=en', 1, 1, [2]],
      ['?$start=1&$top=1', 1, 1, [2]],
    ])('is paged by start and limit: %s (rule 1)', async (query, start, limit, numbers) => {
      const { status, json } = await get(id + query)
      expect(status).toBe(200)
      const { items, ...envelope } = json
      if (query.includes('limit=0')) expect(envelope).toMatchObject({ limit: 0, count: 0, total: 3 })
      else expect(envelope).toEqual({ start, limit, count: numbers.length, total: 3 })
      expect(items.map((item: { revisionNo: number }) => item.revisionNo)).toEqual(numbers)
    })

    it('is found in any letter case of the id, and with a slash behind it', async () => {
      expect((await get(`${id.toUpperCase()}/`)).text).toBe((await get(id)).text)
    })

    it.each([
      ['limit=-1', 1020, 'Value may not be negative'],
      ['limit=-2147483648', 1020, 'Value may not be negative'],
      ['limit=2147483648', 1010, "The value '2147483648' is not valid for limit."],
      ['limit=99999999999999999999', 1010, "The value '99999999999999999999' is not valid for limit."],
      ['limit=abc', 1010, "The value 'abc' is not valid for limit."],
      ['limit=1.5', 1010, "The value '1.5' is not valid for limit."],
      ['limit=1e1', 1010, "The value '1e1' is not valid for limit."],
      ['start=abc', 1010, "The value 'abc' is not valid for start."],
      ['start=2147483648', 1010, "The value '2147483648' is not valid for start."],
      ['start=abc&limit=-1', 1010, "The value 'abc' is not valid for start. Value may not be negative."],
      ['limit=1&top=2', 1020, "The query option 'limit' is given more than once."],
      ['$strat=1', 1020, "Unknown query option '$strat'; did you mean 'start'?"],
    ])('refuses %s (rule 1)', async (query, code, message) => {
      const answer = await get(`${id}?${query}`)
      expect([answer.status, answer.json]).toEqual([400, { code, message }])
    })

    it('is empty of a document that is not there, or of another company (rule 1)', async () => {
      for (const other of [UNKNOWN, foreign]) {
        const answer = await get(other)
        expect([answer.status, answer.text]).toEqual([200, '{"start":0,"limit":10,"count":0,"total":0,"items":[]}'])
        expect((await get(`${other}?start=2&limit=0`)).json.total).toBe(0)
      }
    })

    it('is answered of a deleted document', async () => {
      const gone = await create(world(), noteOf('Gone'))
      await world().send({ as: 'integration', method: 'DELETE', url: urlOf(gone.id) })
      expect((await get(gone.id)).json).toMatchObject({ total: 1, items: [{ fileContent: gone.fileContent }] })
    })

    it('refuses what is no GUID (rule 1)', async () => {
      const short = await get('abc')
      expect([short.status, short.json]).toEqual([400, information('Guid should contain 32 digits with 4 dashes')])
      const wrong = await get(UNKNOWN.replace('4', 'x'))
      expect([wrong.status, wrong.json]).toEqual([400, information('Unrecognised Guid format.')])
    })

    it('has more rows than are read in one batch', async () => {
      const many = await create(world(), noteOf('Many'))
      // Inserted directly, all with the content of the first.
      await world().query(`insert into document_revision
        select company_id, document_id, n.no, comment, file_name, mime_type, doc_size, file_hash, updated_at, updated_by
        from document_revision, (with recursive c(no) as (select 2 union all select no + 1 from c where no < 450) select no from c) n
        where document_id = '${many.id}' and revision_no = 1`)
      await world().query(`update document set revision_no = 450 where document_id = '${many.id}'`)
      const { json } = await get(`${many.id}?start=5&limit=440`)
      expect([json.count, json.total]).toEqual([440, 450])
      const numbers = json.items.map((item: { revisionNo: number }) => item.revisionNo)
      expect(numbers).toEqual(Array.from({ length: 440 }, (_one, at) => at + 6))
      expect(new Set(json.items.map((item: { fileContent: string }) => item.fileContent))).toEqual(
        new Set([many.fileContent]),
      )
    })
  })

  describe('a single one', () => {
    it('is answered with its content, also when it is not the newest (rule 2)', async () => {
      const { status, json } = await get(`${id}/2`)
      expect(status).toBe(200)
      expect(json).toMatchObject({
        id,
        revisionNo: 2,
        comment: 'second',
        fileName: 'b.txt',
        fileContent: base64('two'),
      })
    })

    it('names the state of its document, which the next revision may ask for', async () => {
      const made = await create(world(), noteOf('Tagged'))
      const [first, document] = [
        await get(`${made.id}/1`),
        await world().send({ as: 'integration', url: urlOf(made.id) }),
      ]
      const etag = String(first.headers.etag)
      expect(etag).toBe(document.headers.etag)
      const sent = { as: 'integration', url: `${REVISIONS}/${made.id}/1` }
      expect(await world().send({ ...sent, headers: { 'if-none-match': etag } })).toMatchObject({
        status: 304,
        text: '',
      })
      const next = { method: 'POST', url: `${REVISIONS}/${made.id}`, headers: { 'if-match': etag } } as const
      const body = { comment: 'next', fileName: 'b.txt', fileContent: base64('two') }
      const statuses = [await world().send({ ...sent, ...next, body }), await world().send({ ...sent, ...next, body })]
      expect(statuses.map(({ status }) => status)).toEqual([201, 409])
    })

    it.each(['0', '-1', '4', '+7', String(LARGEST), '-2147483648'])('is not there: %s (rule 2)', async (no) => {
      const answer = await get(`${id}/${no}`)
      const message = `The entity of the following parameters [companyId: EN, id: ${id}, revisionNo: ${Number(no)}] was not found.`
      expect([answer.status, answer.json]).toEqual([404, { code: 1040, message }])
    })

    it('is missing when the document is, or belongs to another company, with the same message (rule 2)', async () => {
      for (const other of [UNKNOWN, foreign]) {
        const answer = await get(`${other}/1`)
        const message = `The entity of the following parameters [companyId: EN, id: ${other}, revisionNo: 1] was not found.`
        expect([answer.status, answer.json]).toEqual([404, { code: 1040, message }])
      }
    })

    it.each(['2147483648', '-2147483649', '99999999999999999999', 'abc', '1.0', '1e0', '0x1', '%201%20x'])(
      'refuses the number %s (rule 2)',
      async (no) => {
        const answer = await get(`${id}/${no}`)
        const message = `The value '${decodeURIComponent(no)}' is not valid for revisionNo.`
        expect([answer.status, answer.json]).toEqual([400, { code: 1010, message }])
      },
    )

    it('refuses what is no GUID, before the number is looked at', async () => {
      const answer = await get('abc/x')
      expect([answer.status, answer.json]).toEqual([400, information('Guid should contain 32 digits with 4 dashes')])
    })
  })

  it.each([
    ['a caller who may only create', 'creator', ''],
    ['a caller who may nothing', 'nobody', ''],
    ['an unknown company', 'integration', '?companyId=XX'],
    ['the company of somebody else', 'integration', '?companyId=SV'],
  ])('refuses %s (rule 5)', async (_name, as, query) => {
    for (const path of [id, `${id}/1`, `${id}/1/content`]) {
      const answer = await get(path + query, as)
      expect([answer.status, answer.json]).toEqual([403, { code: 2030, message: 'User is not authorised.' }])
    }
  })

  it('is read by who may only read, and of the company in the query', async () => {
    expect((await get(`${id}/1`, 'reader')).status).toBe(200)
    expect((await get(`${foreign}/1?companyId=sv`, 'both')).json).toMatchObject({ id: foreign })
    expect((await get(`${foreign}?companyId=SV`, 'both')).json.total).toBe(1)
  })

  it('refuses other methods, and lists the allowed ones', async () => {
    const answer = await world().send({ as: 'integration', method: 'PATCH', url: `${REVISIONS}/${id}/1`, body: [] })
    expect([answer.status, answer.json.code, answer.headers.allow]).toEqual([405, 1030, 'GET, HEAD'])
  })
})
