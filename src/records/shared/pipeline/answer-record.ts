import type { Caller } from '../../../access/caller.ts'
import { cacheable } from '../../../http/cache/conditional-requests.ts'
import { type FoundRecord, recordUnlessModified } from '../../../http/reply/record-reply.ts'
import type { Reply } from '../../../http/reply/send.ts'
import type { ApiRequest } from '../../../http/router.ts'
import type { CompanyRules } from '../../../setup/rules/rules.ts'
import type { Reading } from '../../../store/versions/table-versions.ts'
import type { RecordAccess } from '../access/record-access.ts'
import type { Service } from '../service.ts'

export interface RecordAnswer {
  /** The statements that `read` executes, without those that check the caller's access. */
  readonly readings: readonly Reading[]
  accessFor(caller: Caller, company: CompanyRules, operation: 'read'): RecordAccess
  read(): Promise<FoundRecord>
}

/**
 * Replies with a single record or 304. The reply is cached until data changes that the record or an access rule depends
 * on.
 */
export function answerRecord({ store, companies }: Service, request: ApiRequest, record: RecordAnswer): Promise<Reply> {
  const validityOf = () => {
    const company = companies.require(request.companyId)
    const access = record.accessFor(request.caller, company, 'read')
    return store.validityOf(company.id, [...record.readings, ...access.readings])
  }
  return cacheable(request, validityOf, async () => recordUnlessModified(await record.read(), request.ifNoneMatch))
}
