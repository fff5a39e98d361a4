import { describe, expect, it } from 'vitest'
import { documentOf } from '../../service/metadata.ts'
import {
  conflictsOf,
  type Draft,
  draftOf,
  itemsOf,
  type ListItem,
  merged,
  patchOf,
  recordOf,
  textOfItems,
} from './changes.ts'
import { shapeOf } from './form-shape.ts'

const described = documentOf('customers', {
  items: {
    properties: {
      name: { type: 'string' },
      insured: { type: 'boolean' },
      invoice: { type: 'object', properties: { creditLimit: { type: 'number' } } },
      contacts: {
        type: 'array',
        items: { type: 'object', properties: { phone: { type: 'string' }, order: { type: 'integer' } } },
      },
    },
  },
})
const shape = shapeOf(described, 'changed')
const { lists } = shape
const base = draftOf({ name: 'A', insured: true, invoice: { creditLimit: '99999999999999.9999' } }, shape)

it('sends only what was changed, numbers with the digits that were typed', () => {
  expect(patchOf(base, base, shape)).toBe('[]')
  const mine = { ...base, insured: 'false', 'invoice/creditLimit': '12345678901234.5600' }
  expect(patchOf(base, mine, shape)).toBe(
    '[{"op":"replace","path":"/insured","value":false},{"op":"replace","path":"/invoice/creditLimit","value":12345678901234.5600}]',
  )
})

it('sends what is no number as it was typed, so that the service says what is wrong', () => {
  const mine = { ...base, 'invoice/creditLimit': '1e3' }
  expect(patchOf(base, mine, shape)).toBe('[{"op":"replace","path":"/invoice/creditLimit","value":"1e3"}]')
})

it('asks only about members that both have changed, and keeps the changes of both', () => {
  const mine = { ...base, name: 'Mine', insured: 'false' }
  const theirs = { ...base, name: 'Theirs', 'invoice/creditLimit': '5' }
  expect(conflictsOf(base, mine, theirs)).toEqual([
    { path: 'name', base: 'A', mine: 'Mine', theirs: 'Theirs', isList: false },
  ])
  expect(merged(base, mine, theirs, { name: 'theirs' })).toEqual({
    name: 'Theirs',
    insured: 'false',
    'invoice/creditLimit': '5',
    contacts: '',
  })
  expect(merged(base, mine, theirs, {}).name).toBe('Mine')
})

const withContacts = draftOf({ contacts: [{ phone: '1' }, { phone: '2' }, { phone: '3', order: 3 }] }, shape)

it('changes items at their places, removes from the end, and adds behind all', () => {
  const [first, , third] = itemsOf(withContacts.contacts)
  const changed = { place: 0, texts: { ...first?.texts, order: '7' } }
  const mine = {
    ...withContacts,
    contacts: textOfItems([changed, ...(third ? [third] : []), { texts: { phone: '4', order: '' } }]),
  }
  expect(JSON.parse(patchOf(withContacts, mine, shape))).toEqual([
    { op: 'replace', path: '/contacts/0/order', value: 7 },
    { op: 'remove', path: '/contacts/1' },
    { op: 'add', path: '/contacts/-', value: { phone: '4' } },
  ])
  const none = { ...withContacts, contacts: '' }
  expect(JSON.parse(patchOf(withContacts, none, shape)).map(({ path }: { path: string }) => path)).toEqual([
    '/contacts/2',
    '/contacts/1',
    '/contacts/0',
  ])
})

it('puts my list in the place of one that others have changed, whole, and never at their places', () => {
  const [, second] = itemsOf(withContacts.contacts)
  const mine = { ...withContacts, contacts: textOfItems([{ place: 1, texts: { ...second?.texts, phone: '22' } }]) }
  const theirs = draftOf({ contacts: [{ phone: '3' }] }, shape)
  const both = merged(withContacts, mine, theirs, { contacts: 'mine' }, lists)
  expect(JSON.parse(patchOf(theirs, both, shape))).toEqual([
    { op: 'remove', path: '/contacts/0' },
    { op: 'add', path: '/contacts/-', value: { phone: '22' } },
  ])
})

it('finds conflicts within the items of a list, and takes what was chosen of each', () => {
  const list = (items: readonly object[]) => draftOf({ contacts: items }, shape)
  const was = list([{ phone: '1', order: 1 }, { phone: '2' }])
  const mine = list([{ phone: '11', order: 7 }, { phone: '22' }])
  const theirs = list([
    { phone: '111', order: 1 },
    { phone: '2', order: 9 },
  ])
  expect(conflictsOf(was, mine, theirs, lists)).toEqual([
    { path: 'contacts/0/phone', base: '1', mine: '11', theirs: '111', isList: false },
  ])
  const texts = (choice: 'mine' | 'theirs') =>
    itemsOf(merged(was, mine, theirs, { 'contacts/0/phone': choice }, lists).contacts).map((item) => item.texts)
  expect(texts('theirs')).toEqual([
    { phone: '111', order: '7' },
    { phone: '22', order: '9' },
  ])
  expect(texts('mine')[0]).toEqual({ phone: '11', order: '7' })
})

it('has a list as a whole in conflict where items came or went', () => {
  const mine = draftOf({ contacts: [{ phone: '1' }] }, shape)
  const theirs = draftOf({ contacts: [{ phone: '9' }] }, shape)
  expect(conflictsOf(withContacts, mine, theirs, lists)).toMatchObject([{ path: 'contacts', isList: true }])
})

it('makes a record of what is given, in its groups, with numbers as they were typed', () => {
  const draft = {
    name: 'B',
    'invoice/creditLimit': '12345678901234.50',
    contacts: textOfItems([{ texts: { phone: '1', order: '2' } }]),
  }
  expect(recordOf(draft, shape)).toBe(
    '{"name":"B","invoice":{"creditLimit":12345678901234.50},"contacts":[{"phone":"1","order":2}]}',
  )
  expect(recordOf({}, shape)).toBe('{}')
})

