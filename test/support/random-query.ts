// Random queries as texts: filters, selections, orders and pages that are legal for a document, with values of its own
// records among the literals, so that they find some.
import fc from 'fast-check'
import type { Properties, Property, ValueType } from '../../src/model/document.ts'
import { otherValues } from './by-shape.ts'
import { DECIMALS, INSTANTS, NUMBERS, TEXTS } from './edge-case-rows.ts'
import type { Row, Types, Value } from './query-evaluator.ts'

export interface RandomQuery {
  readonly select: string
  readonly filter: string
  /** A filter with the same shape and other values, which may not be legal. */
  readonly otherFilter: string
  readonly orderBy: string
  readonly offset: number
  readonly limit: number | undefined
}

/** A property that a filter may name, with some of its values. */
interface Place {
  readonly path: string
  readonly type: ValueType
  readonly samples: readonly Value[]
}

interface ListPlace {
  readonly path: string
  readonly inside: readonly Place[]
}

interface Shape {
  readonly values: readonly Place[]
  readonly lists: readonly ListPlace[]
}

type Text = fc.Arbitrary<string>

/** Random queries for a document with these records. */
export function queriesOf(properties: Properties, records: readonly Row[]): fc.Arbitrary<RandomQuery> {
  const shape = shapeOf(properties, records)
  const direction = fc.constantFrom('', ' asc', ' desc', ' DESC', ' Asc')
  const orderItem = fc.tuple(pathText(shape.values), direction).map((parts) => parts.join(''))
  const most = records.length + 2
  const filters = fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 9, arbitrary: filterOf(shape, [], 3) })
  const rest = fc.record({
    select: fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 4, arbitrary: selectOf(properties, 1) }),
    orderBy: fc.array(orderItem, { maxLength: 3 }).map((items) => items.join(' , ')),
    offset: fc.oneof(fc.constant(0), fc.nat(most)),
    limit: fc.option(fc.integer({ min: 1, max: most }), { nil: undefined }),
  })
  const both = filters.chain((filter) => otherValues(filter).map((otherFilter) => ({ filter, otherFilter })))
  return fc.tuple(both, rest).map(([own, others]) => ({ ...own, ...others }))
}

/** The type of every property by its path, for the evaluator. */
export function typesOf(properties: Properties): Types {
  const { values, lists } = shapeOf(properties, [])
  const inLists = lists.flatMap(({ path, inside }) => inside.map((one) => ({ ...one, path: `${path}/${one.path}` })))
  return Object.fromEntries([...values, ...inLists].map(({ path, type }) => [path, type]))
}

function shapeOf(properties: Properties, records: readonly Row[]): Shape {
  const parts = Object.entries(properties).map(([name, property]): Shape => {
    const found = records.map((record) => record[name])
    if (property.kind === 'value') {
      return { values: [{ path: name, type: property.type, samples: found as Value[] }], lists: [] }
    }
    if (property.kind === 'list') {
      const inside = shapeOf(property.properties, (found as Row[][]).flat()).values
      return { values: [], lists: [{ path: name, inside }] }
    }
    const inner = shapeOf(insideOf(property), found as Row[])
    const below = <One extends { path: string }>(one: One): One => ({ ...one, path: `${name}/${one.path}` })
    return { values: inner.values.map(below), lists: inner.lists.map(below) }
  })
  return { values: parts.flatMap(({ values }) => values), lists: parts.flatMap(({ lists }) => lists) }
}

function insideOf(property: Exclude<Property, { kind: 'value' }>): Properties {
  return property.kind === 'association' ? property.document.properties : property.properties
}

// Keywords and names are not case-sensitive.

const cased = (word: string): Text =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(word) },
    { weight: 1, arbitrary: fc.constantFrom(word.toUpperCase(), word.toLowerCase()) },
  )
const oneOf = (...words: string[]): Text => fc.constantFrom(...words).chain(cased)
const pathText = (places: readonly Place[]): Text => fc.constantFrom(...places).chain(({ path }) => cased(path))
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const joined = (...parts: Text[]): Text => fc.tuple(...parts).map((texts) => texts.join(' '))

// Literals.

const anyText: Text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }).map((text) => text.replaceAll('\0', '')) },
)
const nothing = oneOf('null')
const sampleOf = ({ samples }: Place, otherwise: Text): Text =>
  samples.length === 0 ? otherwise : fc.oneof(fc.constantFrom(...samples).map(String), otherwise)

/** A complete value, or its start, middle or end. */
const partOf = (place: Place): Text =>
  sampleOf(place, anyText).chain((text) => {
    const letters = [...text]
    return fc
      .tuple(fc.nat(letters.length), fc.nat(letters.length))
      .map(([from, to]) => letters.slice(from, to).join(''))
  })

