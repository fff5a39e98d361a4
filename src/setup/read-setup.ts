// Reads a setup file and checks it whole: YAML, format, then everything that the format cannot say.
import { Settings } from 'typebox/system'
import { nearestName } from '../base/text.ts'
import { checkAccess } from './check/access.ts'
import { checkCompanies } from './check/companies.ts'
import { checkDocuments } from './check/documents.ts'
import { checkIndexes } from './check/indexes.ts'
import { checkRulesOfRoles, type FindDocument } from './check/rules-of-roles.ts'
import type { FindCommon } from './document-indexes.ts'
import { decodePointer, errorsIn, type SchemaError, schemaAt, valueAt } from './format-errors.ts'
import { replaceWrong, standIn } from './repair.ts'
import type { Setup } from './setup-schema.ts'
import { type SetupPath, type SetupProblem, YamlSource } from './yaml-source.ts'

export type { SetupProblem } from './yaml-source.ts'

export type ReadResult =
  | { readonly setup: Setup; readonly problems?: undefined }
  | { readonly setup?: undefined; readonly problems: readonly SetupProblem[] }

/** The setup of a text, or everything that is wrong with it in the order of the text. */
export function readSetup(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  findBuiltIn: FindDocument = () => undefined,
  findCommon: FindCommon = () => undefined,
): ReadResult {
  const source = new YamlSource(text)
  if (!isMembers(source.data)) return { problems: unreadable(source) }
  checkFormat(source)
  const setup = source.data as Setup
  checkCompanies(setup, source)
  checkDocuments(setup, source)
  checkAccess(setup, source, environment)
  checkRulesOfRoles(setup, source, findBuiltIn)
  checkIndexes(setup, source, findCommon)
  return source.problems.length > 0 ? { problems: source.sorted() } : { setup }
}

function isMembers(data: unknown): boolean {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

function unreadable(source: YamlSource): readonly SetupProblem[] {
  if (source.problems.length === 0) source.add([], typeMessage('object', source.data))
  return source.sorted()
}

/** `FILE:LINE:COLUMN path: message`, as editors understand it. */
export function formatProblem(file: string, { line, column, path, message }: SetupProblem): string {
  return `${file}:${line}:${column}${path ? ` ${path}` : ''}: ${message}`
}

/** The library tells eight at most unless it is asked for more; a file with more mistakes than this is another file. */
const MAX_FORMAT_ERRORS = 10_000

/** Stand-ins may lack members in their turn; no part of a setup is nested deeper. */
const MOST_REPAIRS = 8

/** Tells what is wrong with the format, and leaves data that the further checks can look into. */
function checkFormat(source: YamlSource): void {
  Settings.Set({ maxErrors: MAX_FORMAT_ERRORS })
  // What stands under a misspelled key is looked at as well, and not missed under the right one.
  for (let depth = 0; depth < MOST_REPAIRS && renameUnknownKeys(source); depth++);
  for (let repairs = 0; repairs < MOST_REPAIRS; repairs++) {
    const errors = formatErrors(source)
    for (const error of errors) tellFormat(source, error.path, error)
    for (const error of errors) repair(source, error)
    if (errors.length === 0) return
  }
}

type PlacedError = SchemaError & { readonly path: SetupPath }

/** Each kind once at each place. */
function formatErrors(source: YamlSource): PlacedError[] {
  const seen = new Set<string>()
  const errors: PlacedError[] = []
  for (const error of errorsIn(source.data)) {
    const path = pathOf(error.instancePath, source.data)
    // Of a number that has to be this one, its type is told alone.
    const place = `${error.instancePath} ${error.keyword === 'const' ? 'type' : error.keyword}`
    if (seen.has(place) || source.isIgnored(path)) continue
    seen.add(place)
    errors.push({ ...error, path })
  }
  return errors
}

/** Gives whether there were any. */
function renameUnknownKeys(source: YamlSource): boolean {
  const places = formatErrors(source).flatMap((error) =>
    error.keyword === 'additionalProperties'
      ? error.params.additionalProperties.map((name) => ({ path: [...error.path, name], schemaPath: error.schemaPath }))
      : [],
  )
  for (const { path, schemaPath } of places) {
    const nearest = tellUnknownKey(source, path, schemaPath)
    const others = valueAt(source.data, path.slice(0, -1)) as object
    source.rename(path, nearest !== undefined && !Object.hasOwn(others, nearest) ? nearest : undefined)
  }
  return places.length > 0
}

function repair(source: YamlSource, error: PlacedError): void {
  const { path, keyword, schemaPath } = error
  if (keyword === 'additionalProperties' || keyword === 'boolean') return
  if (keyword === 'required') {
    const members = valueAt(source.data, path) as Record<string, unknown>
    for (const name of error.params.requiredProperties) {
      members[name] = standIn(schemaAt(`${schemaPath}/properties/${name}`) as object)
      source.ignore([...path, name])
    }
    return
  }
  if (['type', 'anyOf', 'const'].includes(keyword)) replaceWrong(source.data, path, schemaAt(schemaPath) as object)
  source.ignore(path)
}

function tellFormat(source: YamlSource, path: SetupPath, error: SchemaError): void {
  switch (error.keyword) {
    case 'additionalProperties':
      for (const name of error.params.additionalProperties) tellUnknownKey(source, [...path, name], error.schemaPath)
      return
    case 'required':
      for (const name of error.params.requiredProperties) {
        if (!source.isIgnored([...path, name])) source.add(path, `the key '${name}' is missing`)
      }
      return
    case 'boolean':
      // Said by the error about the unknown key.
      return
    case 'const':
      source.add(path, `expected ${JSON.stringify(error.params.allowedValue)}`)
      return
    case 'anyOf':
      source.add(path, `expected one of: ${choicesAt(error.schemaPath).join(', ')}`)
      return
    case 'type':
      source.add(path, typeMessage(error.params.type, valueAt(source.data, path)))
      return
    default:
      source.add(path, error.message)
  }
}

/** Gives the key that was probably meant. */
function tellUnknownKey(source: YamlSource, path: SetupPath, schemaPath: string): string | undefined {
  const name = String(path.at(-1))
  const known = Object.keys((schemaAt(schemaPath) as { properties?: object }).properties ?? {})
  const nearest = nearestName(name, known)
  source.addAtKey(
    path,
    `unknown key '${name}'${nearest ? `; did you mean '${nearest}'?` : `, expected one of: ${known.join(', ')}`}`,
  )
  return nearest
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

/** A JSON pointer as names and indexes: digits are an index where they lead into a list. */
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
