// Builds the ApiRequest that a route's handler gets from a request that was received.

import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../access/caller.ts'
import { scopesIn } from '../access/token-scopes.ts'
import { Doorkeeper } from '../base/doorkeeper.ts'
import { asBoolean } from '../base/numbers/scalars.ts'
import type { JsonValue } from '../base/strict-json.ts'
import { type QueryPairs, shortened } from '../base/text.ts'
import { invalidOption, malformed } from '../errors/catalogue.ts'
import type { GivenContent } from '../files/file-store.ts'
import { refuseMisspelt } from '../model/option-names.ts'
import type { FileBody } from './body/upload.ts'
import {
  addressOf,
  authenticate,
  callerOf,
  credentialsFor,
  credentialsOf,
  findKnownCaller,
  type Identity,
} from './pipeline/authenticate.ts'
import { authorise, requestedCompany } from './pipeline/authorise.ts'
import { minChangeOf } from './pipeline/min-change.ts'
import { originOf } from './pipeline/origin.ts'
import { messageLanguageOf } from './pipeline/reader.ts'
import { recordOf } from './pipeline/request-record.ts'
import type { PlainRequest } from './route/plain-request.ts'
import type { CacheLookup, ResponseCache } from './route/response-cache.ts'
import { type ApiRequest, type PathParams, pathIn, type Route } from './route/route.ts'

export interface RequestParts {
  readonly route: Route
  readonly request: PlainRequest
  readonly received: ReceivedBody
  /** Set for GET and HEAD only. */
  readonly lookup: CacheLookup | undefined
  readonly responseCache: ResponseCache
  readonly identity: Identity
  readonly leaveFlight: () => void
}

/** Decodes the query, resolves the company and checks that the caller has the route's permission there. */
export function apiRequestOf(parts: RequestParts): ApiRequest {
  const { route, request, received, lookup, responseCache, identity, leaveFlight } = parts
  const { raw, response, method, headers, params, query } = request
  const caller = callerOf(request)
  const url = raw.url ?? ''
  const requested = { route, caller, method, url, query, params, headers, received }
  return decodedRequest({ ...requested, requestId: request.id }, (companyId) => {
    recordOf(response).actsIn(companyId)
    return {
      isRepeatedRead: lookup?.isRepeatedRead ?? false,
      tagOf: (validity) => responseCache.tagOf(raw, caller, validity),
      address: () => addressOf(identity.proxies, raw),
      origin: () => originOf(identity.proxies, raw),
      requester: { flow: caller.flow, onAbandoned: (stop) => whenClosed(response, stop) },
      callerNow: async () => {
        const now =
          findKnownCaller(identity, headers.authorization) ??
          (await authenticate(identity, credentialsOf(identity, request)))
        authorise(now, route, params, companyId)
        return now
      },
      leaveFlight,
      onClosed: (listener) => whenClosed(response, listener),
    }
  })
}

/** A request of a known caller, however it came. */
interface KnownRequest {
  readonly route: Route
  readonly caller: Caller
  readonly method: string
  /** With base path and query, as it was sent. */
  readonly url: string
  /** The query string. */
  readonly query: string
  readonly params: PathParams
  readonly headers: IncomingHttpHeaders
  readonly received: ReceivedBody
  readonly requestId: string
}

/** What depends on how the request came. */
type Surroundings = Pick<
  ApiRequest,
  'isRepeatedRead' | 'tagOf' | 'address' | 'origin' | 'requester' | 'callerNow' | 'leaveFlight' | 'onClosed'
>

