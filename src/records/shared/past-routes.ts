// The past of single records: the answer to a GET with `asOf`, and the endpoints of their history.

import { Type } from 'typebox'
import { changeNumbered, etagOf, isNoneMatch } from '../../base/etag.ts'
import { shortened } from '../../base/text.ts'
import { invalidOption } from '../../errors/catalogue.ts'
import { readTogether } from '../../errors/read-together.ts'
import { refusal } from '../../http/openapi/parameters.ts'
import { recordReply, replicaHeader } from '../../http/route/replies.ts'
import type { ApiRequest, ResponseDescription, RouteText } from '../../http/route/route.ts'
import type { Reply } from '../../http/route/send.ts'
import { type ParameterDescription, queryParameter } from '../../model/option-texts.ts'
import { givenTexts } from '../../query/options.ts'
import { LISTED, limitParameter, MOST_LISTED } from '../../query/parse/parameters.ts'
import type { PastRecords, RequestedRecord } from './past-records.ts'
import { getRecord } from './record-pipeline.ts'
import type { RecordType } from './record-type.ts'
import type { Service } from './service.ts'

export interface PastService extends Service {
  readonly pastRecords: PastRecords
}

/** For the OpenAPI description of single records. */
export const pastHeader = {
  'X-ERP-Change-Number':
    'With `asOf`: the number of the last change at that moment or before it. Otherwise, where replicas answer: the number of the last change that the answer has at least.',
}

/** Replies with the record as it was. Throws 404 when it was not there, or was out of the caller's sight. */
export async function pastReply(
  service: PastService,
  type: RecordType,
  request: ApiRequest,
  texts: readonly string[],
  asOf: string,
): Promise<Reply> {
  const { record, notFound } = recordOf(service, type, request, texts)
  const found = await service.pastRecords.recordAt(record, asOf)
  if (!found) throw notFound()
  const number = changeNumbered(found.changeNumber)
  const headers = { etag: etagOf(found.change_no), ...number }
  if (isNoneMatch(request.ifNoneMatch, found.change_no)) return { status: 304, headers }
  const reply = recordReply(found)
  return { ...reply, headers: { ...reply.headers, ...number } }
}

/** Replies with the changes of a record. Throws 404 when the caller never could see it. */
export async function historyReply(
  service: PastService,
  type: RecordType,
  request: ApiRequest,
  texts: readonly string[],
): Promise<Reply> {
  const { record } = recordOf(service, type, request, texts)
  const showsClients = request.caller.mayQuery(record.company.id, 'read', 'audit-entries')
  const history = await service.pastRecords.historyOf(record, { ...pageOf(request), showsClients })
  // A record without changes that are kept may be there all the same.
  if (history === undefined) await getRecord(service, type, { ...request, key: texts })
  return { status: 200, body: history ?? '{"changes":[],"next":""}' }
}

function recordOf(
  { companies }: Service,
  type: RecordType,
  { caller, companyId, requester }: ApiRequest,
  texts: readonly string[],
): { record: RequestedRecord; notFound: () => Error } {
  const company = companies.require(companyId)
  const key = type.keyOf(company, texts)
  const access = type.access(caller, company, 'read')
  const record = { company, entity: access.document.name, key: key.stored, access, requester }
  return { record, notFound: () => type.notFound(company, key.texts) }
}

function pageOf({ query }: ApiRequest): { limit: number; before: number | undefined } {
  const text = givenTexts(query, ['companyid', 'limit', 'before'])
  return readTogether({
    limit: () => readLimit(text('limit')),
    before: () => readNumber('before', text('before')),
  })
}

function readLimit(text: string | undefined): number {
  const limit = readNumber('limit', text) ?? LISTED
  if (limit >= 1 && limit <= MOST_LISTED) return limit
  throw invalidOption(`Limit is invalid. Value should be from 1 to ${MOST_LISTED}.`)
}

function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text.trim())) return Number(text)
  throw invalidOption(`The value '${shortened(text, 40)}' is not valid for ${option}; it must be a number.`)
}

const Change = Type.Object(
  {
    number: Type.Integer({ description: 'Of the change; `asOf` takes it.' }),
    time: Type.String({ format: 'date-time' }),
    userId: Type.Optional(Type.String({ description: 'Absent where a rule hides who has changed the record.' })),
    clientId: Type.Optional(Type.String({ description: 'Only for callers who may query the change log.' })),
    operation: Type.Union(['created', 'updated', 'deleted', 'entered', 'left'].map((one) => Type.Literal(one))),
    changes: Type.Array(
      Type.Object({
        path: Type.String({
          description: 'A JSON pointer; empty for the record as a whole. That of lines stands alone: `asOf` has them.',
        }),
        before: Type.Optional(Type.Unknown()),
        after: Type.Optional(Type.Unknown()),
      }),
    ),
  },
  { title: 'RecordChange' },
)

const History = Type.Object(
  {
    changes: Type.Array(Change),
    next: Type.String({ description: 'The `before` of the next page; empty at the end.' }),
  },
  { title: 'RecordHistory' },
)

const historyParameters: readonly ParameterDescription[] = [
  limitParameter(' changes'),
  queryParameter(
    'before',
    'Only changes before this number: the `next` of the page before.',
    Type.Integer({ minimum: 0 }),
  ),
]

/** Answers of the endpoint of a record's history. */
const historyAnswers: Readonly<Record<number, ResponseDescription>> = {
  200: {
    description: 'The changes that the caller may know of, the newest first.',
    schema: History,
    headers: replicaHeader,
  },
  400: refusal('A parameter cannot be read.'),
  404: refusal('There is no such record, and the caller never could see it.'),
  410: refusal('A part of the history is no longer kept.'),
}

/** The description of the endpoint of a record's history. */
export function historyText(
  record: string,
  key: readonly ParameterDescription[],
  answers: RouteText['answers'] = {},
): Omit<RouteText, 'permit'> {
  return {
    summary: `Read the history of ${record}`,
    description:
      'Who has changed it and when, and what which members were before and after. Members that are hidden from the caller, and changes of them alone, are left out; `entered` and `left` are changes by which the record came into the sight of the caller, or out of it.',
    parameters: [...key, ...historyParameters],
    answers: { ...historyAnswers, ...answers },
  }
}
