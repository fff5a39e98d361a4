// The endpoints of single records: how they are described, with the noun of each kind, and what they do by its type.
import type { TSchema } from 'typebox'
import {
  asOfParameter,
  companyParameter,
  fieldRefusal,
  goneAnswer,
  ifMatchParameter,
  ifNoneMatchParameter,
  refusal,
} from '../../http/openapi/parameters.ts'
import { etagHeader, readReply, recordReply } from '../../http/route/replies.ts'
import type { ApiRequest, DescribedRoute, Route, RouteTable, RouteText } from '../../http/route/route.ts'
import type { Reply } from '../../http/route/send.ts'
import type { ParameterDescription } from '../../model/option-texts.ts'
import { PatchBody } from '../../patch/operations.ts'
import { asOfIn } from '../../query/options.ts'
import { idempotent, type StoredResponse, type WriteReply } from './idempotent.ts'
import { historyReply, historyText, type PastService, pastHeader, pastReply } from './past-routes.ts'
import { getRecord, type PatchedRecord, patchRecord, removeRecord } from './record-pipeline.ts'
import type { RecordOperation, RecordType, Versioned } from './record-type.ts'
import type { Service } from './service.ts'

export interface RecordWords {
  /** As permissions name the records. */
  readonly name: string
  /** One record, where it is clear of which kind it is. */
  readonly noun: string
  readonly schema: TSchema
  /** The parameters of the key, with the company. */
  readonly key: readonly ParameterDescription[]
  /** What a change is called without `all operations or none`, and a history without `Read the history of`. */
  readonly summaries: Readonly<Record<RecordOperation | 'history', string>>
  readonly description?: string
  /** What is said when there is no such record, where that is more than the record. */
  readonly absent?: string
  /** Where they differ from those of customers. */
  readonly answers?: Readonly<Partial<Record<RecordOperation | 'history', Route['answers']>>>
  readonly deniedMessage?: string
}

type Text = Omit<DescribedRoute, 'method' | 'path'>

export function recordTexts(words: RecordWords): Readonly<Record<RecordOperation | 'history', Text>> {
  const { name, noun, schema, key, summaries, description, answers = {}, deniedMessage } = words
  const absent = { 404: refusal(words.absent ?? `There is no such ${noun}.`) }
  const changed = { 409: refusal(`Somebody has changed the ${noun} since.`) }
  const common = (operation: RecordOperation) => ({
    permit: `${name}:${operation}` as const,
    ...(deniedMessage === undefined ? {} : { deniedMessage }),
    summary: summaries[operation],
  })
  return {
    create: {
      ...common('create'),
      ...(description === undefined ? {} : { description }),
      parameters: [companyParameter],
      body: schema,
      answers: {
        201: {
          description: `The ${noun} as it was created.`,
          schema,
          headers: { ...etagHeader, Location: 'Its address.' },
        },
        400: fieldRefusal(`The body cannot be read, a text is too long, or the ${noun} exists already.`),
        422: fieldRefusal('A rule is not met; all findings together.'),
        ...answers.create,
      },
    },
    read: {
      ...common('read'),
      parameters: [...key, asOfParameter, ifNoneMatchParameter],
      answers: {
        ...goneAnswer,
        ...absent,
        200: { description: `The ${noun}.`, schema, headers: { ...etagHeader, ...pastHeader } },
        304: { description: `The ${noun} is as the caller knows it.`, headers: { ...etagHeader, ...pastHeader } },
        ...answers.read,
      },
    },
    history: { ...common('read'), ...historyText(summaries.history, key, answers.history) },
    update: {
      ...common('update'),
      summary: `${summaries.update}: all operations or none`,
      parameters: [...key, ifMatchParameter],
      body: PatchBody,
      answers: {
        ...absent,
        ...changed,
        200: { description: `The ${noun} as it is now.`, schema, headers: etagHeader },
        400: fieldRefusal('An operation cannot be read or applied, or a text is too long; nothing was changed.'),
        422: fieldRefusal('A rule is not met; nothing was changed.'),
        ...answers.update,
      },
    },
    delete: {
      ...common('delete'),
      parameters: [...key, ifMatchParameter],
      answers: { ...absent, ...changed, 200: { description: 'No body.' }, ...answers.delete },
    },
  }
}

/** A record with its JSON. */
interface WithBody extends Versioned {
  readonly body: string
}

interface SingleRoutes {
  /** The path of a record. */
  readonly path: string
  readonly texts: Readonly<Record<'read' | 'update' | 'delete', RouteText>> & { readonly history?: RouteText }
  readonly typeOf: (request: ApiRequest) => RecordType<WithBody>
  readonly keyOf: (request: ApiRequest) => readonly string[]
  /** Where the history has no path of its own: the key of the record whose history is asked for. */
  readonly historyOf?: (request: ApiRequest) => readonly string[] | undefined
}

/** Declares how single records are read, with their history, changed and removed. */
export function singleRoutes(
  router: RouteTable,
  service: PastService,
  { path, texts, typeOf, keyOf, historyOf }: SingleRoutes,
): void {
  const history = (request: ApiRequest, key = keyOf(request)) => historyReply(service, typeOf(request), request, key)
  const read: Route['handle'] = (request) => {
    const ofHistory = historyOf?.(request)
    if (ofHistory !== undefined) return history(request, ofHistory)
    return readHandler(service, typeOf(request), request, keyOf(request))
  }
  router.get(path, { ...texts.read, handle: read })
  if (texts.history) router.get(`${path}/history`, { ...texts.history, handle: (request) => history(request) })
  router.patch(path, {
    ...texts.update,
    handle: (request) => patchHandler(service, typeOf(request), request, keyOf(request), recordReply),
  })
  router.delete(path, {
    ...texts.delete,
    handle: (request) => removeHandler(service, typeOf(request), request, keyOf(request)),
  })
}

/**
 * Replies with the record, as it is or with `asOf` as it was, or 304. The reply is cached until data changes that it or
 * an access rule depends on.
 */
function readHandler(
  service: PastService,
  type: RecordType<WithBody>,
  request: ApiRequest,
  key: readonly string[],
): Promise<Reply> {
  const { caller, companyId } = request
  const asOf = asOfIn(request.query)
  if (asOf !== undefined) return pastReply(service, type, request, key, asOf)
  const validity = () => {
    const company = service.companies.require(companyId)
    const access = type.access(caller, company, 'read')
    return service.store.validityOf(company.id, [...type.readings(access), ...access.readings])
  }
  return readReply(request, { validity, read: () => getRecord(service, type, { caller, companyId, key }) })
}

/** Changes the record, and replies with it or as `toStored` does. */
export function patchHandler<Found extends Versioned>(
  service: Service,
  type: RecordType<Found>,
  apiRequest: ApiRequest,
  key: readonly string[],
  toStored: (patched: Found) => StoredResponse,
): Promise<WriteReply> {
  return idempotent(service, apiRequest, {
    write: (request) => patchRecord(service, type, { ...request, key }),
    toStored: (patched: PatchedRecord<Found>) => ({ ...toStored(patched), row: type.filterOf(patched.key) }),
    visibility: {
      access: (company) => type.access(apiRequest.caller, company, 'update'),
      refusal: (company) => type.notFound(company, key),
    },
  })
}

/** Deletes or closes the record; the reply has no body. */
export function removeHandler(
  service: Service,
  type: RecordType,
  apiRequest: ApiRequest,
  key: readonly string[],
): Promise<WriteReply> {
  return idempotent(service, apiRequest, {
    write: (request) => removeRecord(service, type, { ...request, key }),
    toStored: () => ({ status: 200 }),
  })
}
