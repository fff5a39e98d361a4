import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { invalidField, invalidRecord } from '../../errors/catalogue.ts'
import { Findings } from '../../errors/findings.ts'
import { readRecord } from '../../model/read-record.ts'
import type { AttributeRules, CompanyRules } from '../../setup/rules.ts'
import { writeEntry } from '../../store/journal.ts'
import type { Tx } from '../../store/store.ts'
import { type Lookups, storedLookups } from '../shared/lookups.ts'
import { takeNextId } from '../shared/numbering-store.ts'
import { relationsOf, type StoredRelation, touchOwner } from '../shared/relation-store.ts'
import type { Service } from '../shared/service.ts'
import { outOfSight, type Sight } from '../shared/sight.ts'
import { writeRecord } from '../shared/write-record.ts'
import { checkCustomer } from './check-customer.ts'
import {
  type Customer,
  draftOf,
  ENTITY,
  type GivenCustomer,
  lastUpdatedBy,
  rowWith,
  schemaFor,
  shownText,
} from './customer.ts'
import { customerSight } from './customer-document.ts'
import { addParts, customerAttribute, refusedCustomer, type SubjectOfCustomer } from './customer-parts.ts'
import { type FoundCustomer, findPresentCustomers, insertCustomer } from './customer-store.ts'
import { required } from './messages.ts'
import { findWhole } from './read-customer.ts'

export interface CreateRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly body: JsonValue | undefined
}

export interface CreatedCustomer extends FoundCustomer {
  readonly customerId: string
}

/** Creates one customer, and the value that it is. All findings are answered together; an id that is taken is 400 on customerId. */
export async function createCustomer(service: Service, request: CreateRequest): Promise<CreatedCustomer> {
  const company = service.companies.require(request.companyId)
  const subject = customerAttribute(company)
  const sight = customerSight(request.caller, company, 'create')
  const customer = readNewCustomer(company, subject, sight, request.body)
  return writeRecord(service, company.id, request, async (tx) => {
    const created = await insertNewCustomer(tx, customerLookups(tx), customer)
    await sight.requireSeen(tx, rowWith(created.customerId))
    return sight.shownOf(created)
  })
}

/** What the rules of a new customer ask of what is there. */
export interface CustomerLookups extends Lookups {
  isCustomer(customerId: string): Promise<boolean>
}

function customerLookups(tx: Tx): CustomerLookups {
  return {
    ...storedLookups(tx),
    isCustomer: async (customerId) => (await findPresentCustomers(tx, [customerId])).length > 0,
  }
}

/** A customer that is to be created, with what is wrong with it so far. */
export interface NewCustomer {
  readonly company: CompanyRules
  readonly subject: SubjectOfCustomer
  readonly sight: Sight
  readonly given: GivenCustomer
  readonly draft: Customer
  readonly findings: Findings
}

export function readNewCustomer(
  company: CompanyRules,
  subject: SubjectOfCustomer,
  sight: Sight,
  body: JsonValue | undefined,
): NewCustomer {
  const findings = new Findings()
  const given = readRecord(sight.schema(schemaFor(company)), body ?? null, findings) as GivenCustomer
  return { company, subject, sight, given, draft: draftOf(company, given), findings }
}

/** Checks the customer and inserts it. When it throws a Problem, nothing was changed but the number series. */
export async function insertNewCustomer(
  tx: Tx,
  lookups: CustomerLookups,
  customer: NewCustomer,
): Promise<CreatedCustomer> {
  const { company, subject, sight, given, draft, findings } = customer
  const isValue = draft.customerId !== '' && lookups.mayExist(subject.attributeId, draft.customerId)
  const relations = isValue ? await relationsOf(tx, subject.attributeId, draft.customerId) : []
  // Who sees some customers alone is told nothing of a value that is none of them.
  const earlier = sight.isPartial ? [] : relations
  await checkCustomer(lookups, company, subject.attribute, { given, draft, earlier, stored: undefined }, findings)
  checkId(company, subject.attribute, draft, findings)
  if (findings.size > 0) {
    await refuseExisting(tx, company, draft, given, sight)
    throw refusedCustomer(company, given, findings, sight)
  }
  if (sight.isPartial) await requireNoOther(tx, lookups, customer, relations)
  return insertChecked(tx, lookups, customer, earlier.length > 0)
}

