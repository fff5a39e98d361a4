import type { Caller } from '../../access/caller.ts'
import type { Call } from '../../http/edge.ts'
import { type FoundRecord, recordUnlessKnown } from '../../http/record-reply.ts'
import { repeatable } from '../../http/repeats.ts'
import type { Reply } from '../../http/send.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import type { Reading } from '../../store/table-versions.ts'
import type { Service } from './service.ts'
import type { Sight } from './sight.ts'

export interface RecordAnswer {
  /** The statements that `read` runs, beside those of the caller's sight. */
  readonly readings: readonly Reading[]
  sightFor(caller: Caller, company: CompanyRules, operation: 'read'): Sight
  read(): Promise<FoundRecord>
}

/** A single record, or 304. It is kept for those who ask again while nothing changes that it is made of or that rules look at. */
export function answerRecord({ store, companies }: Service, call: Call, record: RecordAnswer): Promise<Reply> {
  const validityOf = () => {
    const company = companies.require(call.companyId)
    const sight = record.sightFor(call.caller, company, 'read')
    return store.validityOf(company.id, [...record.readings, ...sight.readings])
  }
  return repeatable(call, validityOf, async () => recordUnlessKnown(await record.read(), call.ifNoneMatch))
}
