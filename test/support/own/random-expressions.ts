// Random expressions of computed properties, each with its text and with what it is for a record, in plain JavaScript.
import fc from 'fast-check'
import { textOf } from '../exact-arithmetic.ts'

/** An exact number: `units` divided by ten to the power of `places`. */
export interface Decimal {
  readonly units: bigint
  readonly places: number
}

export type Computed = Decimal | string

/** The values of a record by their paths. */
export interface Values {
  readonly texts: Readonly<Record<string, string>>
  readonly numbers: Readonly<Record<string, Decimal>>
  /** In ISO 8601; the first day of 1900 is none. */
  readonly dates: Readonly<Record<string, string>>
  readonly lines: readonly Values[]
}

export interface Expression {
  readonly text: string
  readonly type: 'number' | 'string'
  readonly places: number
  /** The parts that it has, with those of what it names. */
  readonly size: number
  readonly of: (values: Values) => Computed
}

/** What an expression may name: numbers with their places, and texts. */
export interface Names {
  readonly numbers: Readonly<Record<string, number>>
  /** Those that are integers, which texts are made of too. */
  readonly integers: readonly string[]
  readonly texts: readonly string[]
  readonly dates: readonly string[]
  /** The numbers of each line. */
  readonly lines: Readonly<Record<string, number>>
  /** Computed properties before it. */
  readonly earlier: Readonly<Record<string, Expression>>
  readonly earlierOfLines: Readonly<Record<string, Expression>>
}

export type Expressions = Readonly<Record<string, Expression>>

/** As often as a document may count lines or add something of them up. */
const MOST_OF_LINES = 10
const MOST_PLACES = 18
const MOST_PARTS = 50
const ABSENT = '1900-01-01T00:00:00.000Z'

/** How often an expression counts lines or adds something of them up, with those that it names. */
function ofLines({ text }: Expression, earlier: Expressions): number {
  const own = [...text.matchAll(/sum\(|count\(/g)].length
  const named = [...text.matchAll(/(?<![/\w])c\d(?!\w)/g)].flatMap(([name]) => earlier[name] ?? [])
  return named.reduce((sum, one) => sum + ofLines(one, earlier), own)
}

/** Up to so many computed properties, each of which may name those before it. */
export function expressionsOf(names: Names, count: number, seed: number): Expressions {
  let found: Expressions = {}
  let room = MOST_OF_LINES
  for (let at = 0; at < count; at++) {
    const arbitrary = at % 3 === 2 ? textFrom(names) : numberOf({ ...names, earlier: found })
    const [made] = fc.sample(arbitrary, { numRuns: 1, seed: seed * count + at })
    if (made && ofLines(made, found) <= room) {
      room -= ofLines(made, found)
      found = { ...found, [`c${at}`]: made }
    }
  }
  return found
}

/** A number that is no part of another one. */
function numberOf(names: Names): fc.Arbitrary<Expression> {
  return numeric(names, 3).map((one) => fitting(one.places > MOST_PLACES ? rounded(one, 6) : one))
}

function textFrom(names: Names): fc.Arbitrary<Expression> {
  return textual(names, 2).map(fitting)
}

const fitting = (one: Expression): Expression => (one.size > MOST_PARTS ? literal(7n, 0) : one)

function numeric(names: Names, depth: number): fc.Arbitrary<Expression> {
  const leaves = [
    ...Object.entries(names.numbers).map(([path, places]) => fc.constant(leaf(path, places))),
    fc
      .record({ units: fc.bigInt(0n, 10n ** 6n), places: fc.nat(4) })
      .map(({ units, places }) => literal(units, places)),
    ...names.dates.flatMap((later) => names.dates.map((earlier) => fc.constant(days(later, earlier)))),
    ...names.dates.map((path) => fc.constantFrom(...PARTS.map((part) => datePart(part, path)))),
    ...Object.entries(names.earlier).flatMap(([name, one]) =>
      one.type === 'number' ? [fc.constant(named(name, one))] : [],
    ),
    ...Object.entries(names.lines).map(([path, places]) => fc.constant(sumOf(path, leaf(path, places)))),
    ...Object.entries(names.earlierOfLines).flatMap(([path, one]) =>
      one.type === 'number' ? [fc.constant(sumOf(path, one))] : [],
    ),
    ...(Object.keys(names.lines).length > 0 ? [fc.constant(COUNT)] : []),
  ]
  const all = fc.oneof(...leaves)
  if (depth === 0) return all
  const inner = numeric(names, depth - 1)
  const places = fc.nat(6)
  return fc.oneof(
    { weight: 2, arbitrary: all },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('+', '-', '*'), inner, inner)
        .map(([op, one, other]) => calculated(op, one, other)),
    },
    { weight: 1, arbitrary: inner.map(negated) },
    { weight: 1, arbitrary: fc.tuple(inner, places).map(([one, to]) => rounded(one, to)) },
    { weight: 1, arbitrary: fc.tuple(inner, inner, places).map(([one, other, to]) => divided(one, other, to)) },
    { weight: 1, arbitrary: textual(names, 0).map(lengthOf) },
  )
}

