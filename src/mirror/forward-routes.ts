// Requests that are answered by the source: writes, which are then read again and stored before their client is
// answered, and reads of what is not here yet.

import { createReadStream } from 'node:fs'
import type { Permission } from '../access/caller.ts'
import { base64Length, base64Of } from '../base/base64.ts'
import { etagOf, isMatch } from '../base/etag.ts'
import { parseExact } from '../base/long-number.ts'
import { isObject, type JsonValue } from '../base/strict-json.ts'
import { orUndefined } from '../base/thrown.ts'
import { coded, conflict, unavailable } from '../errors/catalogue.ts'
import type { Problem } from '../errors/problem.ts'
import type { GivenContent } from '../files/file-store.ts'
import { ANY_CALLER, type ApiRequest, type Method, pathIn } from '../http/route/route.ts'
import type { Reply } from '../http/route/send.ts'
import { notBase64 } from '../records/documents/document-id.ts'
import { deleteIdempotencyRecord } from '../records/shared/idempotency-store.ts'
import { actorOf } from '../records/shared/service.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { Tx } from '../store/store.ts'
import { documentAt, placeOf } from './addressed-record.ts'
import { NotFiltered } from './document-reader.ts'
import { answerOf, beginOnce, keepAnswer, type PassedAnswer, RETRY_SECONDS } from './kept-answers.ts'
import type { MirroredRecord, MirrorService } from './mirror-service.ts'
import { type SourceAnswer, SourceBusy, SourceFailure, type SourceRequest } from './source/source.ts'

type Permit = Permission | typeof ANY_CALLER

interface ForwardedWrite {
  readonly company: CompanyRules
  readonly method: Method
  readonly permit: Permit
}

/** Sends a write to the source, stores the record that it has then, and answers as the source does. */
export async function forward(mirror: MirrorService, write: ForwardedWrite, request: ApiRequest): Promise<Reply> {
  requireForwardable(mirror, write, request)
  if (request.content === 'none') return sendOnce(mirror, write, request)
  const { flow, onAbandoned } = request.requester
  return mirror.files.run(flow, 1, () => sendOnce(mirror, write, request), onAbandoned)
}

async function sendOnce(mirror: MirrorService, write: ForwardedWrite, request: ApiRequest): Promise<Reply> {
  const { company } = write
  const { idempotencyKey: key } = request
  const known = key === undefined ? undefined : await beginOnce(mirror, company, request, key)
  if (known) return known
  const inCompany = (work: (tx: Tx) => Promise<void>) => mirror.store.write(company.id, actorOf(request), work)
  try {
    const answer = await sendWrite(mirror, write, request)
    // What was refused has written nothing: its retry is a new request. What failed may have.
    if (key === undefined) return answer
    if (answer.status < 400) await inCompany((tx) => keepAnswer(tx, request, key, answer))
    else if (answer.status < 500) await inCompany((tx) => deleteIdempotencyRecord(tx, key))
    return answer
  } catch (error) {
    if (!(error instanceof Unsent)) throw error
    if (key !== undefined) await inCompany((tx) => deleteIdempotencyRecord(tx, key))
    throw error.problem
  }
}

/** Answers a read as the source does. */
export async function passOn(mirror: MirrorService, company: CompanyRules, request: ApiRequest): Promise<Reply> {
  const headers: Record<string, string> = request.accept === undefined ? {} : { accept: request.accept }
  try {
    return answerOf(await exchange(mirror, company, request, { headers }))
  } catch (error) {
    if (error instanceof Unsent) throw error.problem
    if (error instanceof SourceFailure) throw coded(504, 1020, 'The source has not answered.')
    throw error
  }
}

/** What every source knows. */
const PASSED_OPTIONS: ReadonlySet<string> = new Set([
  ...['companyid', 'filter', 'select', 'orderby', 'limit', 'offset', 'top', 'skip'],
  ...['registered', 'posted', 'historical'],
])

