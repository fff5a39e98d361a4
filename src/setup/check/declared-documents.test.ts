import { describe, expect, it } from 'vitest'
import { BUILT_IN_NAMES } from '../../model/records/built-in.ts'
import { formatProblem, readSetup } from './read-setup.ts'

const COMPANIES = `version: 1
companies:
  - id: EN
    name: Example
    customers: { attributeId: A4 }
    attributes: [{ id: A4, name: CUSTOMER }, { id: A6, name: SUPPLIER }]
    valueLists: { STATUS: { N: Active, C: Closed } }
`
const problemsOf = (text: string) => (readSetup(text, {}).problems ?? []).map((one) => formatProblem('x', one))

/** A document in lines 9 to 13; its further properties begin in line 14. */
const suppliers = (properties: string, more = '', key = '[companyId, id]', id = '{ type: string }') =>
  problemsOf(`${COMPANIES}documents:
  - name: suppliers
    key: ${key}
    properties:
      companyId: { type: string }
      id: ${id}
${properties.replace(/^(?=.)/gm, '      ')}
${more.replace(/^(?=.)/gm, '    ')}`)

/** The rules of a property x in line 14, column 7. */
const rules = (text: string) => suppliers(`x: { ${text} }`)
const X = 'documents[0].properties.x'

describe('rules of a property', () => {
  it.each([
    'type: string, required: true, maxLength: 5, pattern: "[0-9]*", unique: true',
    'type: string, legalValues: { valueList: STATUS }, default: N',
    'type: string, legalValues: { attributeId: A6 }, default: any',
    'type: decimal, scale: 2, minimum: 0, maximum: 12.5, unique: true, default: 12.25',
    'type: integer, minimum: 1, default: 1',
    'type: boolean, required: true',
    'type: boolean, default: true',
    'type: date-time, default: "2030-01-31"',
    'type: number, maximum: -1, default: -1.5',
    'type: string, unique: false',
  ])('are possible: %s', (text) => {
    expect(rules(text.includes('unique: true') ? text.replace(', default: 12.25', '') : text)).toEqual([])
  })

  it.each([
    ['type: integer, pattern: "[0-9]"', `x:14:27 ${X}.pattern: only string has pattern, not integer`],
    ['type: boolean, maxLength: 3', `x:14:27 ${X}.maxLength: only string has maxLength, not boolean`],
    ['type: string, minimum: 3', `x:14:26 ${X}.minimum: only integer, number or decimal has minimum, not string`],
    ['type: string, maximum: 3', `x:14:26 ${X}.maximum: only integer, number or decimal has maximum, not string`],
    [
      'type: number, legalValues: { valueList: STATUS }',
      `x:14:26 ${X}.legalValues: only string or integer has legalValues, not number`,
    ],
    [
      'type: boolean, unique: true',
      `x:14:27 ${X}.unique: only string, integer, number, decimal or date-time has unique, not boolean`,
    ],
    ['type: integer, minimum: 5, maximum: 3', `x:14:36 ${X}.minimum: the minimum 5 is greater than the maximum 3`],
    [
      'type: string, pattern: "["',
      `x:14:35 ${X}.pattern: the pattern is no regular expression: Invalid regular expression: /^(?:[)$/u: Unterminated character class`,
    ],
    ['type: string, legalValues: {}', `x:14:39 ${X}.legalValues: expected either valueList or attributeId`],
    [
      'type: string, legalValues: { valueList: NONE }',
      `x:14:52 ${X}.legalValues.valueList: no company has the value list 'NONE'`,
    ],
    [
      'type: string, legalValues: { attributeId: A9 }',
      `x:14:54 ${X}.legalValues.attributeId: no company has the attribute 'A9'`,
    ],
    [
      'type: string, legalValues: { valueList: STATUS }, valueList: STATUS',
      `x:14:62 ${X}.valueList: legalValues names the codes already: leave this out`,
    ],
    [
      'type: string, unique: true, maxLength: 256',
      `x:14:51 ${X}.maxLength: a unique text has at most 255 characters, because an index has it whole`,
    ],
    ['type: string, maxLength: 10001', `x:14:37 ${X}.maxLength: must be <= 10000`],
    ['type: string, requird: true', `x:14:26 ${X}.requird: unknown key 'requird'; did you mean 'required'?`],
    ['type: string, default: 7', `x:14:35 ${X}.default: 7 is no string`],
    ['type: integer, default: 1.5', `x:14:36 ${X}.default: 1.5 is no integer`],
    ['type: decimal, scale: 1, default: 1.25', `x:14:46 ${X}.default: 1.25 is no decimal of scale 1`],
    ['type: date-time, default: tomorrow', `x:14:38 ${X}.default: "tomorrow" is no date-time`],
    ['type: boolean, default: "true"', `x:14:36 ${X}.default: "true" is no boolean`],
    ['type: string, default: []', `x:14:35 ${X}.default: expected string or number or boolean, found a list`],
    ['type: string, maxLength: 2, default: long', `x:14:49 ${X}.default: 'long' is longer than 2 characters`],
    ['type: string, pattern: "[0-9]+", default: x', `x:14:54 ${X}.default: 'x' does not match [0-9]+`],
    ['type: string, default: "a\\0"', `x:14:35 ${X}.default: no text holds U+0000 or half a character`],
    ['type: integer, minimum: 5, default: 4', `x:14:48 ${X}.default: 4 is less than the minimum 5`],
    ['type: integer, maximum: 5, default: 6', `x:14:48 ${X}.default: 6 is greater than the maximum 5`],
    [
      'type: string, legalValues: { valueList: STATUS }, default: X',
      `x:14:71 ${X}.default: 'X' is no code of the value list STATUS of company EN`,
    ],
    [
      'type: string, required: true, default: x',
      `x:14:42 ${X}.default: what is required is never absent, so it has no default`,
    ],
    [
      'type: string, unique: true, default: x',
      `x:14:40 ${X}.default: two records with the default would not be unique`,
    ],
  ])('are refused where they make no sense: %s', (text, problem) => {
    expect(rules(text)).toEqual([problem])
  })

  it('are refused inside a list where its items cannot have them', () => {
    const inside = (text: string) => suppliers(`x:\n  list:\n    y: { ${text} }`)
    expect(inside('type: string, required: true, pattern: "[A-Z]+", legalValues: { valueList: STATUS }')).toEqual([])
    const Y = `${X}.list.y`
    expect(inside('type: string, unique: true')).toEqual([])
    expect(inside('type: string, column: z')).toEqual([`x:16:30 ${Y}.column: what is inside a list has no column`])
    expect(suppliers('x: { list: { a: { type: string }, A: { type: string } } }')).toEqual([
      `x:14:41 ${X}.list.A: 'A' is there in another letter case too`,
    ])
    expect(suppliers('x: { minItems: 3, maxItems: 2, list: { a: { type: string } } }')).toEqual([
      `x:14:22 ${X}.minItems: minItems 3 is greater than maxItems 2`,
    ])
    expect(suppliers('x: { list: { g: { group: { y: { type: string, default: 1 } } } } }')).toEqual([
      `x:14:62 ${X}.list.g.group.y.default: 1 is no string`,
    ])
  })

  it('are refused on a table of another program', () => {
    const external = (more: string, properties = 'x: { type: string }') =>
      problemsOf(
        `${COMPANIES}documents:\n  - { name: parts, table: erp.part, key: [companyId, x], ${more}properties: { companyId: { type: string }, ${properties} } }`,
      )
    expect(external('')).toEqual([])
    const only = "erp.part is not the service's own table: its records are only read"
    for (const part of [
      'numbering: { series: S, from: 1, to: 2 }',
      'attributeId: A6',
      'contactPoints: true',
      'state: { property: x, closed: C }',
    ])
      expect(external(`${part}, `)).toEqual([`x:9:58 documents[0].${part.split(':')[0]}: ${only}`])
    expect(external('', 'x: { type: string, required: true }')).toEqual([
      `x:9:120 ${X}.required: erp.part is not the service's own table: it is only read, so nothing is checked`,
    ])
    expect(external('', 'x: { type: string }, y: { list: { z: { type: string } } }')).toEqual([
      `x:9:122 documents[0].properties.y: ${only}`,
    ])
  })
})