function textual(names: Names, depth: number): fc.Arbitrary<Expression> {
  const leaves = [
    ...names.texts.map((path) =>
      fc.constant({
        text: path,
        type: 'string',
        places: 0,
        size: 1,
        of: ({ texts }: Values) => texts[path] ?? '',
      } as const),
    ),
    fc.constantFrom('', ' ', "it's", '\u00e9\u00df\u{1f600}', 'A-b').map((text) => ({
      ...{ text: `'${text.replaceAll("'", "''")}'`, type: 'string' as const, places: 0, size: 1, of: () => text },
    })),
  ]
  const all = fc.oneof(...leaves)
  if (depth === 0) return all
  const inner = textual(names, depth - 1)
  const integers = names.integers.map((path) => fc.constant(leaf(path, 0)))
  const joined = fc.array(fc.oneof(inner, ...integers), { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 2, arbitrary: all },
    { weight: 3, arbitrary: joined.map(concatenated) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(...TEXT_FUNCTIONS), inner).map(([name, one]) => changed(name, one)),
    },
  )
}

const leaf = (path: string, places: number): Expression => ({
  ...{ text: path, type: 'number', places, size: 1 },
  of: ({ numbers }) => numbers[path] ?? { units: 0n, places },
})

const literal = (units: bigint, places: number): Expression => {
  const digits = String(units).padStart(places + 1, '0')
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return { text, type: 'number', places, size: 1, of: () => ({ units, places }) }
}

const named = (name: string, one: Expression): Expression => ({ ...one, text: name, size: one.size + 1 })

const sumOf = (path: string, one: Expression): Expression => ({
  ...{ text: `sum(lines/${path})`, type: 'number', places: one.places, size: one.size + 2 },
  of: ({ lines }) => ({
    units: lines.reduce((sum, line) => sum + unitsAt(one.of(line) as Decimal, one.places), 0n),
    places: one.places,
  }),
})

const COUNT: Expression = {
  ...{ text: 'count(lines)', type: 'number', places: 0, size: 1 },
  of: ({ lines }) => ({ units: BigInt(lines.length), places: 0 }),
}

const unitsAt = ({ units, places }: Decimal, wanted: number) => units * 10n ** BigInt(wanted - places)

function calculated(op: string, one: Expression, other: Expression): Expression {
  const places = op === '*' ? one.places + other.places : Math.max(one.places, other.places)
  return {
    ...{ text: `(${one.text} ${op} ${other.text})`, type: 'number', places, size: one.size + other.size + 1 },
    of: (values) => {
      const [left, right] = [one.of(values) as Decimal, other.of(values) as Decimal]
      if (op === '*') return { units: left.units * right.units, places: left.places + right.places }
      const [first, second] = [unitsAt(left, places), unitsAt(right, places)]
      return { units: op === '+' ? first + second : first - second, places }
    },
  }
}

