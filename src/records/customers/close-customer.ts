import type { Caller } from '../../access/caller.ts'
import { writeEntry } from '../../store/journal.ts'
import { requireUnchanged } from '../shared/require-unchanged.ts'
import type { Service } from '../shared/service.ts'
import { writeRecord } from '../shared/write-record.ts'
import { customerNotFound, ENTITY, rowWith } from './customer.ts'
import { customerSight } from './customer-document.ts'
import { changesOf, customerAttribute, saveParts } from './customer-parts.ts'
import { updateCustomer } from './customer-store.ts'
import { findWhole, storedDraft } from './read-customer.ts'

export interface CloseRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly customerId: string
  readonly ifMatch: string | undefined
}

/** Closes a customer and the value that it is: both stay readable. Closing a closed one changes nothing. */
export async function closeCustomer(service: Service, request: CloseRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  const sight = customerSight(request.caller, company, 'delete')

  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const { customerId } = request
    const before = await sight.find(tx, rowWith(customerId), () => findWhole(tx, company, customerId))
    if (!before) throw customerNotFound(company, customerId)
    const subject = customerAttribute(company)
    await requireUnchanged(tx, before, request.ifMatch, changesOf(subject, customerId), sight)
    const stored = storedDraft(company, before)
    if (stored.payment.status === 'Closed') return
    const closed = { ...stored, payment: { ...stored.payment, status: 'Closed' } }
    await updateCustomer(tx, subject.attributeId, closed)
    await saveParts(tx, company, subject, stored, closed)
    const after = await findWhole(tx, company, customerId)
    await writeEntry(tx, {
      entity: ENTITY,
      key: [customerId],
      operation: 'delete',
      before: before.body,
      after: after?.body ?? '',
    })
  })
}
