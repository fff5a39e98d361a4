// Reads a setup file and checks it whole: YAML, format, then everything that the format cannot say.
import { Settings } from 'typebox/system'
import { Errors } from 'typebox/value'
import { nearestName } from '../base/text.ts'
import { checkAccess } from './check/access.ts'
import { checkCompanies } from './check/companies.ts'
import { checkDocuments } from './check/documents.ts'
import { checkIndexes } from './check/indexes.ts'
import { checkRulesOfRoles, type FindDocument } from './check/rules-of-roles.ts'
import type { FindCommon } from './document-indexes.ts'
import { type Setup, SetupSchema } from './setup-schema.ts'
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
  if (source.problems.length > 0) return { problems: source.sorted() }
  checkFormat(source)
  // The further checks look into parts whose format they rely on.
  if (source.problems.length > 0) return { problems: source.sorted() }
  const setup = source.data as Setup
  checkCompanies(setup, source)
  checkDocuments(setup, source)
  checkAccess(setup, source, environment)
  // Rules and indexes are held against documents as the companies have them: those must be sound.
  if (source.problems.length === 0) {
    checkRulesOfRoles(setup, source, findBuiltIn)
    checkIndexes(setup, source, findCommon)
  }
  return source.problems.length > 0 ? { problems: source.sorted() } : { setup }
}

/** `FILE:LINE:COLUMN path: message`, as editors understand it. */
export function formatProblem(file: string, { line, column, path, message }: SetupProblem): string {
  return `${file}:${line}:${column}${path ? ` ${path}` : ''}: ${message}`
}

type SchemaError = ReturnType<typeof Errors>[number]

/** The library tells eight at most unless it is asked for more; a file with more mistakes than this is another file. */
const MAX_FORMAT_ERRORS = 10_000

function checkFormat(source: YamlSource): void {
  Settings.Set({ maxErrors: MAX_FORMAT_ERRORS })
  const seen = new Set<string>()
  for (const error of Errors(SetupSchema, source.data)) {
    const path = pathOf(error.instancePath, source.data)
    const place = `${error.instancePath} ${error.keyword}`
    if (seen.has(place)) continue
    seen.add(place)
    tellFormat(source, path, error)
  }
}

function tellFormat(source: YamlSource, path: SetupPath, error: SchemaError): void {
  switch (error.keyword) {
    case 'additionalProperties':
      for (const name of error.params.additionalProperties) tellUnknownKey(source, [...path, name], error.schemaPath)
      return
    case 'required':
      for (const name of error.params.requiredProperties) source.add(path, `the key '${name}' is missing`)
      return
    case 'boolean':
    case 'const':
      // Said by the error about the whole: an unknown key, or none of the choices.
      if (error.keyword === 'const' && !error.schemaPath.includes('/anyOf/')) {
        source.add(path, `expected ${JSON.stringify(error.params.allowedValue)}`)
      }
      return
    case 'anyOf':
      source.add(path, `expected one of: ${choicesAt(error.schemaPath).join(', ')}`)
      return
    case 'type':
      if (!error.schemaPath.includes('/anyOf/'))
        source.add(path, typeMessage(error.params.type, valueAt(source.data, path)))
      return
    default:
      if (!error.schemaPath.includes('/anyOf/')) source.add(path, error.message)
  }
}

function tellUnknownKey(source: YamlSource, path: SetupPath, schemaPath: string): void {
  const name = String(path.at(-1))
  const known = Object.keys((schemaAt(schemaPath) as { properties?: object }).properties ?? {})
  const nearest = nearestName(name, known)
  source.addAtKey(
    path,
    `unknown key '${name}'${nearest ? `; did you mean '${nearest}'?` : `, expected one of: ${known.join(', ')}`}`,
  )
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

function schemaAt(schemaPath: string): unknown {
  return valueAt(SetupSchema, schemaPath.split('/').slice(1).map(decodePointer))
}

function valueAt(root: unknown, path: SetupPath): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<string | number, unknown> | undefined)?.[part], root)
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

function decodePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
