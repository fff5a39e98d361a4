// A request before anything of it is decoded, and the route that takes it.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../access/caller.ts'
import type { RouteMetrics } from '../../observe/metrics.ts'
import { type PathParams, pathIn, type RouteDeclaration } from './route.ts'

/** A route as the pipeline serves it. */
export interface ServedRoute extends RouteDeclaration {
  /** By method. */
  readonly metrics: Readonly<Record<string, RouteMetrics>>
  /** As it is declared, below the base path; undefined where no route is. */
  readonly path?: string
  /** The path cannot be read: the caller is told so before its limits are looked at. */
  readonly isUnreadable?: boolean
  /** Throws why the body is not read. */
  admit?(request: PlainRequest): void
  /** Absent: a body is ignored. */
  readBody?(request: PlainRequest): Promise<unknown> | undefined
  handle(request: PlainRequest): Promise<void> | void
}

/** The route of a request, with what its URL says. */
export interface Routed {
  readonly route: ServedRoute
  readonly params: PathParams
  /** The query string. */
  readonly query: string
}

/** What was found out about a plain read ahead of its route. */
export interface PlainRead {
  readonly caller: Caller
  /** In the response cache. */
  readonly key: string
}

/** The place of a request among those in flight. */
interface InFlight {
  release(): void
  readonly startedAt: number
  at: number
}

export class PlainRequest {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  readonly route: ServedRoute
  readonly params: PathParams
  readonly query: string
  /** Absent unless it is a plain read by a known caller. */
  readonly read: PlainRead | undefined
  caller: Caller | undefined
  /** As the route reads it. */
  body: unknown
  /** An answer is on its way, so there is no other. */
  isAnswered = false
  inFlight: InFlight | undefined

  constructor(raw: IncomingMessage, response: ServerResponse, id: string, routed: Routed, read?: PlainRead) {
    this.raw = raw
    this.response = response
    this.id = id
    this.route = routed.route
    this.params = routed.params
    this.query = routed.query
    this.read = read
  }

  get method(): string {
    return this.raw.method ?? ''
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers
  }

  /** The path without the query string, whose values must not be logged. */
  get path(): string {
    return pathIn(this.raw.url ?? '')
  }
}
