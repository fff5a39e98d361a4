// The handler that creates a record of a kind.
import { createdReply } from '../../http/route/replies.ts'
import type { ApiRequest } from '../../http/route/route.ts'
import { idempotent, type WriteReply } from '../shared/idempotent.ts'
import type { Service } from '../shared/service.ts'
import { createRecord } from './create-record.ts'
import type { CreatedRecord, InsertNew } from './insert-record.ts'
import { accessTo } from './kind-access.ts'
import { addressOf, filterOf } from './record.ts'
import type { RecordKind } from './record-kind.ts'

/** Creates a record, and replies with it and its address. */
export function createHandler(
  service: Service,
  kind: RecordKind,
  apiRequest: ApiRequest,
  insertNew?: InsertNew,
): Promise<WriteReply> {
  return idempotent(service, apiRequest, {
    write: (request) => createRecord(service, kind, request, insertNew),
    toStored: (created: CreatedRecord) => ({
      ...createdReply(created, addressOf(kind, created.key)),
      row: filterOf(kind, created.key),
    }),
    visibility: { access: (company) => accessTo(kind, apiRequest.caller, company, 'create') },
  })
}
