import type { Caller } from '../../access/caller.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import { requireUnchanged } from '../shared/pipeline/require-unchanged.ts'
import { writeRecord } from '../shared/pipeline/write-record.ts'
import type { Service } from '../shared/service.ts'
import { customerNotFound, ENTITY, keyFilterOf } from './customer.ts'
import { customerAccess } from './customer-document.ts'
import { customerAttribute, journalRangesOf, saveParts } from './customer-parts.ts'
import { updateCustomer } from './customer-store.ts'
import { findWithCustomFields, storedDraft } from './read-customer.ts'

interface CloseRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly customerId: string
  readonly ifMatch: string | undefined
}

/** Closes a customer and its attribute value: both stay readable. Closing a closed customer changes nothing. */
export async function closeCustomer(service: Service, request: CloseRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  const access = customerAccess(request.caller, company, 'delete')

  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const { customerId } = request
    const before = await access.find(tx, keyFilterOf(customerId), () => findWithCustomFields(tx, company, customerId))
    if (!before) throw customerNotFound(company, customerId)
    const subject = customerAttribute(company)
    await requireUnchanged(tx, before, request.ifMatch, journalRangesOf(subject, customerId), access)
    const stored = storedDraft(company, before)
    if (stored.payment.status === 'Closed') return
    const closed = { ...stored, payment: { ...stored.payment, status: 'Closed' } }
    await updateCustomer(tx, subject.attributeId, closed)
    await saveParts(tx, company, subject, stored, closed)
    const after = await findWithCustomFields(tx, company, customerId)
    await writeEntry(tx, {
      entity: ENTITY,
      key: [customerId],
      operation: 'delete',
      before: before.body,
      after: after?.body ?? '',
    })
  })
}
