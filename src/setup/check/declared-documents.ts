// Checks what a document on a table of the service declares besides its properties: what it is called, how its records
// are numbered, closed and related, and the records that they refer to.
import { foldName, nearestName } from '../../base/text.ts'
import { MAX_ITEMS } from '../../model/document.ts'
import type { DocumentSetup, ListSetup, ReferenceSetup } from '../file/document-schema.ts'
import { isUnknown } from '../file/repair.ts'
import type { Setup } from '../file/setup-schema.ts'
import type { SetupPath, YamlSource } from '../file/yaml-source.ts'
import {
  isLinesSetup,
  isReference,
  isSimple,
  keyNamesOf,
  propertyAt,
  simpleProperties,
} from '../rules/declared-properties.ts'
import { CUSTOMERS } from '../rules/declared-record.ts'
import { checkNumbering } from './attributes.ts'
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

export function checkOwnDocument(setup: Setup, document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  if (TAKEN_NAMES.includes(document.name)) source.add([...path, 'name'], `'${document.name}' is a path of the service`)
  if (LOG_NAMES.test(document.name)) source.add([...path, 'name'], `'${document.name}' is a word of the change log`)
  const isKeyValid = source.isValid([...path, 'key']) && source.isValid([...path, 'properties'])
  if (isKeyValid) checkKey(document, path, source)
  checkTakenProperties(document, path, source)
  checkOwnNumbering(setup, document, path, source)
  checkAttribute(setup, document, path, source)
  checkState(setup, document, path, source)
  for (const [name, property] of Object.entries(document.properties)) {
    const here = [...path, 'properties', name]
    if (isReference(property)) checkRecordReference(setup, document, property, here, source)
    if (isLinesSetup(property)) checkLines(setup, document, property, here, source)
  }
  checkComputed(setup, document, path, source)
}

/** A record on an external table is only read. */
export function refuseOwnParts(document: DocumentSetup, table: string, path: SetupPath, source: YamlSource): void {
  const message = `${table} is not the service's own table: its records are only read`
  for (const part of ['numbering', 'attributeId', 'relations', 'contactPoints', 'state'] as const) {
    if (document[part] !== undefined) source.addAtKey([...path, part], message)
  }
  for (const [name, property] of Object.entries(document.properties)) {
    if (!isSimple(property) && !('group' in property)) source.addAtKey([...path, 'properties', name], message)
  }
}

function checkKey(document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  const names = keyNamesOf(document)
  if (names.length === 0) source.add([...path, 'key'], 'a key has a property besides the company')
  if (names.length > MAX_KEY_PARTS) source.add([...path, 'key'], `a key has at most ${MAX_KEY_PARTS} properties`)
  for (const [at, name] of document.key.entries()) {
    if (document.key.indexOf(name) < at) source.add([...path, 'key', at], `'${name}' is there twice`)
  }
}

/** The names that records have of themselves, in any letter case. */
function checkTakenProperties(document: DocumentSetup, path: SetupPath, source: YamlSource): void {
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
    const here = [...path, 'properties', name]
    const message = byName.get(foldName(name))
    if (message !== undefined) source.addAtKey(here, message)
    if ('group' in property) checkSpellings(property.group, [...here, 'group'], source)
    if ('list' in property) checkList(property, here, source)
  }
  checkSpellings(document.properties, [...path, 'properties'], source)
}

function checkList({ list, minItems = 0, maxItems = MAX_ITEMS }: ListSetup, path: SetupPath, source: YamlSource): void {
  checkSpellings(list, [...path, 'list'], source)
  for (const [name, member] of Object.entries(list))
    if ('group' in member) checkSpellings(member.group, [...path, 'list', name, 'group'], source)
  if (minItems > maxItems)
    source.add([...path, 'minItems'], `minItems ${minItems} is greater than maxItems ${maxItems}`)
}

/** Names in requests may have any letter case. */
function checkSpellings(members: object, path: SetupPath, source: YamlSource): void {
  const seen = new Set<string>()
  for (const name of Object.keys(members)) {
    if (seen.has(foldName(name))) source.addAtKey([...path, name], `'${name}' is there in another letter case too`)
    seen.add(foldName(name))
  }
}

/** The series gives the last property of the key. */
function checkOwnNumbering(setup: Setup, document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  const { numbering } = document
  if (!numbering || !checkNumbering(numbering, [...path, 'numbering'], source)) return
  const last = keyNamesOf(document).at(-1) ?? ''
  const property = propertyAt(document, last)
  if (!property || !source.isValid([...path, 'properties']) || !source.isValid([...path, 'numbering'])) return
  if (property.type !== 'string') {
    source.addAtKey([...path, 'numbering'], `'${last}', which it would give, is of type ${property.type}, not string`)
    return
  }
  const { from, to, prefix = '', width = 0 } = numbering
  for (const [member, number] of Object.entries({ from, to })) {
    const problem = problemOfText(setup, property, prefix + String(number).padStart(width, '0'))
    if (problem !== undefined)
      source.add([...path, 'numbering', member], `the series gives an illegal value: ${problem}`)
  }
}

