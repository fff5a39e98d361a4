import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonValue, parseJson } from '../base/strict-json.ts'
import { Problem } from '../errors/problem.ts'
import { MAX_ITEMS } from '../model/document.ts'
import { bool, dateTime, type GivenOf, integer, list, number, record, text } from '../model/schema.ts'
import { applyOperations } from './apply-operations.ts'
import { parseOperations } from './operations.ts'
import type { PatchRule } from './rules.ts'

const Sample = record({
  id: text(),
  description: text(),
  sortOrder: integer(),
  percentage: number(),
  isOpen: bool(),
  dateTo: dateTime(),
  payment: record({ payMethod: text(), status: text() }),
  tags: list(text()),
  contactPoints: list(
    record({
      contactPointType: text(),
      sortOrder: integer(),
      address: record({ place: text(), countryCode: text() }),
      phoneNumbers: record({ telephone1: text() }),
    }),
  ),
})

const RULES: PatchRule[] = [
  { path: '/description' },
  { path: '/sortOrder', ops: ['replace'] },
  { path: '/percentage' },
  { path: '/isOpen' },
  { path: '/dateTo' },
  { path: '/payment/*' },
  { path: '/tags', ops: ['replace', 'remove'] },
  { path: '/tags/*' },
  { path: '/tags/-' },
  {
    path: '/contactPoints/*/contactPointType',
    refusal: { code: 3010, message: 'Updating key value ContactPointType is not supported' },
  },
  { path: '/contactPoints/-', ops: ['add'] },
  { path: '/contactPoints/*', ops: ['remove'] },
  { path: '/contactPoints/*/**', ops: ['replace'] },
]

const BEFORE: GivenOf<typeof Sample> = {
  id: '7',
  description: 'before',
  tags: ['a', 'b'],
  contactPoints: [{ contactPointType: '1', sortOrder: 1, address: { place: 'Oslo' } }, { contactPointType: '2' }],
}

type Operation = [op: string, path: string, value?: JsonValue]

function patch(operations: Operation[], before = BEFORE) {
  const json = operations.map(
    ([op, path, value]): JsonValue => (value === undefined ? { op, path } : { op, path, value }),
  )
  return applyOperations(Sample, RULES, before, parseOperations(json))
}

describe('an operation that is legal', () => {
  test.each<[Operation[], object]>([
    [[], {}],
    [[['replace', '/description', 'after']], { description: 'after' }],
    [[['Replace', 'DESCRIPTION', 12]], { description: '12' }],
    [[['replace', '/description', null]], { description: undefined }],
    [[['remove', '/description']], { description: undefined }],
    [[['remove', '/percentage']], {}],
    [[['add', '/description', 'after']], { description: 'after' }],
    [[['replace', '/sortOrder', '12']], { sortOrder: 12 }],
    [[['replace', '/percentage', '12.5']], { percentage: 12.5 }],
    [[['replace', '/isOpen', 'True']], { isOpen: true }],
    [[['replace', '/dateTo', '2026-01-31']], { dateTo: '2026-01-31T00:00:00.000Z' }],
    [[['replace', '/payment/payMethod', 'IP']], { payment: { payMethod: 'IP' } }],
    [[['replace', '/tags', ['x', 1]]], { tags: ['x', '1'] }],
    [[['replace', '/tags', []]], { tags: [] }],
    [[['remove', '/tags']], { tags: undefined }],
    [[['add', '/tags/-', 'c']], { tags: ['a', 'b', 'c'] }],
    [[['add', '/tags/2', 'c']], { tags: ['a', 'b', 'c'] }],
    [[['add', '/tags/0', 'c']], { tags: ['c', 'a', 'b'] }],
    [[['replace', '/tags/1', 'c']], { tags: ['a', 'c'] }],
    [[['remove', '/tags/0']], { tags: ['b'] }],
    [
      [
        ['remove', '/tags/0'],
        ['remove', '/tags/0'],
      ],
      { tags: [] },
    ],
    [
      [
        ['remove', '/tags'],
        ['add', 'tags/-', 'c'],
        ['replace', 'tags/0', 'd'],
      ],
      { tags: ['d'] },
    ],
    [[['remove', '/contactPoints/0']], { contactPoints: [{ contactPointType: '2' }] }],
    [
      [['replace', '/ContactPoints/1/PhoneNumbers/Telephone1', '555']],
      { contactPoints: [BEFORE.contactPoints![0], { contactPointType: '2', phoneNumbers: { telephone1: '555' } }] },
    ],
    [
      [['replace', '/contactPoints/0/address', { COUNTRYCODE: 'NO', unknown: 1 }]],
      {
        contactPoints: [
          { contactPointType: '1', sortOrder: 1, address: { countryCode: 'NO' } },
          { contactPointType: '2' },
        ],
      },
    ],
    [
      [['add', '/contactPoints/-', { ContactPointType: '3', sortOrder: '3' }]],
      { contactPoints: [...BEFORE.contactPoints!, { contactPointType: '3', sortOrder: 3 }] },
    ],
  ])('%j gives %j', (operations, changes) => {
    expect(patch(operations)).toEqual({ record: { ...BEFORE, ...changes } })
  })
})

