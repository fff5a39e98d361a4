// GET /v1/changes: the changes of a company since a place in its log, in order, as JSON, lines or events.

import type { Reply } from '../http/reply/send.ts'
import type { ApiRequest, RouteTable } from '../http/route.ts'
import { preferredOf } from '../query/collection-format.ts'
import type { ChangeService } from './change-service.ts'
import { CHANGES_TEXT } from './describe.ts'
import { eventStream } from './event-stream.ts'
import { FeedReader } from './feed-reader.ts'
import { nextPage } from './long-poll.ts'
import { type ChangeOptions, readChangeOptions } from './options.ts'
import { type PageFormat, pageText } from './page-text.ts'
import { withResyncLinks } from './resync.ts'

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
  table.get(PATH, { ...CHANGES_TEXT, permit: 'objects:read', handle: (request) => answer(service, request) })
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
  const reader = await FeedReader.open(service, request, options)
  if (format === 'events') {
    const body = eventStream(service, request, reader, await reader.read())
    return { status: 200, body, headers: STREAM_HEADERS, isIncompressible: true }
  }
  const page = await (options.waitMs > 0 ? nextPage(service, request, reader, options.waitMs) : reader.next())
  return { status: 200, body: pageText(format, reader, page), headers: { 'content-type': PAGE_TYPES[format] } }
}
