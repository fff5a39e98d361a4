// One call of a tool: arguments, permission, the tool itself.

import { Errors } from 'typebox/value'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { nearestName } from '../base/text.ts'
import type { ApiRequest } from '../http/route/route.ts'
import { namedLanguages } from '../model/titles.ts'
import type { McpService } from './service.ts'
import { type McpTool, type ToolAnswer, type ToolContext, ToolError, type ToolRequest } from './tools/tool.ts'

/** One answer that a tool works with may be as long: far more than it tells. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** The tools of the scopes of a request, in the order of the catalogue. */
export function toolsFor(service: McpService, request: ApiRequest): readonly McpTool[] {
  const scopes = request.scopes()
  return service.tools.filter(({ scope }) => scopes.has(scope))
}

/** Throws a `ToolError` or a Problem for what the caller can mend. */
export async function callTool(
  service: McpService,
  request: ApiRequest,
  name: string,
  given: JsonValue | undefined,
): Promise<ToolAnswer> {
  const tool = toolsFor(service, request).find((one) => one.name === name)
  if (!tool) throw new ToolError(`There is no tool '${name.slice(0, 80)}'.`)
  const age = new MirrorAge()
  const args = checkedArguments(tool, given)
  const companyId = typeof args.company === 'string' ? args.company : request.caller.defaultCompany
  const answer = await tool.call(contextOf(service, request, age), args, companyId)
  return { companyId, ...answer, content: { ...answer.content, ...age.told(service.clock().getTime()) } }
}

/** How old what a tool has read is, where it is a copy of an ERP system. */
class MirrorAge {
  #asOf: string | undefined

  /** The oldest counts. */
  note(asOf: string | undefined): void {
    if (asOf !== undefined && !(this.#asOf !== undefined && this.#asOf <= asOf)) this.#asOf = asOf
  }

  told(now: number): JsonObject {
    if (this.#asOf === undefined) return {}
    const ageSeconds = Math.max(0, Math.round((now - Date.parse(this.#asOf)) / 1000))
    return { mirror: { asOf: this.#asOf, ageSeconds } }
  }
}

function contextOf(service: McpService, request: ApiRequest, age: MirrorAge): ToolContext {
  const { clock, random } = service
  let requested = 0
  return {
    caller: request.caller,
    requestId: request.requestId,
    scopes: request.scopes(),
    languages: namedLanguages(request.acceptLanguage),
    clock,
    random,
    proposals: service.proposals,
    documents: (companyId) => service.documents(request.caller, companyId),
    textOf: (mimeType, content) => service.texts.of(request.caller.flow, mimeType, content),
    ask: async ({
      method,
      url,
      headers = {},
      body,
      validateOnly = false,
      maxBytes = MAX_ANSWER_BYTES,
    }: ToolRequest) => {
      requested += 1
      const inner = {
        method,
        url: service.basePath + url,
        headers,
        body,
        requestId: `${request.requestId}:${requested}`,
        validateOnly,
      }
      const call = service.inner.begin(inner, request)
      const answer = await call.answer(maxBytes)
      call.end(answer)
      age.note(answer.headers['mirror-as-of'])
      return answer
    },
  }
}

/** Mistakes that are told together. */
const MOST_MISTAKES = 5

/** What options of addresses are called here. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['groupby', 'by'],
  ['aggregate', 'compute'],
])

type Mistake = ReturnType<typeof Errors>[number]

/** The arguments, which meet the schema. Throws a `ToolError` that names each argument that does not. */
function checkedArguments({ name, inputSchema }: McpTool, given: JsonValue | undefined): JsonObject {
  const args = given ?? {}
  if (!isObject(args)) throw new ToolError(`The arguments of ${name} must be an object.`)
  const mistakes = [...Errors(inputSchema, args)]
  if (mistakes.length === 0) return args
  const known = Object.keys(inputSchema.properties ?? {})
  const texts = mistakes.flatMap((mistake) => textsOf(mistake, known)).slice(0, MOST_MISTAKES)
  throw new ToolError(`The arguments of ${name} are wrong: ${texts.join('; ')}.`)
}

function textsOf(mistake: Mistake, known: readonly string[]): string[] {
  const { keyword, instancePath, message } = mistake
  // That of the object names it.
  if (keyword === 'boolean') return []
  if (keyword !== 'additionalProperties' || instancePath !== '')
    return [`${instancePath.slice(1) || 'arguments'} ${message}`]
  return mistake.params.additionalProperties.slice(0, MOST_MISTAKES).map((name) => {
    const meant = meantBy(name, known)
    return `there is no argument '${name}'${meant ? `, did you mean '${meant}'?` : `, there are ${known.join(', ')}`}`
  })
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  const word = name.replace(/^\$/, '')
  const own = OPTIONS.get(word.toLowerCase())
  return own !== undefined && known.includes(own) ? own : nearestName(word, known)
}
