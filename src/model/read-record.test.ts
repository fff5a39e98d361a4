import type { Static } from 'typebox'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { OPEN_TO } from '../base/dates.ts'
import { type JsonValue, parseJson } from '../base/strict-json.ts'
import { Findings } from '../errors/findings.ts'
import { Problem } from '../errors/problem.ts'
import { MAX_ITEMS } from './document.ts'
import { withDefaults } from './fill-record.ts'
import { readRecord } from './read-record.ts'
import { bool, dateTime, type GivenOf, integer, list, number, record, text, textOrNumber } from './schema.ts'

const Sample = record({
  attributeId: text({ description: 'The attribute', examples: ['C1'] }),
  periodFrom: integer(),
  percentage: number(),
  isOpen: bool(),
  dateFrom: dateTime(),
  dateTo: dateTime({ default: OPEN_TO }),
  externalReference: textOrNumber(),
  address: record({ place: text(), country: record({ countryCode: text() }) }),
  contactPoints: list(record({ sortOrder: integer(), gtin: text() })),
  tags: list(text()),
})

function read(json: JsonValue) {
  const findings = new Findings()
  const given = readRecord(Sample, json, findings)
  return { given, messages: findings.all.map((finding) => finding.message), findings: findings.all }
}

const READ: [JsonValue, object][] = [
  [{}, {}],
  [
    { ATTRIBUTEID: 'C1', PeriodFrom: 1 },
    { attributeId: 'C1', periodFrom: 1 },
  ],
  [{ attributeId: null, address: null, contactPoints: null }, {}],
  [{ unknown: 1, notificationMessages: { a: [] } }, {}],
  [parseJson('{"constructor":1,"toString":{}}'), {}],
  [
    { attributeId: 12, externalReference: 12 },
    { attributeId: '12', externalReference: 12 },
  ],
  [{ externalReference: '0012' }, { externalReference: '0012' }],
  [
    { periodFrom: '202601', percentage: '12.5', isOpen: 'True' },
    { periodFrom: 202601, percentage: 12.5, isOpen: true },
  ],
  [
    { percentage: 33.3333333333333, attributeId: 33.333333333333336 },
    { percentage: 33.3333333333333, attributeId: '33.333333333333336' },
  ],
  [{ dateFrom: '2026-01-31' }, { dateFrom: '2026-01-31T00:00:00.000Z' }],
  [
    { Address: { Place: 'Oslo', x: 1, COUNTRY: { countrycode: 'NO' } } },
    { address: { place: 'Oslo', country: { countryCode: 'NO' } } },
  ],
  [{ contactpoints: [{ SortOrder: '1' }, {}] }, { contactPoints: [{ sortOrder: 1 }, {}] }],
  [{ tags: ['a', 1] }, { tags: ['a', '1'] }],
  [{ tags: Array(MAX_ITEMS).fill('') }, { tags: Array(MAX_ITEMS).fill('') }],
]

const UNREADABLE: [JsonValue, (string | number)[], string][] = [
  [{ attributeId: true }, ['attributeId'], 'The field attributeId must be a string.'],
  [{ attributeId: {} }, ['attributeId'], 'The field attributeId must be a string.'],
  [{ PERIODFROM: 'x' }, ['periodFrom'], 'The field periodFrom must be an integer.'],
  [{ periodFrom: 1.5 }, ['periodFrom'], 'The field periodFrom must be an integer.'],
  [{ percentage: '' }, ['percentage'], 'The field percentage must be a number.'],
  [{ isOpen: 1 }, ['isOpen'], 'The field isOpen must be a boolean.'],
  [{ dateFrom: '2026-02-30' }, ['dateFrom'], 'The field dateFrom must be a date-time.'],
  [{ dateFrom: 20260131 }, ['dateFrom'], 'The field dateFrom must be a date-time.'],
  [{ externalReference: false }, ['externalReference'], 'The field externalReference must be a string or number.'],
  [{ address: [] }, ['address'], 'The field address must be an object.'],
  [{ address: 'Oslo' }, ['address'], 'The field address must be an object.'],
  [{ contactPoints: {} }, ['contactPoints'], 'The field contactPoints must be an array.'],
  [{ tags: Array(MAX_ITEMS + 1).fill('') }, ['tags'], 'The field tags must be an array of at most 200 items.'],
  [{ tags: ['a', null] }, ['tags', 1], 'The field tags[1] must be a string.'],
  [{ contactPoints: [{}, null] }, ['contactPoints', 1], 'The field contactPoints[1] must be an object.'],
  [
    { contactPoints: [{}, { sortorder: 'x' }] },
    ['contactPoints', 1, 'sortOrder'],
    'The field contactPoints[1].sortOrder must be an integer.',
  ],
  [
    { address: { country: { countryCode: [] } } },
    ['address', 'country', 'countryCode'],
    'The field address.country.countryCode must be a string.',
  ],
]

