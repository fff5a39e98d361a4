// What a route declares of itself, and the request that its handler gets.

import type { TSchema } from 'typebox'
import type { Caller, Permission } from '../../access/caller.ts'
import type { AgentScope } from '../../access/token-scopes.ts'
import type { Flow } from '../../base/concurrency/fair-queue.ts'
import type { JsonLimits, JsonValue } from '../../base/strict-json.ts'
import type { QueryPairs } from '../../base/text.ts'
import type { Validity } from '../../base/validity.ts'
import type { Problem } from '../../errors/problem.ts'
import type { GivenContent } from '../../files/file-store.ts'
import type { ParameterDescription } from '../../model/option-texts.ts'
import type { Reply } from './send.ts'
import type { FileUpload, RawUpload } from './upload-format.ts'

/** In place of a permission: every caller may ask, about itself alone. */
export const ANY_CALLER = 'any caller'

/** The values of a path, by the names of its parameters. */
export type PathParams = Readonly<Record<string, string>>

/** The permission that a caller needs; where a setup decides what a path names, it follows from the path. */
type Permit = Permission | typeof ANY_CALLER | ((params: PathParams) => Permission | typeof ANY_CALLER)

export function permitOf({ permit }: Pick<Route, 'permit'>, params: PathParams): Permission | typeof ANY_CALLER {
  return typeof permit === 'function' ? permit(params) : permit
}

/** The body and further headers of a refusal. */
export type ProblemForm = (problem: Problem) => {
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
}

/** The access of a route. */
export interface RouteDeclaration {
  /** The permission that a caller needs. */
  readonly permit?: Permit
  /** See `Route`. */
  readonly methodsAt?: Route['methodsAt']
  /** See `Route`. */
  readonly problemForm?: ProblemForm | undefined
  /** Whose tokens open it; absent: those for records. */
  readonly audience?: Audience | undefined
  /** No authentication is needed. */
  readonly isPublic?: boolean
  /** Whatever the rate of those who show no credentials: probes, and what counts for itself. */
  readonly isUnlimited?: boolean
  /** 404 for all clients but browsers. */
  readonly isForBrowsers?: boolean
}

/** Tokens for agents open no other route, and no other token opens theirs. */
export type Audience = 'agents'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Wherever GET is, HEAD is too (RFC 9110, 9.1). */
export const READS = ['GET', 'HEAD'] as const
/** What a body of these holds has no meaning (RFC 9110, 9.3), whatever media type it claims to have. */
export const WITHOUT_BODY: readonly string[] = [...READS, 'DELETE']

/** Where the routes of resources are declared. */
export abstract class RouteTable {
  /** GET and HEAD. `head`: what HEAD answers other than GET, such as a count, which is described by itself. */
  get(path: string, route: Route, head?: Route): void {
    this.declareRoute('GET', path, route)
    this.declareRoute('HEAD', path, head ?? route, head !== undefined)
  }

  post(path: string, route: Route): void {
    this.declareRoute('POST', path, route)
  }

  patch(path: string, route: Route): void {
    this.declareRoute('PATCH', path, route)
  }

  delete(path: string, route: Route): void {
    this.declareRoute('DELETE', path, route)
  }

  /** A path that lacks a value: 404 for these methods, although the path has routes for others. */
  abstract incomplete(methods: readonly Method[], path: string): void

  protected abstract declareRoute(method: Method, path: string, route: Route, isDescribed?: boolean): void
}

/** A route in the description: what the setup decides is described with the names that it gives. */
export interface DescribedRoute extends RouteText {
  readonly permit: Permission | typeof ANY_CALLER
  readonly method: Method
  readonly path: string
}

export interface Route extends RouteText {
  handle(request: ApiRequest): Reply | Promise<Reply>
}