/** Whether the source answers a read as this service would: for a caller who sees all, in a form that both have. */
export function isPassable({ caller, query, path, accept }: ApiRequest, { id }: CompanyRules, permit: Permit): boolean {
  const name = documentAt(placeOf({ path }).name)
  const isQuery = /\/objects\//.test(path)
  const isAllowed = !isQuery || caller.mayQuery(id, 'read', name)
  const rules = isQuery ? isAllowed && caller.rulesForQuery(id, name, []) : rulesOf(caller, id, permit)
  const isKnown = query.every(([option]) => PASSED_OPTIONS.has(option.replace(/^\$/, '').toLowerCase()))
  return isAllowed && rules === undefined && isKnown && (accept === undefined || /json|\*\/\*/.test(accept))
}

function rulesOf(caller: ApiRequest['caller'], companyId: string, permit: Permit) {
  return permit === ANY_CALLER ? undefined : caller.rulesFor(companyId, permit)
}

function requireForwardable(mirror: MirrorService, { company, permit }: ForwardedWrite, request: ApiRequest): void {
  const { id, source } = company
  const name = documentAt(placeOf(request).name)
  const is = `Company ${id} is a mirror of ${source?.url}`
  if (!mirror.documentsOf(company).has(name)) throw coded(403, 2030, `${is}, without ${name}: write there.`)
  // The source knows nothing of the rules of roles.
  if (source?.writeAs !== 'caller' && rulesOf(request.caller, id, permit)) {
    throw coded(403, 2030, `${is}: writes of roles with rules are not sent there.`)
  }
  if (source?.writeAs === 'caller' && request.header('authorization') === undefined) {
    throw coded(403, 2030, `${is}: writes are sent there with the token of their caller, and there is none.`)
  }
  if (request.validateOnly) throw coded(501, 1020, `${is}: validateOnly is not sent there.`)
}

async function sendWrite(mirror: MirrorService, write: ForwardedWrite, request: ApiRequest): Promise<PassedAnswer> {
  const { company, method } = write
  const { name: path, key: parts } = placeOf(request)
  const name = documentAt(path)
  // A revision is one of a document.
  const key = path === 'document-revisions' ? parts.slice(0, 1) : parts
  const isOwn = company.source?.writeAs === 'caller'
  const authorization = isOwn ? request.header('authorization') : undefined
  const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) }
  const { requestId, caller } = request
  const record = { company, name, requestId, setupVersion: caller.setupVersion }
  const known = key.length > 0 ? key : keyIn(mirror, company, name, request.body)
  if (request.ifMatch !== undefined && known) await requireUnchanged(mirror, { ...record, key: known }, request.ifMatch)
  try {
    const answer = await exchange(mirror, company, request, { method, headers, ...sentBody(request) })
    const written = key.length > 0 ? key : (keyOfAnswer(mirror, company, name, answer) ?? known)
    const isGone = method === 'DELETE' && answer.status < 300
    // Whatever the source has said, the record is then as it is there.
    const etag = written && (await refresh(mirror, { ...record, key: written, isGone }))
    const { headers: passed, ...reply } = answerOf(answer)
    const isShown = written && answer.status < 300 && path !== 'document-revisions'
    const told: Record<string, string> = { ...passed }
    if (isShown && answer.status === 201) told.location = locationOf(request, written)
    if (isShown && etag !== undefined) told.etag = etag
    return { ...reply, headers: told }
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    if (known) mirror.refreshUntilClear({ ...record, key: known })
    throw coded(504, 1020, 'The source has not answered: whether it has done what was asked for is unknown.')
  }
}

