// Random setups with documents of their own: keys, groups, lists, references, states and rules of properties.
import fc from 'fast-check'
import type { DocumentSetup, PropertySetup } from '../../../src/setup/file/document-schema.ts'
import { CODES, propertyOf } from './random-values.ts'

/** Names of properties, of which some are words of SQL, of JavaScript and of the query language. */
export const NAMES = [
  ...['order', 'select', 'group', 'user', 'from', 'values', 'table', 'default', 'contains'],
  ...[
    'constructor',
    'toString',
    'hasOwnProperty',
    'length',
    'name',
    'code',
    'Amount',
    'validFrom',
    'isOpen',
    'x1',
    'Z',
  ],
  ...['a_b', 'rate', 'note', 'status2', 'year', 'month', 'unitValue', 'percentage', 'text', 'number', 'dateOfBirth'],
  ...['bankAccount', 'place', 'country', 'limit', 'offset', 'filter', 'asOf', 'key', 'index', 'change', 'entry', 'tag'],
  ...['street', 'owner', 'colour', 'weight', 'level', 'stage', 'reason', 'region', 'branch', 'origin', 'grade', 'side'],
] as const

const KEY_TYPES: readonly PropertySetup[] = [
  { type: 'string' },
  { type: 'string', maxLength: 12 },
  { type: 'string', pattern: '[A-Z]{2}[0-9A-Z]{3,10}' },
  { type: 'integer' },
]

type Properties = DocumentSetup['properties']

/** One document: up to nine properties, of which groups and lists have up to three. */
export function declarationOf(name: string): fc.Arbitrary<DocumentSetup> {
  return fc
    .record({
      names: fc.shuffledSubarray([...NAMES], { minLength: NAMES.length }),
      withCompany: fc.boolean(),
      key: fc.array(fc.constantFrom(...KEY_TYPES), { minLength: 1, maxLength: 3 }),
      isNumbered: fc.nat(5),
      properties: fc.array(memberOf(), { minLength: 1, maxLength: 7 }),
      state: fc.nat(2),
      parent: fc.nat(2),
      kind: fc.nat(5),
    })
    .map((drawn) => assemble(name, drawn))
}

type Member = PropertySetup | { readonly group: PropertySetup[] } | DrawnList

/** The members of `group` are in a group of the items. */
interface DrawnList {
  readonly list: PropertySetup[]
  readonly group: PropertySetup[] | undefined
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
}

const listOf = () =>
  fc.record({
    list: fc.array(propertyOf(true), { minLength: 1, maxLength: 3 }),
    group: fc.option(fc.array(propertyOf(true), { minLength: 1, maxLength: 2 }), { nil: undefined }),
    minItems: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
    maxItems: fc.option(fc.constantFrom(2, 3), { nil: undefined }),
  })

function memberOf(): fc.Arbitrary<Member> {
  return fc.oneof(
    { weight: 5, arbitrary: propertyOf(false) },
    { weight: 1, arbitrary: fc.array(propertyOf(false), { minLength: 1, maxLength: 3 }).map((group) => ({ group })) },
    { weight: 1, arbitrary: listOf() },
  )
}

interface Drawn {
  readonly names: readonly string[]
  readonly withCompany: boolean
  readonly key: readonly PropertySetup[]
  readonly isNumbered: number
  readonly properties: readonly Member[]
  readonly state: number
  readonly parent: number
  readonly kind: number
}

function assemble(name: string, drawn: Drawn): DocumentSetup {
  const names = [...drawn.names]
  const next = () => names.pop() ?? ''
  const named = (members: readonly PropertySetup[]) => Object.fromEntries(members.map((one) => [next(), one]))
  const namedList = ({ list, group, minItems, maxItems }: DrawnList) => ({
    list: { ...named(list), ...(group ? { [next()]: { group: named(group) } } : {}) },
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  })
  const isValue = drawn.kind === 0
  const key = isValue ? [VALUE_KEY] : drawn.key
  const isNumbered = drawn.isNumbered === 0
  const keys = Object.fromEntries(key.map((one, at) => [next(), isNumbered && at === key.length - 1 ? NUMBERED : one]))
  const members: Properties = Object.fromEntries(
    drawn.properties.map((member): [string, Properties[string]] => {
      if ('list' in member) return [next(), namedList(member)]
      return [next(), 'group' in member ? { group: named(member.group) } : member]
    }),
  )
  const state = drawn.state === 0 ? next() : undefined
  const keyNames = Object.keys(keys)
  return {
    name,
    key: [...(drawn.withCompany ? ['companyId'] : []), ...keyNames],
    ...(isNumbered ? { numbering: { series: name.slice(-25), from: 1, to: 999_999 } } : {}),
    ...(isValue ? { attributeId: attributeOf(name), contactPoints: true, relations: true } : {}),
    ...(state === undefined ? {} : { state: { property: state, closed: CODES.LETTERS[2] } }),
    properties: {
      companyId: { type: 'string' },
      ...keys,
      ...members,
      ...(state === undefined ? {} : { [state]: STATE }),
      ...(drawn.parent === 0 ? parentOf(name, keys, next) : {}),
    },
  }
}

/** The attribute whose values the records of a document are. */
const attributeOf = (name: string) => name.toUpperCase()

/** Values of attributes have rules of their own. */
const VALUE_KEY: PropertySetup = { type: 'string', pattern: '[A-Z]{2}[0-9A-Z]{3,10}' }
const NUMBERED: PropertySetup = { type: 'string', maxLength: 12 }
const STATE: PropertySetup = { type: 'string', default: 'A', legalValues: { valueList: 'LETTERS' } }

/** A reference to a record of the same document. */
function parentOf(name: string, keys: Properties, next: () => string): Properties {
  const own = Object.entries(keys).map(([, property]): [string, Properties[string]] => [next(), property])
  return { ...Object.fromEntries(own), [next()]: { reference: name, key: own.map(([one]) => one) } }
}

/** The text of a setup with these documents and one company, which has every code. */
export function setupOf(documents: readonly DocumentSetup[]): string {
  const lists = (name: keyof typeof CODES) => Object.fromEntries(CODES[name].map((code) => [code, `Title of ${code}`]))
  const own = documents.flatMap(({ attributeId }) => attributeId ?? [])
  const all = ['create', 'read', 'update', 'delete']
  return JSON.stringify({
    version: 1,
    companies: [
      {
        id: 'EN',
        name: 'Random',
        attributes: [
          { id: 'KIND', name: 'KIND' },
          ...own.map((id) => ({ id, name: id, contactPoints: true })),
          { id: 'RE', name: 'REGION' },
          { id: 'AT', name: 'ADDRTYPE' },
        ],
        relations: own.map((attributeId) => ({
          ...{ id: `REGION_${attributeId}`, name: 'Region', attributeId, relatedAttributeId: 'RE', multiple: true },
        })),
        attributeValues: { KIND: lists('KIND'), RE: { N: 'North', S: 'South' }, AT: { 1: 'General', 2: 'Invoice' } },
        valueLists: { LETTERS: lists('LETTERS'), DIGITS: lists('DIGITS') },
      },
    ],
    documents,
    roles: [
      {
        id: 'all',
        apis: { ...Object.fromEntries(documents.map(({ name }) => [name, all])), objects: ['read'] },
        objects: ['*'],
      },
      { id: 'nobody', apis: {} },
    ],
    users: [{ id: 'svc', defaultCompany: 'EN', roles: { EN: ['all'] } }],
    clients: [{ id: 'all', user: 'svc', secretEnv: 'TEST_CLIENT_SECRET' }],
  })
}
