// The arguments of a tool, checked by its input schema.
import { Errors } from 'typebox/value'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { nearestName } from '../base/text.ts'
import { type McpTool, ToolError } from './tools/tool.ts'

/** Mistakes that are told together. */
const MOST_MISTAKES = 5

/** What options of addresses are called here. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['groupby', 'by'],
  ['aggregate', 'compute'],
])

type Mistake = ReturnType<typeof Errors>[number]

/** The arguments, which meet the schema. Throws a `ToolError` that names each argument that does not. */
export function checkedArguments({ name, inputSchema }: McpTool, given: JsonValue | undefined): JsonObject {
  const args = given ?? {}
  if (!isObject(args)) throw new ToolError(`The arguments of ${name} must be an object.`)
  const mistakes = [...Errors(inputSchema as never, args)]
  if (mistakes.length === 0) return args
  const known = Object.keys((inputSchema as { properties?: object }).properties ?? {})
  const texts = mistakes.flatMap((mistake) => textsOf(mistake, known)).slice(0, MOST_MISTAKES)
  throw new ToolError(`The arguments of ${name} are wrong: ${texts.join('; ')}.`)
}

function textsOf(mistake: Mistake, known: readonly string[]): string[] {
  const { keyword, instancePath, message } = mistake
  // That of the object names it.
  if (keyword === 'boolean') return []
  if (keyword !== 'additionalProperties' || instancePath !== '')
    return [`${instancePath.slice(1) || 'arguments'} ${message}`]
  return mistake.params.additionalProperties.map((name) => {
    const meant = meantBy(name, known)
    return `there is no argument '${name}'${meant ? `, did you mean '${meant}'?` : `, there are ${known.join(', ')}`}`
  })
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  const word = name.replace(/^\$/, '')
  const own = OPTIONS.get(word.toLowerCase())
  return own !== undefined && known.includes(own) ? own : nearestName(word, known)
}
