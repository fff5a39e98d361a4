// Random bodies of a declared document: complete ones, and ones with a single value that the schema refuses.
import fc from 'fast-check'
import type { DocumentSetup, ListSetup, PropertySetup } from '../../../src/setup/file/document-schema.ts'
import { badValue, goodValue } from './random-values.ts'

export type Body = Record<string, unknown>
type Members = ListSetup['list']
type Property = DocumentSetup['properties'][string]

/** The names of the key without the company. */
export const keyOf = ({ key }: DocumentSetup): string[] => key.filter((name) => name !== 'companyId')

/** The property of the key that the service numbers. */
export const numberedOf = (document: DocumentSetup): string | undefined =>
  document.numbering ? keyOf(document).at(-1) : undefined

/** The properties that hold the key of another record. */
export const referringOf = ({ properties }: DocumentSetup): string[] =>
  Object.values(properties).flatMap((property) => ('reference' in property ? property.key : []))

/** Bodies that the rules of the properties accept, except that in one of `badIn` a value is wrong or missing. */
export function bodiesOf(document: DocumentSetup, badIn: number): fc.Arbitrary<Body> {
  const good = goodBodyOf(document)
  return fc.nat(badIn - 1).chain((number) => (number === 0 ? good.chain((body) => spoiled(document, body)) : good))
}

function goodBodyOf(document: DocumentSetup): fc.Arbitrary<Body> {
  const referring = referringOf(document)
  const names = Object.keys(document.properties).filter(
    (name) => name !== 'companyId' && name !== numberedOf(document) && !referring.includes(name),
  )
  const keys = keyOf(document)
  const members = names.flatMap((name): [string, fc.Arbitrary<unknown>][] => {
    const property = document.properties[name]
    if (!property || 'reference' in property || 'items' in property || 'computed' in property) return []
    return [[name, keys.includes(name) ? goodKey(property as PropertySetup) : goodMember(property)]]
  })
  const optional = members.filter(([name]) => !keys.includes(name) && !isNeeded(document.properties[name]))
  const body = fc.record(Object.fromEntries(members), {
    requiredKeys: members.map(([name]) => name).filter((name) => !optional.some(([other]) => other === name)),
  })
  if (!document.contactPoints) return body
  return body.map((given) => ({ ...given, contactPoints: [{ contactPointType: '1' }] }))
}

/** Clients take these parts out of an address. */
const NOT_ADDRESSED: readonly unknown[] = ['.', '..']

const goodKey = (property: PropertySetup): fc.Arbitrary<unknown> =>
  goodValue({ ...property, required: true }).filter((value) => !NOT_ADDRESSED.includes(value))

export function goodMember(property: Property): fc.Arbitrary<unknown> {
  if ('reference' in property || 'items' in property || 'computed' in property)
    throw new Error('another record is no member')
  if ('group' in property) return goodObject(property.group)
  if ('list' in property) {
    const { list, minItems = 0, maxItems = 3 } = property
    return fc.array(goodObject(list), { minLength: minItems, maxLength: maxItems })
  }
  return goodValue(property)
}

const goodObject = (members: Members): fc.Arbitrary<Body> =>
  fc.record(Object.fromEntries(Object.entries(members).map(([name, one]) => [name, goodMember(one)])), {
    requiredKeys: Object.keys(members).filter((name) => isNeeded(members[name])),
  })

/** Whether a record cannot be without it. */
function isNeeded(property: Property | undefined): boolean {
  if (!property || 'reference' in property || 'items' in property || 'computed' in property) return false
  if ('list' in property) return property.minItems !== undefined
  return 'group' in property
    ? Object.values(property.group).some(({ required }) => required)
    : property.required === true
}

/** The body with one wrong value, or without one that is required. */
function spoiled(document: DocumentSetup, body: Body): fc.Arbitrary<Body> {
  const names = Object.keys(body).filter((name) => name !== 'contactPoints')
  return fc.constantFrom(...(names.length > 0 ? names : ['companyId'])).chain((name): fc.Arbitrary<Body> => {
    const property = document.properties[name]
    if (!property || 'reference' in property || 'items' in property || 'computed' in property) return fc.constant(body)
    const without = Object.fromEntries(Object.entries(body).filter(([one]) => one !== name))
    const bad = badMember(property).map((value): Body => ({ ...body, [name]: value }))
    return isNeeded(property) || keyOf(document).includes(name) ? fc.oneof(bad, fc.constant(without)) : bad
  })
}

/** A value of a property that its schema refuses. */
export function badMember(property: Property): fc.Arbitrary<unknown> {
  if ('reference' in property || 'items' in property || 'computed' in property)
    throw new Error('another record is no member')
  if ('group' in property) return fc.oneof(fc.constantFrom<unknown>('x', 1, [1]), badObject(property.group))
  if ('list' in property) {
    const bad = badObject(property.list)
    const items = fc.oneof(
      fc.constantFrom<unknown>('x', {}, [1]),
      bad.map((item) => [item]),
    )
    const { maxItems } = property
    const tooMany = { minLength: (maxItems ?? 0) + 1, maxLength: (maxItems ?? 0) + 1 }
    return maxItems ? fc.oneof(items, fc.array(goodObject(property.list), tooMany)) : items
  }
  return badValue(property)
}

const badObject = (members: Members): fc.Arbitrary<Body> =>
  fc
    .tuple(goodObject(members), fc.constantFrom(...Object.entries(members)))
    .chain(([good, [name, property]]) => badMember(property).map((value) => ({ ...good, [name]: value })))
