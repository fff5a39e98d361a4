// The handlers of single records that follow from their type.
import { readReply } from '../../http/route/replies.ts'
import type { ApiRequest } from '../../http/route/route.ts'
import type { Reply } from '../../http/route/send.ts'
import { asOfIn } from '../../query/options.ts'
import { idempotent, type StoredResponse, type WriteReply } from './idempotent.ts'
import { type PastService, pastReply } from './past-routes.ts'
import { getRecord, type PatchedRecord, patchRecord, removeRecord } from './record-pipeline.ts'
import type { RecordType, Versioned } from './record-type.ts'
import type { Service } from './service.ts'

/** A record with its JSON. */
interface WithBody extends Versioned {
  readonly body: string
}

/**
 * Replies with the record, as it is or with `asOf` as it was, or 304. The reply is cached until data changes that it or
 * an access rule depends on.
 */
export function readHandler<Requested, Key, Found extends WithBody, Draft extends object>(
  service: PastService,
  type: RecordType<Requested, Key, Found, Draft>,
  request: ApiRequest,
  key: Requested,
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
export function patchHandler<Requested, Key, Found extends Versioned, Draft extends object>(
  service: Service,
  type: RecordType<Requested, Key, Found, Draft>,
  apiRequest: ApiRequest,
  key: Requested,
  toStored: (patched: Found) => StoredResponse,
): Promise<WriteReply> {
  return idempotent(service, apiRequest, {
    write: (request) => patchRecord(service, type, { ...request, key }),
    toStored: (patched: PatchedRecord<Key, Found>) => ({ ...toStored(patched), row: type.filterOf(patched.key) }),
    visibility: {
      access: (company) => type.access(apiRequest.caller, company, 'update'),
      refusal: (company) => type.notFound(company, key),
    },
  })
}

/** Deletes or closes the record; the reply has no body. */
export function removeHandler<Requested, Key, Found extends Versioned, Draft extends object>(
  service: Service,
  type: RecordType<Requested, Key, Found, Draft>,
  apiRequest: ApiRequest,
  key: Requested,
): Promise<WriteReply> {
  return idempotent(service, apiRequest, {
    write: (request) => removeRecord(service, type, { ...request, key }),
    toStored: () => ({ status: 200 }),
  })
}
