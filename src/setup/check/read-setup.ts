// Reads and checks a setup file: first the YAML, then the format, then all rules that the schema cannot express.
import { Settings } from 'typebox/system'
import { isObject } from '../../base/strict-json.ts'
import { didYouMean, nearestName } from '../../base/text.ts'
import { decodePointer, errorsIn, type SchemaError, schemaAt, valueAt } from '../file/format-errors.ts'
import { placeholderFor, replaceInvalid } from '../file/repair.ts'
import { BUILT_IN_APIS, type Setup } from '../file/setup-schema.ts'
import { type SetupPart, type SetupPath, type SetupProblem, YamlSource } from '../file/yaml-source.ts'
import type { FindCommon } from '../items/document-indexes.ts'
import type { InForce } from '../items/setup-items.ts'
import type { WebhookRules } from '../rules/webhooks.ts'
import { checkAccess } from './access.ts'
import { checkCompanies } from './companies.ts'
import { checkDocuments } from './documents.ts'
import { checkFigures } from './figures.ts'
import { checkHolds } from './holds.ts'
import { checkIndexes } from './indexes.ts'
import { checkRoleRestrictions, type FindDocument } from './role-restrictions.ts'
import { checkSubscriptions } from './subscriptions.ts'

export type { SetupProblem } from '../file/yaml-source.ts'

export type ReadResult =
  | { readonly setup: Setup; readonly problems?: undefined }
  | { readonly setup?: undefined; readonly problems: readonly SetupProblem[] }

const NOTHING: InForce = { documents: [], customers: new Map() }

/** Returns the setup, or all its problems in the order of the text. */
export function readSetup(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  findBuiltIn: FindDocument = () => undefined,
  findCommon: FindCommon = () => undefined,
  webhooks?: WebhookRules,
  inForce: InForce = NOTHING,
): ReadResult {
  const source = new YamlSource(text)
  if (!isObject(source.data)) return { problems: mappingExpected(source) }
  checkFormat(source)
  const setup = source.data as Setup
  checkCompanies(setup, source, inForce)
  checkDocuments(setup, source, inForce)
  checkAccess(setup, source, environment)
  checkRoleRestrictions(setup, source, findBuiltIn)
  checkHolds(setup, source, findBuiltIn)
  checkFigures(setup, source, findBuiltIn)
  checkIndexes(setup, source, findCommon)
  checkSubscriptions(setup, source, environment, findBuiltIn, webhooks)
  return source.problems.length > 0 ? { problems: source.sorted() } : { setup }
}

function mappingExpected(source: YamlSource): readonly SetupProblem[] {
  if (source.problems.length === 0) source.at().add(typeMessage('object', source.data))
  return source.sorted()
}

/** `FILE:LINE:COLUMN path: message`, which editors recognize as a link. */
export function formatProblem(file: string, problem: SetupProblem): string {
  return `${printedPlace(file, problem)}: ${problem.message}`
}

export function printedPlace(file: string, { line, column, path }: SetupProblem): string {
  return `${file}:${line}:${column}${path ? ` ${path}` : ''}`
}

/** The library's default is 8. A file with more errors than this is no setup at all. */
const MAX_FORMAT_ERRORS = 10_000

/** A placeholder may lack members again, so repairs run in rounds. No part of a setup is nested deeper than this. */
const MAX_REPAIRS = 8

/** Reports format errors and replaces invalid parts with placeholders, so that the later checks can run. */
function checkFormat(source: YamlSource): void {
  Settings.Set({ maxErrors: MAX_FORMAT_ERRORS })
  let errors = formatErrors(source)
  // Renaming a misspelled key first means that its value is checked too, and the right key is not reported as missing.
  for (let depth = 0; depth < MAX_REPAIRS && renameUnknownKeys(source, errors); depth++) errors = formatErrors(source)
  checkApiNames(source)
  for (let repairs = 0; repairs < MAX_REPAIRS && errors.length > 0; repairs++) {
    errors = formatErrors(source)
    for (const error of errors) reportFormat(source.at(...error.path), error)
    for (const error of errors) repair(source, error)
  }
}

type PlacedError = SchemaError & { readonly path: SetupPath }

/** At most one error of each kind at each location. */
function formatErrors(source: YamlSource): PlacedError[] {
  const seen = new Set<string>()
  const errors: PlacedError[] = []
  for (const error of errorsIn(source.data)) {
    const path = pathOf(error.instancePath, source.data)
    // A `const` error adds nothing to a type error at the same location.
    const location = `${error.instancePath} ${error.keyword === 'const' ? 'type' : error.keyword}`
    // What is repaired must be of its type, also where nothing more is told, such as of a secret.
    if (seen.has(location) || (source.isIgnored(path) && !REPAIRED.includes(error.keyword))) continue
    seen.add(location)
    errors.push({ ...error, path })
  }
  return errors
}

/** What is wrong so that a placeholder takes its place. */
const REPLACED = ['type', 'anyOf', 'const']
const REPAIRED = [...REPLACED, 'required']

const HOLDS_SECRET = new Set(['secretEnv', 'secrets', 'env'])