/** An id is a value of the customers' attribute, by that attribute's rule. */
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
  const wrong = attribute.checkValue(customerId)
  if (wrong !== undefined) findings.add('customerId', 3010, wrong)
}

/** A call that is sent again must be told just this (client habits); its own relations would be in its way. */
async function refuseExisting(
  tx: Tx,
  company: CompanyRules,
  { customerId }: Customer,
  given: GivenCustomer,
  sight: Sight,
): Promise<void> {
  if (company.customers?.numbering || customerId === '') return
  if (await sight.find(tx, rowWith(customerId), () => findWhole(tx, company, customerId)))
    throw existsAlready(given, customerId)
}

/** An id that is taken by a record out of sight is refused as if the new one were. */
async function requireNoOther(
  tx: Tx,
  lookups: CustomerLookups,
  { sight, given, draft: { customerId } }: NewCustomer,
  relations: readonly StoredRelation[],
): Promise<void> {
  if (relations.length === 0) return
  const isSeen = (await lookups.isCustomer(customerId)) && (await sight.seesNow(tx, rowWith(customerId)))
  throw isSeen ? existsAlready(given, customerId) : outOfSight()
}

async function insertChecked(
  tx: Tx,
  lookups: CustomerLookups,
  checked: NewCustomer,
  hasRelations: boolean,
): Promise<CreatedCustomer> {
  const { company, subject, sight, given, draft } = checked
  const { attributeId } = subject
  const isNumbered = company.customers?.numbering !== undefined
  const customer = isNumbered ? await numbered(tx, lookups, checked) : draft
  const { customerId } = customer
  if (!isNumbered && (await lookups.isCustomer(customerId))) {
    const isSeen = await sight.seesNow(tx, rowWith(customerId))
    throw isSeen ? existsAlready(given, customerId) : outOfSight()
  }
  // A number may hit a value of the attribute that has relations already.
  const hasEarlier = hasRelations || (isNumbered && (await relationsOf(tx, attributeId, customerId)).length > 0)
  const last = await addParts(tx, company, subject, customer)
  const tag = (last ?? tx).entryNo
  insertCustomer(tx, attributeId, customer, tag)
  // Other periods of the value show the relations too.
  if (last && lookups.mayExist(attributeId, customerId)) {
    await touchOwner(last, { attribute_id: attributeId, attribute_value: customerId })
  }
  const body = hasEarlier ? undefined : shownText(company, customer, lastUpdatedBy(tx))
  const created = body === undefined ? await findWhole(tx, company, customerId) : { body, change_no: tag }
  if (!created) throw new Error('the customer is not there after it was inserted')
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
 * Takes numbers until one is free: a customer of the series may have been loaded before. For who sees some customers
 * alone, a value that has relations is not free.
 */
async function numbered(
  tx: Tx,
  lookups: CustomerLookups,
  { company, subject, sight, draft, given }: NewCustomer,
): Promise<Customer> {
  for (;;) {
    const numbering = company.customers?.numbering
    const customerId = numbering && (await takeNextId(tx, numbering))
    if (customerId === undefined) {
      throw invalidRecord(given, new Findings().add('customerId', 1010, 'Auto-numbering series is missing'))
    }
    if (await lookups.isCustomer(customerId)) continue
    if (sight.isPartial && (await relationsOf(tx, subject.attributeId, customerId)).length > 0) continue
    return { ...draft, customerId }
  }
}

/** 400 on the field, because a deployed client looks for just that (decision 5). */
function existsAlready(given: GivenCustomer, customerId: string) {
  return invalidField(
    given,
    'customerId',
    3010,
    `The data was changed or deleted by another user: customer ${customerId} exists already.`,
    400,
  )
}
