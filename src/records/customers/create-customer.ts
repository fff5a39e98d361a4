import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import type { Customer } from '../../model/records/customer.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import { notVisible, type RecordAccess } from '../shared/access/record-access.ts'
import { type Lookups, storedLookups } from '../shared/master-data/lookups.ts'
import { takeNextId } from '../shared/master-data/numbering-store.ts'
import { addParts } from '../shared/master-data/record-parts.ts'
import { bumpOwnerVersion, relationsOf, type StoredRelation } from '../shared/master-data/relation-store.ts'
import { writeRecord } from '../shared/pipeline/write-record.ts'
import { required } from '../shared/required-field.ts'
import type { Service } from '../shared/service.ts'
import { checkCustomer } from './check-customer.ts'
import { draftOf, ENTITY, type GivenCustomer, keyFilterOf, lastUpdatedBy, recordJson, schemaFor } from './customer.ts'
import { customerAccess } from './customer-document.ts'
import { customerAttribute, customerRejection, partsOf, type SubjectOfCustomer } from './customer-parts.ts'
import { findWithCustomFields } from './customer-record.ts'
import { type FoundCustomer, findPresentCustomers, insertCustomer } from './customer-store.ts'

interface CreateRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonValue | undefined
}

export interface CreatedCustomer extends FoundCustomer {
  readonly customerId: string
}

/**
 * Creates one customer and its attribute value. Reports all findings together; an id that exists is 400 on customerId.
 */
export async function createCustomer(service: Service, request: CreateRequest): Promise<CreatedCustomer> {
  const company = service.companies.require(request.companyId)
  const subject = customerAttribute(company)
  const access = customerAccess(request.caller, company, 'create')
  const customer = readNewCustomer(company, subject, access, request.body)
  return writeRecord(service, company.id, request, async (tx) => {
    const created = await insertNewCustomer(tx, customerLookups(tx), customer)
    await access.requireVisible(tx, keyFilterOf(created.customerId))
    return access.redactBody(created)
  })
}

/** Lookups of existing values and customers for the rules of a new customer. */
export interface CustomerLookups extends Lookups {
  isCustomer(customerId: string): Promise<boolean>
}

function customerLookups(tx: Tx): CustomerLookups {
  return {
    ...storedLookups(tx),
    isCustomer: async (customerId) => (await findPresentCustomers(tx, [customerId])).length > 0,
  }
}

/** A customer to be created, with the findings so far. */
export interface NewCustomer {
  readonly company: CompanyRules
  readonly subject: SubjectOfCustomer
  readonly access: RecordAccess
  readonly given: GivenCustomer
  readonly draft: Customer
  readonly findings: Findings
}

export function readNewCustomer(
  company: CompanyRules,
  subject: SubjectOfCustomer,
  access: RecordAccess,
  body: JsonValue | undefined,
): NewCustomer {
  const findings = new Findings()
  const given = readRecord(access.schema(schemaFor(company)), body ?? null, findings) as GivenCustomer
  return { company, subject, access, given, draft: draftOf(company, given), findings }
}

/** Checks the customer and inserts it. If it throws a Problem, only the number series may have changed. */
export async function insertNewCustomer(
  tx: Tx,
  lookups: CustomerLookups,
  customer: NewCustomer,
): Promise<CreatedCustomer> {
  const { company, subject, access, given, draft, findings } = customer
  const isValue = draft.customerId !== '' && lookups.mayExist(subject.attributeId, draft.customerId)
  const relations = isValue ? await relationsOf(tx, subject.attributeId, draft.customerId) : []
  // A caller with a row rule must not learn about values that are not visible customers.
  const earlier = access.hasRowRule ? [] : relations
  await checkCustomer(lookups, company, subject.attribute, { given, draft, earlier, stored: undefined }, findings)
  checkId(company, subject.attribute, draft, findings)
  if (findings.size > 0) {
    await rejectExisting(tx, company, draft, given, access)
    throw customerRejection(company, given, findings, access)
  }
  if (access.hasRowRule) await rejectExistingValue(tx, lookups, customer, relations)
  return insertChecked(tx, lookups, customer, earlier.length > 0)
}