/** Decimals between those of four digits behind the point, and beyond all of them. */
const BESIDE_DECIMALS = [
  ...['12345678901234.56005', '-12345678901234.56009', '0.00001', '-0.00001', '99999999999999.99991', '1e20', '-1e20'],
  ...['12.50000000000000000000000000000000001', '1e-300', '100000000000000', '-99999999999999.99999', '0.1000'],
]

function literalOf(place: Place): Text {
  switch (place.type) {
    case 'string':
      return fc.oneof(
        { weight: 6, arbitrary: sampleOf(place, anyText).map(quoted) },
        { weight: 1, arbitrary: fc.constantFrom('10019', '007', '-5', '1e3', '2026-01-31', 'null') },
      )
    case 'decimal':
    case 'exact':
      return numberLiteral(fc.constantFrom(...DECIMALS, ...BESIDE_DECIMALS))
    case 'integer':
    case 'number':
      return numberLiteral(sampleOf(place, fc.constantFrom(...NUMBERS).map(String)))
    case 'boolean':
      return fc.oneof(oneOf('true', 'false'), nothing, fc.constantFrom("'true'", "'FALSE'"))
    case 'date-time':
      return dateLiteral(sampleOf(place, fc.constantFrom(...INSTANTS)))
  }
}

const numberLiteral = (number: Text): Text =>
  fc.oneof(
    { weight: 5, arbitrary: number },
    { weight: 1, arbitrary: number.map(quoted) },
    { weight: 1, arbitrary: fc.constantFrom('+1', '0.5', '1e3', '-1.5', '9223372036854775808', '9007199254740992') },
    { weight: 1, arbitrary: nothing },
  )
const dateLiteral = (instant: Text): Text =>
  instant.chain((text) =>
    fc.constantFrom(text, quoted(text), text.slice(0, 10), `datetime'${text.slice(0, 19)}'`, text.slice(0, -1), 'null'),
  )

// Filters.

const comparison = oneOf('eq', 'ne', 'gt', 'ge', 'lt', 'le')
const match = oneOf('contains', 'startswith', 'endswith')

/** One condition on a property; `others` are the properties that it may be compared with. */
function leafOf(place: Place, others: readonly Place[]): Text {
  const alike = others.filter(({ type }) => familyOf(type) === familyOf(place.type))
  const literal = literalOf(place)
  const operand = operandOf(place)
  const common = [
    joined(operand, comparison, literal),
    joined(literal, comparison, operand),
    joined(operand, comparison, fc.constantFrom(...alike).chain(operandOf)),
    fc
      .tuple(operand, oneOf('in'), fc.array(literal, { minLength: 1, maxLength: 4 }))
      .map(([text, word, values]) => `${text} ${word} (${values.join(' , ')})`),
  ]
  return fc.oneof(...common, ...ownLeaves(place, operand, alike))
}

function ownLeaves(place: Place, operand: Text, alike: readonly Place[]): Text[] {
  if (place.type === 'boolean') return [cased(place.path)]
  if (place.type === 'date-time') {
    const day = fc.constantFrom(...INSTANTS).map((text) => text.slice(0, 10))
    const part = fc.tuple(oneOf('year', 'month', 'day'), operand).map(([name, text]) => `${name}(${text})`)
    return [
      joined(
        operand.map((text) => `date(${text})`),
        comparison,
        fc.oneof(day, day.map(quoted)),
      ),
      joined(part, comparison, fc.constantFrom('1', '31', '2026', '1900', '2.5', 'null')),
    ]
  }
  if (place.type !== 'string') return []
  const other = fc.constantFrom(...alike).chain(operandOf)
  const tail = fc.constantFrom('', '', ' eq true', ' eq false', ' ne true')
  const piece = partOf(place).map(quoted)
  return [
    fc.tuple(match, operand, piece, tail).map(([name, text, part, rest]) => `${name}(${text},${part})${rest}`),
    fc.tuple(match, operand, other).map(([name, text, part]) => `${name}( ${text} , ${part} )`),
    fc.tuple(piece, operand).map(([part, text]) => `substringof(${part}, ${text})`),
    joined(
      operand.map((text) => `length(${text})`),
      comparison,
      fc.nat(4).map(String),
    ),
  ]
}

const familyOf = (type: ValueType) => (type === 'integer' ? 'number' : type)

function operandOf({ path, type }: Place): Text {
  if (type !== 'string') return cased(path)
  const fold = oneOf('tolower', 'toupper', 'trim')
  return fc.oneof(
    { weight: 5, arbitrary: cased(path) },
    { weight: 2, arbitrary: fc.tuple(fold, cased(path)).map(([name, text]) => `${name}(${text})`) },
    { weight: 1, arbitrary: fc.tuple(fold, cased(path)).map(([name, text]) => `trim(${name}(${text}))`) },
  )
}

