// The option `validAt`: the values and relations that hold in a period, on a date or at a date-time.
import { expect, it } from 'vitest'
import { insertRows } from '../support/object-records.ts'
import { onEachStore, type StoreKind, startWorld, type World } from '../support/world.ts'

const changed = { updated_at: '2026-01-01T00:00:00.000Z', updated_by: 'tester' }

const value = (attribute_value: string, period_from: number, period_to: number) => ({
  company_id: 'EN',
  attribute_id: 'C1',
  attribute_value,
  period_from,
  period_to,
  description: '',
  owner: '',
  status: 'N',
  custom_value: 0,
  contact_points: '[]',
  ...changed,
  change_no: 1,
})

const relation = (relation_value: string, date_from: string, date_to: string) => ({
  company_id: 'EN',
  attribute_id: 'C1',
  attribute_value: 'OPEN',
  related_attribute_id: 'C2',
  relation_value,
  relation_id: 'REL',
  unit_value: 0,
  percentage: 0,
  date_from,
  date_to,
  ...changed,
  created_no: 1,
  change_no: 1,
})

async function start(kind: StoreKind) {
  const world = await startWorld(kind, 'test/fixtures/valid-at.yaml')
  await insertRows(world, 'attribute_value', [
    value('OPEN', 0, 209912),
    value('PAST', 0, 202610),
    value('NOVEMBER', 202611, 202611),
    value('LATER', 202612, 209912),
    value('CLOSING', 202713, 202713),
    value('QUARTER', 202804, 202804),
  ])
  await insertRows(world, 'attribute_relation', [
    relation('open', '1900-01-01T00:00:00.000Z', '2099-12-31T00:00:00.000Z'),
    relation('to-day', '1900-01-01T00:00:00.000Z', '2026-10-31T00:00:00.000Z'),
    relation('to-hour', '1900-01-01T00:00:00.000Z', '2026-10-31T08:00:00.000Z'),
    relation('from-day', '2026-11-01T00:00:00.000Z', '2099-12-31T00:00:00.000Z'),
    relation('from-hour', '2026-11-01T12:00:00.000Z', '2099-12-31T00:00:00.000Z'),
  ])
  return world
}

/** What holds then, of the endpoint of the object, of the list of the attribute, and as both count it. */
const VALUES: readonly [validAt: string, holds: readonly string[]][] = [
  ['202610', ['OPEN', 'PAST']],
  ['202611', ['NOVEMBER', 'OPEN']],
  ['202612', ['LATER', 'OPEN']],
  ['190001', ['OPEN', 'PAST']],
  ['2026-11-01', ['NOVEMBER', 'OPEN']],
  ['2026-11-30T23:59:59.999Z', ['NOVEMBER', 'OPEN']],
  ['2026-11-30T23:59:59-01:00', ['LATER', 'OPEN']],
  [' 2026-12-01 ', ['LATER', 'OPEN']],
  ['202713', ['CLOSING', 'LATER', 'OPEN']],
  ['2027-12-31', ['LATER', 'OPEN']],
  ['2028-09-30', ['LATER', 'OPEN']],
  ['2028-10-01', ['LATER', 'OPEN', 'QUARTER']],
  ['202904', ['LATER', 'OPEN']],
]

const RELATIONS: readonly [validAt: string, holds: readonly string[]][] = [
  ['2026-10-30', ['open', 'to-day', 'to-hour']],
  ['2026-10-31', ['open', 'to-day', 'to-hour']],
  ['2026-10-31T08:00', ['open', 'to-day', 'to-hour']],
  ['2026-10-31T08:00:00.001Z', ['open', 'to-day']],
  ['2026-11-01', ['from-day', 'open']],
  ['2026-11-01T12:00:00+00:00', ['from-day', 'from-hour', 'open']],
]

const NEEDS_PERIOD =
  "The value '2029-05-01' is not valid for validAt: a date does not tell the period in this company; send a period (yyyypp)."