const negated = (one: Expression): Expression => ({
  ...{ text: `-(${one.text})`, type: 'number', places: one.places, size: one.size + 2 },
  of: (values) => {
    const { units, places } = one.of(values) as Decimal
    return { units: -units, places }
  },
})

const rounded = (one: Expression, to: number): Expression => ({
  ...{ text: `round(${one.text}, ${to})`, type: 'number', places: Math.min(to, one.places), size: one.size + 1 },
  of: (values) => {
    const { units, places } = one.of(values) as Decimal
    return places <= to ? { units, places } : { units: nearest(units, 10n ** BigInt(places - to)), places: to }
  },
})

const divided = (one: Expression, other: Expression, to: number): Expression => ({
  ...{ text: `divide(${one.text}, ${other.text}, ${to})`, type: 'number', places: to, size: one.size + other.size + 1 },
  of: (values) => {
    const [left, right] = [one.of(values) as Decimal, other.of(values) as Decimal]
    if (right.units === 0n) return { units: 0n, places: to }
    return {
      units: nearest(left.units * 10n ** BigInt(right.places + to), right.units * 10n ** BigInt(left.places)),
      places: to,
    }
  },
})

/** The quotient, a half of one away from zero. */
function nearest(whole: bigint, part: bigint): bigint {
  const [quotient, rest] = [whole / part, whole % part]
  const isHalf = 2n * (rest < 0n ? -rest : rest) >= (part < 0n ? -part : part)
  return isHalf ? quotient + (whole < 0n === part < 0n ? 1n : -1n) : quotient
}

const dayOf = (date: string) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / 86_400_000

const days = (later: string, earlier: string): Expression => ({
  ...{ text: `days(${later}, ${earlier})`, type: 'number', places: 0, size: 3 },
  of: ({ dates }) => {
    const [to = ABSENT, from = ABSENT] = [dates[later], dates[earlier]]
    const isAbsent = to === ABSENT || from === ABSENT
    return { units: isAbsent ? 0n : BigInt(dayOf(to) - dayOf(from)), places: 0 }
  },
})

const PARTS = ['year', 'month', 'day'] as const
const datePart = (part: (typeof PARTS)[number], path: string): Expression => ({
  ...{ text: `${part}(${path})`, type: 'number', places: 0, size: 2 },
  of: ({ dates }) => {
    const [year = '', month = '', day = ''] = (dates[path] ?? ABSENT).slice(0, 10).split('-')
    return { units: BigInt({ year, month, day }[part]), places: 0 }
  },
})

const lengthOf = (one: Expression): Expression => ({
  ...{ text: `length(${one.text})`, type: 'number', places: 0, size: one.size + 1 },
  of: (values) => ({ units: BigInt([...(one.of(values) as string)].length), places: 0 }),
})

const concatenated = (parts: readonly Expression[]): Expression => ({
  ...{ text: `concat(${parts.map(({ text }) => text).join(', ')})`, type: 'string', places: 0 },
  size: parts.reduce((sum, { size }) => sum + size, 1),
  of: (values) => parts.map((part) => plain(part.of(values))).join(''),
})

const plain = (value: Computed) => (typeof value === 'string' ? value : textOf(value))

const TEXT_FUNCTIONS = ['tolower', 'toupper', 'trim'] as const

/** One letter for one; blanks alone are trimmed. */
function changed(name: (typeof TEXT_FUNCTIONS)[number], one: Expression): Expression {
  const alone = (letter: string, other: string) => ([...other].length === 1 ? other : letter)
  const change = (text: string) => {
    if (name === 'trim') return text.replace(/^ +| +$/g, '')
    return [...text]
      .map((letter) => alone(letter, name === 'tolower' ? letter.toLowerCase() : letter.toUpperCase()))
      .join('')
  }
  return {
    ...{ text: `${name}(${one.text})`, type: 'string', places: 0, size: one.size + 1 },
    of: (values) => change(one.of(values) as string),
  }
}
