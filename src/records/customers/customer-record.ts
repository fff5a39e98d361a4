// How single customers are read, changed and closed.

import { withoutZone } from '../../base/dates.ts'
import { Findings } from '../../errors/findings.ts'
import { readStored, withDefaults } from '../../model/fill-record.ts'
import { Customer } from '../../model/records/customer.ts'
import { patchRules } from '../../patch/rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { ReadTx } from '../../store/store.ts'
import { storedLookups } from '../shared/master-data/lookups.ts'
import { saveParts } from '../shared/master-data/record-parts.ts'
import { areRelationsChanged, withNamedRelations } from '../shared/master-data/related-value.ts'
import type { RecordType } from '../shared/pipeline/record-type.ts'
import { checkCustomer } from './check-customer.ts'
import {
  customerNotFound,
  draftOf,
  ENTITY,
  type GivenCustomer,
  keyFilterOf,
  lastUpdatedBy,
  recordJson,
  schemaFor,
} from './customer.ts'
import { customerAccess } from './customer-document.ts'
import { customerAttribute, customerRejection, journalRangesOf, partsOf } from './customer-parts.ts'
import { customerReadings, type FoundCustomer, findCustomer, updateCustomer } from './customer-store.ts'

export const customerRecord: RecordType<string, string, FoundCustomer, Customer> = {
  access: customerAccess,
  keyOf: (_company, customerId) => customerId,
  filterOf: keyFilterOf,
  find: findWithCustomFields,
  readings: customerReadings,
  notFound: customerNotFound,
  redacted: (access, found) => access.redactBody(found),
  journalKey: (customerId) => [customerId],
  journalRanges: (company, customerId) => journalRangesOf(customerAttribute(company), customerId),
  schema: schemaFor,
  patchRules: patchRules(Customer.fields),
  patchStatus: () => 400,
  stored: (company, { body }) => readStored(schemaFor(company), body) as unknown as Customer,
  draftOf: (company, given) => withNamedRelations(company, draftOf(company, given as GivenCustomer)),

  async check({ tx, company, access, stored, given, draft }) {
    const { attribute } = customerAttribute(company)
    const findings = new Findings()
    const change = { given: given as GivenCustomer, draft, earlier: [], stored }
    await checkCustomer(storedLookups(tx), company, attribute, change, findings)
    if (findings.size > 0) throw customerRejection(company, draft, findings, access)
    return draft
  },

  async save({ tx, company, found, stored, draft }) {
    const subject = customerAttribute(company)
    await updateCustomer(tx, subject.attributeId, draft)
    await saveParts(tx, company, subject.attribute, partsOf(subject, stored), partsOf(subject, draft))
    // Only the database knows the order of changed relations.
    const body = areRelationsChanged(stored, draft) ? undefined : recordJson(company, draft, lastUpdatedBy(tx))
    const after =
      body === undefined ? await findWithCustomFields(tx, company, draft.customerId) : { body, change_no: tx.entryNo }
    if (!after) throw new Error('the customer cannot be found after its update')
    const entry = { entity: ENTITY, key: [draft.customerId], operation: 'update' } as const
    await writeEntry(tx, { ...entry, before: found.body, after: after.body })
    return after
  },

  /** Closes the customer and its attribute value: both stay readable. */
  async remove({ tx, company, key, found }) {
    const subject = customerAttribute(company)
    const stored = this.stored(company, found)
    if (stored.payment.status === 'Closed') return
    const closed = { ...stored, payment: { ...stored.payment, status: 'Closed' } }
    await updateCustomer(tx, subject.attributeId, closed)
    await saveParts(tx, company, subject.attribute, partsOf(subject, stored), partsOf(subject, closed))
    const after = await findWithCustomFields(tx, company, key)
    const entry = { entity: ENTITY, key: [key], operation: 'delete' } as const
    await writeEntry(tx, { ...entry, before: found.body, after: after?.body ?? '' })
  },
}

/**
 * Returns the record with all current custom fields of the company; their dates have no time zone, like all dates of a
 * customer.
 */
export function findWithCustomFields(
  tx: ReadTx,
  company: CompanyRules,
  customerId: string,
): Promise<FoundCustomer | undefined> {
  return findCustomer(tx, customerId, (stored) => completeCustomFields(company, stored))
}

function completeCustomFields(company: CompanyRules, stored: string): string {
  if ((company.customers?.customFieldGroups.length ?? 0) === 0) return '{}'
  const { customFieldGroups } = schemaFor(company).properties
  const completed = withDefaults(customFieldGroups, JSON.parse(stored)) as Customer['customFieldGroups']
  for (const { name, fields } of company.customers?.customFieldGroups ?? []) {
    for (const field of fields) {
      const group = completed[name]
      if (group && field.type === 'date-time') group[field.name] = withoutZone(String(group[field.name]))
    }
  }
  return JSON.stringify(completed)
}
