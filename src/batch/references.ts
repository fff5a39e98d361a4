// References of an operation to the answers before it (OData Protocol 4.01, 11.7.4 to 11.7.6): `$1` at the start of a
// URL is the address of what operation 1 has made or read; as If-Match or If-None-Match it is its entity tag; and
// `$1/name` as a value of the body or of a query option is a member of its answer.
import { LongNumber } from '../base/long-number.ts'
import { isObject, type JsonValue } from '../base/strict-json.ts'
import { malformed, tooLarge } from '../errors/catalogue.ts'

/** Values that are put into one operation, in characters. */
const MAX_VALUES = 1024 * 1024
const START_OF_URL = /^\/?\$([\w.~-]{1,128})(?=$|[/?])/
const VALUE = /^\$([\w.~-]{1,128})((?:\/[^/]{1,128}){1,10})$/
const TAG = /^\$([\w.~-]{1,128})$/

/** An answer that operations may refer to. */
export interface ReferredAnswer {
  /** The path of its record. */
  readonly path: string | undefined
  readonly etag: string | undefined
  /** Its parsed body; undefined if that is not JSON. */
  json(): unknown
}

/** The answer of an operation that may be referred to; undefined: `$id` is no reference. */
export type FindAnswer = (id: string) => ReferredAnswer | undefined

/** The operation that a URL starts with. */
export function referenceIn(url: string): string | undefined {
  return START_OF_URL.exec(url)?.[1]
}

/** The URL with what it refers to. Throws 400 if there is no such thing. */
export function resolveUrl(url: string, find: FindAnswer): string {
  const start = START_OF_URL.exec(url)
  const resolved = start ? pathOf(start[1] ?? '', find) + url.slice(start[0].length) : url
  const question = resolved.indexOf('?')
  if (question < 0 || !/\$|%24/.test(resolved.slice(question))) return resolved
  const values = new ReferredValues(find)
  const pairs = resolved.slice(question + 1).split('&')
  return `${resolved.slice(0, question)}?${pairs.map((pair) => resolvePair(pair, values)).join('&')}`
}

function pathOf(id: string, find: FindAnswer): string {
  const path = find(id)?.path
  if (path === undefined) throw malformed(`url: the answer of '${id}' has no address.`)
  return path
}

function resolvePair(pair: string, values: ReferredValues): string {
  const equals = pair.indexOf('=')
  const value =
    equals < 0
      ? ''
      : pair
          .slice(equals + 1)
          .replace(/^%24/, '$')
          .replaceAll(/%2f/gi, '/')
  const found = values.of(value, `url: ${pair.slice(0, equals)}`)
  return found === undefined ? pair : `${pair.slice(0, equals)}=${encodeURIComponent(String(found))}`
}

export function resolveHeaders(headers: Readonly<Record<string, string>>, find: FindAnswer): Record<string, string> {
  const resolved = { ...headers }
  for (const name of ['if-match', 'if-none-match']) {
    const id = TAG.exec(headers[name] ?? '')?.[1]
    const answer = id === undefined ? undefined : find(id)
    if (!answer) continue
    if (answer.etag === undefined) throw malformed(`headers.${name}: the answer of '${id}' has no entity tag.`)
    resolved[name] = answer.etag
  }
  return resolved
}

/** The body with the values that it refers to. */
export function resolveBody(body: JsonValue | undefined, find: FindAnswer): JsonValue | undefined {
  return body === undefined ? undefined : resolveIn(body, 'body', new ReferredValues(find))
}

function resolveIn(json: JsonValue, at: string, values: ReferredValues): JsonValue {
  if (typeof json === 'string') return values.of(json, at) ?? json
  if (Array.isArray(json)) return json.map((item, index) => resolveIn(item, `${at}/${index}`, values))
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, resolveIn(value, `${at}/${name}`, values)]),
  )
}

type Scalar = string | number | boolean | LongNumber

/** The values of one operation; their length is bounded, because a short reference may stand for a long text. */
class ReferredValues {
  readonly #find: FindAnswer
  #characters = 0

  constructor(find: FindAnswer) {
    this.#find = find
  }

  /** Undefined: the text is no reference. `at`: where it stands. */
  of(text: string, at: string): Scalar | undefined {
    const [, id = '', path = ''] = VALUE.exec(text) ?? []
    const answer = id === '' ? undefined : this.#find(id)
    if (!answer) return undefined
    const value = memberOf(answer.json(), path.slice(1).split('/'))
    if (value === undefined) throw malformed(`${at}: the answer of '${id}' has no value '${path.slice(1)}'.`)
    this.#characters += String(value).length
    if (this.#characters > MAX_VALUES) throw tooLarge(MAX_VALUES)
    return value
  }
}

/** A text, number or truth value within a parsed JSON text. */
function memberOf(json: unknown, path: readonly string[]): Scalar | undefined {
  let value = json
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  if (value instanceof LongNumber) return value
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