it('checks that what a grid sums are numbers', () => {
  const sums = (paths: string) => suppliers('total: { type: decimal }', `sums: ${paths}`)
  expect(sums('[total]')).toEqual([])
  expect(sums('[id, totals]')).toEqual([
    "x:15:12 documents[0].sums[0]: 'id' is of type string: no sum is made of it",
    "x:15:16 documents[0].sums[1]: there is no property 'totals' with a value; did you mean 'total'?",
  ])
})

it('checks by what lines are one voucher, and that what it balances are numbers', () => {
  const voucher = (text: string) =>
    suppliers('total: { type: decimal }\nday: { type: date-time }', `voucher: { ${text} }`)
  expect(voucher('number: id')).toEqual([])
  expect(voucher('number: id, balance: total')).toEqual([])
  expect(voucher('number: day, balance: id')).toEqual([
    "x:16:24 documents[0].voucher.number: 'day' is of type date-time: vouchers are numbered by integer or string",
    "x:16:38 documents[0].voucher.balance: 'id' is of type string: no sum is made of it",
  ])
  expect(voucher('number: ids')).toEqual([
    "x:16:24 documents[0].voucher.number: there is no property 'ids' with a value; did you mean 'id'?",
  ])
})

it('checks that the columns of a grid are properties, but not what stands behind a reference', () => {
  const columns = (paths: string) =>
    suppliers(
      'parentId: { type: string }\nparent: { reference: suppliers, key: [parentId] }',
      `defaultColumns: ${paths}`,
    )
  expect(columns('[id, parent/anything, lastUpdated/updatedAt]')).toEqual([])
  expect(columns('[id, parentid]')).toEqual([
    "x:16:26 documents[0].defaultColumns[1]: there is no property 'parentid' with a value; did you mean 'parentId'?",
  ])
})