describe('an operation that fails', () => {
  const invalid = (path: string) => `PatchOperation index 0: Provided path '${path}' is invalid`
  const noMember = (path: string) =>
    `PatchOperation index 0: Path does not specify object member. Provided path '${path}' is invalid`

  test.each<[Operation, number, string, (string | number)[]]>([
    [['replace', '/foo', 1], 4020, invalid('/foo'), []],
    [['replace', '/id', '8'], 4020, invalid('/id'), ['id']],
    [['replace', 'ID', '8'], 4020, invalid('ID'), ['id']],
    [['replace', '/payment', {}], 4020, invalid('/payment'), ['payment']],
    [['remove', '/sortOrder'], 4020, `${invalid('/sortOrder')} for remove, it is for replace`, ['sortOrder']],
    [
      ['replace', '/contactPoints/0', {}],
      4020,
      `${invalid('/contactPoints/0')} for replace, it is for remove`,
      ['contactPoints', 0],
    ],
    [['replace', '/tags/-', 'x'], 4020, invalid('/tags/-'), ['tags', '-']],
    [['remove', '/tags/-'], 4020, invalid('/tags/-'), ['tags', '-']],
    [['replace', '', {}], 4020, noMember(''), []],
    [['replace', '/description/x', 1], 4020, noMember('/description/x'), []],
    [['replace', '/contactPoints', []], 4020, noMember('/contactPoints'), ['contactPoints']],
    [['replace', '/contactPoints/01/address', {}], 4020, invalid('/contactPoints/01/address'), []],
    [
      ['replace', '/contactPoints/7/address/place', 'x'],
      4023,
      'Provided index (7) is out of range',
      ['contactPoints', 7, 'address', 'place'],
    ],
    [['remove', '/contactPoints/2'], 4023, 'Provided index (2) is out of range', ['contactPoints', 2]],
    [
      ['remove', '/contactPoints/1000000'],
      4023,
      'Provided index (1000000) is out of range',
      ['contactPoints', 1_000_000],
    ],
    [['add', '/tags/3', 'x'], 4023, 'Provided index (3) is out of range', ['tags', 3]],
    [['replace', '/tags/2', 'x'], 4023, 'Provided index (2) is out of range', ['tags', 2]],
    [
      ['replace', '/contactPoints/0/contactPointType', '2'],
      3010,
      'Updating key value ContactPointType is not supported',
      ['contactPoints', 0, 'contactPointType'],
    ],
    [
      ['replace', '/sortOrder', 'abc'],
      4030,
      "PatchOperation index 0: The value 'abc' of path '/sortOrder' cannot be converted to integer",
      ['sortOrder'],
    ],
    [
      ['replace', '/dateTo', '2026-02-30'],
      4030,
      "PatchOperation index 0: The value '2026-02-30' of path '/dateTo' cannot be converted to date-time",
      ['dateTo'],
    ],
    [
      ['replace', '/description', ['x']],
      4030,
      `PatchOperation index 0: The value '["x"]' of path '/description' cannot be converted to string`,
      ['description'],
    ],
    [
      ['add', '/contactPoints/-', null],
      4030,
      "PatchOperation index 0: The value 'null' of path '/contactPoints/-' cannot be converted to object",
      ['contactPoints', '-'],
    ],
    [
      ['add', '/contactPoints/-', { sortOrder: 1.5 }],
      4030,
      "PatchOperation index 0: The value '1.5' of path '/contactPoints/-/sortOrder' cannot be converted to integer",
      ['contactPoints', '-', 'sortOrder'],
    ],
    [
      ['replace', '/isOpen', 'x'.repeat(1_000_000)],
      4030,
      `PatchOperation index 0: The value '${'x'.repeat(80)}...' of path '/isOpen' cannot be converted to boolean`,
      ['isOpen'],
    ],
  ])('%j: %d %s', (operation, code, message, path) => {
    expect(patch([operation])).toEqual({ failures: [{ index: 0, code, message, path }] })
  })

  test('is reported with all others, and nothing is done', () => {
    const { failures, record: after } = patch([
      ['replace', '/description', 'after'],
      ['replace', '/foo', 1],
      ['replace', '/sortOrder', 'x'],
      ['add', '/contactPoints/-', { sortOrder: 'x', address: { place: {} } }],
    ])
    expect(failures?.map(({ index, code }) => [index, code])).toEqual([
      [1, 4020],
      [2, 4030],
      [3, 4030],
      [3, 4030],
    ])
    expect(after).toBeUndefined()
  })

  test('names a path of 1 MB in short', () => {
    const [failure] = patch([['replace', `/${'x'.repeat(1_000_000)}`, 1]]).failures!
    expect(failure!.message.length).toBeLessThan(300)
  })

  test('is one that makes an array too long', () => {
    const full = { tags: Array<string>(MAX_ITEMS).fill('') }
    expect(
      patch(
        [
          ['remove', '/tags/0'],
          ['add', '/tags/-', 'x'],
        ],
        full,
      ).failures,
    ).toBeUndefined()
    expect(patch([['add', '/tags/-', 'x']], full).failures).toMatchObject([
      { code: 3010, message: "PatchOperation index 0: The array of path '/tags/-' has 200 items and takes no more" },
    ])
    expect(patch([['replace', '/tags', Array(MAX_ITEMS + 1).fill('')]]).failures).toMatchObject([{ code: 4030 }])
  })

  test('may be refused in two spellings of one name', () => {
    expect(() => patch([['add', '/contactPoints/-', { sortOrder: 1, SortOrder: 2 }]])).toThrow(Problem)
  })
})

