// Random rules of properties, and values that keep or break them.
import fc from 'fast-check'
import type { PropertySetup } from '../../../src/setup/file/document-schema.ts'
import { TEXTS } from '../edge-case-rows.ts'

/** The codes that the company of the tests has. */
export const CODES = {
  LETTERS: ['A', 'B', 'C'],
  DIGITS: ['1', '2', '3'],
  KIND: ['K1', 'K2'],
} as const

/** Patterns, with values that match and values that do not. */
const PATTERNS: Readonly<Record<string, readonly [good: readonly string[], bad: readonly string[]]>> = {
  '[0-9]{9}': [
    ['123456789', '000000000', '987654321'],
    ['12345678', '1234567890', '12345678a', '123456789\n'],
  ],
  '[A-Z]{2}[0-9A-Z]{3,10}': [
    ['NO93X', 'AB123', 'XY12345678'],
    ['no93x', 'A1234', 'AB 123', 'AB12'],
  ],
  'a|bc': [
    ['a', 'bc'],
    ['ac', 'abc', 'b'],
  ],
  '(x-)?[a-z]+': [
    ['x-y', 'ab', 'z'],
    ['X-y', 'x-', '-a', 'a b'],
  ],
  '.{1,5}': [
    ['a', '\u00e9\u00e9', '12345'],
    ['123456', '      '],
  ],
}

const optional = <Value>(value: fc.Arbitrary<Value>, weight = 2) => fc.option(value, { nil: undefined, freq: weight })

/** A property of any type with random rules, none of which contradict each other. */
export function propertyOf(isListed: boolean): fc.Arbitrary<PropertySetup> {
  return fc
    .tuple(fc.oneof(...RULES), fc.record({ required: flag(2), unique: flag(5), hasDefault: flag(3) }))
    .chain(([rules, { required, unique, hasDefault }]) => {
      const isUnique = unique && !isListed && rules.type !== 'boolean'
      const property: PropertySetup = {
        ...rules,
        ...(required && !(hasDefault && !isUnique) ? { required } : {}),
        ...(isUnique ? { unique } : {}),
      }
      if (!hasDefault || isUnique) return fc.constant(property)
      return goodValue({ ...property, required: true }).map((value) => ({ ...property, default: value as string }))
    })
}

const flag = (oneIn: number) => fc.nat(oneIn - 1).map((number) => number === 0)

const legalValues = fc.constantFrom({ valueList: 'LETTERS' }, { valueList: 'DIGITS' }, { attributeId: 'KIND' })

const range = (least: number, most: number, step: number) =>
  optional(
    fc.tuple(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: most })).map(([one, other]) => ({
      minimum: Math.min(one, other) * step,
      maximum: Math.max(one, other) * step,
    })),
    3,
  ).chain((bounds) => {
    if (!bounds) return fc.constant({})
    return fc.constantFrom<{ minimum?: number; maximum?: number }>(
      bounds,
      { minimum: bounds.minimum },
      { maximum: bounds.maximum },
    )
  })

const scaled = fc
  .integer({ min: 0, max: 4 })
  .chain((scale) => range(-500, 500, 1).map((bounds) => ({ type: 'decimal' as const, scale, ...bounds })))

/** By type, with what may stand beside it. */
const RULES: fc.Arbitrary<PropertySetup>[] = [
  optional(fc.integer({ min: 1, max: 30 }), 3).map((maxLength) => withoutUndefined({ type: 'string', maxLength })),
  fc.constantFrom(...Object.keys(PATTERNS)).map((pattern) => ({ type: 'string', pattern })),
  legalValues.map((one) => ({ type: 'string', legalValues: one })),
  range(-1000, 1000, 1).map((bounds) => ({ type: 'integer', ...bounds })),
  fc.constant({ type: 'integer', legalValues: { valueList: 'DIGITS' } }),
  range(-1000, 1000, 0.25).map((bounds) => ({ type: 'number', ...bounds })),
  fc.constant({ type: 'boolean' }),
  scaled,
  fc.constant({ type: 'date-time' }),
]

