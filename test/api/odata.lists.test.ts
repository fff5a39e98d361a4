// Items of lists as entity sets of their own: the rows are the items that the lists of the records have, for every
// caller; conditions, orders, pages and groups are those of every entity set. RELIABILITY=full asks more random
// questions, TABULARIUM_SEED reproduces a run.
import { expect, it } from 'vitest'
import { randomNumbers, SEED, triesOf } from '../support/reliability-test.ts'
import { customerBody, make, startRuled } from '../support/ruled-records.ts'
import { onEachStore, type StoreKind } from '../support/world.ts'

const ROOT = '/odata/v4/EN'
const QUESTIONS = triesOf({ long: 40, full: 2_000 })
const PLACES = ['Oslo', 'Bergen', 'bergen', '', "O'Brien", 'A_b', '100%']

interface Row {
  readonly customerId: string
  readonly countryCode: string
  readonly position: number
  readonly contactPointType: string
  readonly sortOrder: number
  readonly place: string
}

/** A record or an item as an answer has it. */
type Json = Readonly<Record<string, never>>
type Parent = Readonly<Record<'customerId' | 'countryCode', string>> & { readonly contactPoints: readonly Json[] }
type Related = { readonly attributeValue: string; readonly relatedValues: readonly Json[] }

/** A condition in OData, and whether a row meets it. */
type Condition = readonly [text: string, holds: (row: Row) => boolean]

const compared = <Value>(value: Value, op: string, other: Value) =>
  ({ eq: value === other, ne: value !== other, lt: value < other, ge: value >= other })[op] ?? false
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

class Questions {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = randomNumbers(seed)
  }

  oneOf<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)] as Value
  }

  condition(depth = 2): Condition {
    if (depth > 0 && this.#random() < 0.5) {
      const [one, other, isAnd] = [this.condition(depth - 1), this.condition(depth - 1), this.#random() < 0.5]
      const holds = (row: Row) => (isAnd ? one[1](row) && other[1](row) : one[1](row) || other[1](row))
      return [`(${one[0]} ${isAnd ? 'and' : 'or'} ${other[0]})`, holds]
    }
    const [op, text, number] = [this.oneOf(['eq', 'ne', 'lt', 'ge']), this.oneOf(PLACES), this.oneOf([1, 2, 3])]
    const id = this.oneOf(['1001', '1002', '1005', '1010'])
    return this.oneOf<Condition>([
      [`address/place ${op} ${quoted(text)}`, ({ place }) => compared(place, op, text)],
      [`contains(tolower(address/place),${quoted('e')})`, ({ place }) => place.toLowerCase().includes('e')],
      [`customerId ${op} '${id}'`, ({ customerId }) => compared(customerId, op, id)],
      [`customerId in ('1001','${id}')`, ({ customerId }) => customerId === '1001' || customerId === id],
      [`position ${op} ${number}`, ({ position }) => compared(position, op, number)],
      [`not (sortOrder ${op} ${number})`, ({ sortOrder }) => !compared(sortOrder, op, number)],
    ])
  }
}

/** Customers with some contact points, besides those of the fixture; one has none. */
async function startLists(kind: StoreKind) {
  const world = await startRuled(kind)
  const random = new Questions(7)
  for (let at = 0; at < 14; at++) {
    const contactPoints = Array.from({ length: (at % 5) + 1 }, () => ({
      contactPointType: '1',
      address: { countryCode: 'NO', place: random.oneOf(PLACES) },
      sortOrder: random.oneOf([0, 1, 2, 3]),
    }))
    const body = customerBody(String(1005 + at), at % 3 === 0 ? 'SE' : 'NO', { contactPoints })
    await make(world, '/v1/customers', body)
  }
  await world.query("update customer set contact_points = '[]' where customer_id = '1003'")
  return world
}