/** The records are values of an attribute, in each company of its own; no other records are the same values. */
function checkAttribute(setup: Setup, document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  const { attributeId, relations = false } = document
  if (attributeId === undefined) {
    if (relations)
      source.addAtKey([...path, 'relations'], 'relations are of values of an attribute: name its attributeId')
    return
  }
  const here = [...path, 'attributeId']
  checkCodes(setup, { attributeId }, path, source)
  const customers = setup.companies?.find((company) => company.customers?.attributeId === attributeId)
  if (customers) source.add(here, `the values of '${attributeId}' are the customers of company ${customers.id}`)
  const first = setup.documents?.find((other) => other.attributeId === attributeId)
  if (first && first !== document) source.add(here, `the values of '${attributeId}' are the records of ${first.name}`)
  const names = keyNamesOf(document)
  const [property] = names.map((name) => propertyAt(document, name))
  if (!property || !source.isValid([...path, 'properties']) || !source.isValid([...path, 'key'])) return
  if (names.length > 1) source.add(here, `a value has one key, but the key has ${names.join(', ')}`)
  else if (property.type !== 'string')
    source.add(here, `a value is a text, but '${names[0]}' is of type ${property.type}`)
}

function checkState(setup: Setup, document: DocumentSetup, path: SetupPath, source: YamlSource): void {
  const { state } = document
  if (!state || isUnknown(state.property) || !source.isValid([...path, 'properties'])) return
  const here = [...path, 'state', 'property']
  const property = requireProperty(document, state.property, here, source)
  if (!property) return
  if (document.key.includes(state.property)) source.add(here, `'${state.property}' is of the key, which never changes`)
  if (property.type !== 'string') source.add(here, `'${state.property}' is of type ${property.type}, not string`)
  else if (source.isValid([...path, 'state'])) {
    const problem = problemOfText(setup, property, state.closed)
    if (problem !== undefined) source.add([...path, 'state', 'closed'], problem)
  }
  checkStates(setup, document, state, [...path, 'state'], source)
}

/** Finds a property with a value, or adds the problem. */
export function requireProperty(document: DocumentSetup, name: string, path: SetupPath, source: YamlSource) {
  const property = propertyAt(document, name)
  const [first = ''] = name.split('/')
  if (property || !source.isValid([...path.slice(0, 2), 'properties', first])) return property
  const known = simpleProperties(document).map(({ names }) => names.join('/'))
  const nearest = nearestName(name, known)
  source.add(path, `there is no property '${name}' with a value${nearest ? `; did you mean '${nearest}'?` : ''}`)
  return undefined
}

/** The properties that hold the other's key must be as many, and of the same types. */
function checkRecordReference(
  setup: Setup,
  document: DocumentSetup,
  { reference, key }: ReferenceSetup,
  path: SetupPath,
  source: YamlSource,
): void {
  const own = key.map((name, at) => {
    return isUnknown(name) ? undefined : requireProperty(document, name, [...path, 'key', at], source)
  })
  const others = setup.documents ?? []
  const here = [...path, 'reference']
  checkReference(source, here, 'document', reference, new Set([CUSTOMERS, ...others.map(({ name }) => name)]))
  const at = others.findIndex(({ name }) => name === reference)
  if (at >= 0 && others[at]?.table !== undefined) {
    source.add(here, `${reference} is on a table of another program, whose records nobody holds fast`)
    return
  }
  if (
    own.includes(undefined) ||
    !source.isValid(path) ||
    (at >= 0 && ['key', 'properties'].some((part) => !source.isValid(['documents', at, part])))
  )
    return
  const expected = at >= 0 ? keyTypesOf(others[at] as DocumentSetup) : [['customerId', 'string'] as const]
  if (own.length !== expected.length) {
    const names = expected.map(([name]) => name).join(', ')
    source.add([...path, 'key'], `the key of ${reference} is ${names}: expected as many properties`)
    return
  }
  for (const [place, [name, type]] of expected.entries()) {
    if (own[place]?.type === type) continue
    const message = `'${key[place]}' is of type ${own[place]?.type}, but ${name} of ${reference} is of type ${type}`
    source.add([...path, 'key', place], message)
  }
}

function keyTypesOf(document: DocumentSetup) {
  return keyNamesOf(document).map((name) => [name, propertyAt(document, name)?.type] as const)
}
