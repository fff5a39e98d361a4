// The document that the arguments of a tool name.
import type { JsonValue } from '../../base/strict-json.ts'
import { nearestName } from '../../base/text.ts'
import { type ReadableDocument, type ToolContext, ToolError } from './tool.ts'

/** The document of this name. Throws a `ToolError` with the most similar name if the caller may read no such. */
export function documentNamed(context: ToolContext, companyId: string, name: string): ReadableDocument {
  const documents = context.documents(companyId)
  const found = documents.find(({ definition }) => definition.name === name)
  if (found) return found
  const nearest = nearestName(
    name,
    documents.map(({ definition }) => definition.name),
  )
  const hint = nearest === undefined ? 'describe lists the documents.' : `Did you mean '${nearest}'?`
  throw new ToolError(`There is no document '${name}' that you may read. ${hint}`)
}

export function collectionPath({ definition }: ReadableDocument): string {
  return `/v${definition.version}/objects/${definition.name}`
}

/**
 * Parameters of a document that are no options of a query. The ledger answers what is posted unless others are asked
 * for. Throws a `ToolError` for a list, an object, and a parameter that the document does not have: left out in
 * silence, the answer would be of more than was asked for.
 */
export function parametersOf(document: ReadableDocument, given: JsonValue | undefined): Record<string, string> {
  const { parameters } = document
  const requested = Object.entries(given ?? {})
  for (const [name, value] of requested) {
    if (!parameters.includes(name)) throw unknownParameter(document, name)
    if (typeof value === 'object') throw new ToolError(`The parameter ${name} must be a text, a number, true or false.`)
  }
  const defaults: Record<string, string> =
    parameters.includes('posted') && requested.length === 0 ? { posted: 'true' } : {}
  return { ...defaults, ...Object.fromEntries(requested.map(([name, value]) => [name, String(value)])) }
}

function unknownParameter({ definition, parameters }: ReadableDocument, name: string): ToolError {
  const nearest = nearestName(name, parameters)
  const those = parameters.length === 0 ? 'It has none.' : `It has ${parameters.join(', ')}.`
  const hint = nearest === undefined ? those : `Did you mean '${nearest}'?`
  return new ToolError(`${definition.name} has no parameter '${name.slice(0, 80)}'. ${hint}`)
}
