// The arguments of a tool, checked by its input schema.
import { Errors } from 'typebox/value'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { type McpTool, ToolError } from './tools/tool.ts'

/** Mistakes that are told together. */
const MOST_MISTAKES = 5

/** The arguments, which meet the schema. Throws a `ToolError` that names each argument that does not. */
export function checkedArguments({ name, inputSchema }: McpTool, given: JsonValue | undefined): JsonObject {
  const args = given ?? {}
  if (!isObject(args)) throw new ToolError(`The arguments of ${name} must be an object.`)
  const mistakes = [...Errors(inputSchema as never, args)].slice(0, MOST_MISTAKES)
  if (mistakes.length === 0) return args
  const texts = mistakes.map(({ instancePath, message }) => `${instancePath.slice(1) || 'arguments'} ${message}`)
  throw new ToolError(`The arguments of ${name} are wrong: ${texts.join('; ')}.`)
}