/** `items` are the values of the variables in scope. A property name is a legal variable and shadows the property. */
function filterOf(shape: Shape, items: readonly Place[], depth: number): Text {
  const places = [...shape.values, ...items]
  const leaf = fc
    .oneof(fc.constantFrom(...(items.length > 0 ? items : places)), fc.constantFrom(...places))
    .chain((place) => leafOf(place, places))
  if (depth === 0) return leaf
  const inner = fc.constant(0).chain(() => filterOf(shape, items, depth - 1))
  const composed = [
    fc.tuple(inner, oneOf('and', 'or'), inner).map((parts) => parts.join(' ')),
    fc.tuple(inner, oneOf('and', 'or'), inner, oneOf('and', 'or'), inner).map((parts) => parts.join('  ')),
    inner.map((text) => `( ${text} )`),
    fc.tuple(oneOf('not'), inner).map(([word, text]) => `${word} (${text})`),
  ]
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 2, arbitrary: fc.oneof(...composed) },
    ...(shape.lists.length === 0
      ? []
      : [
          { weight: 4, arbitrary: quantified(shape, items, depth) },
          { weight: 1, arbitrary: counted(shape, places) },
        ]),
  )
}

/** Compares the number of items of a list. */
function counted({ lists }: Shape, places: readonly Place[]): Text {
  const count = fc.constantFrom(...lists).chain(({ path }) => cased(`${path}/$count`))
  const numbers = places.filter(({ type }) => familyOf(type) === 'number')
  const others = numbers.length === 0 ? [] : [fc.constantFrom(...numbers).chain(operandOf)]
  return joined(count, comparison, fc.oneof(fc.constantFrom('0', '1', '2', '-1', '1.5'), ...others))
}

function quantified(shape: Shape, items: readonly Place[], depth: number): Text {
  return fc
    .tuple(fc.constantFrom(...shape.lists), fc.constantFrom('x', 'y', 'Status', 'x'))
    .chain(([list, variable]) => {
      const word = oneOf('any', 'all')
      const path = cased(list.path)
      // A shadowed property cannot be named inside.
      const isHidden = (one: Place) => isBelow(one.path, variable)
      const own = list.inside.flatMap((one) =>
        spelled(`${variable}/${one.path}`).map((text) => ({ ...one, path: text })),
      )
      // A list is never quantified inside itself, and at most two are nested.
      const lists = items.length > 0 ? [] : shape.lists.filter((one) => one !== list)
      const visible = { ...shape, values: shape.values.filter((one) => !isHidden(one)), lists }
      const body = filterOf(visible, [...items.filter((one) => !isHidden(one)), ...own], depth - 1)
      return fc.oneof(
        {
          weight: 8,
          arbitrary: fc.tuple(path, word, body).map(([name, kind, text]) => `${name}/${kind}(${variable}: ${text})`),
        },
        { weight: 1, arbitrary: fc.tuple(path, word).map((parts) => `${parts.join('/')}()`) },
      )
    })
}

const isBelow = (path: string, name: string) => path.split('/')[0]?.toLowerCase() === name.toLowerCase()

/** Includes the alternative name of a property, where it has one. */
function spelled(path: string): string[] {
  const other = path.replace('phoneNumbers', 'phoneNumber').replace('sortOrder', 'sequenceNumber')
  return other === path ? [path] : [path, other]
}

// Selections.

const MAX_NESTING = 4

function selectOf(properties: Properties, depth: number): Text {
  const item = fc.constantFrom(...weighed(properties)).chain(([name, property]) => {
    const names = [name, ...('aliases' in property ? (property.aliases ?? []) : [])]
    return fc
      .constantFrom(...names)
      .chain(cased)
      .chain((text) => itemOf(text, property, depth))
  })
  const star = { weight: 1, arbitrary: fc.constant('*') }
  return fc
    .array(fc.oneof(star, { weight: 6, arbitrary: item }), { minLength: 1, maxLength: depth === 1 ? 5 : 3 })
    .map((items) => items.join(', '))
}

/** Weights: properties with properties inside are chosen more often than the many simple ones. */
function weighed(properties: Properties): [string, Property][] {
  return Object.entries(properties).flatMap((one) => (one[1].kind === 'value' ? [one] : [one, one, one, one]))
}

function itemOf(name: string, property: Property, depth: number): Text {
  if (property.kind === 'value') {
    return property.codes ? fc.constantFrom(name, `${name}[T]`, `${name}[C;T]`, `${name} [ c ; t ]`) : fc.constant(name)
  }
  if (depth === MAX_NESTING) return fc.constant(name)
  const inside = insideOf(property)
  const one = fc.constantFrom(...weighed(inside)).chain(([inner, below]) => itemOf(inner, below, depth + 1))
  return fc.oneof(
    fc.constant(name),
    fc.constant(`${name}(*)`),
    one.map((text) => `${name}/${text}`),
    fc
      .constant(0)
      .chain(() => selectOf(inside, depth + 1))
      .map((text) => `${name}(${text})`),
  )
}
