// DELETE /v1/documents/{id}: decision 4 (the specification leaves it open), decisions 0, 1 and 5.
import { beforeAll, expect, it } from 'vitest'
import {
  base64,
  create,
  information,
  invoiceOf,
  noteOf,
  onEachArchive,
  PDF,
  postRevision,
  REVISIONS,
  replace,
  revise,
  urlOf,
} from '../support/documents.ts'
import { idOf, numberedIds } from '../support/numbered-ids.ts'
import { runScenarios, type Scenario } from '../support/scenario.ts'
import type { Sent } from '../support/world.ts'

const ids = numberedIds()
const [NOTE, DELETED, OF_SV] = [idOf(1), idOf(2), idOf(3)]
const UNKNOWN = '0b0ed4a5-6b9b-4b8e-9d3f-5f6f0c1f3a11'

const notAuthorised = { code: 2030, message: 'User is not authorised.' }
const notFound = (companyId: string, id: string) => ({
  code: 1040,
  message: `The entity of the following parameters [companyId: ${companyId}, id: ${id}] was not found.`,
})

const remove = (id: string, rest: Partial<Scenario> = {}) => ({ method: 'DELETE', url: urlOf(id), ...rest }) as const

const scenarios: Scenario[] = [
  {
    name: 'decision 4: refuses to change a deleted document with 422, code 3010',
    ...remove(DELETED, { method: 'PATCH', body: [replace('/title', 'x')] }),
    status: 422,
    json: { code: 3010, message: `Document ${DELETED} is deleted: it can be read, but not changed.` },
  },
  {
    name: 'decision 4: refuses a new revision of a deleted document with 422, code 3010',
    ...postRevision({ id: DELETED, comment: 'x', fileName: 'a.txt', fileContent: base64('x') }),
    status: 422,
    json: { code: 3010, message: `Document ${DELETED} is deleted: it can be read, but not changed.` },
  },
  {
    name: 'refuses an unknown id with 404, code 1040, naming companyId and id',
    ...remove(UNKNOWN),
    status: 404,
    json: notFound('EN', UNKNOWN),
  },
  {
    name: 'answers the document of another company as one that is not there',
    ...remove(OF_SV),
    status: 404,
    json: notFound('EN', OF_SV),
  },
  {
    name: 'does not find a document of EN in another company of the caller',
    ...remove(NOTE, { as: 'both', url: urlOf(NOTE, '?companyId=sv') }),
    status: 404,
    json: notFound('SV', NOTE),
  },
  ...['x', '0b0ed4a56b9b4b8e9d3f5f6f0c1f3a11'].map((id) => ({
    name: `decision 4: refuses the id ${id} with 400 in the information shape`,
    ...remove(id),
    status: 400,
    json: information('Guid should contain 32 digits with 4 dashes'),
  })),
  {
    name: 'decision 4: refuses a malformed GUID with 400 in the information shape',
    ...remove(UNKNOWN.replace('0', 'g')),
    status: 400,
    json: information('Unrecognised Guid format.'),
  },
  {
    name: 'refuses a tag that no longer holds with 409, code 3090 (decision 5)',
    ...remove(NOTE, { headers: { 'if-match': '"0"' } }),
    status: 409,
    code: 3090,
  },
  {
    name: 'refuses a tag that no longer holds, also of a deleted document (decision 5)',
    ...remove(DELETED, { headers: { 'if-match': '"0"' } }),
    status: 409,
    code: 3090,
  },
  ...['reader', 'creator', 'nobody'].map((as) => ({
    name: `refuses ${as}, who has no permission, with 403`,
    ...remove(NOTE, { as }),
    status: 403,
    json: notAuthorised,
  })),
  ...['XX', 'SV'].map((companyId) => ({
    name: `refuses the company ${companyId} with 403, whether it exists or not`,
    ...remove(OF_SV, { url: urlOf(OF_SV, `?companyId=${companyId}`) }),
    status: 403,
    json: notAuthorised,
  })),
  {
    name: 'refuses a caller without credentials',
    ...remove(NOTE),
    as: undefined,
    status: 401,
    json: { statusCode: 401, message: 'Invalid JWT.' },
  },
  {
    name: 'refuses to delete the whole collection with 405',
    method: 'DELETE',
    url: '/v1/documents',
    status: 405,
    code: 1030,
  },
]

