// Checks what a document on a table of the service declares besides its properties: what it is called, how its records
// are numbered, closed and related, and the records that they refer to.
import { didYouMean, foldName } from '../../base/text.ts'
import { MAX_ITEMS } from '../../model/document.ts'
import type { DocumentSetup, ListSetup, ReferenceSetup } from '../file/document-schema.ts'
import { isUnknown } from '../file/repair.ts'
import type { Setup } from '../file/setup-schema.ts'
import type { SetupPart } from '../file/yaml-source.ts'
import {
  isLinesSetup,
  isReference,
  isSimple,
  keyNamesOf,
  propertyAt,
  simpleProperties,
} from '../rules/declared-properties.ts'
import { CUSTOMERS } from '../rules/declared-record.ts'
import { checkNumbering, checkNumbersFit } from './attributes.ts'
import { checkCodes, checkReference } from './check.ts'
import { checkComputed } from './computed.ts'
import { checkLines } from './lines.ts'
import { problemOfText } from './property-rules.ts'
import { checkStates } from './states.ts'

/** The paths of the service, and the APIs of roles, which are no built-in documents. */
export const TAKEN_NAMES: readonly string[] = [
  'access',
  'administration',
  'audit',
  'batch',
  'batch-operations',
  'changes',
  'document-revisions',
  'document-types',
  'documents',
  'metrics',
  'mirror',
  'objects',
  'search',
  'subscriptions',
]

/** What the change log calls records of other kinds; items of a setup begin with `setup-`. */
const LOG_NAMES =
  /^(?:agent-call|attribute-relation|attribute-value|customer|document|document-revision|journal|subscription|setup-.*)$/

/** As many as a path has. */
const MAX_KEY_PARTS = 5

export function checkOwnDocument(setup: Setup, document: DocumentSetup, place: SetupPart): void {
  if (TAKEN_NAMES.includes(document.name)) place.at('name').add(`'${document.name}' is a path of the service`)
  if (LOG_NAMES.test(document.name)) place.at('name').add(`'${document.name}' is a word of the change log`)
  const isKeyValid = place.at('key').isValid && place.at('properties').isValid
  if (isKeyValid) checkKey(document, place)
  checkTakenProperties(document, place)
  checkOwnNumbering(setup, document, place)
  checkAttribute(setup, document, place)
  checkState(setup, document, place)
  for (const [name, property] of Object.entries(document.properties)) {
    const here = place.at('properties', name)
    if (isReference(property)) checkRecordReference(setup, document, property, here)
    if (isLinesSetup(property)) checkLines(setup, document, property, here)
  }
  checkComputed(setup, document, place)
}

/** A record on an external table is only read. */
export function refuseOwnParts(document: DocumentSetup, table: string, place: SetupPart): void {
  const message = `${table} is not the service's own table: its records are only read`
  for (const part of ['numbering', 'attributeId', 'relations', 'contactPoints', 'state'] as const) {
    if (document[part] !== undefined) place.at(part).addAtKey(message)
  }
  for (const [name, property] of Object.entries(document.properties)) {
    if (!isSimple(property) && !('group' in property)) place.at('properties', name).addAtKey(message)
  }
}

function checkKey(document: DocumentSetup, place: SetupPart): void {
  const names = keyNamesOf(document)
  if (names.length === 0) place.at('key').add('a key has a property besides the company')
  if (names.length > MAX_KEY_PARTS) place.at('key').add(`a key has at most ${MAX_KEY_PARTS} properties`)
  for (const [at, name] of document.key.entries()) {
    if (document.key.indexOf(name) < at) place.at('key', at).add(`'${name}' is there twice`)
  }
}

/** The names that records have of themselves, in any letter case. */
function checkTakenProperties(document: DocumentSetup, place: SetupPart): void {
  const taken = new Map([
    ['lastUpdated', 'every document has lastUpdated: the service keeps it'],
    ['notificationMessages', "'notificationMessages' is what answers tell of themselves"],
    ...(document.contactPoints
      ? ([['contactPoints', 'contactPoints: true gives the document this one']] as const)
      : []),
    ...(document.relations ? ([['relatedValues', 'relations: true gives the document this one']] as const) : []),
  ])
  const byName = new Map([...taken].map(([name, message]) => [foldName(name), message]))
  for (const [name, property] of Object.entries(document.properties)) {
    const here = place.at('properties', name)
    const message = byName.get(foldName(name))
    if (message !== undefined) here.addAtKey(message)
    if ('group' in property) checkSpellings(property.group, here.at('group'))
    if ('list' in property) checkList(property, here)
  }
  checkSpellings(document.properties, place.at('properties'))
}

function checkList({ list, minItems = 0, maxItems = MAX_ITEMS }: ListSetup, place: SetupPart): void {
  checkSpellings(list, place.at('list'))
  for (const [name, member] of Object.entries(list))
    if ('group' in member) checkSpellings(member.group, place.at('list', name, 'group'))
  if (minItems > maxItems) place.at('minItems').add(`minItems ${minItems} is greater than maxItems ${maxItems}`)
}

