// Requests of at most 8 kB that cost as much as possible, and variations of them, for a search for the worst case.
import type { Sent } from '../world.ts'

/** Longest request target or body, in bytes. */
export const MOST_BYTES = 8_000

type Random = () => number

/** The parts of a request, so that a part can be changed and the rest retained. */
export type Costly =
  | {
      readonly kind: 'query'
      readonly document: string
      readonly terms: readonly string[]
      readonly select: readonly string[]
      readonly order: readonly string[]
      readonly word: 'and' | 'or'
      readonly isCount: boolean
      readonly limit: number
    }
  | { readonly kind: 'patch'; readonly operations: readonly string[] }
  | { readonly kind: 'post'; readonly members: readonly string[] }
  | { readonly kind: 'file'; readonly text: string; readonly name: string }

interface Shape {
  readonly texts: readonly string[]
  readonly lists: readonly (readonly [path: string, text: string])[]
  readonly others: readonly string[]
}

const SHAPES: Readonly<Record<string, Shape>> = {
  customers: {
    texts: ['customerName', 'aliasName', 'customerId', 'externalReference', 'payment/bankAccount'],
    lists: [
      ['contactPoints', 'address/place'],
      ['contactPoints', 'additionalContactInfo/contactPerson'],
      ['relatedValues', 'relatedValue'],
      ['relatedValues', 'relationName'],
    ],
    others: [
      'invoice/creditLimit',
      'customFieldGroups',
      'contactPoints(sortOrder)',
      'contactPoints(address(place))',
      'relatedValues',
      'countryCode[C;T]',
      'customerGroupId[T]',
      'lastUpdated',
      '*',
    ],
  },
  'attribute-values': {
    texts: ['description', 'attributeValue', 'attributeName', 'ownerAttributeName', 'owner'],
    lists: [
      ['contactPoints', 'address/place'],
      ['relatedValues', 'relatedValue'],
    ],
    others: [
      'customValue',
      'periodFrom',
      'contactPoints(sortOrder)',
      'relatedValues(relatedValue[T])',
      'owner[C;T]',
      'status[T]',
      '*',
    ],
  },
  'general-ledger-transactions': {
    texts: [
      'description',
      'externalReference',
      'customer/customerName',
      'accountingInformation/account',
      'accountingInformation/attributeValue1',
    ],
    lists: [
      ['customer/contactPoints', 'address/place'],
      ['customer/relatedValues', 'relatedValue'],
    ],
    others: [
      'customer(contactPoints(sortOrder))',
      'accountingInformation(account[T],attributeValue1[C;T])',
      'customer(*)',
      'transactionType[T]',
      '*',
    ],
  },
  'attribute-relations': {
    texts: ['attributeValue', 'relationValue', 'attributeName', 'relatedAttributeName'],
    lists: [],
    others: ['attributeValueFrom', 'percentage', 'attributeValue[T]', '*'],
  },
}

const pick = <One>(random: Random, of: readonly One[]): One => of[Math.floor(random() * of.length)] as One
const letters = (random: Random) => pick(random, ['x', 'q', 'æ', 'a', ' ']).repeat(1 + Math.floor(random() ** 3 * 300))

function textOf(random: Random, path: string): string {
  const depth = Math.floor(random() * 4)
  let text = path
  for (let at = 0; at < depth; at++) text = `${pick(random, ['tolower', 'toupper', 'trim'])}(${text})`
  return text
}

function testOf(random: Random, path: string): string {
  const text = textOf(random, path)
  const literal = `'${letters(random)}'`
  return pick(random, [
    `contains(${text},${literal})`,
    `endswith(${text},${literal})`,
    `startswith(${text},tolower(${literal}))`,
    `length(${text}) gt 4000`,
    `${text} eq ${literal}`,
    `${text} ge ${literal}`,
    `contains(${text},${textOf(random, path)})`,
    `${path} in (${Array.from({ length: 1 + Math.floor(random() * 300) }, (_, at) => `'${at}'`).join(',')})`,
  ])
}

