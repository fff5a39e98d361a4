// `GET /v1/search`: everything that the caller may read, best first, and nothing else.
import { expect, it } from 'vitest'
import { insertRows } from '../support/object-records.ts'
import { longIt } from '../support/reliability-test.ts'
import { customerBody, make, startRuled } from '../support/ruled-records.ts'
import { onEachStore, type World } from '../support/world.ts'

interface Hit {
  readonly key: Record<string, string | number>
  readonly title: string
  readonly details: { readonly property: string; readonly value: string | number }[]
  readonly matches: {
    readonly property: string
    readonly title: string
    readonly value: string | number
    readonly ranges: [number, number][]
  }[]
}

const GENERAL = { contactPointType: '1', address: { countryCode: 'NO', place: 'Oslo' } }

/** The rules of `rules.yaml`, and records with names, amounts and dates. */
async function start(kind: Parameters<typeof startRuled>[0]) {
  const world = await startRuled(kind)
  const customers = [
    ['2001', 'NO', { customerName: 'Solheim Slakteri AS', companyRegistrationNumber: '987654321' }],
    ['2002', 'NO', { customerName: 'Nordre Solheim' }],
    ['2003', 'NO', { customerName: 'Bosolheimen', aliasName: '100% "O\'Neill" \\_' }],
    ['2004', 'SE', { customerName: 'Solheim canary' }],
    ['2005', 'NO', { customerName: '\u00c5S \u00d8l & Br\u00f8d' }],
    ['AB-7', 'NO', { customerName: 'Seven', contactPoints: [GENERAL] }],
    ['mX-9b', 'NO', { customerName: 'Nine', companyRegistrationNumber: 'No55aB' }],
  ] as const
  for (const [id, country, changes] of customers) await make(world, '/v1/customers', customerBody(id, country, changes))
  const line = (transaction: number, amount: number, account: string, description: string, customer = '') => ({
    company_id: 'EN',
    transaction_number: transaction,
    sequence_number: 1,
    state: 'historical',
    account,
    amount,
    transaction_date: `2026-11-${transaction - 480}T00:00:00.000Z`,
    description,
    customer_id: customer,
  })
  await insertRows(world, 'ledger_transaction', [
    line(501, 1250.5, '3000', 'Rent of the office'),
    line(502, -1250.5, '3000', 'Rent of the office'),
    line(503, 77, '1500', 'canary rent'),
    line(504, 88, '1500', 'Invoice', 'mX-9b'),
  ])
  const other = {
    company_id: 'AA',
    customer_id: '2001',
    customer_name: 'Solheim of another company',
    country_code: 'NO',
  }
  await insertRows(world, 'customer', [other])
  return world
}

const urlOf = (q: string, options: Record<string, string> = {}) =>
  `/v1/search?${new URLSearchParams({ q, ...options })}`