/** Where the new record is here: that of the source is an address there. */
function locationOf({ path }: ApiRequest, key: readonly string[]): string {
  return [pathIn(path.slice(path.search(/\/v\d+\//))), ...key.map(encodeURIComponent)].join('/')
}

/** Returns the tag of the record then; undefined where there is none, or the source has not told. */
async function refresh(mirror: MirrorService, record: MirroredRecord): Promise<string | undefined> {
  try {
    await mirror.refresh(record)
    const changeNo = await mirror.changeNoOf(record)
    return changeNo === undefined ? undefined : etagOf(changeNo)
  } catch {
    // The write is done, whatever comes of this.
    mirror.refreshUntilClear(record)
    return undefined
  }
}

/**
 * Tags of the source are not those of this service: the record is read from the source, and its tag here is compared
 * then. A record that the source has not is left to the source to refuse.
 */
async function requireUnchanged(mirror: MirrorService, record: MirroredRecord, ifMatch: string): Promise<void> {
  try {
    await mirror.refresh(record)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    const { id, source } = record.company
    const is = `Company ${id} is a mirror of ${source?.url}, which answers no single record of ${record.name}`
    if (error instanceof NotFiltered) throw new Unsent(coded(501, 1020, `${is}: If-Match cannot be judged.`))
    throw new Unsent(unavailable('The source does not tell now whether the record has changed.', RETRY_SECONDS))
  }
  const changeNo = await mirror.changeNoOf(record)
  if (changeNo === undefined || isMatch(ifMatch, changeNo)) return
  throw new Unsent(conflict('The data was changed or deleted by another user.'))
}

/** Nothing was sent to the source. */
class Unsent extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/** Sends the request once. Throws `Unsent`, and `SourceFailure` where it is unknown what has come of it. */
async function exchange(
  mirror: MirrorService,
  company: CompanyRules,
  request: ApiRequest,
  sent: SourceRequest,
): Promise<SourceAnswer> {
  const source = mirror.sourceOf(company)
  if (!source) throw new Error(`company ${company.id} has no source`)
  const query = request.query.filter(([name]) => name.toLowerCase() !== 'companyid')
  const path = pathIn(request.path.slice(request.path.search(/\/v\d+\//)))
  // Whoever sends a path leaves such parts out, with what is before them.
  if (placeOf(request).key.some((part) => part === '.' || part === '..')) {
    throw new Unsent(coded(404, 1030, 'No resource matches the URI.'))
  }
  try {
    const answer = await source.send(source.pathOf(path, Object.fromEntries(query)), { ...sent, isUrgent: true })
    if (answer.status === 401 && sent.headers?.authorization === undefined) throw new Unsent(refusedCredentials())
    return answer
  } catch (error) {
    if (error instanceof SourceBusy) throw new Unsent(busy(error))
    if (!(error instanceof SourceFailure)) throw error
    if (error.status === 401) throw new Unsent(refusedCredentials())
    if (error.status === 0 && !error.isOfSize) throw new Unsent(coded(502, 1020, 'The source cannot be reached.'))
    throw error
  }
}

function refusedCredentials(): Problem {
  return coded(502, 1020, 'The source refuses the credentials of the mirror.')
}

function busy({ waitMs }: SourceBusy): Problem {
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) }
  return coded(503, 1020, "The mirror's share of the quotas of the source is used up.", { headers })
}

/** The key of the record that a body describes; undefined where it has none. */
function keyIn(mirror: MirrorService, company: CompanyRules, name: string, body: JsonValue | undefined) {
  const kind = mirror.documentsOf(company).get(name)?.kind
  return body !== undefined && isObject(body) ? kind?.read(body)?.key.texts : undefined
}

/** That of a record that a POST has created. */
function keyOfAnswer(mirror: MirrorService, company: CompanyRules, name: string, { text }: SourceAnswer) {
  return orUndefined(() => keyIn(mirror, company, name, parseExact(text) as JsonValue))
}

// The body of a write as the source takes it: JSON, with the file of the request in base64, whatever form it came in.

interface GivenBody {
  readonly body: JsonValue | undefined
  readonly content: GivenContent
}

/** `expected`: the answer to a file has the file again. Throws 400 for a file that cannot be read. */
function sentBody({ body, content }: GivenBody): Pick<SourceRequest, 'body' | 'expected'> {
  if (content === 'not-base64') throw notBase64()
  if (content === 'none') return body === undefined ? {} : { body: JSON.stringify(body) }
  const members = isObject(body) ? body : {}
  if (content === 'empty') return { body: JSON.stringify({ ...members, fileContent: '' }) }
  const opening = `${JSON.stringify({ ...members, fileContent: '' }).slice(0, -2)}`
  return {
    expected: base64Length(content.size),
    async *body() {
      yield Buffer.from(opening)
      yield* base64Of(createReadStream(content.path))
      yield Buffer.from('"}')
    },
  }
}
