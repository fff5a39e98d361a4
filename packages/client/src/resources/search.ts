// One question to all documents that the client may read.
import type { CallOptions, Transport } from '../http/request.ts'

export interface SearchOptions extends CallOptions {
  /** At most so many hits of each document, 1 to 50; 5 by default. */
  readonly limit?: number | undefined
}

export interface SearchValue {
  readonly property: string
  readonly title: string
  /** Such as `string`, `decimal` and `date-time`. */
  readonly type: string
  readonly value: string | number
}

export interface SearchMatch extends SearchValue {
  /** From a character to the one behind the last; empty where all of the value matches. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

export interface SearchHit {
  /** Without the company. */
  readonly key: Readonly<Record<string, string | number>>
  readonly title: string
  readonly details: readonly SearchValue[]
  readonly matches: readonly SearchMatch[]
}

export interface SearchGroup {
  readonly document: string
  readonly version: number
  readonly title: string
  readonly hits: readonly SearchHit[]
  readonly hasMore: boolean
}

export interface SearchResult {
  /** The best first. */
  readonly groups: readonly SearchGroup[]
  /** Documents that were not searched to the end. */
  readonly unfinished: readonly { readonly document: string; readonly title: string; readonly lookedAt?: number }[]
}

export async function searchBy(
  transport: Transport,
  text: string,
  { limit, ...call }: SearchOptions = {},
): Promise<SearchResult> {
  const answer = await transport.send({ ...call, path: '/v1/search', query: { q: text, limit } })
  return (await answer.json()) as SearchResult
}