function termOf(random: Random, { texts, lists }: Shape): string {
  if (lists.length === 0 || random() < 0.6) return testOf(random, pick(random, texts))
  const [list, text] = pick(random, lists)
  const inner = `x/${text}`
  const other = lists.find(([path]) => path !== list)
  const body =
    other && random() < 0.5
      ? `${other[0]}/${pick(random, ['any', 'all'])}(y: ${testOf(random, `y/${other[1]}`)} or ${testOf(random, inner)})`
      : testOf(random, inner)
  return `${list}/${pick(random, ['any', 'all'])}(x: ${body})`
}

function operationOf(random: Random): string {
  const at = Math.floor(random() * 200)
  const value = JSON.stringify(letters(random))
  return pick(random, [
    `{"op":"replace","path":"/aliasName","value":${value}}`,
    `{"op":"replace","path":"/contactPoints/${at}/address/place","value":"${at}"}`,
    `{"op":"add","path":"/contactPoints/-","value":{"contactPointType":"1"}}`,
    `{"op":"remove","path":"/contactPoints/${at}"}`,
    `{"op":"add","path":"/relatedValues/-","value":{"relationId":"LEGALID","relatedValue":"NO1"}}`,
    `{"op":"replace","path":"/contactPoints","value":[${'{"contactPointType":"1"},'.repeat(at)}{"contactPointType":"2"}]}`,
  ])
}

function memberOf(random: Random): string {
  const many = 1 + Math.floor(random() * 150)
  return pick(random, [
    `"k${Math.floor(random() * 1e6)}":${'['.repeat(many)}${']'.repeat(many)}`,
    `"description":${JSON.stringify(letters(random))}`,
    `"contactPoints":[${'{"contactPointType":"1"},'.repeat(many)}{}]`,
    `"relatedValues":[${'{"relationId":"REL1","relatedValue":"100"},'.repeat(many)}{}]`,
    `"n${Math.floor(random() * 1e6)}":${'9'.repeat(many)}`,
    `"\\u0064escription${Math.floor(random() * 1e6)}":"${'\\n'.repeat(many)}"`,
  ])
}

const FILE_PARTS = [
  '<svg>',
  '<a>',
  '%PDF-1.7\n',
  '1 0 obj<</Type/Page>>endobj\n',
  '\u00e6',
  'a b ',
  '<!DOCTYPE a>',
  '\ud83d\ude00',
  '&amp;',
  '\n',
]

export function randomRequest(random: Random): Costly {
  switch (pick(random, ['query', 'query', 'query', 'query', 'patch', 'post', 'file'] as const)) {
    case 'query': {
      const document = pick(random, Object.keys(SHAPES))
      const shape = SHAPES[document] as Shape
      const several = <One>(most: number, one: () => One) =>
        Array.from({ length: Math.floor(random() * (most + 1)) }, one)
      return {
        kind: 'query',
        document,
        terms: several(12, () => termOf(random, shape)),
        select: several(6, () => pick(random, [...shape.texts, ...shape.others]).replace(/^(\w+)\/(\w+)$/, '$1($2)')),
        order: several(4, () => pick(random, shape.texts)),
        word: pick(random, ['and', 'or'] as const),
        isCount: random() < 0.2,
        limit: pick(random, [1, 50, 2_000, 50_000]),
      }
    }
    case 'patch':
      return { kind: 'patch', operations: Array.from({ length: 20 }, () => operationOf(random)) }
    case 'post':
      return { kind: 'post', members: Array.from({ length: 10 }, () => memberOf(random)) }
    case 'file':
      return { kind: 'file', text: fileOf(random), name: pick(random, ['a.txt', 'a.pdf', 'a.html', 'a.xml', 'a.csv']) }
  }
}

function fileOf(random: Random): string {
  return Array.from({ length: 300 }, () => pick(random, FILE_PARTS)).join('')
}

