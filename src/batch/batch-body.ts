// The body of a batch, in the JSON format of OData (JSON Format 4.01, section 19). All mistakes in it are reported
// together, before anything is done.

import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { shortened } from '../base/text.ts'
import { malformed } from '../errors/catalogue.ts'
import { WITHOUT_BODY } from '../http/route/route.ts'
import { referenceIn } from './references.ts'

export const MAX_OPERATIONS = 1_000

export interface SentOperation {
  readonly index: number
  readonly id: string
  /** Operations with the same one are done together or not at all. */
  readonly group: string | undefined
  /** Operations and groups before it that must have succeeded. */
  readonly dependsOn: ReadonlySet<string>
  /** In capital letters. */
  readonly method: string
  readonly url: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue | undefined
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT']
const MEMBERS = ['id', 'method', 'url', 'headers', 'body', 'dependsOn', 'atomicityGroup']
/** `request-id` of OData: unreserved characters. */
const ID = /^[\w.~-]{1,128}$/
const ID_TEXT = 'expected 1 to 128 letters, digits and - . _ ~'
/** What may stand in a request line. */
const VISIBLE = /^[\x21-\x7e]+$/

/** Throws 400 with the mistakes and their positions. */
export function readBatch(body: JsonValue | undefined): readonly SentOperation[] {
  const requests = isObject(body) ? body.requests : undefined
  if (!isObject(body) || !Array.isArray(requests)) {
    throw malformed("A batch is an object with the list 'requests'.")
  }
  if (requests.length > MAX_OPERATIONS) {
    throw malformed(`requests: expected at most ${MAX_OPERATIONS} operations, found ${requests.length}.`)
  }
  const mistakes = new Mistakes()
  mistakes.unknownMembers('', body, ['requests'])
  const operations = requests.map((request, index) => readOperation(request, index, mistakes))
  checkTogether(operations, mistakes)
  mistakes.throwIfAny()
  return operations
}

function readOperation(json: JsonValue, index: number, mistakes: Mistakes): SentOperation {
  const at = `requests[${index}]`
  if (!isObject(json)) {
    mistakes.add(at, 'expected an object with id, method and url')
    return { index, id: '', group: undefined, dependsOn: new Set(), method: '', url: '', headers: {}, body: undefined }
  }
  mistakes.unknownMembers(`${at}.`, json, MEMBERS)
  const { id, method, url, body, atomicityGroup, dependsOn } = json
  const verb = typeof method === 'string' ? method.toUpperCase() : ''
  if (!isId(id)) mistakes.add(`${at}.id`, ID_TEXT)
  if (!METHODS.includes(verb)) mistakes.add(`${at}.method`, `expected one of ${METHODS.join(', ')}`)
  if (typeof url !== 'string' || !VISIBLE.test(url) || /^[a-z][a-z\d+.-]*:\/\//i.test(url) || url.includes('#')) {
    mistakes.add(`${at}.url`, 'expected a path, percent-encoded, without host and fragment')
  }
  if (atomicityGroup !== undefined && !isId(atomicityGroup)) mistakes.add(`${at}.atomicityGroup`, ID_TEXT)
  const hasBody = body !== undefined && body !== null
  if (hasBody && WITHOUT_BODY.includes(verb)) mistakes.add(`${at}.body`, `expected none with ${verb}`)
  return {
    index,
    id: stringIn(id),
    group: atomicityGroup === undefined ? undefined : stringIn(atomicityGroup),
    dependsOn: namesIn(dependsOn, `${at}.dependsOn`, mistakes),
    method: verb,
    url: stringIn(url),
    headers: headersOf(json.headers, `${at}.headers`, mistakes),
    body: hasBody ? body : undefined,
  }
}

/** What is no text has been refused. An object may have a member `toString`, which no program can call. */
function stringIn(json: JsonValue | undefined): string {
  return typeof json === 'string' ? json : ''
}

function isId(json: JsonValue | undefined): json is string {
  return typeof json === 'string' && ID.test(json)
}

function namesIn(json: JsonValue | undefined, at: string, mistakes: Mistakes): ReadonlySet<string> {
  if (json === undefined) return new Set()
  if (Array.isArray(json) && json.every((name) => typeof name === 'string')) return new Set(json)
  mistakes.add(at, 'expected a list of ids of operations and groups')
  return new Set()
}

/** What can only be seen of several operations. */
function checkTogether(operations: readonly SentOperation[], mistakes: Mistakes): void {
  const groups = new Set(operations.map(({ group }) => group))
  const before = new Map<string, SentOperation>()
  const groupsBefore = new Set<string>()
  let previous: SentOperation | undefined
  for (const operation of operations) {
    const { index, id, group, dependsOn } = operation
    const at = `requests[${index}]`
    if (before.has(id)) mistakes.add(`${at}.id`, `'${shortened(id, 40)}' stands twice`)
    if (groups.has(id)) mistakes.add(`${at}.id`, `'${shortened(id, 40)}' is the name of a group too`)
    if (group !== undefined && group !== previous?.group && groupsBefore.has(group)) {
      mistakes.add(`${at}.atomicityGroup`, 'expected the operations of a group one behind the other')
    }
    for (const name of dependsOn) {
      if (before.has(name) || (groupsBefore.has(name) && name !== group)) continue
      mistakes.add(`${at}.dependsOn`, `'${shortened(name, 40)}' is no operation and no group before it`)
    }
    const referred = referenceIn(operation.url)
    if (referred !== undefined && !mayRefer(operation, before.get(referred))) {
      mistakes.add(`${at}.url`, `'$${shortened(referred, 40)}' is no operation that it depends on`)
    }
    before.set(id, operation)
    if (group !== undefined) groupsBefore.add(group)
    previous = operation
  }
}

/** Whether an operation may refer to another one: it depends on it or its group, or is behind it in the same group. */
export function mayRefer(
  { index, group, dependsOn }: SentOperation,
  other: SentOperation | undefined,
): other is SentOperation {
  if (!other || other.index >= index) return false
  if (dependsOn.has(other.id)) return true
  return other.group !== undefined && (other.group === group || dependsOn.has(other.group))
}

/** Those of the connection, of the caller, and those that OData does not allow. */
const NOT_OF_AN_OPERATION: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'connection',
  'content-encoding',
  'transfer-encoding',
  'expect',
  'from',
  'max-forwards',
  'range',
  'te',
])
const MAX_HEADERS = 50
const NAME = /^[!#$%&'*+.^`|~\w-]{1,128}$/
/** What may stand in a header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/

/** The headers by their names in lower case. */
function headersOf(json: JsonValue | undefined, at: string, mistakes: Mistakes): Record<string, string> {
  const headers: Record<string, string> = {}
  if (json === undefined || json === null) return headers
  const given = isObject(json) ? Object.entries(json) : undefined
  if (!given || given.length > MAX_HEADERS) {
    mistakes.add(at, `expected an object with at most ${MAX_HEADERS} headers`)
    return headers
  }
  for (const [name, value] of given) {
    const lower = name.toLowerCase()
    const reason = defectOf(lower, value, headers)
    if (reason === undefined) headers[lower] = String(value).trim()
    else mistakes.add(`${at}.${shortened(name, 40)}`, reason)
  }
  return headers
}

function defectOf(name: string, value: JsonValue, others: Readonly<Record<string, string>>): string | undefined {
  if (!NAME.test(name)) return 'expected the name of a header'
  if (NOT_OF_AN_OPERATION.has(name)) return 'an operation cannot have this header'
  if (Object.hasOwn(others, name)) return 'the header is given twice'
  if (typeof value !== 'string' || !VALUE.test(value)) return 'expected a text of at most 8192 characters'
  return undefined
}

const SHOWN_MISTAKES = 10

/** What is wrong, with its position in the body. */
class Mistakes {
  readonly #texts: string[] = []

  add(position: string, text: string): void {
    this.#texts.push(`${position}: ${text}.`)
  }

  /** Annotations, whose names have an @, are ignored. */
  unknownMembers(position: string, object: JsonObject, known: readonly string[]): void {
    for (const name of Object.keys(object)) {
      if (known.includes(name) || name.includes('@')) continue
      this.add(`${position}${shortened(name, 40)}`, `expected ${known.join(', ')}`)
    }
  }

  throwIfAny(): void {
    if (this.#texts.length === 0) return
    const more = this.#texts.length - SHOWN_MISTAKES
    const rest = more > 0 ? [`There are ${more} more.`] : []
    throw malformed([...this.#texts.slice(0, SHOWN_MISTAKES), ...rest].join(' '))
  }
}
