// Properties that a role hides: for its users they do not exist, in queries, answers, errors and writes.
import { expect, it } from 'vitest'
import { ledger, objects } from '../support/object-records.ts'
import { customerBody, make, type RuledWorld, startRuled } from '../support/ruled-records.ts'
import { onEachStore, type Sent } from '../support/world.ts'

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })

/** The properties that the role `fields` hides in each document, each with a similar name that does not exist. */
const HIDDEN = [
  ['customers', 'invoice', 'involce'],
  ['customers', 'invoice/creditLimit', 'involce/creditLimit'],
  ['customers', 'payment/bankAccount', 'payment/bankAccounx'],
  ['customers', 'externalReference', 'externalReferencx'],
  ['customers', 'contactPoints', 'contactPointx'],
  ['customers', 'customFieldGroups/LOYALTY/points', 'customFieldGroups/LOYALTY/pointx'],
  ['attribute-values', 'customValue', 'customValux'],
  ['attribute-values', 'lastUpdated/updatedBy', 'lastUpdated/updatedBx'],
  ['attribute-relations', 'percentage', 'percentagx'],
  ['document-archive', 'title', 'titlx'],
  ['document-archive', 'lastUpdated/updatedAt', 'lastUpdatex/updatedAt'],
  ['work-orders', 'plan/hours', 'plan/hourx'],
  ['general-ledger-transactions', 'accountingInformation/account', 'accountingInformation/accounx'],
  ['general-ledger-transactions', 'customer/payment/bankAccount', 'customer/payment/bankAccounx'],
  ['general-ledger-transactions', 'customer/invoice/creditLimit', 'customer/involce/creditLimit'],
] as const

const queryOf = (name: string, options: Record<string, string>) =>
  name === 'general-ledger-transactions' ? ledger(options) : objects(name, options)

/** `a/b/c` as a select has it. */
const selected = (path: string) => path.split('/').reduceRight((inside, name) => `${name}(${inside})`)

