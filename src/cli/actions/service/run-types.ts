import { createClient } from '#client'
import { readText } from '../../../base/process/read-text.ts'
import { messageOf } from '../../../base/thrown.ts'
import type { ServiceCredentials } from '../../settings/service-credentials.ts'
import { badUsage, requireFile } from '../../terminal/bad-usage.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { shown } from '../../terminal/terminal-text.ts'
import { asking } from './asking.ts'
import { companyTypes } from './company-types.ts'
import { type TypedProperty, type TypesModel, typesModel } from './types-model.ts'

/** Prints the types of what the client may read. */
export async function printTypes(
  credentials: ServiceCredentials,
  company: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const client = createClient(credentials, company === undefined ? {} : { company })
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
  const client = createClient(credentials, company === undefined ? {} : { company })
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