/** Names in requests may have any letter case. */
function checkSpellings(members: object, place: SetupPart): void {
  const seen = new Set<string>()
  for (const name of Object.keys(members)) {
    if (seen.has(foldName(name))) place.at(name).addAtKey(`'${name}' is there in another letter case too`)
    seen.add(foldName(name))
  }
}

/** The series gives the last property of the key. */
function checkOwnNumbering(setup: Setup, document: DocumentSetup, place: SetupPart): void {
  const { numbering } = document
  if (!numbering || !checkNumbering(numbering, place.at('numbering'))) return
  const last = keyNamesOf(document).at(-1) ?? ''
  const property = propertyAt(document, last)
  if (!property || !place.at('properties').isValid || !place.at('numbering').isValid) return
  if (property.type !== 'string') {
    place.at('numbering').addAtKey(`'${last}', which it would give, is of type ${property.type}, not string`)
    return
  }
  checkNumbersFit(numbering, (text) => problemOfText(setup, property, text), place.at('numbering'))
}

/** The records are values of an attribute, in each company of its own; no other records are the same values. */
function checkAttribute(setup: Setup, document: DocumentSetup, place: SetupPart): void {
  const { attributeId, relations = false } = document
  if (attributeId === undefined) {
    if (relations) place.at('relations').addAtKey('relations are of values of an attribute: name its attributeId')
    return
  }
  const here = place.at('attributeId')
  checkCodes(setup, { attributeId }, place)
  const customers = setup.companies?.find((company) => company.customers?.attributeId === attributeId)
  if (customers) here.add(`the values of '${attributeId}' are the customers of company ${customers.id}`)
  const first = setup.documents?.find((other) => other.attributeId === attributeId)
  if (first && first !== document) here.add(`the values of '${attributeId}' are the records of ${first.name}`)
  const names = keyNamesOf(document)
  const [property] = names.map((name) => propertyAt(document, name))
  if (!property || !place.at('properties').isValid || !place.at('key').isValid) return
  if (names.length > 1) here.add(`a value has one key, but the key has ${names.join(', ')}`)
  else if (property.type !== 'string') here.add(`a value is a text, but '${names[0]}' is of type ${property.type}`)
}

function checkState(setup: Setup, document: DocumentSetup, place: SetupPart): void {
  const { state } = document
  if (!state || isUnknown(state.property) || !place.at('properties').isValid) return
  const here = place.at('state', 'property')
  const property = requireProperty(document, state.property, here)
  if (!property) return
  if (document.key.includes(state.property)) here.add(`'${state.property}' is of the key, which never changes`)
  if (property.type !== 'string') here.add(`'${state.property}' is of type ${property.type}, not string`)
  else if (place.at('state').isValid) {
    const problem = problemOfText(setup, property, state.closed)
    if (problem !== undefined) place.at('state', 'closed').add(problem)
  }
  checkStates(setup, document, state, place.at('state'))
}

/** Finds a property with a value, or adds the problem. */
export function requireProperty(document: DocumentSetup, name: string, place: SetupPart) {
  const property = propertyAt(document, name)
  const [first = ''] = name.split('/')
  if (property || !place.source.at(...place.path.slice(0, 2), 'properties', first).isValid) return property
  const known = simpleProperties(document).map(({ names }) => names.join('/'))
  place.add(`there is no property '${name}' with a value${didYouMean(name, known)}`)
  return undefined
}

/** The properties that hold the other's key must be as many, and of the same types. */
function checkRecordReference(
  setup: Setup,
  document: DocumentSetup,
  { reference, key }: ReferenceSetup,
  place: SetupPart,
): void {
  const own = key.map((name, at) => {
    return isUnknown(name) ? undefined : requireProperty(document, name, place.at('key', at))
  })
  const others = setup.documents ?? []
  const here = place.at('reference')
  checkReference(here, 'document', reference, new Set([CUSTOMERS, ...others.map(({ name }) => name)]))
  const at = others.findIndex(({ name }) => name === reference)
  if (at >= 0 && others[at]?.table !== undefined) {
    here.add(`${reference} is on a table of another program, whose records nobody holds fast`)
    return
  }
  if (
    own.includes(undefined) ||
    !place.isValid ||
    (at >= 0 && ['key', 'properties'].some((part) => !place.source.at('documents', at, part).isValid))
  )
    return
  const expected = at >= 0 ? keyTypesOf(others[at] as DocumentSetup) : [['customerId', 'string'] as const]
  if (own.length !== expected.length) {
    const names = expected.map(([name]) => name).join(', ')
    place.at('key').add(`the key of ${reference} is ${names}: expected as many properties`)
    return
  }
  for (const [part, [name, type]] of expected.entries()) {
    if (own[part]?.type === type) continue
    const message = `'${key[part]}' is of type ${own[part]?.type}, but ${name} of ${reference} is of type ${type}`
    place.at('key', part).add(message)
  }
}

function keyTypesOf(document: DocumentSetup) {
  return keyNamesOf(document).map((name) => [name, propertyAt(document, name)?.type] as const)
}
