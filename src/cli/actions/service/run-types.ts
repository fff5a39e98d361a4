import { createClient } from '#client'
import { readText } from '../../../base/process/files.ts'
import { messageOf } from '../../../base/thrown.ts'
import type { ServiceCredentials } from '../../settings/logins.ts'
import { badUsage, requireFile } from '../../terminal/bad-usage.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { shown } from '../../terminal/terminal-text.ts'
import { asking } from './asking.ts'
import { companyTypes } from './company-types.ts'

/** Prints the types of what the client may read. */
export async function printTypes(
  credentials: ServiceCredentials,
  company: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const client = createClient(credentials, { company })
  terminal.stdout.write(await companyTypes(client))
}

const PLACE = "option '--check'"

/** Prints what has drifted since the file was written. Answers whether it is the same. */
export async function checkTypes(
  credentials: ServiceCredentials,
  company: string | undefined,
  file: string,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  requireFile(PLACE, file)
  const before = modelOf(file)
  const client = createClient(credentials, { company })
  const now = typesModel(await asking(credentials, () => companyTypes(client)))
  const drift = driftOf(before, now)
  for (const { breaks, text } of drift) output.write(`${breaks ? 'breaks' : 'fine  '}  ${shown(text)}\n`)
  return drift.length === 0
}

function modelOf(file: string): TypesModel {
  try {
    const model = typesModel(readText(file))
    if (model.size > 0) return model
  } catch (error) {
    throw badUsage(`${PLACE}: ${file}: ${messageOf(error)}`)
  }
  throw badUsage(`${PLACE}: ${file} has no types of documents`)
}

interface Drift {
  readonly breaks: boolean
  readonly text: string
}

/** What has changed since a file of types was written, in the order of the older types; what was added comes last. */
export function driftOf(before: TypesModel, now: TypesModel): readonly Drift[] {
  const changed = [...before].flatMap(([path, old]) => {
    if (isGone(before, now, path)) return []
    const found = now.get(path)
    return found ? changesOf(path, old, found) : [{ breaks: true, text: `${path}: removed` }]
  })
  const added = [...now.keys()].filter((path) => !before.has(path) && !isGone(now, before, path))
  return [...changed, ...added.map((path) => ({ breaks: false, text: `${path}: added` }))]
}

/** Whether a group around it is gone, which is told once. */
function isGone(model: TypesModel, other: TypesModel, path: string): boolean {
  const parent = path.slice(0, Math.max(path.lastIndexOf('.'), 0))
  return model.has(parent) && !other.has(parent)
}

function changesOf(path: string, old: TypedProperty, found: TypedProperty): readonly Drift[] {
  // A property that has a description now is selected as before.
  const isDescribed = old.kind === 'Value' && found.kind === 'Coded'
  const kind =
    old.kind === found.kind ? [] : [{ breaks: !isDescribed, text: `${path}: ${old.kind} is ${found.kind} now` }]
  const isCodes = [...old.types, ...found.types].every((type) => type.startsWith('"'))
  const gone = old.types.filter((type) => !found.types.includes(type))
  const more = found.types.filter((type) => !old.types.includes(type))
  if (gone.length + more.length === 0) return kind
  if (!isCodes)
    return [...kind, { breaks: true, text: `${path}: ${old.types.join(' | ')} is ${found.types.join(' | ')} now` }]
  // A program may tell all codes apart that it may read.
  return [
    ...kind,
    ...gone.map((code) => ({ breaks: true, text: `${path}: the code ${code} is gone` })),
    ...more.map((code) => ({ breaks: true, text: `${path}: the code ${code} may be read now` })),
  ]
}

// What a file of types says, whatever a formatter has made of its lines, quotes and semicolons.

interface TypedProperty {
  /** As the client names it, such as `Coded`. */
  readonly kind: string
  /** The alternatives of its type; none of a group or list. */
  readonly types: readonly string[]
}

/** Properties by their path, such as `customers.invoice.creditLimit`; a document has the kind `document`. */
type TypesModel = ReadonlyMap<string, TypedProperty>

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_$][\w$]*|[{}<>:|]/g

/** Empty if the text has no types of documents. Throws where it cannot be read. */
export function typesModel(text: string): TypesModel {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !token.startsWith('/'))
  const model = new Map<string, TypedProperty>()
  tokens.forEach((token, at) => {
    // interface Customers { name : "customers" properties : {
    if (token !== 'interface' || tokens[at + 3] !== 'name' || tokens[at + 6] !== 'properties') return
    const name = unquoted(tokens[at + 5] ?? '')
    model.set(name, { kind: 'document', types: [] })
    readMembers(tokens, at + 9, name, model)
  })
  return model
}

/** Answers the position behind the brace that ends them. */
function readMembers(
  tokens: readonly string[],
  start: number,
  path: string,
  model: Map<string, TypedProperty>,
): number {
  let at = start
  while (tokens[at] !== '}') {
    // countryCode : Coded <
    const [name = '', colon, kind = '', opened] = tokens.slice(at, at + 4)
    if (colon !== ':' || opened !== '<') throw new Error(`the types of ${path} cannot be read at ${name}`)
    const member = `${path}.${unquoted(name)}`
    at += 4
    const types: string[] = []
    model.set(member, { kind, types })
    if (tokens[at] === '{') at = readMembers(tokens, at + 1, member, model)
    for (; at < tokens.length && tokens[at] !== '>'; at += 1)
      if (tokens[at] !== '|') types.push(typeIn(tokens[at] ?? ''))
    at += 1
  }
  return at + 1
}

const typeIn = (token: string) => (/^["']/.test(token) ? JSON.stringify(unquoted(token)) : token)

function unquoted(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  return token.startsWith('"') ? (JSON.parse(token) as string) : token
}
