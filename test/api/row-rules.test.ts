// Row filters of roles: hidden records do not exist, on object endpoints, single records, lists and counts.
import { expect, it } from 'vitest'
import { insertRows, ledger, objects } from '../support/object-records.ts'
import { customerBody, documentBody, make, type RuledWorld, startRuled } from '../support/ruled-records.ts'
import { onEachStore, type Sent } from '../support/world.ts'

const OUT_OF_SIGHT = { code: 3010, message: 'The record would be outside of what you may see.' }
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

onEachStore(
  'rules of rows',
  (world) => {
    const ruled = () => world() as RuledWorld
    const as = (client: string, url: string, rest: Partial<Sent> = {}) => world().send({ as: client, url, ...rest })
    const rows = async (client: string, url: string, member: string) => {
      const answer = await as(client, url)
      expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
      return answer.json.map((row: Record<string, unknown>) => row[member])
    }
    const total = async (client: string, url: string) =>
      (await as(client, url, { method: 'HEAD' })).headers['x-erp-total-count']

    it.each([
      ['customers', {}, 'customerId', ['1001'], ['1001', '1002', '1003']],
      ['attribute-values', { filter: "attributeId in ('C1','C2')" }, 'attributeValue', ['CC100', 'CC200'], 4],
      ['attribute-relations', {}, 'relationValue', ['P1'], 3],
      ['document-archive', {}, 'docType', ['NOTE'], 2],
      ['work-orders', {}, 'workOrderId', ['W1', 'W3'], 3],
    ])('hold on the object endpoint of %s, and on its count', async (name, options, member, seen, all) => {
      const url = objects(name, options)
      expect(await rows('rows', url, member)).toEqual(seen)
      expect(await total('rows', url)).toBe(String(seen.length))
      const sums = objects(name, { ...options, aggregate: `count() as n,countDistinct(${member}) as different` })
      expect((await as('rows', sums)).json).toEqual([{ n: seen.length, different: new Set(seen).size }])
      const groups = objects(name, { ...options, groupBy: member })
      expect(await rows('rows', groups, member)).toEqual([...new Set(seen)].sort())
      expect(await total('rows', groups)).toBe(String(new Set(seen).size))
      const everything = await rows('admin', url, member)
      expect(everything).toHaveLength(typeof all === 'number' ? all : all.length)
      expect(await total('admin', url)).toBe(String(everything.length))
    })

    it('hold with a filter, an order, pages and every format', async () => {
      const url = (options: Record<string, string | number>) => objects('work-orders', options)
      expect(await rows('rows', url({ filter: "status eq 'P' or workOrderId eq 'W1'" }), 'workOrderId')).toEqual(['W1'])
      expect(await rows('rows', url({ filter: "not (status eq 'N')" }), 'workOrderId')).toEqual([])
      expect(await rows('rows', url({ orderby: 'workOrderId desc', limit: 1 }), 'workOrderId')).toEqual(['W3'])
      expect(await rows('rows', url({ offset: 1, limit: 5 }), 'workOrderId')).toEqual(['W3'])
      const select = { select: 'workOrderId' }
      const csv = await as('rows', url(select), { headers: { accept: 'text/csv' } })
      expect(csv.text.trim().split('\r\n')).toEqual(['workOrderId', 'W1', 'W3'])
      const ndjson = await as('rows', url(select), { headers: { accept: 'application/x-ndjson' } })
      expect(ndjson.text).toBe('{"workOrderId":"W1"}\n{"workOrderId":"W3"}\n')
    })

    it('hold in the collection of an attribute, which discloses nothing of the other attributes', async () => {
      expect(await rows('rows', '/v1/attribute-values/C1', 'attributeValue')).toEqual(['CC100', 'CC200'])
      expect(await rows('rows', '/v1/attribute-values/C2', 'attributeValue')).toEqual([])
      expect(await total('rows', '/v1/attribute-values/C2')).toBe('0')
      expect(await total('admin', '/v1/attribute-values/C2')).toBe('2')
    })

    it('hold for the records of the company, whatever another has under the same key', async () => {
      const { personnel } = ruled().documents
      const [row] = await world().query(`select change_no from document where document_id = '${personnel}'`)
      const twin = { company_id: 'AA', document_id: personnel, doc_type: 'NOTE', change_no: Number(row?.change_no) }
      await insertRows(world(), 'document', [twin])
      expect((await as('rows', `/v1/documents/${personnel}`)).status).toBe(404)
      expect((await as('admin', `/v1/documents/${personnel}`)).status).toBe(200)
      await world().query("delete from document where company_id = 'AA'")
    })

    it('hold along an association: a hidden record reads like a missing one', async () => {
      const query = ledger({ select: 'transactionNumber,customer(customerId,aliasName)', orderby: 'transactionNumber' })
      expect((await as('rows', query)).json).toEqual([
        { transactionNumber: 1, customer: { customerId: '1001', aliasName: '' } },
        { transactionNumber: 2, customer: { customerId: '', aliasName: '' } },
      ])
      const asked = (filter: string) => rows('rows', ledger({ filter }), 'transactionNumber')
      expect(await asked("customer/aliasName eq 'canary-SE'")).toEqual([])
      expect(await asked("customer/countryCode ne 'NO'")).toEqual([2])
      expect(await asked("contains(tolower(customer/aliasName), 'canary')")).toEqual([])
      expect(await asked("customer/contactPoints/any(c: c/address/place eq 'Oslo')")).toEqual([1])
      expect(await rows('rows', ledger({ orderby: 'customer/aliasName desc' }), 'transactionNumber')).toEqual([1, 2])
      const everything = (await as('admin', query)).json
      expect(everything[1].customer.aliasName).toBe('canary-SE')
    })

    it('show along the association what the roles of the ledger allow together', async () => {
      const query = ledger({ select: 'transactionNumber,customer(customerId)', filter: "state eq 'posted'" })
      const seen = async (client: string) =>
        (await as(client, query)).json.map((row: { customer: { customerId: string } }) => row.customer.customerId)
      expect(await seen('swedish')).toEqual(['', '1002', ''])
      expect(await seen('nordic')).toEqual(['1001', '1002', '1001'])
    })

    it('answer the same query of several callers in turn, each by their own rules', async () => {
      const url = objects('customers', { select: 'customerId', filter: "countryCode in ('NO','SE','GB')" })
      const expected = {
        admin: ['1001', '1002', '1003'],
        rows: ['1001'],
        swedish: ['1002'],
        nordic: ['1001', '1002'],
        mixed: ['1001', '1002', '1003'],
      }
      for (let round = 0; round < 3; round++) {
        for (const [client, seen] of Object.entries(expected)) {
          expect(await rows(client, url, 'customerId')).toEqual(seen)
          expect(await total(client, objects('customers'))).toBe(String(seen.length))
        }
      }
    })

    it('are those of the roles that allow the operation: what one role shows another does not hide', async () => {
      expect((await as('mixed', '/v1/customers/1002')).status).toBe(200)
      const patch = { method: 'PATCH', body: [replace('/aliasName', 'x')] } as const
      const missing = await as('mixed', '/v1/customers/9999', patch)
      const outside = await as('mixed', '/v1/customers/1002', patch)
      expect([outside.status, outside.text]).toEqual([404, missing.text.replace('9999', '1002')])
      for (const client of ['value-reader', 'value-creator']) {
        const value = await as(client, '/v1/attribute-values/C1/CC100/0')
        expect([value.status, 'customValue' in value.json]).toEqual([200, false])
        const relation = await as(client, '/v1/attribute-relations/C1/CC100/C3/P1')
        expect([relation.status, 'percentage' in relation.json]).toEqual([200, false])
        expect((await as(client, '/v1/attribute-values/C2/100/0')).status).toBe(404)
        expect((await as(client, '/v1/attribute-relations/C1/CC100/C2/100')).status).toBe(404)
      }
    })

    const SINGLES = [
      ['/v1/customers/1002', '/v1/customers/9999', '1002', '9999'],
      ['/v1/attribute-values/C2/100/0', '/v1/attribute-values/C2/999/0', '100', '999'],
      ['/v1/attribute-relations/C1/CC100/C2/100', '/v1/attribute-relations/C1/CC100/C2/999', '100', '999'],
      ['/v1/attribute-relations/C1/CC100/C3/P2', '/v1/attribute-relations/C1/CC100/C3/P9', 'P2', 'P9'],
    ] as const
    it.each(SINGLES)('make %s a missing one', async (outside, missing, id, other) => {
      const requests: Partial<Sent>[] = [
        {},
        { method: 'PATCH', body: [replace('/description', 'x')] },
        { method: 'PATCH', body: [replace('/description', 'x')], headers: { 'if-match': '"1"' } },
        { method: 'PATCH', body: [{ op: 'nope', path: '' }] },
        { method: 'DELETE' },
        { method: 'DELETE', headers: { 'if-match': '"1"' } },
        { headers: { 'if-none-match': '*' } },
      ]
      const before = await world().dump()
      for (const request of requests) {
        const found = await as('rows', outside, request)
        const expected = await as('rows', missing, request)
        expect([found.status, found.text.replace(new RegExp(`\\b${id}\\b`, 'g'), other)]).toEqual([
          expected.status,
          expected.text,
        ])
        expect(Object.keys(found.headers).sort()).toEqual(Object.keys(expected.headers).sort())
        if (request.method === undefined) expect(found.status).toBe(404)
      }
      expect(await world().changesSince(before)).toEqual([])
      expect((await as('admin', outside)).status).toBe(200)
    })

    it('make documents, their revisions, contents and thumbnails ones that are not there', async () => {
      const { personnel, note } = ruled().documents
      const missing = '00000000-0000-4000-8000-000000000000'
      const file = { comment: 'x', fileName: 'x.txt', fileContent: 'eA==' }
      const requests: [string, Partial<Sent>][] = [
        ['/v1/documents/ID', {}],
        ['/v1/documents/ID/thumbnail', {}],
        ['/v1/documents/ID/content', {}],
        ['/v1/documents/ID/content', { method: 'HEAD' }],
        ['/v1/documents/ID', { method: 'PATCH', body: [replace('/title', 'x')] }],
        ['/v1/documents/ID', { method: 'DELETE' }],
        ['/v1/document-revisions/ID', {}],
        ['/v1/document-revisions/ID/1', {}],
        ['/v1/document-revisions/ID/1/content', {}],
        ['/v1/document-revisions/ID/1/thumbnail', {}],
        ['/v1/document-revisions/ID', { method: 'POST', body: file }],
        ['/v1/document-revisions', { method: 'POST', body: { id: 'ID', ...file } }],
        ['/v1/documents?id=ID', {}],
      ]
      const before = await world().dump()
      for (const [url, request] of requests) {
        const ask = (id: string) => {
          const body = request.body && JSON.parse(JSON.stringify(request.body).replace('"ID"', `"${id}"`))
          return as('rows', url.replace('ID', id), body ? { ...request, body } : request)
        }
        const found = await ask(personnel)
        const expected = await ask(missing)
        expect([url, found.status, found.text.replaceAll(personnel, missing)]).toEqual([
          url,
          expected.status,
          expected.text,
        ])
        if (request.method === undefined) expect((await ask(note)).text).not.toBe(expected.text)
      }
      expect((await world().changesSince(before)).filter((row) => row.includes(personnel))).toEqual([])
    })

    it('hold in the list of documents: items, totals and the search', async () => {
      const list = async (client: string, query: string) => (await as(client, `/v1/documents?${query}`)).json
      const note = await make(world(), '/v1/documents', documentBody('NOTE', 'harbour two'))
      for (const query of ['limit=50', 'search=harbour', 'search=words', 'title=harb&limit=50']) {
        const { total: found, items } = await list('rows', query)
        expect(found).toBe(items.length)
        expect(items.map((item: { docType: string }) => item.docType)).not.toContain('PERSONNEL')
      }
      expect(await list('rows', 'search=canary')).toMatchObject({ total: 0, items: [] })
      expect(await list('rows', 'docType=PERSONNEL')).toMatchObject({ total: 0, items: [] })
      expect(await list('rows', 'docType=PERSONNEL&limit=0')).toMatchObject({ total: 0 })
      expect(await list('admin', 'docType=PERSONNEL')).toMatchObject({ total: 1 })
      expect((await list('rows', `id=${note.json.id}`)).total).toBe(1)
    })

    it('prevent writes of hidden records: the record stays as it was', async () => {
      const before = await world().dump()
      const refused: [string, Partial<Sent>][] = [
        ['/v1/customers/1001', { method: 'PATCH', body: [replace('/countryCode', 'SE')] }],
        ['/v1/customers', { method: 'POST', body: customerBody('1009', 'SE') }],
        ['/v1/attribute-values', { method: 'POST', body: { attributeId: 'C2', attributeValue: '900' } }],
        ['/v1/documents', { method: 'POST', body: documentBody('PERSONNEL', 'own') }],
        ['/v1/attribute-relations/C1/CC100/C3/P1', { method: 'PATCH', body: [replace('/relationValue', 'P3')] }],
      ]
      await make(world(), '/v1/attribute-values', { attributeId: 'C3', attributeValue: 'P3' })
      const allowed = await as('rows', '/v1/attribute-relations/C1/CC100/C3/P1?validateOnly=true', refused[4]?.[1])
      expect(allowed.status).toBe(200)
      for (const [url, request] of refused.slice(0, 4)) {
        for (const more of ['', '?validateOnly=true']) {
          const answer = await as('rows', url + more, request)
          expect([url, answer.status, answer.json]).toEqual([url, 422, OUT_OF_SIGHT])
        }
      }
      const kept = (await world().changesSince(before)).filter((row) => !/"P3"|C3|journal|tabularium/.test(row))
      expect(kept).toEqual([])
    })

    it.each([
      ['/v1/customers', customerBody('1002', 'SE'), customerBody('1999', 'SE')],
      [
        '/v1/customers',
        customerBody('1002', 'SE', { customerName: '' }),
        customerBody('1999', 'SE', { customerName: '' }),
      ],
      [
        '/v1/attribute-values',
        { attributeId: 'C2', attributeValue: '100' },
        { attributeId: 'C2', attributeValue: '199' },
      ],
      [
        '/v1/attribute-values',
        { attributeId: 'C2', attributeValue: '100', periodFrom: 202601 },
        { attributeId: 'C2', attributeValue: '199', periodFrom: 202601 },
      ],
      [
        '/v1/attribute-values',
        { attributeId: 'C2', attributeValue: '100', periodFrom: 202601, periodTo: 5 },
        { attributeId: 'C2', attributeValue: '199', periodFrom: 202601, periodTo: 5 },
      ],
      [
        '/v1/attribute-relations',
        { attributeId: 'C1', attributeValue: 'CC100', relatedAttributeId: 'C2', relationValue: '100' },
        { attributeId: 'C1', attributeValue: 'CC200', relatedAttributeId: 'C2', relationValue: '100' },
      ],
    ])('do not tell by a POST to %s whether a record outside is there (%j)', async (url, taken, free) => {
      const [found, expected] = [
        await as('rows', url, { method: 'POST', body: taken }),
        await as('rows', url, { method: 'POST', body: free }),
      ]
      const ids = /\b(1002|1999|100|199|CC100|CC200)\b/g
      expect([found.status, found.text.replace(ids, '')]).toEqual([expected.status, expected.text.replace(ids, '')])
      expect(found.status).toBe(422)
    })

    it('allow everything with a visible record', async () => {
      const created = await as('rows', '/v1/customers', { method: 'POST', body: customerBody('2001', 'NO') })
      expect(created.status).toBe(201)
      const patched = await as('rows', '/v1/customers/2001', {
        method: 'PATCH',
        body: [replace('/aliasName', 'mine')],
        headers: { 'if-match': String(created.headers.etag) },
      })
      expect([patched.status, patched.json.aliasName]).toEqual([200, 'mine'])
      expect((await as('rows', '/v1/customers/2001', { method: 'DELETE' })).status).toBe(200)
      const again = await as('rows', '/v1/customers', { method: 'POST', body: customerBody('2001', 'NO') })
      expect([again.status, again.text]).toEqual([400, expect.stringContaining('exists already')])
    })
  },
  startRuled,
)
