// Pages of entity sets: all pages are of the state that the first one was read in, whatever is written meanwhile.
import { expect, it } from 'vitest'
import { RandomWrites } from '../support/past/random-writes.ts'
import { randomNumbers, SEED, triesOf } from '../support/reliability-test.ts'
import { startRuled } from '../support/ruled-records.ts'
import { onEachStore, type World } from '../support/world.ts'

const ROUNDS = triesOf({ long: 12, full: 300 })
const WRITES_AT_FIRST = 60
const WRITES_BETWEEN_PAGES = 3

interface Asked {
  readonly set: string
  readonly orders: readonly string[]
  readonly filters: readonly string[]
}

const ASKED: readonly Asked[] = [
  {
    set: 'customers',
    orders: ['', 'customerName desc', 'lastUpdated/updatedAt,countryCode desc', 'invoice/creditLimit desc'],
    filters: ['', "countryCode ne 'SE'", 'relatedValues/any()'],
  },
  {
    set: 'attribute_values',
    orders: ['', 'description desc', 'periodFrom desc,status', 'customValue', 'lastUpdated/updatedAt desc'],
    filters: ['', "attributeId in ('C1','C2')", "description ne ''"],
  },
  { set: 'attribute_relations', orders: ['', 'dateTo desc', 'relationValue', 'percentage'], filters: [''] },
  {
    set: 'document_archive',
    orders: ['', 'title,docType desc', 'lastUpdate/updatedAt'],
    filters: ['', "status ne 'X'"],
  },
]

/** Texts of codes are those of the moment at which a page is read. */
const isText = (name: string) => name.endsWith('_text')
const withoutTexts = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_name, inside) =>
    inside === null || typeof inside !== 'object' || Array.isArray(inside)
      ? inside
      : Object.fromEntries(Object.entries(inside).filter(([name]) => !isText(name))),
  )

const urlOf = (set: string, options: Readonly<Record<string, string>>) => {
  const given = Object.entries(options).filter(([, text]) => text !== '')
  return `/odata/v4/EN/${set}?${new URLSearchParams(given)}`
}

const pathIn = (link: string | undefined) => link?.replace(/^http:\/\/localhost/, '')

async function get(world: World, url: string, maxPageSize: number, as = 'admin') {
  const { status, json, headers } = await world.send({
    as,
    url,
    headers: { prefer: `odata.maxpagesize=${maxPageSize}` },
  })
  return { status, json, number: headers['x-erp-change-number'], applied: headers['preference-applied'] }
}