onEachArchive(
  'DELETE /v1/documents/{id}',
  (world) => {
    const send = (request: Sent) => world().send({ as: 'integration', ...request })
    const listed = async (query: string) => (await send({ url: `/v1/documents?${query}` })).json
    const entriesOf = (id: string) =>
      world().query(`select operation from audit_entry where record_key like '%${id}%' order by entry_no`)

    beforeAll(async () => {
      ids.restart()
      await create(world(), noteOf('Note'))
      await create(world(), noteOf('Deleted'))
      await create(world(), noteOf('canary-of-SV', { companyId: 'SV' }), 'sv')
      expect((await send(remove(DELETED))).status).toBe(200)
    })

    it('rule 9: answers 200 without any body; the document stays readable by its id, with status T (decision 4)', async () => {
      const { id } = await create(world(), invoiceOf('Gone'), 'both')
      const before = (await send({ url: urlOf(id) })).json
      const answer = await send(remove(id))
      expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, '', '0'])
      const after = await send({ url: urlOf(id) })
      expect(after.status).toBe(200)
      const { updatedAt } = after.json.lastUpdate
      const lastUpdate = { updatedAt, updatedBy: 'svc-integration' }
      expect(after.json).toEqual({ ...before, status: 'T', fileContent: base64(PDF), lastUpdate })
      expect(updatedAt >= before.lastUpdate.updatedAt).toBe(true)
    })

    it('decision 4: once more is 200 again, and changes nothing', async () => {
      const before = await send({ url: urlOf(DELETED) })
      const entries = await entriesOf(DELETED)
      const answer = await send(remove(DELETED))
      expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, '', '0'])
      const after = await send({ url: urlOf(DELETED) })
      expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag])
      expect(await entriesOf(DELETED)).toEqual(entries)
    })

    it('decision 4: takes it out of the list and of its total, whatever is asked for', async () => {
      const kept = await create(world(), noteOf('Listed 1'))
      const { id } = await create(world(), noteOf('Listed 2'))
      expect((await listed('title=listed')).total).toBe(2)
      await send(remove(id))
      for (const query of ['title=listed', 'title=listed&doctype=NOTE', 'title=listed&withFileContent=true']) {
        const page = await listed(query)
        expect([query, page.total, page.items.map((item: { id: string }) => item.id)]).toEqual([query, 1, [kept.id]])
      }
      expect(await listed(`id=${id}`)).toEqual({ start: 0, limit: 10, count: 0, total: 0, items: [] })
      expect((await listed('title=listed&limit=0')).total).toBe(1)
    })

    it('decision 4: its revisions stay readable', async () => {
      const { id } = await create(world(), noteOf('With a past'))
      await revise(world(), id)
      await send(remove(id))
      const page = await send({ url: `${REVISIONS}/${id}` })
      expect([page.status, page.json.total]).toEqual([200, 2])
      expect((await send({ url: `${REVISIONS}/${id}/1` })).json.fileContent).toBe(base64('Content of With a past'))
    })

    it('takes an id in upper case, a body, unknown parameters and a slash at the end (habits)', async () => {
      const { id } = await create(world(), noteOf('Habits'))
      const url = urlOf(id.toUpperCase(), '/?&foo=1&CompanyID=en')
      const answer = await send({ method: 'DELETE', url, body: '{' })
      expect([answer.status, answer.text]).toEqual([200, ''])
      expect((await send({ url: urlOf(id) })).json.status).toBe('T')
    })

    it('accepts a caller who knows the state, once; one with an earlier state gets 409 (decision 5)', async () => {
      const { id } = await create(world(), noteOf('Tagged'))
      const { headers } = await send({ url: urlOf(id) })
      const known = { headers: { 'if-match': String(headers.etag) } }
      await send({ method: 'PATCH', url: urlOf(id), body: [replace('/title', 'Tagged anew')] })
      expect(await send(remove(id, known))).toMatchObject({ status: 409, json: { code: 3090 } })
      const now = await send({ url: urlOf(id) })
      expect(now.json.status).toBe('N')
      const answer = await send(remove(id, { headers: { 'if-match': `"0", ${now.headers.etag}` } }))
      expect(answer.status).toBe(200)
    })

    it('writes one journal entry, however many delete at the same time; all of them get 200', async () => {
      const { id } = await create(world(), noteOf('Crowded'))
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(remove(id))))
      expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(8).fill([200, '']))
      expect((await entriesOf(id)).map(({ operation }) => operation)).toEqual(['create', 'delete'])
    })

    it('leaves equal contents to the documents that have them', async () => {
      const content = { fileContent: base64('shared by two') }
      const [gone, kept] = [
        await create(world(), noteOf('One', content)),
        await create(world(), noteOf('Two', content)),
      ]
      await send(remove(gone.id))
      for (const { id } of [gone, kept]) {
        expect((await send({ url: urlOf(id) })).json.fileContent).toBe(content.fileContent)
      }
    })

    runScenarios(world, scenarios)
  },
  { newId: ids.next },
)