/** The same request with one part replaced, left out or duplicated. */
export function changed(random: Random, one: Costly): Costly {
  const parts = <Part>(of: readonly Part[], make: () => Part): readonly Part[] => {
    const at = Math.floor(random() * of.length)
    const kind = random()
    if (kind < 0.4 || of.length === 0) return [...of, make()]
    if (kind < 0.6) return [...of, ...of.slice(at)]
    if (kind < 0.8) return of.toSpliced(at, 1, make())
    return of.toSpliced(at, 1)
  }
  switch (one.kind) {
    case 'query': {
      const shape = SHAPES[one.document] as Shape
      const other = randomQuery(random)
      return pick<() => Costly>(random, [
        () => ({ ...one, terms: parts(one.terms, () => termOf(random, shape)) }),
        () => ({ ...one, terms: parts(one.terms, () => termOf(random, shape)) }),
        () => ({ ...one, select: parts(one.select, () => pick(random, shape.others)) }),
        () => ({ ...one, order: parts(one.order, () => pick(random, shape.texts)).slice(0, 8) }),
        () => ({ ...one, word: other.word, isCount: other.isCount, limit: other.limit }),
      ])()
    }
    case 'patch':
      return { ...one, operations: parts(one.operations, () => operationOf(random)) }
    case 'post':
      return { ...one, members: parts(one.members, () => memberOf(random)) }
    case 'file':
      return { ...one, text: parts(one.text.match(/.{1,40}/gsu) ?? [], () => fileOf(random).slice(0, 80)).join('') }
  }
}

/** An equally costly request in another order, so that nothing cached for the one serves the other. */
export function turned(one: Costly, by: number): Costly {
  const turn = (of: readonly string[]) => [...of.slice(by % (of.length || 1)), ...of.slice(0, by % (of.length || 1))]
  return one.kind === 'query'
    ? { ...one, terms: turn(one.terms), select: turn(one.select), order: turn(one.order) }
    : one
}

function randomQuery(random: Random): Extract<Costly, { kind: 'query' }> {
  for (;;) {
    const one = randomRequest(random)
    if (one.kind === 'query') return one
  }
}

/** Cut to the maximum length. `no` makes the request unique. */
export function sentOf(one: Costly, no: number): Sent {
  switch (one.kind) {
    case 'query': {
      const options = new URLSearchParams({ unused: String(no) })
      if (!one.isCount) options.set('limit', String(one.limit))
      if (one.select.length > 0 && !one.isCount) options.set('select', one.select.join(','))
      if (one.order.length > 0 && !one.isCount) options.set('orderby', one.order.join(','))
      if (one.document === 'general-ledger-transactions')
        for (const state of ['posted', 'registered']) options.set(state, 'true')
      for (let most = one.terms.length; ; most--) {
        if (most > 0) options.set('filter', one.terms.slice(0, most).join(` ${one.word} `))
        else options.delete('filter')
        const url = `/v1/objects/${one.document}?${options}`
        if (url.length <= MOST_BYTES || most === 0)
          return { url: url.slice(0, MOST_BYTES), method: one.isCount ? 'HEAD' : 'GET' }
      }
    }
    case 'patch':
      return { url: '/v1/customers/HEAVY', method: 'PATCH', body: `[${withinBytes(one.operations)}]` }
    case 'post':
      return { url: '/v1/attribute-values?validateOnly=true', method: 'POST', body: `{${withinBytes(one.members)}}` }
    case 'file': {
      const fileContent = Buffer.from(one.text)
        .subarray(0, (MOST_BYTES * 3) / 4 - 300)
        .toString('base64')
      const indexes: unknown[] = []
      const body = { docType: 'NOTE', title: `t${no}`, fileName: one.name, fileContent, indexes }
      return { url: '/v1/documents?validateOnly=true', method: 'POST', body: JSON.stringify(body) }
    }
  }
}

function withinBytes(parts: readonly string[]): string {
  let text = ''
  for (const part of parts) {
    if (Buffer.byteLength(text) + Buffer.byteLength(part) > MOST_BYTES - 10) continue
    text += (text && ',') + part
  }
  return text
}
