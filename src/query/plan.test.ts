import { describe, expect, it } from 'vitest'
import { type DocumentDefinition, group, value } from '../model/document.ts'
import { readOptions } from './options.ts'
import { type Ordering, planCollection } from './plan.ts'

const definition: DocumentDefinition = {
  name: 'things',
  version: 1,
  description: '',
  table: 'thing',
  companyColumn: 'company_id',
  joins: {},
  key: ['id', 'part'],
  properties: {
    id: value('string', 'id'),
    part: value('integer', 'part'),
    price: value('number', 'price'),
    isOpen: value('boolean', 'is_open'),
    picture: { ...value('string', 'picture'), filterable: false },
    changed: group({ at: value('date-time', 'changed_at'), by: value('string', 'changed_by') }),
  },
}

const planOf = (...pairs: [string, string][]) => planCollection(definition, readOptions(pairs))
const selected = (text: string) =>
  planOf(['select', text]).select.map((one) =>
    'properties' in one ? `${one.name}(${one.properties.map((inner) => inner.name).join()})` : one.name,
  )

const nameOf = ({ by }: Ordering) => ('column' in by.property.source ? by.property.source.column : '')

describe('a plan', () => {
  it('answers everything in key order when nothing is asked', () => {
    const plan = planOf()
    expect(plan.select.map((one) => one.name)).toEqual(Object.keys(definition.properties))
    expect(plan.order.map((one) => [nameOf(one), one.isDescending])).toEqual([
      ['id', false],
      ['part', false],
    ])
    expect([plan.offset, plan.limit, plan.filter]).toEqual([0, undefined, undefined])
  })

  it('ends every order with the key, and names each property once', () => {
    const plan = planOf(['orderby', 'part desc, changed/at, PART'])
    expect(plan.order.map((one) => [nameOf(one), one.isDescending])).toEqual([
      ['part', true],
      ['changed_at', false],
      ['id', false],
    ])
  })

  it.each([
    ['id', ['id']],
    ['PRICE, Id', ['id', 'price']],
    ['id,id,ID', ['id']],
    ['*', ['id', 'part', 'price', 'isOpen', 'picture', 'changed(at,by)']],
    ['changed', ['changed(at,by)']],
    ['changed(by)', ['changed(by)']],
    ['changed/at,changed/by', ['changed(at,by)']],
    ['changed(*)', ['changed(at,by)']],
    ['changed(by),changed', ['changed(at,by)']],
    ['*,id', ['id', 'part', 'price', 'isOpen', 'picture', 'changed(at,by)']],
    ['*,changed(by)', ['id', 'part', 'price', 'isOpen', 'picture', 'changed(at,by)']],
  ])('selects %s', (text, names) => {
    expect(selected(text)).toEqual(names)
  })

  it.each([
    ['select', 'prise', "Unknown property 'prise' at position 0 of $select; did you mean 'price'?"],
    ['select', 'id,nothing', "Unknown property 'nothing' at position 3 of $select"],
    ['select', '*,nothing', "Unknown property 'nothing' at position 2 of $select"],
    ['select', '*,id[T]', "'id' has no description at position 2 of $select"],
    ['select', '*,changed(nothing)', "Unknown property 'nothing' at position 10 of $select"],
    ['select', 'changed(*,nothing)', "Unknown property 'nothing' at position 10 of $select"],
    ['select', 'changed,changed(nothing)', "Unknown property 'nothing' at position 16 of $select"],
    ['filter', '  prise eq 1', "Unknown property 'prise' at position 2 of $filter; did you mean 'price'?"],
    ['select', 'id[T]', "'id' has no description at position 0 of $select"],
    ['select', 'id(a)', "'id' has no properties inside it at position 0 of $select"],
    ['select', '__proto__', "Unknown property '__proto__' at position 0 of $select"],
    ['select', 'constructor', "Unknown property 'constructor' at position 0 of $select"],
    [
      'orderby',
      'changed',
      "'changed' is a group: name one of its properties, such as changed/at at position 0 of $orderby",
    ],
    ['orderby', 'rowid', "Unknown property 'rowid' at position 0 of $orderby"],
    [
      'filter',
      "changed eq 'x'",
      "'changed' is a group: name one of its properties, such as changed/at at position 0 of $filter",
    ],
    ['filter', "picture eq 'x'", "'picture' cannot be used in a filter at position 0 of $filter"],
    ['filter', "part eq 'x'", "'x' is no integer at position 8 of $filter"],
    ['filter', 'changed/at eq 5', '5 is no date-time at position 14 of $filter; dates are written 2026-11-22'],
    ['filter', "changed/at eq '2026-02-30'", "'2026-02-30' is no date-time at position 14 of $filter"],
    ['filter', 'isOpen eq 1', '1 is no boolean at position 10 of $filter'],
    ['filter', 'id eq true', 'true is no string at position 6 of $filter'],
    ['filter', 'id', 'a string is neither true nor false: a comparison is expected at position 0 of $filter'],
    ['filter', 'id eq part', 'a string cannot be compared with an integer at position 0 of $filter'],
    ['filter', "containz(id,'x')", "Unknown function 'containz' at position 0 of $filter; did you mean 'contains'?"],
    ['filter', 'contains(id)', 'contains takes 2 values, not 1 at position 0 of $filter'],
    ['filter', "contains(part,'x')", 'contains takes a string, not an integer at position 9 of $filter'],
    ['filter', "id/any(x: x eq 'a')", "'id' is not a list at position 0 of $filter"],
    [
      'filter',
      "constructor(id) eq 'x'",
      "Unknown function 'constructor' at position 0 of $filter; the functions are con",
    ],
  ])('refuses %s=%s', (option, text, message) => {
    expect(() => planOf([option, text])).toThrow(message)
  })

  it.each([
    'isOpen',
    'isOpen eq true',
    "isOpen ne 'False'",
    'part eq 5',
    "part eq '5'",
    'part lt price',
    'id eq 10019',
    'id eq null',
    'part eq null',
    'changed/at ge 2026-01-31',
    "date(changed/at) eq '2026-01-31'",
    'year(changed/at) in (2025,2026)',
  ])('understands %s', (text) => {
    expect(planOf(['filter', text]).filter).toBeDefined()
  })
})