const REFUSED: readonly [url: string, message: string][] = [
  ['attribute-values?validAt=202613', "The value '202613' is not valid for validAt: the company has no such period."],
  ['attribute-values?validAt=202600', "The value '202600' is not valid for validAt: the company has no such period."],
  ['attribute-values?validAt=2029-05-01', NEEDS_PERIOD],
  [
    'attribute-values?validAt=0',
    "The value '0' is not valid for validAt; it must be a period (yyyypp), a date or a date-time.",
  ],
  [
    'attribute-values?validAt=2026-02-30',
    "The value '2026-02-30' is not valid for validAt; it must be a period (yyyypp), a date or a date-time.",
  ],
  [
    'attribute-relations?validAt=202611',
    "The value '202611' is not valid for validAt; it must be a date or a date-time.",
  ],
  [
    'attribute-relations?validAt=yesterday',
    "The value 'yesterday' is not valid for validAt; it must be a date or a date-time.",
  ],
  ['attribute-values?validAt=202611&$validat=202611', "The query option 'validat' is given more than once."],
  ['customers?validAt=2026-11-01', 'Records of customers have no validity: validAt cannot be used here.'],
]

const namesIn = (body: Record<string, string>[]) => body.map((one) => one.relationValue ?? one.attributeValue).sort()

async function countOf(world: World, url: string) {
  return Number((await world.send({ as: 'reader', method: 'HEAD', url })).headers['x-erp-total-count'])
}

onEachStore(
  'validAt',
  (world) => {
    const get = (url: string, as = 'reader') => world().send({ as, url })

    it.each(VALUES)('answers and counts the values that hold at %s', async (moment, holds) => {
      const validAt = encodeURIComponent(moment)
      for (const url of [
        `/v1/objects/attribute-values?validAt=${validAt}`,
        `/v1/attribute-values/C1?$VALIDAT=${validAt}`,
      ]) {
        const { status, json } = await get(url)
        expect([status, namesIn(json)]).toEqual([200, holds])
        expect(await countOf(world(), url)).toBe(holds.length)
      }
    })

    it.each(RELATIONS)('answers and counts the relations that hold at %s', async (moment, holds) => {
      const url = `/v1/objects/attribute-relations?validAt=${encodeURIComponent(moment)}`
      const { status, json } = await get(url)
      expect([status, namesIn(json)]).toEqual([200, holds])
      expect(await countOf(world(), url)).toBe(holds.length)
    })

    it('narrows the filter, the order and the page of a query, and the row rule of a caller', async () => {
      const url = '/v1/objects/attribute-values?validAt=202713&$orderby=attributeValue desc&$select=attributeValue'
      expect((await get(`${url}&$limit=2`)).json.map(Object.values)).toEqual([['OPEN'], ['LATER']])
      expect((await get(`${url}&$filter=periodFrom gt 0`)).json.map(Object.values)).toEqual([['LATER'], ['CLOSING']])
      expect((await get(url, 'rows')).json.map(Object.values)).toEqual([['LATER'], ['CLOSING']])
    })

    it.each(REFUSED)('refuses %s', async (query, message) => {
      const { status, json } = await get(`/v1/objects/${query}`)
      expect([status, json]).toEqual([400, { code: 1020, message }])
    })

    it('refuses it for the list of an attribute with 400 too', async () => {
      const { status, json } = await get('/v1/attribute-values/C1?validAt=x')
      expect([status, json.code]).toEqual([400, 1020])
    })

    it.each([
      ['attribute-values', '202611', 'periodTo'],
      ['attribute-relations', '2026-11-01', 'dateFrom'],
    ])('is refused for %s where a rule hides a member that it would disclose', async (name, validAt, member) => {
      const { status, json } = await get(`/v1/objects/${name}?validAt=${validAt}`, 'blind')
      const message = `validAt cannot be used: it needs ${member}, which is not visible.`
      expect([status, json]).toEqual([400, { code: 1020, message }])
    })
  },
  start,
)