onEachStore(
  'OData and lists',
  (world) => {
    const ask = async (path: string, as = 'admin') => {
      const { status, json, text } = await world().send({ as, url: `${ROOT}/${encodeURI(path)}` })
      return { status, json, text }
    }

    it.each(['admin', 'rows', 'swedish'])(
      'answers %s the items of the lists that it has at /v1/objects',
      async (as) => {
        const parents = await world().send({
          as,
          url: '/v1/objects/customers?select=customerId,countryCode,contactPoints',
        })
        const rows = parents.json.flatMap(({ contactPoints, ...record }: Parent) =>
          contactPoints.map((item, at) => ({ ...record, position: at + 1, item })),
        )
        const { json } = await ask('customers_contactPoints?$orderby=customerId,position', as)
        expect(json.value.length).toBeGreaterThan(0)
        expect(
          json.value.map(({ companyId, customerId, position, contactPointType_text, ...item }: Json) => {
            return { customerId, position, item }
          }),
        ).toEqual(rows.map(({ countryCode, ...row }: Json) => row))

        const flat: Row[] = rows.map(({ item, ...row }: { item: { address: Row } }) => {
          return { ...row, ...item, place: item.address.place }
        })
        const questions = new Questions(SEED)
        for (let asked = 0; asked < QUESTIONS; asked++) {
          const [text, holds] = questions.condition()
          const [by, isDescending] = [
            questions.oneOf(['place', 'sortOrder', 'customerId'] as const),
            questions.oneOf([true, false]),
          ]
          const order = `${by === 'place' ? 'address/place' : by}${isDescending ? ' desc' : ''}`
          const expected = flat.filter(holds).toSorted((one, other) => {
            const first = one[by] < other[by] ? -1 : Number(one[by] > other[by])
            return (
              (isDescending ? -first : first) ||
              Number(one.customerId) - Number(other.customerId) ||
              one.position - other.position
            )
          })
          const { json } = await ask(
            `customers_contactPoints?$select=customerId,position&$orderby=${order}&$filter=${text}`,
            as,
          )
          const shown = expected.map(({ customerId, position }) => ({ customerId, position }))
          expect(json.value, `${text}, ${order} (seed ${SEED})`).toEqual(shown)
        }
      },
    )

    it('knows no items of a list that a role hides', async () => {
      for (const set of ['customers_contactPoints', 'attribute_values_relatedValues']) {
        expect((await ask(set)).status).toBe(200)
        expect((await ask(set, 'fields')).status).toBe(404)
        expect((await ask(`${set}/$count`, 'fields')).status).toBe(404)
      }
    })

    it('declares in the metadata where the items of a list are', async () => {
      const { text } = await ask('$metadata')
      expect(text).toContain(
        '<NavigationProperty Name="contactPoints" Type="Collection(Tabularium.customers_contactPoints)"/>',
      )
      expect(text).toContain('<NavigationPropertyBinding Path="contactPoints" Target="customers_contactPoints"/>')
      const key = ['customerId', 'position'].map((name) => `<PropertyRef Name="${name}"/>`).join('')
      expect(text).toContain(`<EntityType Name="customers_contactPoints"><Key>${key}</Key>`)
      expect((await ask('$metadata', 'fields')).text).not.toMatch(
        /customers_contactPoints|attribute_values_relatedValues/,
      )
    })

    it('answers items that are rows of a table, with the texts of their codes', async () => {
      const { json } = await ask(
        'attribute_values_relatedValues?$select=attributeValue,position,relationName,relatedValue_text',
      )
      const listed = await world().send({
        as: 'admin',
        url: '/v1/objects/attribute-values?select=attributeValue,relatedValues(relationName,relatedValue[T])',
      })
      const items = listed.json.flatMap(({ attributeValue, relatedValues }: Related) =>
        relatedValues.map((item) => ({
          attributeValue,
          relationName: item.relationName,
          relatedValue_text: item['relatedValue(description)'],
        })),
      )
      expect(items).toHaveLength(3)
      expect(json.value.map(({ position, ...item }: Json) => item)).toEqual(items)
      const positions: readonly number[] = json.value.map(({ position }: Row) => position)
      expect(positions).toEqual([...new Set(positions)].toSorted((one, other) => one - other))
    })

    it('counts, pages and groups items', async () => {
      const { json: all } = await ask('customers_contactPoints?$select=customerId,position')
      const total = all.value.length
      expect((await ask('customers_contactPoints/$count')).text).toBe(String(total))
      const found = []
      for (let skip = 0; skip < total; skip += 7) {
        const { json } = await ask(
          `customers_contactPoints?$select=customerId,position&$count=true&$skip=${skip}&$top=7`,
        )
        expect(json['@odata.count']).toBe(total)
        found.push(...json.value)
      }
      expect(found).toEqual(all.value)
      const { json } = await ask(
        'customers_contactPoints?$apply=groupby((customerId),aggregate($count as items,position with max as last))',
      )
      expect(json.value.length).toBeGreaterThan(10)
      for (const { customerId, items, last } of json.value) {
        const own = all.value.filter((one: Row) => one.customerId === customerId).length
        expect([customerId, items, last]).toEqual([customerId, own, own])
      }
    })

    it('answers all items in pages, each from the last row of the one before', async () => {
      const { json: all } = await ask('customers_contactPoints?$orderby=address/place')
      const found = []
      let next = `${ROOT}/customers_contactPoints?$orderby=address/place`
      for (let page = 0; next; page++) {
        const headers = { prefer: 'odata.maxpagesize=5' }
        const { json } = await world().send({ as: 'admin', url: next, headers })
        expect(page).toBeLessThan(20)
        found.push(...json.value)
        next = json['@odata.nextLink']?.replace(/^http:\/\/[^/]+/, '')
      }
      expect(found.length).toBeGreaterThan(20)
      expect(found).toEqual(all.value)
    })

    it('answers one entity by its key', async () => {
      const one = await ask(
        "customers('1001')?$select=customerName,customerId&$expand=contactPoints($select=sortOrder)",
      )
      const context = `http://localhost${ROOT}/$metadata#customers(customerId,customerName,contactPoints(sortOrder))/$entity`
      const contactPoints = [{ sortOrder: 0 }]
      expect(one.json).toEqual({
        '@odata.context': context,
        customerId: '1001',
        customerName: 'Customer 1001',
        contactPoints,
      })
      expect((await ask("customers(customerId='1001')?$select=customerName,customerId")).json.customerId).toBe('1001')
      const item = await ask("customers_contactPoints(customerId='1006',position=2)?$select=customerId,position")
      expect(item.json).toMatchObject({ customerId: '1006', position: 2 })
      expect(
        (await ask("customers_contactPoints(position=2,customerId='1006')?$select=customerId,position")).json,
      ).toEqual(item.json)
    })

    it('answers 404 for an entity that is not there or not shown', async () => {
      for (const path of [
        "customers('none')",
        "customers_contactPoints(customerId='1006',position=99)",
        "Customers('1001')",
      ]) {
        expect([path, (await ask(path)).status]).toEqual([path, 404])
      }
      for (const path of [
        "customers('1002')",
        "customers('1002')/contactPoints",
        "customers('1002')/contactPoints/$count",
      ]) {
        expect([path, (await ask(path)).status, (await ask(path, 'rows')).status]).toEqual([path, 200, 404])
      }
      expect((await ask("customers('1001')/contactPoints", 'fields')).status).toBe(404)
    })

    it('answers 400 for what is no key', async () => {
      const keys = [
        "'1001",
        '1001',
        '',
        "customerId='1001',customerId='1001'",
        "customerName='x'",
        "'1001','1002'",
        "'\0'",
      ]
      for (const key of keys) expect([key, (await ask(`customers(${key})`)).status]).toEqual([key, 400])
      for (const key of [
        "customerId='1001'",
        "'1001'",
        "customerId='1001',position='1'",
        "customerId='1001',position=1.5",
      ]) {
        expect([key, (await ask(`customers_contactPoints(${key})`)).status]).toEqual([key, 400])
      }
      expect((await ask("customers('1001')?$filter=customerId eq '1001'")).status).toBe(400)
    })

    it('answers the items of a list of one entity', async () => {
      const { json: all } = await ask("customers_contactPoints?$filter=customerId eq '1009'")
      expect(all.value).toHaveLength(5)
      const { json } = await ask("customers('1009')/contactPoints")
      expect(json.value).toEqual(all.value)
      expect((await ask("customers('1009')/contactPoints/$count")).text).toBe('5')
      const { json: some } = await ask(
        "customers('1009')/contactPoints?$filter=position gt 1&$orderby=position desc&$top=2&$select=position",
      )
      expect(some.value).toEqual([{ position: 5 }, { position: 4 }])
      expect((await ask("customers('1003')/contactPoints")).json.value).toEqual([])
    })

    it('answers 501 for other paths behind an entity', async () => {
      for (const path of ['customerName', 'contactPoints(1)', '$value', '$ref']) {
        expect([path, (await ask(`customers('1001')/${path}`)).status]).toEqual([path, 501])
      }
      for (const path of ["customers('1001')/nothing", 'customers/contactPoints', "customers('1001')/$count"]) {
        expect([path, (await ask(path)).status]).toEqual([path, 404])
      }
    })

    it('answers 501 for what the standard has as a path of its own, and 404 for the rest', async () => {
      const own = ['$all', '$crossjoin(customers,companies)', '$entity?$id=customers', '$query', 'customers/$ref']
      const behind = ['customerName/$value', 'contactPoints/$ref', 'payment/status', 'contactPoints/1', '$ref']
      const further = ['customers/$each', 'customers/$filter(true)', 'customers/Tabularium.customers', 'nothing/$value']
      for (const path of [...own, ...further, ...behind.map((one) => `customers('1001')/${one}`)]) {
        const { status, json } = await ask(path)
        expect([path, status, json.error.message]).toEqual([
          path,
          501,
          expect.stringMatching(/^Not supported: the path/),
        ])
      }
      const long = `customers('${'x'.repeat(600)}')/contactPoints`
      const none = ['$nothing', 'customers/$nothing', "customers('1001')/nothing/status", 'nothing/b/c', 'a.b', long]
      for (const path of none) {
        expect([path, (await ask(path)).status]).toEqual([path, 404])
      }
    })
  },
  startLists,
)
