// Random declarations of what belongs together: a document, its lines, what is computed of both, and how its records
// change their state.
import fc from 'fast-check'
import type { DocumentSetup, PropertySetup } from '../../../src/setup/file/document-schema.ts'
import { keyOf, referringOf } from './random-bodies.ts'
import { declarationOf, NAMES } from './random-declarations.ts'
import { type Expressions, expressionsOf, type Names } from './random-expressions.ts'
import { CODES, propertyOf } from './random-values.ts'

export interface Family {
  readonly document: DocumentSetup
  /** The document of its lines. */
  readonly lines: DocumentSetup | undefined
  readonly computed: Expressions
  readonly ofLines: Expressions
}

/** The property with the lines, as expressions name it. */
export const LINES = 'lines'
/** What tells one line of a record from another. */
export const LINE = 'lineNo'
/** A role that the caller does not have. */
export const NOBODY = 'nobody'

const COMPUTED = 3
const [FIRST, SECOND, CLOSED] = CODES.LETTERS
const WAYS = [
  [FIRST, SECOND],
  [SECOND, FIRST],
  [SECOND, CLOSED],
  [FIRST, CLOSED],
  [CLOSED, FIRST],
] as const

interface Drawn {
  readonly document: DocumentSetup
  readonly members: readonly PropertySetup[] | undefined
  readonly with: 'cascade' | 'restrict'
  readonly seed: number
  readonly ways: readonly (typeof WAYS)[number][] | undefined
  readonly roles: readonly (readonly string[] | undefined)[]
  /** Which of the properties each state requires, and which it locks. */
  readonly rules: readonly (readonly boolean[])[]
}

export function familyOf(name: string): fc.Arbitrary<Family> {
  const roles = fc.option(fc.constantFrom(['all'], [NOBODY], [NOBODY, 'all']), { nil: undefined })
  const marks = fc.array(
    fc.nat(2).map((number) => number === 0),
    { minLength: 16, maxLength: 16 },
  )
  return fc
    .record<Drawn>({
      document: declarationOf(name),
      members: fc.option(fc.array(propertyOf(false), { minLength: 1, maxLength: 3 }), { nil: undefined, freq: 3 }),
      with: fc.constantFrom('cascade', 'restrict'),
      seed: fc.nat(1_000_000),
      ways: fc.option(fc.subarray([...WAYS], { minLength: 1 }), { nil: undefined, freq: 3 }),
      roles: fc.array(roles, { minLength: WAYS.length, maxLength: WAYS.length }),
      rules: fc.array(marks, { minLength: 4, maxLength: 4 }),
    })
    .map(assemble)
}

function assemble(drawn: Drawn): Family {
  const { document, members, seed } = drawn
  const lines = members && linesOf(document, members, seed)
  const ofLines = lines ? expressionsOf(namesIn(lines), COMPUTED, seed) : {}
  const own = namesIn(document)
  const numbers = lines ? namesIn(lines).numbers : {}
  const computed = expressionsOf({ ...own, lines: numbers, earlierOfLines: ofLines }, COMPUTED, seed + 1)
  const whole: DocumentSetup = {
    ...document,
    properties: {
      ...document.properties,
      ...(lines ? { [LINES]: { items: lines.name, by: keyOf(document), with: drawn.with } } : {}),
      ...declared(computed),
    },
  }
  return {
    document: { ...whole, ...stateOf(whole, drawn) },
    lines: lines && { ...lines, properties: { ...lines.properties, ...declared(ofLines) } },
    computed,
    ofLines,
  }
}

const declared = (expressions: Expressions): DocumentSetup['properties'] =>
  Object.fromEntries(Object.entries(expressions).map(([name, { text }]) => [name, { computed: text }]))

function linesOf(document: DocumentSetup, members: readonly PropertySetup[], seed: number): DocumentSetup {
  const keys = keyOf(document)
  const free = NAMES.filter((name) => !keys.includes(name))
  const named = members.map((member, at): [string, PropertySetup] => [free[(seed + at) % free.length] ?? '', member])
  return {
    name: `${document.name}-lines`,
    key: [...document.key, LINE],
    properties: {
      companyId: { type: 'string' },
      ...Object.fromEntries(keys.map((name) => [name, document.properties[name] as PropertySetup])),
      [LINE]: { type: 'integer', minimum: 1, maximum: 9 },
      ...Object.fromEntries(named),
      itsRecord: { reference: document.name, key: keys },
    },
  }
}

function stateOf(document: DocumentSetup, { ways, roles, rules }: Drawn): Pick<DocumentSetup, 'state'> {
  const { state, properties } = document
  if (!state || !ways) return {}
  const fixed = [...keyOf(document), 'companyId', state.property]
  const lockable = Object.keys(properties).filter((name) => {
    const property = properties[name] ?? { computed: '' }
    return !fixed.includes(name) && !('reference' in property) && !('computed' in property)
  })
  const requirable = lockable.filter((name) => !('group' in (properties[name] ?? {})))
  const marked = (part: 'requires' | 'locks', names: readonly string[], at: number) => {
    const found = names.filter((_name, place) => rules[at]?.[place])
    return found.length > 0 ? { [part]: found } : {}
  }
  const known = new Set<string>([FIRST, CLOSED, ...ways.flat()])
  const states = [
    [FIRST, marked('locks', lockable, 0)],
    [SECOND, { ...marked('requires', requirable, 1), ...marked('locks', lockable, 2) }],
    [CLOSED, marked('locks', lockable, 3)],
  ] as const
  return {
    state: {
      ...state,
      transitions: ways.map(([from, to], at) => ({ from, to, ...(roles[at] ? { roles: [...roles[at]] } : {}) })),
      states: Object.fromEntries(states.filter(([name]) => known.has(name))),
    },
  }
}

/** What expressions of a document may name. */
export function namesIn(document: DocumentSetup): Names {
  const simple = simpleIn(document)
  const ofType = (...types: string[]) => simple.filter(([, { type }]) => types.includes(type))
  const paths = (all: typeof simple) => all.map(([path]) => path)
  return {
    numbers: Object.fromEntries(ofType('integer', 'decimal').map(([path, { scale = 0 }]) => [path, scale])),
    integers: paths(ofType('integer')),
    // What is computed of texts has a bound, which those without one would pass.
    texts: paths(ofType('string').filter(([, { maxLength }]) => maxLength !== undefined)),
    dates: paths(ofType('date-time')),
    ...{ lines: {}, earlier: {}, earlierOfLines: {} },
  }
}

/** Without the company, and what refers to other records. */
function simpleIn(document: DocumentSetup): [path: string, property: PropertySetup][] {
  const left = ['companyId', ...referringOf(document)]
  return Object.entries(document.properties).flatMap(([name, property]): [string, PropertySetup][] => {
    if (left.includes(name)) return []
    if ('group' in property) return Object.entries(property.group).map(([inner, one]) => [`${name}/${inner}`, one])
    return 'type' in property ? [[name, property]] : []
  })
}