onEachStore(
  'OData pages',
  (world) => {
    it('are of the state of the first one, while others create, change and delete records', {
      timeout: 600_000,
    }, async () => {
      const random = randomNumbers(SEED)
      const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
      const writes = new RandomWrites(random)
      let accepted = 0
      const write = async (times: number) => {
        for (let at = 0; at < times; at++) {
          const sent = writes.next()
          const { status, json } = await world().send({ as: 'admin', ...sent })
          if (status < 300) accepted += 1
          if (status === 201 && sent.url === '/v1/documents') writes.note(json.id)
        }
      }
      await write(WRITES_AT_FIRST)
      let pages = 0
      for (let round = 0; round < ROUNDS; round++) {
        const { set, orders, filters } = pick(ASKED)
        const options = { $orderby: pick(orders), $filter: pick(filters), $count: pick(['', 'true']) }
        const as = pick(['admin', 'rows', 'fields'])
        const [size, top] = [1 + Math.floor(random() * 4), pick([undefined, 1 + Math.floor(random() * 12)])]
        const url = urlOf(set, { ...options, ...(top === undefined ? {} : { $top: String(top) }) })
        const whole = await get(world(), url, 50_000, as)
        // What a role hides, it cannot ask for.
        if (whole.status === 400) continue
        expect([whole.status, url]).toEqual([200, url])
        const found: unknown[] = []
        const numbers = new Set<unknown>()
        for (let next: string | undefined = url; next !== undefined; ) {
          const page = await get(world(), next, size, as)
          expect([page.status, next]).toEqual([200, next])
          // Another one may be that of a refusal, which is written a moment later.
          numbers.add(page.number)
          expect(page.json['@odata.count']).toBe(whole.json['@odata.count'])
          const link: string | undefined = page.json['@odata.nextLink']
          if (link !== undefined) expect(page.json.value).toHaveLength(size)
          found.push(...page.json.value)
          next = pathIn(link)
          pages += 1
          await write(WRITES_BETWEEN_PAGES)
        }
        expect(numbers.size).toBe(1)
        const context = `${url} as ${as}, ${size} a page (seed ${SEED})`
        expect(withoutTexts(found), context).toEqual(withoutTexts(whole.json.value))
      }
      expect(pages).toBeGreaterThan(ROUNDS / 3)
      expect(accepted).toBeGreaterThan(ROUNDS)
    })

    it('have at most 1,000 records, and as many as the client wishes', async () => {
      const url = urlOf('customers', { $select: 'customerId', $top: '2' })
      const page = await get(world(), url, 1)
      expect([page.json.value.length, page.applied]).toEqual([1, 'odata.maxpagesize=1'])
      const { json, headers } = await world().send({ as: 'admin', url })
      expect([json.value.length, json['@odata.nextLink'], headers['preference-applied']]).toEqual([
        2,
        undefined,
        undefined,
      ])
      // $top counts over all pages, and a page keeps its size without the preference.
      const last = await world().send({ as: 'admin', url: pathIn(page.json['@odata.nextLink']) ?? '' })
      expect([last.json.value.length, last.json['@odata.nextLink']]).toEqual([1, undefined])
    })

    it('end with the last record, also where it fills its page', async () => {
      const all = (await get(world(), urlOf('customers', { $select: 'customerId' }), 50_000)).json.value.length
      const { json } = await get(world(), urlOf('customers', { $select: 'customerId' }), all)
      expect([json.value.length, json['@odata.nextLink']]).toEqual([all, undefined])
    })

    it('go on behind their last record where changes are not recorded', async () => {
      for (const [set, order] of [
        ['attributes', ''],
        ['attributes', 'description desc'],
        ['value_list', 'description,language desc'],
      ] as const) {
        const whole = await get(world(), urlOf(set, { $orderby: order }), 50_000)
        const found: unknown[] = []
        for (let next: string | undefined = urlOf(set, { $orderby: order }); next !== undefined; ) {
          const page = await get(world(), next, 2)
          expect([page.status, page.number]).toEqual([200, undefined])
          found.push(...page.json.value)
          next = pathIn(page.json['@odata.nextLink'])
        }
        expect(found.length).toBeGreaterThan(2)
        expect(found).toEqual(whole.json.value)
      }
    })

    it('follow no token but their own, for the same caller and question', async () => {
      const url = urlOf('customers', { $select: 'customerId' })
      const link = pathIn((await get(world(), url, 1)).json['@odata.nextLink']) ?? ''
      const token = link.split('$skiptoken=')[1] ?? ''
      const wrong = [
        link.replace('customerId', 'customerName'),
        link.replace('customers?', 'attribute_values?'),
        `${link}A`,
        `${url}&$skiptoken=${token.slice(0, -1)}`,
        `${url}&$skiptoken=${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`,
        `${url}&$skiptoken=${token.slice(0, -2)}${token.endsWith('Q') ? 'gA' : 'QA'}`,
        `${url}&$skiptoken=1`,
      ]
      for (const one of wrong) expect([one, (await get(world(), one, 1)).status]).toEqual([one, 400])
      expect((await get(world(), link, 1, 'rows')).status).toBe(400)
      expect((await get(world(), link, 1)).status).toBe(200)
    })

    it('are 410 when the state of the first one is no longer kept', async () => {
      const url = urlOf('customers', { $select: 'customerId' })
      const link = pathIn((await get(world(), url, 1)).json['@odata.nextLink']) ?? ''
      const patch = [{ op: 'replace', path: '/aliasName', value: 'later' }]
      await world().send({ as: 'admin', method: 'PATCH', url: '/v1/customers/1001', body: patch })
      expect((await get(world(), link, 1)).status).toBe(200)
      const [row] = await world().query("select head_no from journal_counter where company_id = 'EN'")
      await world().query(`update journal_counter set texts_from = ${row?.head_no} where company_id = 'EN'`)
      expect((await get(world(), link, 1)).status).toBe(410)
    })
  },
  startRuled,
)