const LOSING: [string, (string | number)[], string][] = [
  [
    '{"periodFrom":9007199254740993}',
    ['periodFrom'],
    'The field periodFrom must be an integer from -9007199254740991 to 9007199254740991, which 9007199254740993 is not.',
  ],
  [
    '{"percentage":12345678901234.56}',
    ['percentage'],
    'The field percentage must be a number of at most 15 significant digits, which 12345678901234.56 is not.',
  ],
  [
    '{"percentage":"1e-400"}',
    ['percentage'],
    'The field percentage must be a number of at most 15 significant digits, which 1e-400 is not.',
  ],
  [
    '{"externalReference":12345678901234567}',
    ['externalReference'],
    'The field externalReference must be a string or number of at most 15 significant digits, which 12345678901234567 is not.',
  ],
]

describe('readRecord', () => {
  test.each(LOSING)('refuses %s, which would lose digits, with code 4030', (json, path, message) => {
    expect(read(parseJson(json)).findings).toEqual([{ path, status: 400, code: 4030, message, unreadable: true }])
  })

  test.each(READ)('reads %j as %j', (json, expected) => {
    const { given, messages } = read(json)
    expect(given).toEqual(expected)
    expect(messages).toEqual([])
  })

  test.each(UNREADABLE)('says of %j at %j: %s', (json, path, message) => {
    expect(read(json).findings).toEqual([{ path, status: 400, code: 1010, message, unreadable: true }])
  })

  test('gathers everything, leaves it out, and keeps the rest in its place', () => {
    const { given, messages } = read({ tags: ['a', {}, 'c'], periodFrom: 'x', attributeId: 'C1' })
    expect(given).toEqual({ tags: ['a', '', 'c'], attributeId: 'C1' })
    expect(messages).toEqual(['The field tags[1] must be a string.', 'The field periodFrom must be an integer.'])
  })

  test.each([
    [{ attributeId: 'a', AttributeID: 'a' }],
    [{ attributeId: null, AttributeID: 'a' }],
    [{ address: { place: '', Place: '' } }],
    [{ contactPoints: [{ gtin: '', GTIN: '' }] }],
  ])('refuses two spellings of one name: %j', (json) => {
    expect(() => read(json)).toThrow(/^The field \w+ is given twice, as '\w+' and as '\w+'\.$/)
  })

  test.each([[null], [[]], ['{}'], [1], [true]])('refuses a body that is no object: %j', (json) => {
    expect(() => read(json)).toThrow(Problem)
    expect(() => read(json)).toThrow('The request body must be a JSON object.')
  })
})

describe('withDefaults', () => {
  const BLANK = {
    attributeId: '',
    periodFrom: 0,
    percentage: 0,
    isOpen: false,
    dateFrom: '1900-01-01T00:00:00.000Z',
    dateTo: '2099-12-31T00:00:00.000Z',
    externalReference: '',
    address: { place: '', country: { countryCode: '' } },
    contactPoints: [],
    tags: [],
  }

  test('fills everything, in documented order', () => {
    expect(JSON.stringify(withDefaults(Sample, {}))).toBe(JSON.stringify(BLANK))
  })

  test('keeps what is there, fills groups and items, and drops what is not documented', () => {
    const given = { tags: ['x'], contactPoints: [{ gtin: '7' }], address: { country: {} }, isOpen: true, other: 1 }
    expect(withDefaults(Sample, given)).toEqual({
      ...BLANK,
      isOpen: true,
      tags: ['x'],
      contactPoints: [{ sortOrder: 0, gtin: '7' }],
    })
  })

  test('shares nothing between records', () => {
    withDefaults(Sample, {}).tags.push('x')
    expect(withDefaults(Sample, {}).tags).toEqual([])
  })

  test('reads no inherited member', () => {
    expect(withDefaults(record({ toString: text(), constructor: list(text()) }), {} as never)).toEqual({
      toString: '',
      constructor: [],
    })
  })
})

test('one schema gives the types of what comes in and of what goes out', () => {
  expectTypeOf<Static<typeof Sample>['contactPoints']>().toEqualTypeOf<{ sortOrder: number; gtin: string }[]>()
  expectTypeOf<GivenOf<typeof Sample>['address']>().toEqualTypeOf<
    { place?: string; country?: { countryCode?: string } } | undefined
  >()
  expectTypeOf<Static<typeof Sample>['externalReference']>().toEqualTypeOf<string | number>()
})