async function search(world: World, q: string, as = 'admin', options: Record<string, string> = {}) {
  const ask = () => world.send({ as, url: urlOf(q, options), headers: { 'accept-language': 'en' } })
  let answer = await ask()
  // A busy machine may not end it within the five seconds that a search has.
  while (answer.status === 200 && answer.json.unfinished.length > 0) answer = await ask()
  expect([q, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([q, 200, ''])
  const groups = answer.json.groups as { document: string; title: string; hits: Hit[]; hasMore: boolean }[]
  const hits = (document: string) => groups.find((one) => one.document === document)?.hits ?? []
  const keys = (document: string) => hits(document).map(({ key }) => Object.values(key).join('/'))
  return { groups, hits, keys, names: groups.map(({ document }) => document), text: answer.text }
}

onEachStore(
  'the search',
  (world) => {
    it('finds names by any letter case, the start of names before the start of words before their inside', async () => {
      const { keys, hits } = await search(world(), 'sOLHEIM')
      expect(keys('customers').slice(0, 2).sort()).toEqual(['2001', '2004'])
      expect(keys('customers').slice(2)).toEqual(['2002', '2003'])
      const [first] = hits('customers').filter(({ key }) => key.customerId === '2001')
      expect(first).toMatchObject({
        title: 'Solheim Slakteri AS',
        matches: [{ property: 'customerName', title: 'Customer name', value: 'Solheim Slakteri AS', ranges: [[0, 7]] }],
      })
      expect((await search(world(), 'slakteri solheim')).keys('customers')).toEqual(['2001'])
      expect((await search(world(), 'slakteri solheim bakeri')).groups).toEqual([])
      expect((await search(world(), '\u00e5s \u00f8L BR\u00d8D')).keys('customers')).toEqual(['2005'])
    })

    it('puts a whole key first, and finds codes by their start, with blanks or without', async () => {
      const { names, keys } = await search(world(), '2001')
      expect(names[0]).toBe('customers')
      expect(keys('customers')).toEqual(['2001'])
      expect((await search(world(), 'ab-7')).keys('customers')).toEqual(['AB-7'])
      for (const q of ['mx-9b', 'MX-9B', 'mX-9b', 'nO55A', 'NO55AB']) {
        expect([q, (await search(world(), q)).keys('customers')]).toEqual([q, ['mX-9b']])
      }
      expect((await search(world(), 'MX-9B')).keys('general-ledger-transactions')).toEqual(['504/1'])
      expect((await search(world(), 'mx-9')).keys('general-ledger-transactions')).toEqual([])
      for (const q of ['98765', '987654321', '987 654 321'])
        expect((await search(world(), q)).keys('customers')).toEqual(['2001'])
      expect((await search(world(), '54321')).keys('customers')).toEqual([])
    })

    it('finds vouchers by number, amount in the writing of the reader, date and description', async () => {
      const lines = async (q: string) => (await search(world(), q)).keys('general-ledger-transactions')
      expect(await lines('501')).toEqual(['501/1'])
      for (const q of ['1250.50', '1 250,50', '1.250,50']) expect((await lines(q)).sort()).toEqual(['501/1', '502/1'])
      expect(await lines('-1250,5')).toEqual(['502/1'])
      for (const q of ['2026-11-21', '21.11.2026', '11/21/2026']) expect(await lines(q)).toEqual(['501/1'])
      expect((await lines('OFFICE rent')).sort()).toEqual(['501/1', '502/1'])
      expect(await lines('1001')).toHaveLength(2)
      const [hit] = (await search(world(), '501')).hits('general-ledger-transactions')
      expect(hit).toMatchObject({
        title: 'Rent of the office',
        matches: [{ property: 'transactionNumber', value: 501 }],
      })
      expect(hit?.details.map(({ property }) => property)).toContain('amounts/amount')
    })

    it('finds master data, declared documents, and documents by the text of their files', async () => {
      expect((await search(world(), 'warehouse')).keys('attribute-values')).toEqual(['C1/CC200/0'])
      expect((await search(world(), 'w2')).keys('work-orders')).toEqual(['W2'])
      const { hits } = await search(world(), 'words harb')
      expect(
        hits('document-archive')
          .map(({ title }) => title)
          .sort(),
      ).toEqual(['canary harbour', 'harbour'])
      expect(hits('document-archive')[0]?.matches).toMatchObject([{ property: 'fileContent', ranges: [] }])
    })

    it('has no character with a meaning of its own', async () => {
      for (const q of ['100%', '"O\'Neill"', "o'neill", '\\_'])
        expect([q, (await search(world(), q)).keys('customers')]).toEqual([q, ['2003']])
      for (const q of [
        '%',
        '_',
        '*',
        "'",
        "''",
        '\\',
        '"',
        '(',
        ') or 1 eq 1',
        '\u202e',
        '\ud83d\ude00',
        ';--',
        '\t x\u0007y',
      ])
        expect([q, (await search(world(), q)).keys('customers').includes('2001')]).toEqual([q, false])
    })

    it.each([
      [
        'rows',
        ['canary', '2004', 'rent', 'Solheim', 'INV', '1500', 'w2', 'P2', '200', 'harbour', 'words', '77', '23.11.2026'],
      ],
      ['swedish', ['2001', 'Slakteri', 'AB-7']],
      ['ledger', ['Solheim', '2001', 'warehouse', 'harbour', 'w1']],
      ['no-customer', ['Solheim', '2001', 'CC100']],
    ])('shows %s nothing that rules of rows hide', async (as, texts) => {
      for (const q of texts) {
        const { text, groups } = await search(world(), q, as)
        expect(text).not.toMatch(as === 'rows' ? /canary(?!-bank|-reference)|of another company/ : /of another company/)
        for (const { document, hits } of groups)
          for (const { key } of hits) expect(await readable(world(), as, document, key)).toBe(true)
      }
    })

    it('finds nothing by hidden properties, and shows none', async () => {
      for (const q of ['canary-bank', 'canary-reference', '4711,5', 'canary-line', 'canary']) {
        const { hits, text } = await search(world(), q, 'fields')
        expect([q, hits('customers').map(({ key }) => key.customerId)]).toEqual([q, q === 'canary' ? NAMED : []])
        expect(text).not.toMatch(/canary-bank|canary-reference|canary-line/)
      }
      // The words of a document are not told from those of its hidden title.
      expect((await search(world(), 'words harb', 'fields')).keys('document-archive')).toHaveLength(0)
      const described = await search(world(), 'about', 'fields')
      expect(described.keys('document-archive')).toHaveLength(2)
      expect(described.text).not.toContain('.txt')
    })

    it('knows no document that no role names, and no other company', async () => {
      expect((await search(world(), '501', 'ledger')).names).toEqual(['general-ledger-transactions'])
      expect((await search(world(), 'Solheim')).text).not.toContain('another company')
      const other = await world().send({ as: 'admin', url: urlOf('Solheim', { companyId: 'AA' }) })
      expect(other.status).toBe(403)
      expect((await world().send({ url: urlOf('Solheim') })).status).toBe(401)
    })

    it('answers at most so many hits of a document, and says that there are more', async () => {
      const some = await search(world(), 'solheim', 'admin', { limit: '2' })
      expect([some.groups[0]?.hits.length, some.groups[0]?.hasMore]).toEqual([2, true])
      const all = await search(world(), 'solheim', 'admin', { limit: '50' })
      expect([all.groups[0]?.hits.length, all.groups[0]?.hasMore]).toEqual([4, false])
    })

    it('refuses what is no question', async () => {
      const refused = async (query: string) => {
        const { status, json } = await world().send({ as: 'admin', url: `/v1/search?${query}` })
        return [status, json.code, json.message]
      }
      for (const query of ['', 'q=', 'q=%20%09', 'text=x']) expect((await refused(query))[0]).toBe(200)
      const long = [400, 1020, 'q is too long: at most 100 characters.']
      for (const length of [101, 10_000]) expect(await refused(`q=${'x'.repeat(length)}`)).toEqual(long)
      expect((await refused(`q=${'x'.repeat(100)}`))[0]).toBe(200)
      expect((await refused(`q=${encodeURIComponent("'".repeat(100))}`))[0]).toBe(200)
      expect((await refused(`q=${encodeURIComponent("a ' ".repeat(25))}`))[0]).toBe(200)
      expect((await refused('q=a%00b'))[0]).toBe(400)
      expect((await refused('q=a&q=b'))[0]).toBe(400)
      expect((await refused('q=a&$qq=b'))[0]).toBe(400)
      for (const limit of ['0', '51', '-1', '1.5', 'x']) expect((await refused(`q=a&limit=${limit}`))[0]).toBe(400)
    })

    it('tells by its tag whether anything has changed', async () => {
      const first = await world().send({ as: 'admin', url: urlOf('Seven') })
      const headers = { 'if-none-match': String(first.headers.etag) }
      expect((await world().send({ as: 'admin', url: urlOf('Seven'), headers })).status).toBe(304)
    })
  },
  start,
)

onEachStore(
  'the search of large tables',
  (world) => {
    longIt('finds by indexes what is not among the last records of a large table, and says so', async () => {
      const numbers =
        world().kind === 'sqlite'
          ? 'with recursive n(n) as (select 1 union all select n + 1 from n where n < 100001) select n from n'
          : 'select n from generate_series(1, 100001) n(n)'
      await world().query(
        `insert into customer (company_id, customer_id, customer_name, country_code)
         select 'EN', 'Z' || (100000 + n), 'Many ' || n, 'NO' from (${numbers}) many`,
      )
      const of = async (q: string, as = 'admin') => {
        const { json } = await world().send({ as, url: urlOf(q) })
        const [group] = json.groups.filter(({ document }: { document: string }) => document === 'customers')
        expect(json.unfinished).toMatchObject([{ document: 'customers', title: 'Customers' }])
        return (group?.hits ?? []).map(({ key }: Hit) => key.customerId)
      }
      expect(await of('solheim slak')).toEqual(['2001'])
      expect(await of('SOLHEIM slak')).toEqual(['2001'])
      expect((await of('2001'))[0]).toBe('2001')
      expect(await of('987 654 321')).toEqual(['2001'])
      expect(await of('many 70707')).toEqual(['Z170707'])
      expect(await of('slakteri')).toEqual([])
      expect(await of('MX-9B')).toEqual(['mX-9b'])
      expect(await of('Solheim canary', 'rows')).toEqual([])
    })
  },
  start,
)

/** Those whose names have the word; the alias begins with it. */
const NAMED = ['1003', '1002', '2004']

/** Whether the caller's own query of the document shows the record. */
async function readable(world: World, as: string, document: string, key: Hit['key']): Promise<boolean> {
  const literal = (value: string | number) => (typeof value === 'number' ? `${value}` : `'${value}'`)
  const filter = Object.entries(key).map(([name, value]) => `${name} eq ${literal(value)}`)
  const states = { registered: 'true', posted: 'true', historical: 'true' }
  const query = new URLSearchParams({ ...states, filter: filter.join(' and ') })
  const { json } = await world.send({ as, url: `/v1/objects/${document}?${query}` })
  return json.length === 1
}
