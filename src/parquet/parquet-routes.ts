// Replies with Parquet files. A GET is answered as the file is made, and needs no disk; HEAD and ranges, with which
// readers such as DuckDB fetch the columns that they need, are answered from a file that is kept for a while.
import { hash } from 'node:crypto'
import { fileReply } from '../http/route/file-reply.ts'
import {
  type CollectionCount,
  type CollectionPage,
  countReply,
  pageHeaders,
  pageReply,
  VARY,
} from '../http/route/replies.ts'
import type { ApiRequest, Route } from '../http/route/route.ts'
import type { Reply } from '../http/route/send.ts'
import { isParquetRequested } from '../query/collection-format.ts'
import type { QueryCaller } from '../store/store.ts'
import type { ParquetAnswer } from './parquet-files.ts'
import type { SpooledFile, SpoolKey } from './spool-folder.ts'
import { openSpooled, type SpooledAnswers, tagOf } from './spooled-answers.ts'

/** A collection as a page, or as a Parquet file. */
export interface AnsweredCollection extends CollectionPage {
  /** Makes the file; absent: another format was chosen. */
  readonly file?: (requester: QueryCaller) => Promise<ParquetAnswer>
  /** The query has a limit or an offset. */
  readonly isPart: boolean
}

/** How a collection is answered, and its count. Routes that are only looked up have nothing to answer with. */
export function collectionHandlers(
  service: { readonly parquet: { readonly spooled: SpooledAnswers } },
  page: (request: ApiRequest) => Promise<AnsweredCollection>,
  count: (request: ApiRequest) => Promise<CollectionCount>,
): Readonly<Record<'query' | 'count', Route['handle']>> {
  return {
    query: async (request) => collectionReply(service.parquet.spooled, request, await page(request)),
    count: async (request) =>
      isParquetRequested(request.query, request.accept)
        ? parquetHeadReply(service.parquet.spooled, request, await page(request))
        : countReply(request, await count(request)),
  }
}

async function collectionReply(spooled: SpooledAnswers, request: ApiRequest, page: AnsweredCollection): Promise<Reply> {
  const { file } = page
  if (!file) return pageReply(request, page)
  if (request.range !== undefined) return spooledReply(spooled, request, page, file, false)
  const reply = await pageReply(request, page)
  if (reply.status !== 200) return reply
  return { ...reply, headers: { ...reply.headers, 'accept-ranges': 'bytes' }, isIncompressible: true }
}

/** Replies to HEAD with the size of the file, and the number of its rows if they are all that the filter leaves. */
function parquetHeadReply(spooled: SpooledAnswers, request: ApiRequest, page: AnsweredCollection): Promise<Reply> {
  if (!page.file) throw new Error('HEAD of a file was asked for something else')
  return spooledReply(spooled, request, page, page.file, true)
}

async function spooledReply(
  spooled: SpooledAnswers,
  request: ApiRequest,
  page: AnsweredCollection,
  make: NonNullable<AnsweredCollection['file']>,
  isHead: boolean,
): Promise<Reply> {
  const key = await keyOf(spooled, request, page)
  if (!isHead && namesState(request.ifMatch) && !(await keptFile(spooled, request, key))) return { status: 412 }
  const kept = isHead ? undefined : await keptFile(spooled, request, key)
  const file = kept ?? (await whole(spooled, request, key, make))
  const { contentType: mimeType, fileName: name = '' } = page
  const described = {
    name,
    mimeType,
    size: file.bytes,
    hash: tagOf(file),
    open: (range?: Range) => openSpooled(file, range),
  }
  const reply = await fileReply(request, described, isHead)
  const headers: Record<string, string> = { ...reply.headers, ...pageHeaders(request, page, file), vary: VARY }
  if (isHead && !file.isCut && !page.isPart) headers['x-erp-total-count'] = String(file.rows)
  return { ...reply, headers, isUnnumbered: file.changeNumber === undefined }
}

type Range = Parameters<typeof openSpooled>[1]

/** Whether `If-Match` names a state, so that only that one may be answered. */
function namesState(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && ifMatch.trim() !== '*'
}

/** Readers that begin with the end of a file, which has its description, get one that is at most so old. */
const BEGUN_MS = 10_000

/**
 * A reader goes on in the file that it has begun, as long as it is kept, whatever has changed since. One that asks for
 * the end begins to read, unless it has just asked for the size.
 */
async function keptFile(
  spooled: SpooledAnswers,
  { range, ifRange, ifMatch, minChange }: ApiRequest,
  { question }: SpoolKey,
): Promise<SpooledFile | undefined> {
  const tag = ifRange ?? (namesState(ifMatch) ? ifMatch : undefined)
  const kept = await spooled.find(question, tag?.trim().replace(/^"(.*)"$/, '$1'))
  if (kept?.changeNumber !== undefined && kept.changeNumber < minChange) return undefined
  const isBegin = tag === undefined && /^bytes\s*=\s*-/i.test(range ?? '')
  return isBegin && kept && Date.now() - kept.madeAt > BEGUN_MS ? undefined : kept
}

/** Whoever waits for a file is not in flight: a large one takes longer than a request may. */
function whole(
  spooled: SpooledAnswers,
  request: ApiRequest,
  key: SpoolKey,
  make: NonNullable<AnsweredCollection['file']>,
): Promise<SpooledFile> {
  request.leaveFlight()
  return spooled.fileOf(key, request.requester, make)
}

/** Where the state is unknown, an answer serves for so long. */
const UNKNOWN_STATE_MS = 60_000

/** Callers with equal rights share files, as they share cached responses: nothing else about a caller matters. */
async function keyOf(
  spooled: SpooledAnswers,
  request: ApiRequest,
  { validity }: AnsweredCollection,
): Promise<SpoolKey> {
  const { caller, companyId, path, query, acceptLanguage = '' } = request
  const question = await spooled.questionOf(companyId, [caller.rights, path, acceptLanguage, query])
  const state = validity ? request.tagOf(validity) : `${Math.floor(Date.now() / UNKNOWN_STATE_MS)}`
  return { question, state: hash('sha256', state) }
}
