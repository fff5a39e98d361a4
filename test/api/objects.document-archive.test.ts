// GET and HEAD of /v1/objects/document-archive: all properties of a document but its content (decision 6; decision 4,
// DELETE).
import { beforeAll, describe, expect, it } from 'vitest'
import { base64, create, INDEXES, invoiceOf, noteOf, onEachArchive, PDF, revise, urlOf } from '../support/documents.ts'
import { objects } from '../support/object-records.ts'

const ARCHIVE = 'document-archive'

onEachArchive('The object endpoint of the archive', (world) => {
  // biome-ignore lint/suspicious/noExplicitAny: records of any shape.
  let [rent, wood, note, gone]: any[] = []
  beforeAll(async () => {
    rent = await create(world(), invoiceOf('Rent', { description: 'For May', fileName: 'rent.pdf' }))
    const other = [
      { sequenceNo: 1, indexValue: 'CC200' },
      { sequenceNo: 2, indexValue: 'CC100' },
      { sequenceNo: 3, indexValue: "it's" },
    ]
    wood = await create(world(), invoiceOf('Wood', { indexes: other }))
    note = await create(world(), noteOf('Note'))
    await revise(world(), note.id, { fileName: 'second.pdf', fileContent: base64(PDF) })
    gone = await create(world(), noteOf('Gone'))
    await world().send({ as: 'integration', method: 'DELETE', url: urlOf(gone.id) })
    await create(world(), noteOf('canary-of-SV', { companyId: 'SV' }), 'both')
  })

  const get = (query: Record<string, string> = {}, rest: object = {}) =>
    world().send({ as: 'integration', url: objects(ARCHIVE, query), ...rest })

  async function titlesOf(filter: string): Promise<string[]> {
    const answer = await get({ filter, select: 'title', orderBy: 'title' })
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
    return answer.json.map(({ title }: { title: string }) => title)
  }

  it('rule 9: answers all properties, and no content', async () => {
    const { status, json } = await get({ filter: `id eq '${rent.id}'` })
    expect(status).toBe(200)
    expect(json).toEqual([
      {
        checkoutUserId: '',
        companyId: 'EN',
        description: 'For May',
        docSize: PDF.length,
        docType: 'INVOICE',
        expiryDate: `${rent.expiryDate}Z`,
        fileName: 'rent.pdf',
        id: rent.id,
        lastUpdated: { updatedAt: `${rent.lastUpdate.updatedAt}Z`, updatedBy: 'svc-integration' },
        mimeType: 'application/pdf',
        revisionNo: 1,
        status: 'N',
        title: 'Rent',
      },
    ])
  })

  it('follows the newest revision', async () => {
    const { json } = await get({ filter: `id eq '${note.id}'`, select: 'fileName,mimeType,docSize,revisionNo' })
    expect(json).toEqual([{ fileName: 'second.pdf', mimeType: 'application/pdf', docSize: PDF.length, revisionNo: 2 }])
  })

  describe('the indexes', () => {
    it('are answered only when they are named, in the order of their numbers', async () => {
      const filter = `id eq '${rent.id}'`
      const all = [...INDEXES, { sequenceNo: 3, indexValue: '' }]
      expect((await get({ filter, select: '*' })).json[0].indexes).toBeUndefined()
      expect((await get({ filter, select: '*,indexes' })).json[0]).toMatchObject({ title: 'Rent', indexes: all })
      expect((await get({ filter, select: 'title, indexes(indexValue)' })).json).toEqual([
        { title: 'Rent', indexes: all.map(({ indexValue }) => ({ indexValue })) },
      ])
      expect((await get({ filter: `id eq '${note.id}'`, select: 'indexes' })).json).toEqual([{ indexes: [] }])
    })

    it.each([
      ["indexes/any(i: i/sequenceNo eq 1 and i/indexValue eq 'CC100')", ['Rent']],
      ["indexes/any(i: i/indexValue eq 'CC100')", ['Rent', 'Wood']],
      ["indexes/any(i: i/sequenceNo eq 2 and i/indexValue eq 'CC100')", ['Wood']],
      ["indexes/any(x: x/sequenceNo eq 1 and x/indexValue eq 'cc100')", []],
      ["indexes/any(i: i/indexValue eq 'it''s')", ['Wood']],
      ["indexes/all(i: i/indexValue ne 'CC100')", ['Note']],
      ["docType eq 'INVOICE' and not indexes/any(i: i/indexValue eq '4711')", ['Wood']],
      ['indexes/any()', ['Rent', 'Wood']],
      ["indexes/any(i: startswith(i/indexValue, 'CC') and i/sequenceNo gt 1)", ['Wood']],
    ])('are asked for by %s', async (filter, titles) => {
      const answer = await get({ filter, select: 'title', orderBy: 'title' })
      expect([answer.status, answer.json]).toEqual([200, titles.map((title) => ({ title }))])
    })
  })

  it.each([
    ["title eq 'Rent'", ['Rent']],
    ["startswith(fileName, 'rent') or docSize lt 5", ['Rent']],
    [`docSize eq ${PDF.length}`, ['Note', 'Rent', 'Wood']],
    ['revisionNo ge 2', ['Note']],
    ['expiryDate eq 2099-12-31', ['Note']],
    ["contains(description, 'May')", ['Rent']],
    ["mimeType eq 'application/pdf' and docType ne 'NOTE'", ['Rent', 'Wood']],
    ["lastUpdated/updatedBy eq 'svc-integration'", ['Note', 'Rent', 'Wood']],
    ["companyId eq 'SV'", []],
  ])('filters by %s', async (filter, titles) => {
    expect(await titlesOf(filter)).toEqual(titles)
  })

  describe('deleted documents', () => {
    it('are left out, also when they are asked for by id', async () => {
      expect(await titlesOf("title ne ''")).toEqual(['Note', 'Rent', 'Wood'])
      expect(await titlesOf(`id eq '${gone.id}'`)).toEqual([])
      expect((await get()).json).toHaveLength(3)
    })

    it.each([
      ["status eq 'T'", ['Gone']],
      ["status ne 'N'", ['Gone']],
      ["status in ('N', 'T')", ['Gone', 'Note', 'Rent', 'Wood']],
      ["title eq 'Gone' and status ne ''", ['Gone']],
      ["not (status eq 'N')", ['Gone']],
      ["title ne '' or tolower(status) eq 't'", ['Gone', 'Note', 'Rent', 'Wood']],
      ["status eq 'N'", ['Note', 'Rent', 'Wood']],
    ])('are answered when the filter asks about the status: %s', async (filter, titles) => {
      expect(await titlesOf(filter)).toEqual(titles)
    })

    it('are not answered because the status is selected or ordered by', async () => {
      expect((await get({ select: 'status', orderBy: 'status' })).json).toEqual(Array(3).fill({ status: 'N' }))
    })
  })

  it('counts what it would answer (HEAD)', async () => {
    const countOf = async (filter?: string) => {
      const { status, bytes, headers } = await get(filter === undefined ? {} : { filter }, { method: 'HEAD' })
      expect([status, bytes.length]).toEqual([200, 0])
      return headers['x-erp-total-count']
    }
    expect(await countOf()).toBe('3')
    expect(await countOf("docType eq 'INVOICE'")).toBe('2')
    expect(await countOf("status ne ''")).toBe('4')
    expect(await countOf("indexes/any(i: i/indexValue eq 'CC100')")).toBe('2')
  })

  it('is paged and ordered, by its key when nothing is said', async () => {
    const ids = [rent.id, wood.id, note.id].sort()
    expect((await get({ select: 'id' })).json.map(({ id }: { id: string }) => id)).toEqual(ids)
    const second = await get({ select: 'title', orderBy: 'docType desc, title desc', limit: '1', offset: '1' })
    expect(second.json).toEqual([{ title: 'Wood' }])
  })

  it.each([
    ['select', 'fileContent'],
    ['filter', "fileContent eq ''"],
    ['orderBy', 'indexes'],
    ['filter', "indexes eq 'CC100'"],
    ['filter', "title[T] eq 'x'"],
  ])('refuses %s=%s (decision 6)', async (option, text) => {
    const answer = await get({ [option]: text })
    expect([answer.status, answer.json.code]).toEqual([400, 1020])
  })

  it('describes its shape as a JSON schema', async () => {
    const accept = { headers: { accept: 'application/schema+json' } }
    const { status, headers, json } = await get({}, accept)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/schema\+json/)
    const { properties, ...whole } = json.items
    expect(whole['x-erp-key']).toEqual({ keys: 'companyId,id' })
    expect(Object.keys(properties).sort()).toEqual(Object.keys((await get()).json[0]).sort())
    expect(properties.docSize).toMatchObject({ type: 'integer', 'x-erp-filterable': true })
    const named = await get({ select: 'indexes(indexValue)' }, accept)
    expect(named.json.items.properties.indexes.items.properties).toMatchObject({ indexValue: { type: 'string' } })
  })

  it('answers CSV and NDJSON to those who may export', async () => {
    const csv = await get({ select: 'title', orderBy: 'title' }, { headers: { accept: 'text/csv' } })
    expect(csv.text.trim().split(/\r?\n/)).toEqual(['title', 'Note', 'Rent', 'Wood'])
    const lines = await get({ select: 'title', orderBy: 'title' }, { headers: { accept: 'application/x-ndjson' } })
    expect(lines.text).toBe('{"title":"Note"}\n{"title":"Rent"}\n{"title":"Wood"}\n')
  })

  it('is for those whose role lists it (decision 7)', async () => {
    expect((await get({}, { as: 'reader' })).status).toBe(200)
    for (const as of ['creator', 'nobody']) {
      const answer = await get({}, { as })
      expect([answer.status, answer.json]).toEqual([403, { code: 2030, message: 'User is not authorised.' }])
    }
    for (const companyId of ['SV', 'XX']) {
      const answer = await get({ companyId })
      expect([answer.status, answer.json]).toEqual([403, { code: 2030, message: 'User is not authorised.' }])
    }
  })

  it('never answers what another company has', async () => {
    expect((await get({ filter: "status ne ''" })).text).not.toContain('canary')
    const own = await get({ select: 'title', companyId: 'SV' }, { as: 'both' })
    expect(own.json).toEqual([{ title: 'canary-of-SV' }])
    expect((await get({ companyId: 'no1' })).text).toBe('[]')
  })
})