describe('what a document declares', () => {
  it.each([
    ['numbering: { series: S, from: 10, to: 99 }\nattributeId: A6\nrelations: true\ncontactPoints: true', ''],
    ['state: { property: payment/status, closed: C }', 'payment: { group: { status: { type: string } } }'],
    ['', 'parent: { reference: suppliers, key: [parentId] }\nparentId: { type: string }'],
    ['', 'customer: { reference: customers, key: [of/customerId] }\nof: { group: { customerId: { type: string } } }'],
  ])('is possible: %s %s', (more, properties) => {
    expect(suppliers(properties, more)).toEqual([])
  })

  const named = (name: string, more = '') =>
    problemsOf(
      `${COMPANIES}documents:\n  - { name: ${name}, key: [id], properties: { id: { type: string } } }\n${more}`,
    )

  it.each([
    'documents',
    'document-revisions',
    'document-types',
    'objects',
    'batch',
    'batch-operations',
    'changes',
    'subscriptions',
    'access',
  ])('has not the name of a path: %s', (name) => {
    expect(named(name)).toEqual([`x:9:13 documents[0].name: '${name}' is a path of the service`])
  })

  it.each(['customer', 'attribute-value', 'journal', 'agent-call', 'setup-role'])(
    'refuses %s, a word of the change log',
    (name) => {
      expect(named(name)).toEqual([`x:9:13 documents[0].name: '${name}' is a word of the change log`])
    },
  )

  it.each([
    ['lastUpdated', '', 'every document has lastUpdated: the service keeps it'],
    ['LASTUPDATED', '', 'every document has lastUpdated: the service keeps it'],
    ['notificationMessages', '', "'notificationMessages' is what answers tell of themselves"],
    ['contactPoints', 'contactPoints: true', 'contactPoints: true gives the document this one'],
    ['relatedValues', 'attributeId: A6\nrelations: true', 'relations: true gives the document this one'],
  ])('has no property %s of its own', (name, more, message) => {
    expect(suppliers(`${name}: { type: string, column: other }`, more)).toEqual([
      `x:14:7 documents[0].properties.${name}: ${message}`,
    ])
  })

  it('may call properties as it does not have', () => {
    expect(suppliers('contactPoints: { type: string }\nrelatedValues: { type: string }')).toEqual([])
  })

  it('has each name once, in whatever letter case', () => {
    expect(suppliers('ID: { type: string, column: other }')).toEqual([
      "x:14:7 documents[0].properties.ID: 'ID' is there in another letter case too",
    ])
    expect(suppliers('x: { type: string, column: Id }')).toEqual([
      'x:12:7 documents[0].properties: two properties would be kept in the column Id',
    ])
  })

  it.each([
    ['[companyId]', 'x:10:10 documents[0].key: a key has a property besides the company'],
    ['[companyId, id, id]', "x:10:26 documents[0].key[2]: 'id' is there twice"],
    ['[id, p]', "x:10:15 documents[0].key[1]: 'p' is a reference: a key is made of simple properties"],
    ['[id, l]', "x:10:15 documents[0].key[1]: 'l' is a list: a key is made of simple properties"],
    ['[id, a, b, c, d, e]', 'x:10:10 documents[0].key: a key has at most 5 properties'],
  ])('has a possible key: %s', (key, problem) => {
    const more = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}: { type: integer }`).join('\n')
    const others = `p: { reference: customers, key: [s] }\ns: { type: string }\nl: { list: { x: { type: string } } }\n`
    expect(suppliers(others + more, '', key)).toEqual([problem])
  })

  it('has no rules of its key that the key cannot have', () => {
    expect(suppliers('', '', '[companyId, id]', '{ type: string, default: x }')).toEqual([
      'x:13:27 documents[0].properties.id.default: what is of the key has no default',
    ])
    const long = '{ type: string, maxLength: 255 }'
    expect(suppliers(`b: ${long}\nc: ${long}`, '', '[id, b, c]', '{ type: string }')).toEqual([
      'x:14:37 documents[0].properties.b.maxLength: a text of this key has at most 200 characters, because an index has it whole',
      'x:15:37 documents[0].properties.c.maxLength: a text of this key has at most 200 characters, because an index has it whole',
    ])
  })

  it.each([
    [
      'numbering: { series: S, from: 1, to: 9 }',
      '{ type: integer }',
      "x:15:5 documents[0].numbering: 'id', which it would give, is of type integer, not string",
    ],
    [
      'numbering: { series: S, from: 9, to: 1 }',
      '{ type: string }',
      'x:15:35 documents[0].numbering.from: the series begins at 9, after its end 1',
    ],
    [
      'numbering: { series: S, from: 9, to: 10 }',
      '{ type: string, maxLength: 1 }',
      "x:15:42 documents[0].numbering.to: the series gives an illegal value: '10' is longer than 1 characters",
    ],
    [
      'numbering: { series: S, from: 9, to: 10, prefix: x }',
      '{ type: string, pattern: "x[0-9]" }',
      "x:15:42 documents[0].numbering.to: the series gives an illegal value: 'x10' does not match x[0-9]",
    ],
    ['attributeId: A9', '{ type: string }', "x:15:18 documents[0].attributeId: no company has the attribute 'A9'"],
    [
      'attributeId: A4',
      '{ type: string }',
      "x:15:18 documents[0].attributeId: the values of 'A4' are the customers of company EN",
    ],
    [
      'attributeId: A6',
      '{ type: integer }',
      "x:15:18 documents[0].attributeId: a value is a text, but 'id' is of type integer",
    ],
    [
      'relations: true',
      '{ type: string }',
      'x:15:5 documents[0].relations: relations are of values of an attribute: name its attributeId',
    ],
    [
      'state: { property: statu, closed: C }',
      '{ type: string }',
      "x:15:24 documents[0].state.property: there is no property 'statu' with a value; did you mean 'status'?",
    ],
    [
      'state: { property: status, closed: X }',
      '{ type: string }',
      "x:15:40 documents[0].state.closed: 'X' is no code of the value list STATUS of company EN",
    ],
    [
      'state: { property: id, closed: X }',
      '{ type: string }',
      "x:15:24 documents[0].state.property: 'id' is of the key, which never changes",
    ],
  ])('is refused where it makes no sense: %s with %s', (more, id, problem) => {
    expect(suppliers('status: { type: string, legalValues: { valueList: STATUS } }', more, '[id]', id)).toEqual([
      problem,
    ])
  })

  it('is of one attribute with one key, which no other document has', () => {
    expect(suppliers('part: { type: string }', 'attributeId: A6', '[id, part]')).toEqual([
      'x:15:18 documents[0].attributeId: a value has one key, but the key has id, part',
    ])
    const other = '  - { name: others, key: [id], attributeId: A6, properties: { id: { type: string } } }'
    expect(suppliers('', 'attributeId: A6')).toEqual([])
    expect(problemsOf(`${COMPANIES}documents:\n${other.replace('others', 'first')}\n${other}`)).toEqual([
      "x:10:45 documents[1].attributeId: the values of 'A6' are the records of first",
    ])
  })

  it.each([
    [
      'state: { property: number, closed: C }',
      "x:16:24 documents[0].state.property: 'number' is of type integer, not string",
    ],
  ])('has a text for its state: %s', (more, problem) => {
    expect(suppliers('number: { type: integer }\n', more)).toEqual([problem])
  })
})

describe('a reference', () => {
  const R = 'documents[0].properties.r'

  it.each([
    ['supplier', '[s]', `x:14:23 ${R}.reference: there is no document 'supplier'; did you mean 'suppliers'?`],
    [
      'general-ledger-transactions',
      '[s]',
      `x:14:23 ${R}.reference: there is no document 'general-ledger-transactions'`,
    ],
    ['suppliers', '[s, n]', `x:14:39 ${R}.key: the key of suppliers is id: expected as many properties`],
    ['suppliers', '[n]', `x:14:40 ${R}.key[0]: 'n' is of type integer, but id of suppliers is of type string`],
    ['customers', '[n]', `x:14:40 ${R}.key[0]: 'n' is of type integer, but customerId of customers is of type string`],
    ['suppliers', '[zzzz]', `x:14:40 ${R}.key[0]: there is no property 'zzzz' with a value`],
    ['suppliers', '[l/a]', `x:14:40 ${R}.key[0]: there is no property 'l/a' with a value`],
  ])('to %s by %s is refused', (reference, key, problem) => {
    const properties = `r: { reference: ${reference}, key: ${key} }\ns: { type: string }\nn: { type: integer }\nl: { list: { a: { type: string } } }`
    expect(suppliers(properties)).toEqual([problem])
  })

  it('may lead in a circle, and not to a table of another program', () => {
    const other = (name: string, to: string, more = '') =>
      `  - { name: ${name}, ${more}key: [companyId, id], properties: { companyId: { type: string }, id: { type: string }, r: { reference: ${to}, key: [o] }, o: { type: string } } }\n`
    expect(problemsOf(`${COMPANIES}documents:\n${other('a', 'b')}${other('b', 'a')}`)).toEqual([])
    const external =
      '  - { name: e, table: t, key: [companyId, id], properties: { companyId: { type: string }, id: { type: string } } }'
    expect(problemsOf(`${COMPANIES}documents:\n${other('a', 'e')}${external}`)).toEqual([
      `x:9:119 ${R}.reference: e is on a table of another program, whose records nobody holds fast`,
    ])
  })
})

describe('lines', () => {
  const L = 'documents[0].properties.lines'
  const ITEMS =
    '  - { name: items, key: [orderNo, lineNo], properties: { orderNo: { type: string }, lineNo: { type: integer }, order: { reference: orders, key: [orderNo] } } }\n'
  /** The lines are in line 11; `items` begin at column 23, `by` behind them. */
  const orders = (lines: string, items = ITEMS, more = '') =>
    problemsOf(`${COMPANIES}documents:
  - name: orders
    key: [orderNo]
    properties:
      lines: { ${lines} }
      orderNo: { type: string }
${more}${items}`)

  it('are the other direction of a reference', () => {
    expect(orders('items: items, by: [orderNo], with: cascade, title: Lines')).toEqual([])
  })

  it.each([
    [
      'items: item, by: [orderNo], with: restrict',
      `x:12:23 ${L}.items: there is no document 'item'; did you mean 'items'?`,
    ],
    ['items: customers, by: [orderNo], with: restrict', `x:12:23 ${L}.items: there is no document 'customers'`],
    [
      'items: orders, by: [orderNo], with: restrict',
      `x:12:23 ${L}.items: the lines of a document are records of another one`,
    ],
    ['items: items, by: [orderNo]', `x:12:14 ${L}: the key 'with' is missing`],
    ['items: items, by: [orderNo], with: delete', `x:12:51 ${L}.with: expected one of: cascade, restrict`],
    ['items: items, by: [], with: restrict', `x:12:34 ${L}.by: must not have fewer than 1 items`],
    ['items: items, with: restrict', `x:12:14 ${L}: the key 'by' is missing`],
    [
      'items: items, by: [orderNo, lineNo], with: restrict',
      `x:12:34 ${L}.by: the key of orders is orderNo: expected as many properties`,
    ],
    [
      'items: items, by: [lineNo], with: restrict',
      `x:12:35 ${L}.by[0]: lines are found by the first part of the key of items, which is orderNo, lineNo: expected 'orderNo'`,
    ],
  ])('are refused: %s', (lines, problem) => {
    expect(orders(lines)).toEqual([problem])
  })

  it.each([
    [
      ITEMS.replace('[orderNo, lineNo]', '[orderNo]'),
      `x:12:34 ${L}.by: nothing in the key of items, which is orderNo, tells one line from another`,
    ],
    [
      ITEMS.replace('reference: orders, key: [orderNo]', 'reference: items, key: [orderNo, lineNo]'),
      `x:12:34 ${L}.by: items has no reference to orders with the key orderNo`,
    ],
    [
      ITEMS.replace('orderNo: { type: string }', 'orderNo: { type: integer }'),
      "x:14:147 documents[1].properties.order.key[0]: 'orderNo' is of type integer, but orderNo of orders is of type string",
    ],
    [
      '  - { name: items, table: t, key: [companyId, orderNo, lineNo], properties: { companyId: { type: string }, orderNo: { type: string }, lineNo: { type: integer } } }\n',
      `x:12:23 ${L}.items: items is on a table of another program, which is only read`,
    ],
    [
      `${ITEMS.replace('order: {', 'more: { items: orders, by: [orderNo], with: restrict }, order: {')}`,
      `x:12:23 ${L}.items: items has lines itself, its more: lines have no lines`,
    ],
  ])('are refused of %s', (items, problem) => {
    expect(orders('items: items, by: [orderNo], with: restrict', items)[0]).toBe(problem)
  })

  it('go with their record where they can be removed', () => {
    const closed = ITEMS.replace('key:', 'state: { property: s, closed: C }, key:').replace(
      'order: {',
      's: { type: string }, order: {',
    )
    expect(orders('items: items, by: [orderNo], with: restrict', closed)).toEqual([])
    expect(orders('items: items, by: [orderNo], with: cascade', closed)).toEqual([
      `x:12:23 ${L}.items: items are closed and stay: they cannot be removed with a record of orders`,
    ])
  })

  it('are those of one property alone', () => {
    expect(
      orders(
        'items: items, by: [orderNo], with: restrict',
        ITEMS,
        '      others: { items: items, by: [orderNo], with: restrict }\n',
      ),
    ).toEqual(['x:14:24 documents[0].properties.others.items: the records of items are the lines of orders'])
  })

  it('are of no key, and of no table of another program', () => {
    expect(
      problemsOf(`${COMPANIES}documents:
  - { name: o, table: t, key: [companyId, l], properties: { companyId: { type: string }, l: { items: items, by: [a], with: restrict } } }`),
    ).toEqual([
      "x:9:43 documents[0].key[1]: 'l' is a list: a key is made of simple properties",
      "x:9:90 documents[0].properties.l: t is not the service's own table: its records are only read",
    ])
  })
})

describe('roles', () => {
  const DOCUMENTS = `documents:
  - { name: suppliers, key: [id], properties: { id: { type: string } } }
  - { name: parts, table: t, key: [companyId], properties: { companyId: { type: string } } }
`
  const role = (apis: string) => problemsOf(`${COMPANIES}${DOCUMENTS}roles:\n  - { id: r, apis: { ${apis} } }`)

  it('have own documents as APIs', () => {
    expect(role('suppliers: [create, read, update, delete], customers: [read]')).toEqual([])
  })

  it.each([
    ['supplier: [read]', "x:12:22 roles[0].apis.supplier: unknown key 'supplier'; did you mean 'suppliers'?"],
    [
      'whatever: [read]',
      `x:12:22 roles[0].apis.whatever: unknown key 'whatever', expected one of: attribute-values, attribute-relations, documents, ${BUILT_IN_NAMES.join(', ')}, subscriptions, objects, metrics, suppliers`,
    ],
    ['suppliers: [write]', 'x:12:34 roles[0].apis.suppliers[0]: expected one of: create, read, update, delete'],
  ])('have no API that there is not: %s', (apis, problem) => {
    expect(role(apis)).toEqual([problem])
  })

  it('have rules that follow references', () => {
    const others = `documents:
  - { name: a, key: [id], properties: { id: { type: string }, up: { type: string }, b: { reference: b, key: [up] } } }
  - { name: b, key: [id], properties: { id: { type: string }, x: { type: string } } }
roles:
`
    const withRule = (filter: string) =>
      problemsOf(`${COMPANIES}${others}  - { id: r, rules: { a: { filter: "${filter}" } } }`)
    expect(withRule("b/x eq '1'")).toEqual([])
    expect(withRule("b/y eq '1'")[0]).toContain('x:12:36 roles[0].rules.a.filter: Unknown property')
  })

  it('have no API of a table of another program', () => {
    expect(role('parts: [read]')[0]).toContain("x:12:22 roles[0].apis.parts: unknown key 'parts'")
  })
})
