// Replies with records and collections: conditional, with entity tags, and cacheable.

import { hash } from 'node:crypto'
import { create } from 'content-disposition'
import type { Caller } from '../../access/caller.ts'
import { CHANGE_NUMBER, changeNumbered, etagOf, holdsTag, isNoneMatch } from '../../base/etag.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import type { QueryPairs } from '../../base/text.ts'
import type { Validity } from '../../base/validity.ts'
import type { ApiRequest } from './route.ts'
import type { Reply } from './send.ts'

interface FoundRecord {
  /** Its JSON text as the database made it. */
  readonly body: string
  /** The number of the journal entry that last changed it. */
  readonly change_no: number
}

/** A reply whose body is not streamed. */
interface TextReply extends Reply {
  readonly body?: string
}

/** Undefined if other programs write the records too. */
type MaybeValidity = Validity | undefined

/** For the OpenAPI description of responses with a record. */
export const etagHeader = { ETag: 'The state of the record, for If-Match and If-None-Match.' }

/** For the OpenAPI description of responses with a collection or a count. */
const stateHeaders = {
  ETag: 'The state of all that the answer is made of, for If-None-Match. Absent with `asOf`, and where others write the records.',
  Vary: 'The headers of the request that the answer depends on; with an ETag.',
}

/** For the OpenAPI description of collections and counts. */
const changeNumberHeader = {
  'X-ERP-Change-Number':
    'The number of the last change in what the answer was read from: the feed of changes goes on there with `since`. Absent where other programs write the records.',
}

/** For the OpenAPI description of answers that name a number for the sake of replicas alone. */
export const replicaHeader = {
  'X-ERP-Change-Number': 'Where replicas answer: the number of the last change that the answer has at least.',
}

const fileHeader = {
  'Content-Disposition': 'The name of the file, of CSV, NDJSON and Parquet.',
  'Accept-Ranges': '`bytes`, of Parquet.',
}

/** For the OpenAPI description of a page of a collection. */
export const pageAnswerHeaders = {
  Link: 'The next page, when no limit was sent and there is more.',
  'X-ERP-Truncated': '`true` then.',
  ...fileHeader,
  ...stateHeaders,
  ...changeNumberHeader,
}

/** For the OpenAPI description of counts, which tell the size of a Parquet file too. */
export const countedAnswer = (what: string) => ({
  description: 'No body. Of a Parquet file `Content-Length` is its size, and the `ETag` is strong.',
  headers: {
    'X-ERP-Total-Count': `How many ${what} the filter leaves, or how many groups.`,
    ...fileHeader,
    'X-ERP-Truncated': '`true` of a Parquet file without a limit that there is more to.',
    Link: 'The next page then.',
    ...stateHeaders,
    ...changeNumberHeader,
  },
})

const UNCHANGED = 'Nothing that the answer is made of has changed since the caller had it.'

/** Collections and counts answer so. */
export const unchangedAnswer = {
  304: { description: UNCHANGED, headers: { ...stateHeaders, ...changeNumberHeader } },
}

/** What is made of the setup alone answers so. */
export const unchangedContent = { 304: { description: UNCHANGED, headers: stateHeaders } }

export function recordReply(found: FoundRecord): TextReply {
  return { status: 200, body: found.body, headers: { etag: etagOf(found.change_no) } }
}

/** 201 with the created record and its location. */
export function createdReply(found: FoundRecord, location: string): TextReply {
  return { status: 201, body: found.body, headers: { etag: etagOf(found.change_no), location } }
}

/**
 * Resources make `Location` of what was made without the base path, and without the company: whoever follows it acts in
 * its default company otherwise.
 */
export function withWholeLocation<Made extends Pick<Reply, 'headers'>>(
  made: Made,
  basePath: string,
  { caller, companyId }: Pick<ApiRequest, 'caller' | 'companyId'>,
): Made {
  const location = made.headers?.location
  if (location === undefined) return made
  return { ...made, headers: { ...made.headers, location: `${basePath}${location}${companyQuery(caller, companyId)}` } }
}

/** The query of an address in a company; empty for the default company of the caller. */
export function companyQuery({ defaultCompany }: Caller, companyId: string): string {
  const isDefault = companyId.toLowerCase() === defaultCompany.toLowerCase()
  return isDefault ? '' : `?companyId=${encodeURIComponent(companyId)}`
}

interface ReadRecord {
  /** Costs a query, so it is only determined for a repeated read, whose response is cached. */
  validity(): MaybeValidity | Promise<MaybeValidity>
  read(): Promise<FoundRecord>
}