/** Returns whether there were unknown keys. */
function renameUnknownKeys(source: YamlSource, errors: readonly PlacedError[]): boolean {
  const unknownKeys = errors.flatMap((error) =>
    error.keyword === 'additionalProperties'
      ? error.params.additionalProperties.map((name) => ({ path: [...error.path, name], schemaPath: error.schemaPath }))
      : [],
  )
  for (const { path, schemaPath } of unknownKeys) {
    const nearest = reportUnknownKey(source.at(...path), keysAt(schemaPath))
    const others = valueAt(source.data, path.slice(0, -1)) as object
    source.rename(path, nearest !== undefined && !Object.hasOwn(others, nearest) ? nearest : undefined)
    // The value may be the secret itself, which no message may repeat.
    if (nearest !== undefined && HOLDS_SECRET.has(nearest)) source.ignore([...path.slice(0, -1), nearest])
  }
  return unknownKeys.length > 0
}

function repair(source: YamlSource, error: PlacedError): void {
  const { path, keyword, schemaPath } = error
  if (keyword === 'additionalProperties' || keyword === 'boolean') return
  if (keyword === 'required') {
    const members = valueAt(source.data, path) as Record<string, unknown>
    for (const name of error.params.requiredProperties) {
      members[name] = placeholderFor(schemaAt(`${schemaPath}/properties/${name}`) as object)
      source.ignore([...path, name])
    }
    return
  }
  if (REPLACED.includes(keyword)) replaceInvalid(source.data, path, schemaAt(schemaPath) as object)
  source.ignore(path)
}

function reportFormat(place: SetupPart, error: SchemaError): void {
  switch (error.keyword) {
    case 'additionalProperties':
      for (const name of error.params.additionalProperties) reportUnknownKey(place.at(name), keysAt(error.schemaPath))
      return
    case 'required':
      for (const name of error.params.requiredProperties) {
        if (!place.source.isIgnored([...place.path, name])) place.add(`the key '${name}' is missing`)
      }
      return
    case 'boolean':
      // The error about the unknown key covers it.
      return
    case 'const':
      place.add(`expected ${JSON.stringify(error.params.allowedValue)}`)
      return
    case 'anyOf':
      place.add(`expected one of: ${choicesAt(error.schemaPath).join(', ')}`)
      return
    case 'type':
      place.add(typeMessage(error.params.type, valueAt(place.source.data, place.path)))
      return
    default:
      place.add(error.message)
  }
}

/** Returns the known key that was probably meant. */
function reportUnknownKey(place: SetupPart, known: readonly string[]): string | undefined {
  const name = String(place.path.at(-1))
  place.addAtKey(`unknown key '${name}'${didYouMean(name, known, `, expected one of: ${known.join(', ')}`)}`)
  return nearestName(name, known)
}

function keysAt(schemaPath: string): string[] {
  return Object.keys((schemaAt(schemaPath) as { properties?: object }).properties ?? {})
}

function typeMessage(expected: string | string[], found: unknown): string {
  const wanted = [expected].flat().join(' or ')
  if (wanted === 'string' && (typeof found === 'number' || typeof found === 'boolean')) {
    return `expected a string, found ${found}: write it in quotes`
  }
  return `expected ${wanted}, found ${found === null ? 'nothing' : Array.isArray(found) ? 'a list' : typeof found}`
}

function choicesAt(schemaPath: string): string[] {
  const { anyOf = [] } = schemaAt(schemaPath) as { anyOf?: { const?: unknown; properties?: object }[] }
  return anyOf.map((choice) =>
    choice.properties ? `{${Object.keys(choice.properties).join(', ')}}` : String(choice.const),
  )
}

/** Converts a JSON pointer to names and indexes. Digits are an index only where the parent is a list. */
function pathOf(pointer: string, data: unknown): SetupPath {
  const path: (string | number)[] = []
  let value = data
  for (const part of pointer.split('/').slice(1).map(decodePointer)) {
    const step = Array.isArray(value) ? Number(part) : part
    path.push(step)
    value = (value as Record<string | number, unknown> | undefined)?.[step]
  }
  return path
}

/** Reports each name that is neither an API of the service nor a document that it keeps. */
function checkApiNames(source: YamlSource): void {
  const { documents, roles } = source.data as { readonly documents?: unknown; readonly roles?: unknown }
  if (documents !== undefined && !Array.isArray(documents)) return
  const declared = listOf(documents).map(partsOf)
  // Without its name, a document may be the one that is meant.
  if (declared.some(({ name }) => typeof name !== 'string')) return
  const own = declared.filter(({ table }) => table === undefined).map(({ name }) => String(name))
  for (const [index, role] of listOf(roles).entries()) {
    for (const name of Object.keys(partsOf(partsOf(role).apis))) checkName(name, own, index, source)
  }
}

function checkName(name: string, own: readonly string[], role: number, source: YamlSource): void {
  const known = [...BUILT_IN_APIS, ...own]
  if (known.includes(name)) return
  const place = source.at('roles', role, 'apis', name)
  reportUnknownKey(place, known)
  source.ignore(place.path)
}

function listOf(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : []
}

function partsOf(part: unknown): Readonly<Record<string, unknown>> {
  return typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : {}
}