test('shares nothing with the record or the body', () => {
  const before = structuredClone(BEFORE)
  const value: JsonValue = { contactPointType: '3', address: { place: 'x' } }
  const { record: after } = patch([
    ['add', '/contactPoints/-', value],
    ['replace', '/contactPoints/2/address/place', 'y'],
  ])
  expect(after!.contactPoints![2]!.address!.place).toBe('y')
  expect(value).toEqual({ contactPointType: '3', address: { place: 'x' } })
  expect(BEFORE).toEqual(before)
})

describe('whatever is sent', () => {
  const name = fc.constantFrom(
    ...[
      '',
      '-',
      '-1',
      '0',
      '1',
      '01',
      '1000000',
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'length',
      '~0',
      '~',
    ],
    ...[
      'description',
      'TAGS',
      'contactPoints',
      'address',
      'place',
      'payment',
      'status',
      'sortOrder',
      'contactPointType',
    ],
  )
  const path = fc.oneof(
    fc.array(name, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
    fc.string(),
  )
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      parseJson('{"constructor":{"prototype":{"polluted":1}}}'),
      JSON.parse('{"__proto__":{"polluted":1}}') as JsonValue,
      { address: { place: 1 }, sortOrder: '7' },
    ),
  ) as fc.Arbitrary<JsonValue>
  const operations = fc.array(fc.record({ op: fc.constantFrom('Add', 'replace', 'remove'), path, value }), {
    maxLength: 8,
  })
  const openRules: PatchRule[] = [{ path: '/**' }]

  test.each([
    ['the rules of a resource', RULES],
    ['rules that allow everything', openRules],
  ])('only designed refusals come, and no prototype or record is touched, by %s', (_, rules) => {
    const before = JSON.stringify(BEFORE)
    const prototype = Object.getOwnPropertyNames(Object.prototype).join()
    fc.assert(
      fc.property(operations, (json) => {
        try {
          const { record: after, failures } = applyOperations(Sample, rules, BEFORE, parseOperations(json))
          expect(failures ? failures.length > 0 : Object.getPrototypeOf(after) === Object.prototype).toBe(true)
          for (const { code } of failures ?? []) expect([3010, 4020, 4023, 4030]).toContain(code)
        } catch (error) {
          if (!(error instanceof Problem)) throw error
        }
        expect(JSON.stringify(BEFORE)).toBe(before)
        expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(prototype)
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
      }),
      { numRuns: 2_000 },
    )
  })
})