/** Replies with the record, or 304 if `If-None-Match` names its state. */
export async function readReply(request: ApiRequest, record: ReadRecord): Promise<Reply> {
  // Before the record is read: a change in between must end the validity.
  const validity = request.isRepeatedRead ? await record.validity() : undefined
  const found = await record.read()
  const reply = isNoneMatch(request.ifNoneMatch, found.change_no)
    ? { status: 304, headers: { etag: etagOf(found.change_no) } }
    : recordReply(found)
  return validity ? { ...reply, validity } : reply
}

/** A page of a collection that is about to be read. */
export interface CollectionPage {
  readonly validity: MaybeValidity
  /** The offset of the next page, for a page that is truncated. */
  readonly nextOffset: number
  readonly contentType: string
  /** The name under which a browser saves the answer. */
  readonly fileName: string | undefined
  read(): Promise<{
    readonly body: Reply['body']
    readonly isCut: boolean
    /** The last change in the snapshot of the body; undefined where changes are not recorded. */
    readonly changeNumber?: number | undefined
  }>
}

/** Replies with the page; headers say that it is truncated (decision 6). */
export function pageReply(request: ApiRequest, page: CollectionPage): Promise<Reply> {
  return unlessUnchanged(request, page.validity, async () => {
    const { body, ...state } = await page.read()
    const headers = { ...headersOf(page), ...pageHeaders(request, page, state) }
    return { status: 200, body, headers, isUnnumbered: state.changeNumber === undefined }
  })
}

/** The headers that say whether a page is truncated, and of which change it is. */
export function pageHeaders(
  { path, query }: ApiRequest,
  { nextOffset }: Pick<CollectionPage, 'nextOffset'>,
  { isCut, changeNumber }: { readonly isCut: boolean; readonly changeNumber?: number | undefined },
): Record<string, string> {
  return { ...(isCut ? truncated(path, query, nextOffset) : {}), ...changeNumbered(changeNumber) }
}

function headersOf({ contentType, fileName }: CollectionPage): Record<string, string> {
  const headers = { 'content-type': contentType }
  return fileName === undefined ? headers : { ...headers, ...savedAs(fileName) }
}

/** The header of an answer that browsers save. */
export function savedAs(fileName: string): Record<string, string> {
  return { 'content-disposition': create(fileName, { type: 'attachment' }) }
}

export interface CollectionCount {
  readonly validity: MaybeValidity
  count(): Promise<{ readonly content: number; readonly changeNumber?: number | undefined }>
}

export function countReply(request: ApiRequest, { validity, count }: CollectionCount): Promise<Reply> {
  return unlessUnchanged(request, validity, async () => {
    const { content, changeNumber } = await count()
    const headers = { 'x-erp-total-count': String(content), ...changeNumbered(changeNumber) }
    return { status: 200, headers, isUnnumbered: changeNumber === undefined }
  })
}

/** The reply with the number of the last change that it has at least, unless it tells one or has none. */
export function numbered(reply: Reply, changeNumber: number | undefined): Reply {
  const { headers = {}, isUnnumbered } = reply
  if (isUnnumbered || CHANGE_NUMBER in headers) return reply
  return { ...reply, headers: { ...headers, ...changeNumbered(changeNumber) } }
}

/** The request headers that the response depends on. */
export const VARY = 'accept, accept-encoding, accept-language, x-erp-language, authorization'

/** The reply with its entity tag; 304, before anything is read, if the client's tag is current. */
async function unlessUnchanged(
  request: ApiRequest,
  validity: MaybeValidity,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  if (!validity) return answer()
  const headers = { etag: request.tagOf(validity), vary: VARY }
  if (holdsTag(request.ifNoneMatch, headers.etag)) {
    return { status: 304, headers: { ...headers, ...changeNumbered(validity.changeNumber) }, validity }
  }
  const reply = await answer()
  return { ...reply, headers: { ...reply.headers, ...headers }, validity }
}

/** Replies with what is made of the setup alone: its entity tag is that of the content, and nothing is cached. */
export function contentReply(request: ApiRequest, content: JsonValue): Reply {
  return textReply(request, JSON.stringify(content))
}

/** As `contentReply`, for a text. */
export function textReply({ ifNoneMatch }: ApiRequest, body: string, others: Reply['headers'] = {}): Reply {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
  const headers = { ...others, etag, vary: VARY }
  return holdsTag(ifNoneMatch, etag) ? { status: 304, headers } : { status: 200, body, headers }
}

/** Headers for a request without a limit whose list was truncated: that there is more, and its URL. */
function truncated(path: string, query: QueryPairs, nextOffset: number): Record<string, string> {
  const others = query.filter(([name]) => !/^\$?(offset|skip)$/i.test(name))
  const next = new URLSearchParams([
    ...others.map(([name, value]): [string, string] => [name, value]),
    ['$offset', String(nextOffset)],
  ])
  return { link: `<${path}?${next}>; rel="next"`, 'x-erp-truncated': 'true' }
}