function withoutUndefined(property: { [Name in keyof PropertySetup]: PropertySetup[Name] | undefined }) {
  return Object.fromEntries(Object.entries(property).filter(([, value]) => value !== undefined)) as PropertySetup
}

const INSTANTS = ['2026-01-31', '2026-01-31T23:59:59.999Z', '2024-02-29T12:30:00', '1999-12-31T23:00:00+02:00']

/** A value that the rules of the property accept. */
export function goodValue(property: PropertySetup): fc.Arbitrary<string | number | boolean> {
  const { type, required = false, legalValues: codes, pattern, maxLength = 60, scale = 2 } = property
  const empty = <Value>(value: Value, arbitrary: fc.Arbitrary<Value>) =>
    required ? arbitrary : fc.oneof({ weight: 8, arbitrary }, { weight: 1, arbitrary: fc.constant(value) })
  const legal = codesOf(codes)
  switch (type) {
    case 'string':
      if (legal) return empty('', fc.constantFrom(...legal))
      if (pattern !== undefined) return empty('', fc.constantFrom(...(PATTERNS[pattern]?.[0] ?? [])))
      return textUpTo(maxLength, required)
    case 'integer':
      if (legal) return empty(0, fc.constantFrom(...legal.map(Number)))
      return empty(0, inRange(property, 1, 2 ** 40))
    case 'number':
      return empty(0, inRange(property, 0.25, 2 ** 30))
    case 'decimal':
      return empty(0, inRange(property, 1 / 10 ** scale, 10 ** 8))
    case 'boolean':
      return fc.boolean()
    case 'date-time':
      return fc.constantFrom(...INSTANTS)
  }
}

function textUpTo(maxLength: number, required: boolean): fc.Arbitrary<string> {
  const any = fc.oneof(
    fc.constantFrom(...TEXTS),
    fc.string({ unit: 'grapheme', maxLength }),
    fc.constant('x'.repeat(maxLength)),
    fc.constant('\u{1f600}'.repeat(maxLength)),
  )
  return any.filter((text) => [...text].length <= maxLength && text.isWellFormed() && (!required || text !== ''))
}

/** A multiple of `step` within the range. */
function inRange({ minimum, maximum }: PropertySetup, step: number, most: number): fc.Arbitrary<number> {
  const rounded = (number: number) => Number((number * step).toFixed(4))
  const least = Math.ceil((minimum ?? -most) / step)
  const greatest = Math.floor((maximum ?? most) / step)
  return fc.oneof(fc.integer({ min: least, max: greatest }), fc.constantFrom(least, greatest)).map(rounded)
}

const codesOf = (codes: PropertySetup['legalValues']) =>
  codes && CODES[(codes.valueList ?? codes.attributeId) as keyof typeof CODES]

/** A value that the schema of the property refuses. */
export function badValue(property: PropertySetup): fc.Arbitrary<unknown> {
  const { type, required = false, legalValues: codes, pattern, maxLength, minimum, maximum } = property
  const wrong: fc.Arbitrary<unknown>[] = [fc.constantFrom<unknown>({}, [], { a: 1 }, ['x'])]
  const add = (...values: unknown[]) => wrong.push(fc.constantFrom(...values))
  if (type === 'string') {
    if (required) add('')
    if (pattern !== undefined) add(...(PATTERNS[pattern]?.[1] ?? []))
    if (maxLength !== undefined && !codes) add('y'.repeat(maxLength + 1), '\u{1f600}'.repeat(maxLength + 1))
  } else if (type === 'boolean') add('perhaps', 2, '')
  else if (type === 'date-time') add(12, false)
  else {
    add('much', true)
    if (type === 'integer') add(1.5)
    if (minimum !== undefined && minimum - 1 !== 0) add(minimum - 1)
    if (maximum !== undefined && maximum + 1 !== 0) add(maximum + 1)
  }
  return fc.oneof(...wrong)
}