const order = documentOf('orders', {
  items: {
    properties: {
      orderNo: { type: 'string' },
      total: { type: 'number', readOnly: true },
      lines: {
        type: 'array',
        'x-erp-document': 'order-lines',
        'x-erp-key': { keys: 'companyId,orderNo,lineNo' },
        'x-erp-sums': ['amount'],
        maxItems: 5,
        items: {
          properties: {
            companyId: { type: 'string' },
            orderNo: { type: 'string' },
            lineNo: { type: 'integer' },
            quantity: { type: 'number', format: 'decimal' },
            note: { type: 'string' },
            amount: { type: 'number', format: 'decimal', readOnly: true },
            packages: { type: 'array', items: { properties: { weight: { type: 'number' } } } },
            lastUpdated: { type: 'object', properties: { updatedBy: { type: 'string' } } },
          },
        },
      },
    },
    'x-erp-key': { keys: 'companyId,orderNo' },
  },
})

it('sends lines in one operation: the kept ones whole, new ones as they were filled in, and nothing that is computed', () => {
  const form = shapeOf(order, 'changed')
  expect(form.lists[0]?.lines).toMatchObject({ document: 'order-lines', most: 5, sums: ['amount'] })
  expect(form.lists[0]?.lines?.columns.map(({ path }) => path)).toEqual(['lineNo', 'quantity', 'note', 'amount'])
  const lines = [
    { lineNo: 1, quantity: '12345678901234.50', note: 'x', amount: 4, packages: [{ weight: 2 }] },
    { lineNo: 2, quantity: 1, note: '', amount: 0 },
    { lineNo: 3, quantity: 1, note: '', amount: 0 },
  ]
  const was = draftOf({ orderNo: 'A', total: 4, lines }, form)
  expect(patchOf(was, was, form)).toBe('[]')
  const [first, , third] = itemsOf(was.lines)
  const emptied = { place: 0, texts: { ...first?.texts, note: '' } }
  const mine = textOfItems([emptied, ...(third ? [third] : []), { texts: { lineNo: '7', quantity: '', note: '' } }])
  expect(patchOf(was, { ...was, lines: mine }, form)).toBe(
    '[{"op":"replace","path":"/lines","value":[' +
      '{"lineNo":1,"quantity":12345678901234.50,"note":"","packages":[{"weight":2}]},' +
      '{"lineNo":3,"quantity":1,"note":""},{"lineNo":7}]}]',
  )
})

describe('lines that others have changed meanwhile', () => {
  const form = shapeOf(order, 'changed')
  const line = (lineNo: number, quantity: number, note = '') => ({ lineNo, quantity, note, amount: 0 })
  const draft = (...lines: readonly object[]) => draftOf({ lines }, form)
  const shown = ({ lines: text }: Draft) =>
    itemsOf(text).map(({ place, texts }) => [place, texts.lineNo, texts.quantity, texts.note])
  const mineOf = (base: Draft, change: (items: readonly ListItem[]) => readonly ListItem[]): Draft => ({
    ...base,
    lines: textOfItems(change(itemsOf(base.lines))),
  })
  const withText = (item: ListItem, path: string, text: string) => ({ ...item, texts: { ...item.texts, [path]: text } })
  const base = draft(line(1, 1), line(2, 2), line(3, 3))

  it('are put together by their keys, wherever they stand', () => {
    const mine = mineOf(base, ([one, , three]) => [
      ...(one ? [withText(one, 'quantity', '10')] : []),
      ...(three ? [three] : []),
      { texts: { lineNo: '9', quantity: '9' } },
    ])
    const theirs = draft(line(0, 0), line(1, 1, 'theirs'), line(2, 2), line(3, 4))
    expect(conflictsOf(base, mine, theirs, form.lists)).toEqual([])
    expect(shown(merged(base, mine, theirs, {}, form.lists))).toEqual([
      [0, '0', '0', ''],
      [1, '1', '10', 'theirs'],
      [3, '3', '4', ''],
      [undefined, '9', '9', undefined],
    ])
  })

  it('conflict where both have changed the same member of one, or added the same one', () => {
    const mine = mineOf(base, (items) => [
      ...items.map((item, at) => (at === 2 ? withText(item, 'quantity', '30') : item)),
      { texts: { lineNo: '4', quantity: '40' } },
    ])
    const theirs = draft(line(3, 33), line(4, 44))
    const conflicts = conflictsOf(base, mine, theirs, form.lists)
    expect(conflicts.map(({ path, mine: own, theirs: other }) => [path, own, other])).toEqual([
      ['lines/0/quantity', '30', '33'],
      ['lines/1/quantity', '40', '44'],
    ])
    const choices = { 'lines/0/quantity': 'mine', 'lines/1/quantity': 'theirs' } as const
    expect(shown(merged(base, mine, theirs, choices, form.lists))).toEqual([
      [0, '3', '30', ''],
      [1, '4', '44', ''],
    ])
  })

  it('stay where one has removed and the other has changed them', () => {
    const removed = mineOf(base, (items) => items.slice(1))
    expect(shown(merged(base, removed, draft(line(1, 5), line(2, 2), line(3, 3)), {}, form.lists))).toHaveLength(3)
    const changed = mineOf(base, (items) => items.map((item, at) => (at === 0 ? withText(item, 'note', 'x') : item)))
    expect(shown(merged(base, changed, draft(line(2, 2), line(3, 3)), {}, form.lists))).toEqual([
      [0, '2', '2', ''],
      [1, '3', '3', ''],
      [undefined, '1', '1', 'x'],
    ])
  })
})
