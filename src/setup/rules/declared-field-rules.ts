// The rules that a setup declares for the properties of a document, ready to check values by.
import { OPEN_FROM, parseDateTime } from '../../base/dates.ts'
import { asDecimal, type Exact } from '../../base/numbers/decimal.ts'
import { asInteger, asNumber } from '../../base/numbers/scalars.ts'
import { ABSENT, type StoredType } from '../../model/document.ts'
import { type DocumentSetup, LONGEST_INDEXED_TEXT, LONGEST_TEXT, type PropertySetup } from '../file/document-schema.ts'
import {
  COMPANY,
  columnOf,
  keyNamesOf,
  listProperties,
  type SimpleProperty,
  scaleOf,
  simpleProperties,
} from './declared-properties.ts'
import { type LegalValuesOf, legalValuesOf } from './rules.ts'
import { storedPattern, type ValuePattern } from './value-pattern.ts'

/** What a value of a property must be. */
export interface FieldRules {
  /** To the property; within an item for a property of a list. */
  readonly path: readonly string[]
  /** The name of the list whose items have the property. */
  readonly itemsOf: string | undefined
  readonly type: StoredType
  /** A decimal has as many digits behind its point. */
  readonly scale: number
  /** Whether a record needs it. That of a key which the service numbers is not. */
  readonly required: boolean
  /** A text has at most as many characters. */
  readonly maxLength: number
  readonly pattern: { readonly text: string; readonly matches: ValuePattern } | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly legalValues: LegalValuesOf | undefined
  /** Whether no two records of a company have the same; empty values are not compared. */
  readonly unique: boolean
  /** What an absent value is stored and read as. */
  readonly absent: string | Exact | boolean
  /** Whether the setup declares that. */
  readonly hasDefault: boolean
  /** The column of the document's table; empty for a property of a list. */
  readonly column: string
}

/** The rules of all properties with values except the company's, in the order of the declaration. */
export function fieldRulesOf(document: DocumentSetup): FieldRules[] {
  const keyNames = keyNamesOf(document)
  const numbered = document.numbering ? keyNames.at(-1) : undefined
  const own = simpleProperties(document)
    .filter(({ names }) => names[0] !== COMPANY)
    .map((simple): FieldRules => {
      const [name = '', inner] = simple.names
      const isKey = inner === undefined && keyNames.includes(name)
      const rules = rulesOf(simple, isKey ? keyLengthOf(document) : undefined)
      const column = columnOf(simple)
      return isKey ? { ...rules, column, required: name !== numbered } : { ...rules, column }
    })
  const items = listProperties(document).flatMap(({ name, members }) =>
    members.map((member) => ({ ...rulesOf(member), itemsOf: name })),
  )
  return [...own, ...items]
}

function rulesOf({ names, property }: SimpleProperty, longest = longestOf(property)): FieldRules {
  const {
    type,
    required = false,
    maxLength = longest,
    pattern,
    minimum,
    maximum,
    legalValues,
    unique = false,
  } = property
  return {
    path: names,
    itemsOf: undefined,
    type,
    scale: scaleOf(property).scale ?? 0,
    required,
    maxLength: Math.min(maxLength, longest),
    pattern: pattern === undefined ? undefined : { text: pattern, matches: storedPattern(pattern) },
    minimum,
    maximum,
    legalValues: legalValues && legalValuesOf(legalValues),
    unique,
    absent: defaultOf(property) ?? ABSENT[type],
    hasDefault: property.default !== undefined,
    column: '',
  }
}

/** The longest text of a property that is of no key. */
export function longestOf({ unique }: PropertySetup): number {
  return unique ? LONGEST_INDEXED_TEXT : LONGEST_TEXT
}

/** An entry of PostgreSQL's index of a key has no more characters of four bytes than these, less the company's. */
const KEY_LENGTH = 600

/** The longest text of a key, all of whose texts stand whole in its index. */
export function keyLengthOf(document: DocumentSetup): number {
  const texts = keyNamesOf(document).filter((name) => {
    const property = document.properties[name]
    return property && 'type' in property && property.type === 'string'
  })
  return Math.min(LONGEST_INDEXED_TEXT, Math.floor(KEY_LENGTH / Math.max(1, texts.length)))
}

/** The declared default as a value of the property's type; undefined if it is none, or there is none. */
export function defaultOf(property: PropertySetup): FieldRules['absent'] | undefined {
  const { type, default: given } = property
  switch (type) {
    case 'string':
      return typeof given === 'string' ? given : undefined
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined
    case 'date-time':
      return typeof given === 'string' ? parseDateTime(given) : undefined
    case 'decimal':
      return typeof given === 'number' ? asDecimal(given, scaleOf(property).scale ?? 0) : undefined
    case 'integer':
      return typeof given === 'number' ? asInteger(given) : undefined
    default:
      return typeof given === 'number' ? asNumber(given) : undefined
  }
}

/** Whether a value is what an absent one of its type without a default reads as. */
export function isEmptyValue(type: StoredType, value: unknown): boolean {
  return type === 'date-time' ? value === OPEN_FROM : value === ABSENT[type]
}
