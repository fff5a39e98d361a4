// Parameters of a document that are no options of a query.
import type { JsonValue } from '../../base/strict-json.ts'
import { nearestName } from '../../base/text.ts'
import { type ReadableDocument, ToolError } from './tool.ts'

/**
 * The ledger answers what is posted unless others are asked for. Throws a `ToolError` for a parameter that the document
 * does not have: left out in silence, the answer would be of more than was asked for. Also for a list or an object.
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