/** What a protected route and its OpenAPI description share. */
export interface RouteText {
  readonly permit: Permit
  readonly summary: string
  /** In the description; absent: made of the method and the path. */
  readonly operationId?: string
  readonly description?: string
  readonly parameters: readonly ParameterDescription[]
  readonly body?: TSchema
  /** Whose tokens open it; absent: those for records. */
  readonly audience?: Audience
  /** A POST because what is read is in its body. */
  readonly writesNothing?: boolean
  /** On routes that take a file. */
  readonly upload?: FileUpload | RawUpload
  /** On routes whose body may be larger than a record. */
  readonly bodyBounds?: { readonly bytes: number; readonly json: JsonLimits }
  readonly answers: Readonly<Record<number, ResponseDescription>>
  /** The message of the 403, where the interface spells it differently. */
  readonly deniedMessage?: string
  /** How its problems are answered, whatever step of a request has thrown them; absent: as all others. */
  readonly problemForm?: ProblemForm
  /** The same in the description: the body, and further headers. */
  readonly problemDescription?: Pick<ResponseDescription, 'schema' | 'headers'>
  /** The company is `companyId` of the path. */
  readonly companyInPath?: boolean
  /** Whether a company that is not one of the caller's is 422 rather than 403. */
  readonly reportsUnknownCompany?: boolean
  /** Throws 404 if there is no such resource, whatever the caller may do: it runs before authorisation. */
  requireResource?(params: PathParams, path: string): void
  /**
   * For paths that a setup decides: the methods that the path takes; none where there is no such resource. Such a route
   * is not described by itself.
   */
  methodsAt?(params: PathParams): readonly Method[]
}

export interface ResponseDescription {
  readonly description: string
  /** The schema of the body; absent: there is no body. */
  readonly schema?: TSchema
  /** Media type of the body; absent: JSON. */
  readonly type?: string
  /** Further media types, selected by `Accept`. */
  readonly otherTypes?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A request as its handler sees it: authenticated, authorised for one company, decoded. */
export interface ApiRequest {
  readonly caller: Caller
  /** As requested, or the caller's default. The caller has the route's permission there. */
  readonly companyId: string
  readonly params: PathParams
  readonly query: QueryPairs
  readonly body: JsonValue | undefined
  /** The uploaded file, on routes that take one. It is deleted after the request, unless the handler has stored it. */
  readonly content: GivenContent
  readonly requestId: string
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  /** For reads: the same request came recently, so its response is worth caching. */
  readonly isRepeatedRead: boolean
  /** The entity tag of a response with this validity. */
  tagOf(validity: Validity): string
  /** The media type of the body, with its parameters. */
  readonly contentType: string | undefined
  readonly accept: string | undefined
  readonly acceptLanguage: string | undefined
  /** The language of messages; undefined: the sentences of the contract. */
  readonly messageLanguage: () => string | undefined
  /** The `Prefer` header (RFC 7240). */
  readonly prefer: string | undefined
  /** For reads: the number of a change that the answer must have. */
  readonly minChange: number
  /** For writes: a retry with this key gets the stored response. */
  readonly idempotencyKey: string | undefined
  /** For writes: everything is checked and answered, nothing is stored. */
  readonly validateOnly: boolean
  /** A hash of the request, by which a different one with the same idempotency key is detected. */
  fingerprint(): string
  /** What the token allows, on routes for agents. */
  scopes(): ReadonlySet<AgentScope>
  /** A header that only this route knows. */
  header(name: string): string | undefined
  /** The `Range` header of a file download. */
  readonly range: string | undefined
  readonly ifRange: string | undefined
  /** As it was sent, without the query string. */
  readonly path: string
  /** The client's IP address. */
  address(): string
  /** The scheme and host that the client has asked, such as `https://erp.example.com`. */
  origin(): string
  /** The client that queries are queued for; `onAbandoned` reports that it has disconnected. */
  readonly requester: { readonly flow: Flow; onAbandoned(stop: () => void): void }
  /**
   * The caller of the same credentials now. Throws 401 when they are no longer valid, and 403 without the route's
   * permission in the company. The same object as long as neither the setup nor the credentials have changed.
   */
  callerNow(): Promise<Caller>
  /** From now on the request only waits for something: it is not in flight, and no deadline applies. */
  leaveFlight(): void
  /** For Server-Sent Events: the last event that the client has got. */
  readonly lastEventId: string | undefined
  /** Calls the listener when the connection is closed, before or after the response. */
  onClosed(listener: () => void): void
}

/** The path of a URL without its query string. */
export function pathIn(url: string): string {
  const query = url.indexOf('?')
  return (query < 0 ? url : url.slice(0, query)).slice(0, 500)
}
