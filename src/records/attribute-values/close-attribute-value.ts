import type { Caller } from '../../access/caller.ts'
import { coded } from '../../errors/catalogue.ts'
import type { AttributeValue } from '../../model/records/attribute-value.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import { noManualMaintenance } from '../shared/messages.ts'
import { requireUnchanged } from '../shared/pipeline/require-unchanged.ts'
import { writeRecord } from '../shared/pipeline/write-record.ts'
import type { Service } from '../shared/service.ts'
import {
  ENTITY,
  journalKey,
  journalRangesOf,
  keyFilterOf,
  type RequestedKey,
  requireKey,
  valueNotFound,
} from './attribute-value.ts'
import { valueAccess } from './attribute-value-document.ts'
import { closeValue, findValue } from './attribute-value-store.ts'

interface CloseRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly key: RequestedKey
  readonly ifMatch: string | undefined
}

/** Closes a value: it stays readable with status C. Closing a closed value changes nothing. */
export async function closeAttributeValue(service: Service, request: CloseRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  const { attribute, key } = requireKey(company, request.key)
  const access = valueAccess(request.caller, company, 'delete')

  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const before = await access.find(tx, keyFilterOf(key), () => findValue(tx, key))
    if (!before) throw valueNotFound(company, key)
    if (!attribute.manual) throw coded(400, 3010, noManualMaintenance(attribute))
    await requireUnchanged(tx, before, request.ifMatch, journalRangesOf(key), access)
    if ((JSON.parse(before.body) as AttributeValue).status === 'C') return
    await closeValue(tx, key)
    const after = await findValue(tx, key)
    await writeEntry(tx, {
      entity: ENTITY,
      key: journalKey(key),
      operation: 'delete',
      before: before.body,
      after: after?.body ?? '',
    })
  })
}
