import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import type { GivenOf } from '../../model/schema.ts'
import { applyOperations } from '../../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../../patch/operations.ts'
import type { PatchRule } from '../../patch/rules.ts'
import type { CompanyRules } from '../../setup/rules.ts'
import { writeEntry } from '../../store/journal.ts'
import type { Tx } from '../../store/store.ts'
import { CONTACT_POINT_RULES, RELATED_VALUE_RULES } from '../shared/list-rules.ts'
import { storedLookups } from '../shared/lookups.ts'
import { patchRefused } from '../shared/refuse-patch.ts'
import { requireUnchanged } from '../shared/require-unchanged.ts'
import type { Service } from '../shared/service.ts'
import type { Sight } from '../shared/sight.ts'
import { writeRecord } from '../shared/write-record.ts'
import { checkCustomer } from './check-customer.ts'
import {
  type Customer,
  customerNotFound,
  draftOf,
  ENTITY,
  type GivenCustomer,
  lastUpdatedBy,
  rowWith,
  schemaFor,
  shownText,
} from './customer.ts'
import { customerSight } from './customer-document.ts'
import {
  areRelationsChanged,
  changesOf,
  customerAttribute,
  refusedCustomer,
  type SubjectOfCustomer,
  saveParts,
} from './customer-parts.ts'
import { type FoundCustomer, updateCustomer } from './customer-store.ts'
import { findWhole, storedDraft } from './read-customer.ts'

/** Every field that is no key may be changed (decision 5). */
const RULES: readonly PatchRule[] = [
  { path: '/aliasName' },
  { path: '/companyRegistrationNumber' },
  { path: '/countryCode' },
  { path: '/customerGroupId' },
  { path: '/customerName' },
  { path: '/externalReference' },
  { path: '/invoice' },
  { path: '/invoice/*' },
  { path: '/payment' },
  { path: '/payment/*' },
  { path: '/customFieldGroups' },
  { path: '/customFieldGroups/**' },
  ...CONTACT_POINT_RULES,
  ...RELATED_VALUE_RULES,
]

export interface PatchRequest {
  readonly caller: Caller
  readonly companyId: string
  readonly requestId: string
  readonly customerId: string
  readonly body: JsonValue | undefined
  readonly ifMatch: string | undefined
}

export interface PatchedCustomer extends FoundCustomer {
  readonly isChanged: boolean
}

/** Changes one customer: all operations or none. The draft goes through the same rules as a new record. */
export async function patchCustomer(service: Service, request: PatchRequest): Promise<PatchedCustomer> {
  const company = service.companies.require(request.companyId)
  const operations = parseOperations(request.body ?? null)
  const sight = customerSight(request.caller, company, 'update')
  const { customerId } = request

  return writeRecord(service, company.id, request, async (tx) => {
    const before = await sight.find(tx, rowWith(customerId), () => findWhole(tx, company, customerId))
    if (!before) throw customerNotFound(company, customerId)
    const subject = customerAttribute(company)
    await requireUnchanged(tx, before, request.ifMatch, changesOf(subject, customerId), sight)
    const stored = storedDraft(company, before)
    const given = apply(company, stored, operations, sight)
    const draft = draftOf(company, given)
    const findings = new Findings()
    await checkCustomer(storedLookups(tx), company, subject.attribute, { given, draft, earlier: [], stored }, findings)
    if (findings.size > 0) throw refusedCustomer(company, draft, findings, sight)
    // What does not change is not written: no entry, no new tag, no new lastUpdated.
    const after = isDeepStrictEqual(draft, stored) ? before : await save(tx, company, subject, before, stored, draft)
    await sight.requireSeen(tx, rowWith(customerId))
    return { ...sight.shownOf(after), isChanged: after !== before }
  })
}

function apply(
  company: CompanyRules,
  stored: Customer,
  operations: readonly PatchOperation[],
  sight: Sight,
): GivenCustomer {
  const schema = sight.schema(schemaFor(company))
  const { record, failures } = applyOperations(schema, RULES, stored as GivenOf<typeof schema>, operations)
  if (failures) throw patchRefused(400, failures)
  return sight.kept(record as GivenCustomer, stored)
}

async function save(
  tx: Tx,
  company: CompanyRules,
  subject: SubjectOfCustomer,
  before: FoundCustomer,
  stored: Customer,
  draft: Customer,
): Promise<FoundCustomer> {
  await updateCustomer(tx, subject.attributeId, draft)
  await saveParts(tx, company, subject, stored, draft)
  // The places of relations that have changed are the database's to tell.
  const body = areRelationsChanged(stored, draft) ? undefined : shownText(company, draft, lastUpdatedBy(tx))
  const after = body === undefined ? await findWhole(tx, company, draft.customerId) : { body, change_no: tx.entryNo }
  if (!after) throw new Error('the customer is not there after it was changed')
  await writeEntry(tx, {
    entity: ENTITY,
    key: [draft.customerId],
    operation: 'update',
    before: before.body,
    after: after.body,
  })
  return after
}
