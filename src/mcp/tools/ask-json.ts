// Inner requests of tools, whose refusals are told in the words of the service.
import { parseExact } from '../../base/long-number.ts'
import { isObject, type JsonValue } from '../../base/strict-json.ts'
import type { InnerAnswer } from '../../http/inner-answer.ts'
import { shownText } from './shown-values.ts'
import { RETRYABLE, type ToolContext, ToolError, type ToolRequest } from './tool.ts'

/** The answer. Throws a `ToolError` with what the service has answered if it is a refusal. */
export async function askFor(context: ToolContext, request: ToolRequest): Promise<InnerAnswer> {
  const answer = await context.ask(request)
  if (answer.status < 400) return answer
  throw new ToolError(refusalText(answer), RETRYABLE.has(answer.status))
}

/** The same with its JSON. */
export async function askJson(
  context: ToolContext,
  request: ToolRequest,
): Promise<{ readonly answer: InnerAnswer; readonly json: JsonValue }> {
  const answer = await askFor(context, request)
  return { answer, json: jsonOf(answer) }
}

export function jsonOf({ body }: Pick<InnerAnswer, 'body'>): JsonValue {
  return body.length === 0 ? null : (parseExact(Buffer.from(body).toString()) as JsonValue)
}

/** Status and messages of a refusal, with the field of each. */
export function refusalText(answer: InnerAnswer): string {
  const messages = messagesIn(jsonOf(answer))
  return shownText(`${answer.status}: ${messages.join(' ') || answer.problem?.message || 'refused'}`)
}

/** All messages of a refusal, with the path of their field: in `notificationMessages` of each object of the record. */
export function messagesIn(body: JsonValue, path = ''): string[] {
  if (Array.isArray(body)) return body.flatMap((one, at) => messagesIn(one, `${path}/${at}`))
  if (!isObject(body)) return []
  const { message, notificationMessages, ...members } = body
  const own = typeof message === 'string' ? [path === '' ? message : `${path}: ${message}`] : []
  const below = Object.entries(members).flatMap(([name, one]) => messagesIn(one, `${path}/${name}`))
  const ofFields = isObject(notificationMessages)
    ? Object.entries(notificationMessages).flatMap(([name, found]) =>
        [found].flat().flatMap((one) => messagesIn(one, `${path}/${name}`)),
      )
    : []
  return [...own, ...ofFields, ...below]
}

/** A path with its query; undefined values are left out. */
export function urlOf(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}