/** Checks the id by the rule of the customer attribute, of which it is a value. */
function checkId(company: CompanyRules, attribute: AttributeRules, { customerId }: Customer, findings: Findings): void {
  if (findings.has('customerId')) return
  if (company.customers?.numbering) {
    if (customerId !== '') findings.add('customerId', 1010, 'You cannot enter a new ID manually (CustomerID).')
    return
  }
  if (customerId === '') {
    findings.add('customerId', 1010, required('customerId'))
    return
  }
  const problem = attribute.checkValue(customerId)
  if (problem !== undefined) findings.add('customerId', 3010, problem)
}

/** A retried POST must get this error and no other (client habits): its own relations would fail validation first. */
async function rejectExisting(
  tx: Tx,
  company: CompanyRules,
  { customerId }: Customer,
  given: GivenCustomer,
  access: RecordAccess,
): Promise<void> {
  if (company.customers?.numbering || customerId === '') return
  if (await access.find(tx, keyFilterOf(customerId), () => findWithCustomFields(tx, company, customerId)))
    throw existsAlready(access, given, customerId)
}

/** Rejects an id that exists as a hidden record as if the new record were hidden. */
async function rejectExistingValue(
  tx: Tx,
  lookups: CustomerLookups,
  { access, given, draft: { customerId } }: NewCustomer,
  relations: readonly StoredRelation[],
): Promise<void> {
  if (relations.length === 0) return
  const isVisible = (await lookups.isCustomer(customerId)) && (await access.isVisible(tx, keyFilterOf(customerId)))
  throw isVisible ? existsAlready(access, given, customerId) : notVisible()
}

async function insertChecked(
  tx: Tx,
  lookups: CustomerLookups,
  checked: NewCustomer,
  hasRelations: boolean,
): Promise<CreatedCustomer> {
  const { company, subject, access, given, draft } = checked
  const { attributeId } = subject
  const isNumbered = company.customers?.numbering !== undefined
  const customer = isNumbered ? await takeNumber(tx, lookups, checked) : draft
  const { customerId } = customer
  if (!isNumbered && (await lookups.isCustomer(customerId))) {
    const isVisible = await access.isVisible(tx, keyFilterOf(customerId))
    throw isVisible ? existsAlready(access, given, customerId) : notVisible()
  }
  // The number may be that of an existing value of the attribute with relations.
  const hasEarlier = hasRelations || (isNumbered && (await relationsOf(tx, attributeId, customerId)).length > 0)
  const last = await addParts(tx, company, subject.attribute, partsOf(subject, customer))
  const tag = (last ?? tx).entryNo
  insertCustomer(tx, attributeId, customer, tag)
  // Other periods of the value contain the relations too.
  if (last && lookups.mayExist(attributeId, customerId)) {
    await bumpOwnerVersion(last, company, { attribute_id: attributeId, attribute_value: customerId })
  }
  const body = hasEarlier ? undefined : recordJson(company, customer, lastUpdatedBy(tx))
  const created = body === undefined ? await findWithCustomFields(tx, company, customerId) : { body, change_no: tag }
  if (!created) throw new Error('the customer cannot be found after its insertion')
  await writeEntry(tx, {
    entity: ENTITY,
    key: [customerId],
    operation: 'create',
    before: '',
    after: created.body,
  })
  return { ...created, customerId }
}

/**
 * Takes numbers until one is free: customers of the series may have been imported. For a caller with a row rule, the
 * number of a value with relations is not free either.
 */
async function takeNumber(
  tx: Tx,
  lookups: CustomerLookups,
  { company, subject, access, draft, given }: NewCustomer,
): Promise<Customer> {
  for (;;) {
    const numbering = company.customers?.numbering
    const customerId = numbering && (await takeNextId(tx, numbering))
    if (customerId === undefined) {
      throw access.refusal(given, new Findings().add('customerId', 1010, 'Auto-numbering series is missing'))
    }
    if (await lookups.isCustomer(customerId)) continue
    if (access.hasRowRule && (await relationsOf(tx, subject.attributeId, customerId)).length > 0) continue
    return { ...draft, customerId }
  }
}

/** The error is 400 on the field, because a deployed client expects exactly that (decision 5). */
function existsAlready(access: RecordAccess, given: GivenCustomer, customerId: string) {
  const message = `The data was changed or deleted by another user: customer ${customerId} exists already.`
  return access.refusal(given, new Findings().add('customerId', 3010, message, 400), {
    recordExists: true,
    hasZone: true,
  })
}
