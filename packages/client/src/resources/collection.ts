// A collection that answers questions: an Enterprise Document, or the values of an attribute.
import { nextLink } from '../http/address.ts'
import { objectsIn } from '../http/ndjson.ts'
import type { CallOptions, ClientRequest, QueryValue, Transport } from '../http/request.ts'
import { type Selection, selectText } from './select-text.ts'

export interface CollectionQuery extends CallOptions {
  /** As the text of `$select`, or as an object: `{ customerId: true, invoice: { creditLimit: true } }`. */
  readonly select?: string | Selection | undefined
  /** A text, or what has one: the result of a template. */
  readonly filter?: string | { toString(): string } | undefined
  readonly orderBy?: string | undefined
  readonly offset?: number | undefined
  /** How many rows altogether, also of all pages. */
  readonly limit?: number | undefined
  readonly validAt?: QueryValue
  readonly asOf?: QueryValue
  /** Parameters of the document itself, such as `posted` of the ledger. */
  readonly parameters?: Readonly<Record<string, QueryValue>> | undefined
}

export interface AggregateQuery extends CollectionQuery {
  readonly groupBy?: string | undefined
  readonly aggregate?: string | undefined
  readonly having?: string | { toString(): string } | undefined
}

/** What the answer holds besides rows. */
export interface AnswerInfo {
  /** The last change that the rows hold: the feed goes on from here. Absent where nobody counts changes. */
  readonly changeNumber: number | undefined
}

export interface Page<Row> extends AnswerInfo {
  readonly rows: readonly Row[]
}

export interface RowsQuery extends CollectionQuery {
  /** Called when the first answer has begun, before its first row. */
  readonly onAnswer?: ((info: AnswerInfo) => void) | undefined
}

export interface PagesQuery extends CollectionQuery {
  /** How many rows a page has at most; absent: as many as an answer. */
  readonly pageSize?: number | undefined
}

export interface Collection<Row> {
  /** All rows that the query asks for. */
  list(query?: CollectionQuery): Promise<Row[]>
  /** The rows as they come, of one snapshot; read no faster than the program takes them. */
  rows(query?: RowsQuery): AsyncGenerator<Row, void>
  /** Answer by answer, each of at most 50,000 rows, by the links of the service, in pages of `pageSize`. */
  pages(query?: PagesQuery): AsyncGenerator<Page<Row>, void>
  /** How many rows the filter leaves, or how many groups. */
  count(query?: AggregateQuery): Promise<number>
  /** A row for each group, or one row. */
  aggregate(query: AggregateQuery): Promise<AnyRow[]>
}

// biome-ignore lint/suspicious/noExplicitAny: the members follow from the query.
export type AnyRow = Record<string, any>

const ROWS = { accept: 'application/x-ndjson' }
const PAGE = { accept: 'application/json' }

export function collectionOf<Row = AnyRow>(transport: Transport, path: string): Collection<Row> {
  const requestOf = (query: AggregateQuery, headers: Record<string, string>) => requestFor(path, query, headers)
  return {
    list: async (query = {}) => {
      const rows: Row[] = []
      for await (const answer of answersTo(transport, requestOf(query, ROWS))) {
        for await (const row of objectsIn<Row>(answer)) rows.push(row)
      }
      return rows
    },
    rows: ({ onAnswer, ...query } = {}) => rowsOf(transport, { ...requestOf(query, ROWS), streams: true }, onAnswer),
    pages: ({ pageSize, ...query } = {}) => pagesOf(transport, requestOf(query, PAGE), pageSize),
    count: async (query = {}) => {
      const { headers } = await transport.send({ ...requestOf(query, {}), method: 'HEAD' })
      return Number(headers.get('x-erp-total-count'))
    },
    aggregate: async (query) => (await (await transport.send(requestOf(query, PAGE))).json()) as AnyRow[],
  }
}

async function* rowsOf<Row>(
  transport: Transport,
  request: ClientRequest,
  onAnswer: RowsQuery['onAnswer'],
): AsyncGenerator<Row, void> {
  let isFirst = true
  for await (const answer of answersTo(transport, request)) {
    if (isFirst) onAnswer?.(infoOf(answer))
    isFirst = false
    yield* objectsIn<Row>(answer)
  }
}

async function* pagesOf<Row>(
  transport: Transport,
  request: ClientRequest,
  pageSize: number | undefined,
): AsyncGenerator<Page<Row>, void> {
  if (pageSize !== undefined && !(pageSize >= 1))
    throw new RangeError(`pageSize is ${pageSize}: at least 1 is expected`)
  for await (const answer of answersTo(transport, request)) {
    const rows = (await answer.json()) as Row[]
    const size = pageSize ?? Math.max(1, rows.length)
    for (let at = 0; at === 0 || at < rows.length; at += size) {
      yield { rows: rows.slice(at, at + size), ...infoOf(answer) }
    }
  }
}

/** The answer, and those that it links to. */
async function* answersTo(transport: Transport, request: ClientRequest): AsyncGenerator<Response, void> {
  let answer = await transport.send(request)
  while (true) {
    const next = nextLink(answer.headers)
    yield answer
    if (next === undefined) return
    answer = await transport.follow(next, request)
  }
}

function infoOf({ headers }: Response): AnswerInfo {
  const number = headers.get('x-erp-change-number')
  return { changeNumber: number === null ? undefined : Number(number) }
}

function requestFor(path: string, query: AggregateQuery, headers: Record<string, string>): ClientRequest {
  const { select, filter, orderBy, offset, limit, validAt, asOf, groupBy, aggregate, having, parameters, ...call } =
    query
  return {
    ...call,
    path,
    headers,
    query: {
      $select: select === undefined ? undefined : selectText(select),
      $filter: filter?.toString(),
      $orderby: orderBy,
      $groupby: groupBy,
      $aggregate: aggregate,
      $having: having?.toString(),
      $offset: offset,
      $limit: limit,
      $validAt: validAt,
      $asOf: asOf,
      ...parameters,
    },
  }
}