describe('options', () => {
  it('are named in any letter case, with or without the dollar sign, and by their aliases', () => {
    expect(
      readOptions([
        ['$TOP', '5'],
        ['Skip', ' 2 '],
        ['SELECT', 'a'],
        ['', 'x'],
        ['unknown', 'y'],
        ['$filter', ' \u00a0'],
        ['orderby', ''],
      ]),
    ).toEqual({
      select: 'a',
      filter: undefined,
      orderBy: undefined,
      offset: 2,
      isPart: true,
      limit: 5,
    })
  })

  it.each([
    ['limit', '0', 1020],
    ['limit', '-1', 1020],
    ['limit', '-2147483648', 1020],
    ['limit', '50001', 1020],
    ['limit', '2147483648', 1010],
    ['limit', '1.5', 1010],
    ['limit', 'x', 1010],
    ['offset', '-1', 1020],
    ['offset', '-2147483649', 1020],
    ['offset', '99999999999999999999', 1010],
    ['$fitler', 'x', 1020],
    ['$__proto__', 'x', 1020],
  ])('%s=%s is refused with code %i', (name, text, code) => {
    expect(() => readOptions([[name, text]])).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ code }) }),
    )
  })

  it.each([['1'], ['50000'], ['+7']])('limit=%s is legal', (text) => {
    expect(readOptions([['limit', text]]).limit).toBe(Number(text))
  })

  it.each([[['limit', 'top']], [['$filter', 'FILTER']], [['companyId', 'companyid']], [['offset', '$skip']]])(
    '%s is one option given twice',
    (names) => {
      expect(() => readOptions(names.map((name): [string, string] => [name, '1']))).toThrow('more than once')
    },
  )
})
