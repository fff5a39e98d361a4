// What a request within another one is made of.
import type { JsonValue } from '../base/strict-json.ts'
import type { PipelineParts } from './parts.ts'
import type { ApiRequest } from './route/route.ts'

export type InnerParts = Pick<
  PipelineParts,
  'basePath' | 'metrics' | 'clients' | 'limiter' | 'observe' | 'logRequest' | 'responseCache' | 'files'
>

export interface InnerRequest {
  /** In capital letters. */
  readonly method: string
  /** With the base path; percent-encoded. */
  readonly url: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonValue | undefined
  readonly requestId: string
  /** In the place of the header `Idempotency-Key` and what it would be compared by. */
  readonly repeat?: { readonly key: string; readonly fingerprint: string } | undefined
  /** Whatever the URL says. */
  readonly validateOnly?: boolean
}

export type ResolveRequest = () => Pick<InnerRequest, 'url' | 'headers' | 'body'>

/** The request around it. */
export type OuterRequest = Pick<
  ApiRequest,
  'caller' | 'messageLanguage' | 'address' | 'origin' | 'requester' | 'callerNow' | 'leaveFlight' | 'onClosed'
>