/** The request as its handler gets it. Throws as `apiRequestOf` does. */
export function decodedRequest(known: KnownRequest, surroundings: (companyId: string) => Surroundings): ApiRequest {
  const { route, caller, method, url, params, headers, received, requestId } = known
  const { body, content } = received
  // PostgreSQL cannot store U+0000 in a text, so no key has it.
  if (url.includes('%00')) throw malformed('The URL holds a NUL character (%00).')
  const query = parseQueryString(known.query)
  const isRead = method === 'GET' || method === 'HEAD'
  const companyInQuery = route.companyInPath ? params.companyId : companyIn(query)
  const requested = method === 'POST' ? requestedCompany(companyInQuery, body) : companyInQuery
  const companyId = authorise(caller, route, params, requested)
  const around = surroundings(companyId)
  // Each member by its name: with a spread, it takes six times the memory and as much more time.
  return {
    isRepeatedRead: around.isRepeatedRead,
    tagOf: around.tagOf,
    address: around.address,
    origin: around.origin,
    requester: around.requester,
    callerNow: around.callerNow,
    leaveFlight: around.leaveFlight,
    onClosed: around.onClosed,
    caller,
    companyId,
    params,
    query,
    body,
    content,
    requestId,
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    contentType: headers['content-type'],
    accept: headers.accept,
    acceptLanguage: headers['accept-language'],
    messageLanguage: () => messageLanguageOf(headers),
    prefer: headers.prefer as string | undefined,
    minChange: isRead ? minChangeOf(headers) : 0,
    idempotencyKey: isRead ? undefined : idempotencyKeyOf(headers['idempotency-key']),
    validateOnly: !isRead && validateOnlyIn(query, route),
    fingerprint: () => fingerprintOf(method, url, body, content),
    range: headers.range,
    ifRange: headers['if-range'] as string | undefined,
    path: pathIn(url),
    lastEventId: headers['last-event-id'] as string | undefined,
    scopes: () => scopesIn(credentialsFor('bearer', headers.authorization) ?? ''),
    header: (name) => headers[name] as string | undefined,
  }
}

/** Calls the listener at once if the connection is closed already: no `close` event would follow. */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener()
  // A request may ask the store more than ten questions, each of which ends with it.
  else response.setMaxListeners(0).once('close', listener)
}

export type ReceivedBody = Omit<FileBody, 'body'> & { readonly body: JsonValue | undefined }

/** The parsed body of the request, with the uploaded content where the route takes files. */
export function receivedBodyOf({ upload }: Route, { body }: PlainRequest): ReceivedBody {
  if (upload && body !== undefined && body !== null) return body as FileBody
  return { body: body as JsonValue | undefined, content: 'none', release: () => {} }
}

/** Visible ASCII. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/** The `Idempotency-Key`. Throws 400 if it is malformed. */
function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && IDEMPOTENCY_KEY.test(header)) return header
  throw malformed('The Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

/**
 * Whether the write is validation-only. Throws 400 if `validateOnly` is not a boolean or is given twice, and for a
 * misspelt option, which would store what should only have been tried.
 */
function validateOnlyIn(query: QueryPairs, { parameters }: Route): boolean {
  refuseMisspelt(query, ['validateonly', ...parameters.map(({ name }) => name.toLowerCase())])
  const values = query.filter(([name]) => /^\$?validateonly$/i.test(name))
  if (values.length > 1) throw invalidOption("The query option 'validateOnly' is given more than once.")
  const text = values[0]?.[1].trim() ?? ''
  if (text === '') return false
  const flag = asBoolean(text)
  if (flag === undefined) throw malformed(`The value '${shortened(text, 40)}' is not valid for validateOnly.`)
  return flag
}

/** A hash of the request: method, URL, body and content. */
function fingerprintOf(method: string, url: string, body: JsonValue | undefined, content: GivenContent): string {
  const parts = [method, url, body ?? null, typeof content === 'string' ? content : content.hash]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

const NO_PAIRS: QueryPairs = []

/**
 * Decoded query strings. Clients repeat them, and other caches have the pairs as their key. A cached plan takes
 * some 6 kB, or about 50 times the length of a long filter: some 10 MB in all.
 */
const cache = new LRUCache<string, QueryPairs>({
  maxSize: 500_000,
  sizeCalculation: (_pairs, text) => text.length + 300,
})
const doorkeeper = new Doorkeeper()

/**
 * The decoded pairs of a query string, in order; usually the same object for the same text. Throws 400 with code 1010
 * if the percent-encoding is invalid.
 */
function parseQueryString(text: string): QueryPairs {
  if (text === '') return NO_PAIRS
  let pairs = cache.get(text)
  if (!pairs) {
    pairs = decodePairs(text)
    if (doorkeeper.hasSeen(text)) cache.set(text, pairs)
  }
  return pairs
}

function decodePairs(text: string): QueryPairs {
  return text.split('&').map((pair) => {
    const equals = pair.indexOf('=')
    return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformed(`The query string holds '${text.slice(0, 80)}', which is not percent-encoded UTF-8.`)
  }
}

/** The company that the query names, in any spelling of the parameter. An empty value counts as absent. */
function companyIn(pairs: QueryPairs): string | undefined {
  if (pairs === NO_PAIRS) return undefined
  const named = pairs.filter(([name]) => /^\$?companyid$/i.test(name))
  if (named.length > 1) throw invalidOption("The query option 'companyId' is given more than once.")
  return named[0]?.[1] || undefined
}
