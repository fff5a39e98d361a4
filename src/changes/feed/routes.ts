// GET /v1/changes: the changes of a company since a place in its log, in order, as JSON, lines or events.
import { Problem } from '../../errors/problem.ts'
import { companyParameter, refusal } from '../../http/openapi/parameters.ts'
import { replicaHeader } from '../../http/route/replies.ts'
import type { ApiRequest, Route, RouteTable } from '../../http/route/route.ts'
import type { Reply } from '../../http/route/send.ts'
import type { EnterpriseDocument } from '../../objects/enterprise-document.ts'
import { preferredOf } from '../../query/collection-format.ts'
import { ChangesGone } from '../changes-gone.ts'
import type { ChangeService } from './change-service.ts'
import { CHANGES_DESCRIPTION, CHANGES_OPTIONS, CHANGES_SCHEMA } from './describe.ts'
import { eventStream } from './event-stream.ts'
import type { FeedPage } from './feed.ts'
import { FeedReader } from './feed-reader.ts'
import { nextPage } from './long-poll.ts'
import { type ChangeOptions, readChangeOptions } from './options.ts'

const PATH = '/v1/changes'

const FORMATS = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/event-stream': 'events',
} as const

const PAGE_TYPES: Readonly<Record<PageFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

/** A proxy that collects an answer would keep the events from the client. */
const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

export function changeRoutes(table: RouteTable, service: ChangeService): void {
  table.get(PATH, { ...TEXT, handle: (request) => answer(service, request) })
}

async function answer(service: ChangeService, request: ApiRequest): Promise<Reply> {
  try {
    return await answerFrom(service, request, readChangeOptions(request.query))
  } catch (error) {
    const basePath = request.path.slice(0, request.path.lastIndexOf(PATH))
    throw withResyncLinks(error, service.documents(), { basePath, companyId: request.companyId })
  }
}

async function answerFrom(service: ChangeService, request: ApiRequest, options: ChangeOptions): Promise<Reply> {
  const format = preferredOf(request.accept, FORMATS) ?? 'json'
  const isStream = format === 'events'
  const reader = await FeedReader.open(service, request, options, isStream || options.waitMs > 0)
  if (isStream) {
    const body = eventStream(service, request, reader, await reader.read())
    return { status: 200, body, headers: STREAM_HEADERS, isIncompressible: true }
  }
  const page = await (options.waitMs > 0 ? nextPage(service, request, reader, options.waitMs) : reader.next())
  return { status: 200, body: pageText(format, reader, page), headers: { 'content-type': PAGE_TYPES[format] } }
}

const TEXT: Omit<Route, 'handle'> = {
  permit: 'objects:read',
  operationId: 'listChanges',
  summary: 'Read changes',
  description: CHANGES_DESCRIPTION,
  parameters: [companyParameter, ...CHANGES_OPTIONS],
  answers: {
    200: {
      description: 'The changes; when there are none, `changes` is empty, and `next` is where to go on.',
      schema: CHANGES_SCHEMA,
      otherTypes: ['application/x-ndjson', 'text/event-stream'],
      headers: replicaHeader,
    },
    400: refusal('An option is wrong, or `since` is missing or is no cursor of this caller and request.'),
    410: {
      ...refusal('Changes after this place are no longer kept, or the rights of the caller have changed: start over.'),
      headers: { Link: 'With `rel="resync"`: the collections to load again.' },
    },
  },
}

type PageFormat = 'json' | 'ndjson'

/** The text of a page after which the reader has advanced. The texts of the changes are not read again. */
function pageText(format: PageFormat, reader: FeedReader, page: FeedPage): string {
  const changes = page.changes.map(({ json }) => json)
  const end = endOf(reader, page)
  if (format === 'json') return `${reader.head},"changes":[${changes.join(',')}],${end}}`
  return [`${reader.head}}`, ...changes, `{${end}}`, ''].join('\n')
}

/** `pending`: the numbers of the log after the page. */
function endOf(reader: FeedReader, { isAtEnd, last, next }: FeedPage): string {
  const pending = isAtEnd ? 0 : Math.max(last - next.number, 0)
  return `"next":"${reader.cursor()}","upToDate":${isAtEnd},"pending":${pending}`
}

/** Where revisions are found: with their documents. */
const WITH: Readonly<Record<string, string>> = { 'document-revisions': 'document-archive' }

/** The same problem with links (RFC 8288) to load each entity again; other errors as they are. */
function withResyncLinks(
  error: unknown,
  documents: Iterable<EnterpriseDocument>,
  { basePath, companyId }: { readonly basePath: string; readonly companyId: string },
): unknown {
  if (!(error instanceof ChangesGone)) return error
  const names = new Set(error.entities.map((entity) => WITH[entity] ?? entity))
  const links = [...documents].flatMap(({ common: { name, version } }) =>
    names.has(name)
      ? [`<${basePath}/v${version}/objects/${name}?companyId=${encodeURIComponent(companyId)}>; rel="resync"`]
      : [],
  )
  const { status, code, body, message } = error
  return new Problem(status, code, body, message, { headers: { link: links.join(', ') }, cause: error })
}