onEachStore(
  'rules of fields',
  (world) => {
    const ruled = () => world() as RuledWorld
    const as = (client: string, url: string, rest: Partial<Sent> = {}) => world().send({ as: client, url, ...rest })

    it.each(HIDDEN)('of %s make %s an unknown name', async (name, path, unknown) => {
      const last = (text: string) => text.split('/').at(-1) ?? ''
      const questions = (one: string): Record<string, string>[] => [
        { select: selected(one) },
        { select: `*,${selected(`${one}[T]`)}` },
        { filter: `${one} eq null` },
        { filter: `not (length(${one}) gt 1)` },
        { filter: `${one}/any(x: x/y eq 1)` },
        { orderby: `${one} desc` },
        { groupby: one },
        { aggregate: `count(),countDistinct(${one})` },
      ]
      for (const [at, options] of questions(path).entries()) {
        const [found, expected] = [
          await as('fields', queryOf(name, options)),
          await as('fields', queryOf(name, questions(unknown)[at] ?? {})),
        ]
        expect([options, found.status]).toEqual([options, 400])
        const hidden = path.split('/').find((part, depth) => part !== unknown.split('/')[depth]) ?? ''
        const other = unknown.split('/')[path.split('/').indexOf(hidden)] ?? ''
        // Hints may differ: a misspelled name may be similar to a visible one, and the hidden name to another.
        const withoutHint = (text: string) => text.replace(/; did you mean '[^']*'\?/, '')
        expect(withoutHint(found.text)).toBe(withoutHint(expected.text).replaceAll(other, hidden))
        for (const { text } of [found, expected]) {
          expect(text.match(/did you mean '([^']*)'/)?.[1]).not.toBe(last(path))
          expect(text).not.toContain(`such as ${path}`)
        }
        const asAdmin = await as('admin', queryOf(name, options))
        if (at === 0) expect(asAdmin.status).toBe(200)
      }
    })

    it.each([...new Set(HIDDEN.map(([name]) => name))])('of %s leave their names out of every answer', async (name) => {
      const names = HIDDEN.filter(([document]) => document === name).map(([, path]) => path.split('/').at(-1) ?? '')
      const select = name === 'customers' ? '*,relatedValues,customFieldGroups' : '*'
      const more = name === 'general-ledger-transactions' ? `${select},customer` : select
      for (const options of [{}, { select: more }] as Record<string, string>[]) {
        const url = queryOf(name, options)
        for (const accept of ['application/json', 'application/x-ndjson', 'text/csv', 'application/schema+json']) {
          const { status, text, json } = await as('fields', url, { headers: { accept } })
          expect([accept, status]).toEqual([accept, 200])
          // The keywords of JSON Schema are not property names.
          const told = accept.includes('schema') ? JSON.stringify(json.items.properties) : text
          for (const hidden of names) expect(told).not.toMatch(new RegExp(`\\b${hidden}\\b`))
          expect(text).not.toContain('canary-bank')
          expect(text).not.toContain('canary-reference')
        }
      }
      const whole = await as('admin', queryOf(name, { select: more }), { headers: { accept: 'text/csv' } })
      expect(names.some((one) => whole.text.includes(one))).toBe(true)
    })

    it('leave the other members of a group', async () => {
      const { json } = await as(
        'fields',
        objects('customers', { filter: "customerId eq '1001'", select: '*,customFieldGroups' }),
      )
      expect(json[0].payment).toMatchObject({ payMethod: 'IP' })
      expect(json[0].customFieldGroups).toEqual({ LOYALTY: { tier: 'G' } })
      expect(Object.keys(json[0])).not.toContain('invoice')
    })

    it('hold in the collection of an attribute', async () => {
      const { json } = await as('fields', '/v1/attribute-values/C1')
      expect(Object.keys(json[0])).toContain('description')
      expect(Object.keys(json[0])).not.toContain('customValue')
      const refused = await as('fields', '/v1/attribute-values/C1?filter=customValue%20gt%201')
      expect([refused.status, refused.json.code]).toEqual([404, 1040])
      expect(refused.json.message).toMatch(/^Unknown property 'customValue' at position 0 of \$filter/)
    })

    it.each([
      ['/v1/customers/1001', ['invoice', 'externalReference', 'contactPoints']],
      ['/v1/attribute-values/C1/CC100/0', ['customValue', 'relatedValues']],
      ['/v1/attribute-relations/C1/CC100/C3/P1', ['percentage']],
    ])('leave hidden fields out of %s and keep all others as they are', async (url, names) => {
      const [seen, whole] = [await as('fields', url), await as('admin', url)]
      const expected = { ...whole.json }
      for (const name of names) delete expected[name]
      if (url.includes('customers')) {
        delete expected.payment.bankAccount
        delete expected.customFieldGroups.LOYALTY.points
      }
      expect(JSON.stringify(seen.json)).toBe(JSON.stringify(expected))
      expect(seen.headers.etag).toBe(whole.headers.etag)
      expect(Object.keys(whole.json)).toEqual(expect.arrayContaining(names))
    })

    it('keep integers that no number of JavaScript holds', async () => {
      const big = '9007199254740993'
      await make(world(), '/v1/attribute-values', { attributeId: 'C1', attributeValue: big })
      const key = { attributeId: 'C1', attributeValue: big, relatedAttributeId: 'C3', relationValue: 'P1' }
      await make(world(), '/v1/attribute-relations', { ...key, percentage: 1 })
      const { text } = await as('fields', `/v1/attribute-relations/C1/${big}/C3/P1`)
      expect(text).toContain(`"attributeValueFrom":${big},`)
    })

    it('ignore a hidden member of a POST, and leave it out of the answer', async () => {
      const hidden = {
        invoice: { creditLimit: 'no number' },
        externalReference: 'mine',
        payment: { bankAccount: '1', payMethod: 'BA' },
      }
      const body = { attributeId: 'C1', attributeValue: 'F100', customValue: 5, description: 'x' }
      const created = await as('fields', '/v1/attribute-values', { method: 'POST', body })
      expect([created.status, Object.keys(created.json).includes('customValue')]).toEqual([201, false])
      expect((await as('admin', '/v1/attribute-values/C1/F100/0')).json).toMatchObject({
        customValue: 0,
        description: 'x',
      })
      // Contact points are hidden, but a customer needs one: the answer says no more than that.
      const refused = await as('fields', '/v1/customers', { method: 'POST', body: customerBody('3001', 'NO', hidden) })
      expect([refused.status, refused.json]).toEqual([
        422,
        { code: 3010, message: 'The record cannot be saved without properties that you may not see.' },
      ])
    })

    it('refuse a PATCH of a hidden path like one of an unknown path', async () => {
      const before = await world().dump()
      for (const [path, unknown] of [
        ['/invoice', '/involce'],
        ['/invoice/creditLimit', '/involce/creditLimit'],
        ['/payment/bankAccount', '/payment/bankAccounx'],
        ['/customFieldGroups/LOYALTY/points', '/customFieldGroups/LOYALTY/pointx'],
        ['/contactPoints/0', '/contactPointx/0'],
        ['/contactPoints/-', '/contactPointx/-'],
      ] as const) {
        for (const op of ['replace', 'add', 'remove']) {
          const patch = (one: string) =>
            as('fields', '/v1/customers/1001', { method: 'PATCH', body: [{ op, path: one, value: 1 }] })
          const [found, expected] = [await patch(path), await patch(unknown)]
          expect([found.status, found.text]).toEqual([expected.status, expected.text.replace(unknown, path)])
          expect(found.json.code).toBe(4020)
        }
      }
      const title = await as('fields', `/v1/documents/${ruled().documents.note}`, {
        method: 'PATCH',
        body: [replace('/title', 'x')],
      })
      expect([title.status, title.json.code]).toEqual([400, 4020])
      expect(await world().changesSince(before)).toEqual([])
    })

    it('leave hidden values as they were when what is around them is replaced or taken away', async () => {
      const url = '/v1/customers/1001'
      const before = (await as('admin', url)).json
      const patched = await as('fields', url, {
        method: 'PATCH',
        body: [
          replace('/payment', { payMethod: 'BA', bankAccount: 'stolen' }),
          { op: 'remove', path: '/customFieldGroups/LOYALTY' },
          replace('/customFieldGroups/LOYALTY/tier', 'S'),
        ],
      })
      expect([patched.status, patched.status === 200 ? '' : patched.text]).toEqual([200, ''])
      expect(patched.text).not.toContain('bankAccount')
      const after = (await as('admin', url)).json
      expect(after.payment).toMatchObject({ payMethod: 'BA', bankAccount: 'canary-bank' })
      expect(after.customFieldGroups).toEqual({ LOYALTY: { tier: 'S', points: 120 } })
      expect([after.invoice, after.contactPoints]).toEqual([before.invoice, before.contactPoints])
    })

    it('disclose nothing hidden in an error', async () => {
      const url = '/v1/customers/1001'
      const wrong = await as('fields', url, { method: 'PATCH', body: [replace('/customerName', '')] })
      expect([wrong.status, wrong.json.notificationMessages]).toEqual([422, { customerName: [expect.anything()] }])
      expect(wrong.text).not.toMatch(/canary|4711|invoice|bankAccount|points/i)
      const stale = await as('fields', url, {
        method: 'PATCH',
        body: [replace('/aliasName', 'x')],
        headers: { 'if-match': '"1"' },
      })
      expect([stale.status, stale.json]).toEqual([
        409,
        { code: 3090, message: 'The data was changed or deleted by another user.' },
      ])
    })

    it('hold for a retry with an idempotency key', async () => {
      const body = [replace('/aliasName', 'once')]
      const headers = { 'idempotency-key': 'field-rules-1' }
      const first = await as('fields', '/v1/customers/1001', { method: 'PATCH', body, headers })
      const second = await as('fields', '/v1/customers/1001', { method: 'PATCH', body, headers })
      expect([second.status, second.text, second.headers['idempotency-replayed']]).toEqual([200, first.text, 'true'])
      expect(first.text).not.toContain('canary')
    })

    it('hold for documents, their lists, revisions, contents and thumbnails', async () => {
      const { note } = ruled().documents
      for (const path of ['', '/thumbnail']) {
        const { status, json } = await as('fields', `/v1/documents/${note}${path}`)
        expect(status).toBe(200)
        expect(Object.keys(json).filter((name) => ['title', 'fileName', 'lastUpdate'].includes(name))).toEqual([])
        expect(json.fileContent).not.toBe('')
      }
      const revisions = (await as('fields', `/v1/document-revisions/${note}`)).json.items
      expect(Object.keys(revisions[0])).toEqual(['id', 'comment', 'fileContent', 'revisionNo', 'mimeType'])
      expect(Object.keys((await as('fields', `/v1/document-revisions/${note}/1`)).json)).toEqual(
        Object.keys(revisions[0]),
      )
      const content = await as('fields', `/v1/documents/${note}/content`)
      expect([content.text, content.headers['content-disposition']]).toEqual([
        'words of harbour',
        'attachment; filename=content',
      ])
      for (const query of ['limit=9', 'limit=9&withFileContent=true']) {
        const { items } = (await as('fields', `/v1/documents?${query}`)).json
        expect(items).toHaveLength(2)
        for (const item of items) expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['title']))
        expect(JSON.stringify(items)).not.toMatch(/lastUpdate|fileName|"title"/)
      }
    })

    it('refuse queries of a list of documents by hidden properties', async () => {
      for (const query of ['title=nothing', 'search=nothing']) {
        expect((await as('fields', `/v1/documents?${query}`)).json.total).toBe(2)
        expect((await as('admin', `/v1/documents?${query}`)).json.total).toBe(0)
        const refused = await as('fields', `/v1/documents?$${query}`)
        expect([refused.status, refused.json.code]).toEqual([400, 1020])
      }
    })

    it('are hidden only when every role that allows the operation hides them', async () => {
      const keys = async (client: string) => {
        const { json } = await as(client, '/v1/customers/1001')
        return ['payment', 'invoice', 'externalReference'].filter((name) => name in json)
      }
      expect(await keys('norwegian')).toEqual(['payment'])
      expect(await keys('nordic')).toEqual(['payment', 'invoice'])
      expect(await keys('mixed')).toEqual(['payment', 'invoice', 'externalReference'])
      const { json } = await as('nordic', '/v1/customers/1001')
      expect(Object.keys(json.payment)).not.toContain('bankAccount')
      expect(Object.keys(json.payment)).toContain('payMethod')
      const csv = await as('nordic', objects('customers'), { headers: { accept: 'text/csv' } })
      expect(csv.text.split('\r\n')[0]).toMatch(/payment\.payMethod/)
      expect(csv.text.split('\r\n')[0]).not.toMatch(/bankAccount|externalReference/)
    })
  },
  startRuled,
)
