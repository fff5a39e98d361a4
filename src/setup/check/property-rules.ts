// Checks the rules of a property: those that its type has, and that no value of it has to break.
import { anyOf, isLongerThan, shortened } from '../../base/text.ts'
import type { DocumentSetup, PropertySetup } from '../file/document-schema.ts'
import { isUnknown } from '../file/repair.ts'
import type { Setup } from '../file/setup-schema.ts'
import type { SetupPart } from '../file/yaml-source.ts'
import { defaultOf, keyLengthOf, longestOf } from '../rules/declared-field-rules.ts'
import { isComputed, isSimple, scaleOf, simpleProperties } from '../rules/declared-properties.ts'
import { valuePattern } from '../rules/value-pattern.ts'
import { checkPattern } from './attributes.ts'
import { checkCodes, checkRange } from './check.ts'

/** A property with a value, with its place in the file. */
interface PlacedProperty {
  readonly place: SetupPart
  readonly name: string
  readonly property: PropertySetup
  readonly isInGroup: boolean
  readonly isInList: boolean
  readonly isKey: boolean
}

/** The properties with values; those of groups and of lists too. */
export function placedProperties({ properties, key }: DocumentSetup, place: SetupPart): PlacedProperty[] {
  return Object.entries(properties).flatMap(([name, property]): PlacedProperty[] => {
    const here = place.at('properties', name)
    if (isSimple(property)) {
      const isKey = key.includes(name)
      return [{ place: here, name, property, isInGroup: false, isInList: false, isKey }]
    }
    if ('reference' in property || 'items' in property || isComputed(property)) return []
    const isInList = 'list' in property
    const members = simpleProperties({ properties: isInList ? property.list : property.group })
    return members.map(({ names, property: one }) => {
      const inside = [
        isInList ? 'list' : 'group',
        ...names.flatMap((inner, at) => (at === 0 ? [inner] : ['group', inner])),
      ]
      const inner = names.at(-1) ?? ''
      return { place: here.at(...inside), name: inner, property: one, isInGroup: true, isInList, isKey: false }
    })
  })
}

const RULES = ['required', 'maxLength', 'pattern', 'minimum', 'maximum', 'legalValues', 'unique', 'default'] as const
type Rule = (typeof RULES)[number]

/** The service writes its own tables alone. */
export function refuseRules({ place, property }: PlacedProperty, table: string): void {
  for (const rule of RULES) {
    if (property[rule] === undefined) continue
    place.at(rule).addAtKey(`${table} is not the service's own table: it is only read, so nothing is checked`)
  }
}

/** For each rule, the types that have it. */
const TYPES: Readonly<Partial<Record<Rule, readonly PropertySetup['type'][]>>> = {
  maxLength: ['string'],
  pattern: ['string'],
  minimum: ['integer', 'number', 'decimal'],
  maximum: ['integer', 'number', 'decimal'],
  legalValues: ['string', 'integer'],
  unique: ['string', 'integer', 'number', 'decimal', 'date-time'],
}

/** `known`: patterns that are in force. */
export function checkRules(
  setup: Setup,
  document: DocumentSetup,
  placed: PlacedProperty,
  known: ReadonlySet<string>,
): void {
  const { place, property } = placed
  if (!place.at('type').isValid) return
  for (const [rule, types] of Object.entries(TYPES) as [Rule, readonly PropertySetup['type'][]][]) {
    if (property[rule] === undefined || property[rule] === false || types.includes(property.type)) continue
    place.at(rule).addAtKey(`only ${anyOf(types)} has ${rule}, not ${property.type}`)
  }
  checkPlace(document, placed)
  checkRange(property, place)
  if (property.pattern !== undefined) {
    const longest = known.has(property.pattern) ? 0 : longestText(document, placed)
    checkPattern(property.pattern, longest, place.at('pattern'))
  }
  checkLegalValues(setup, property, place)
  if (property.default !== undefined && place.isValid) checkDefault(setup, placed)
}

/** What a property of a list, or of the key, cannot have. */
function checkPlace(document: DocumentSetup, { place, property, isInList, isKey }: PlacedProperty) {
  const { type, unique = false, maxLength = 0 } = property
  if (isInList) {
    if (property.column !== undefined) place.at('column').addAtKey('what is inside a list has no column')
  }
  if (isKey && property.default !== undefined) place.at('default').addAtKey('what is of the key has no default')
  const longest = isKey ? keyLengthOf(document) : 255
  if ((isKey || unique) && type === 'string' && maxLength > longest) {
    const what = isKey ? 'a text of this key' : 'a unique text'
    place.at('maxLength').add(`${what} has at most ${longest} characters, because an index has it whole`)
  }
}

function longestText(document: DocumentSetup, { property, isKey }: PlacedProperty): number {
  const longest = isKey ? keyLengthOf(document) : longestOf(property)
  return Math.min(property.maxLength ?? longest, longest)
}

function checkLegalValues(setup: Setup, property: PropertySetup, place: SetupPart): void {
  const { legalValues } = property
  if (!legalValues) return
  const here = place.at('legalValues')
  if ((legalValues.valueList === undefined) === (legalValues.attributeId === undefined)) {
    here.add('expected either valueList or attributeId')
  }
  checkCodes(setup, legalValues, here)
  for (const other of ['valueList', 'attributeId'] as const) {
    if (property[other] !== undefined) place.at(other).addAtKey('legalValues names the codes already: leave this out')
  }
}

function checkDefault(setup: Setup, { place, property }: PlacedProperty): void {
  if (property.required) place.at('default').addAtKey('what is required is never absent, so it has no default')
  if (property.unique) place.at('default').addAtKey('two records with the default would not be unique')
  const value = defaultOf(property)
  if (value === undefined) {
    const scale = property.type === 'decimal' ? ` of scale ${scaleOf(property).scale}` : ''
    place.at('default').add(`${JSON.stringify(property.default)} is no ${property.type}${scale}`)
    return
  }
  const problem =
    typeof value === 'string' && property.type === 'string'
      ? problemOfText(setup, property, value)
      : problemOfNumber(setup, property)
  if (problem !== undefined) place.at('default').add(problem)
}

/** What the rules of a property say against a text that the setup names. */
export function problemOfText(setup: Setup, property: PropertySetup, text: string): string | undefined {
  const { maxLength, pattern } = property
  if (maxLength !== undefined && isLongerThan(text, maxLength))
    return `'${shortened(text)}' is longer than ${maxLength} characters`
  if (pattern !== undefined && !valuePattern(pattern)(text)) return `'${shortened(text)}' does not match ${pattern}`
  return problemOfCode(setup, property, text)
}

function problemOfNumber(setup: Setup, property: PropertySetup): string | undefined {
  const { minimum, maximum, default: value } = property
  if (typeof value !== 'number') return undefined
  if (minimum !== undefined && value < minimum) return `${value} is less than the minimum ${minimum}`
  if (maximum !== undefined && value > maximum) return `${value} is greater than the maximum ${maximum}`
  return problemOfCode(setup, property, String(value))
}

/** In each company that has the list; values of attributes are records, which are not known here. */
function problemOfCode({ companies = [] }: Setup, { legalValues }: PropertySetup, code: string): string | undefined {
  const name = legalValues?.valueList
  if (name === undefined) return undefined
  const lacking = companies.find(({ valueLists }) => {
    const codes = valueLists?.[name]
    return codes && !Object.keys(codes).some((one) => one === code || isUnknown(one))
  })
  return lacking && `'${shortened(code)}' is no code of the value list ${name} of company ${lacking.id}`
}
