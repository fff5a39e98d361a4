import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import { Customer } from '../../model/records/customer.ts'
import type { GivenOf } from '../../model/schema.ts'
import { applyOperations } from '../../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../../patch/operations.ts'
import { patchRules } from '../../patch/rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { Tx } from '../../store/store.ts'
import type { RecordAccess } from '../shared/access/record-access.ts'
import { storedLookups } from '../shared/master-data/lookups.ts'
import { patchRefused } from '../shared/pipeline/refuse-patch.ts'
import { requireUnchanged } from '../shared/pipeline/require-unchanged.ts'
import { writeRecord } from '../shared/pipeline/write-record.ts'
import type { Service } from '../shared/service.ts'
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
import {
  areRelationsChanged,
  customerAttribute,
  customerRejection,
  journalRangesOf,
  type SubjectOfCustomer,
  saveParts,
} from './customer-parts.ts'
import { type FoundCustomer, updateCustomer } from './customer-store.ts'
import { findWithCustomFields, storedDraft } from './read-customer.ts'

const RULES = patchRules(Customer.fields)

interface PatchRequest {
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

/** Changes one customer: all operations or none. The result is checked by the same rules as a new record. */
export async function patchCustomer(service: Service, request: PatchRequest): Promise<PatchedCustomer> {
  const company = service.companies.require(request.companyId)
  const operations = parseOperations(request.body ?? null)
  const access = customerAccess(request.caller, company, 'update')
  const { customerId } = request

  return writeRecord(service, company.id, request, async (tx) => {
    const before = await access.find(tx, keyFilterOf(customerId), () => findWithCustomFields(tx, company, customerId))
    if (!before) throw customerNotFound(company, customerId)
    const subject = customerAttribute(company)
    await requireUnchanged(tx, before, request.ifMatch, journalRangesOf(subject, customerId), access)
    const stored = storedDraft(company, before)
    const given = apply(company, stored, operations, access)
    const draft = draftOf(company, given)
    const findings = new Findings()
    await checkCustomer(storedLookups(tx), company, subject.attribute, { given, draft, earlier: [], stored }, findings)
    if (findings.size > 0) throw customerRejection(company, draft, findings, access)
    // Without a change nothing is written: no journal entry, no new tag and no new lastUpdated.
    const after = isDeepStrictEqual(draft, stored) ? before : await save(tx, company, subject, before, stored, draft)
    await access.requireVisible(tx, keyFilterOf(customerId))
    return { ...access.redactBody(after), isChanged: after !== before }
  })
}

function apply(
  company: CompanyRules,
  stored: Customer,
  operations: readonly PatchOperation[],
  access: RecordAccess,
): GivenCustomer {
  const schema = access.schema(schemaFor(company))
  const { record, failures } = applyOperations(schema, RULES, stored as GivenOf<typeof schema>, operations)
  if (failures) throw patchRefused(400, failures)
  return access.restoreHidden(record as GivenCustomer, stored)
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
  // Only the database knows the order of changed relations.
  const body = areRelationsChanged(stored, draft) ? undefined : recordJson(company, draft, lastUpdatedBy(tx))
  const after =
    body === undefined ? await findWithCustomFields(tx, company, draft.customerId) : { body, change_no: tx.entryNo }
  if (!after) throw new Error('the customer cannot be found after its update')
  await writeEntry(tx, {
    entity: ENTITY,
    key: [draft.customerId],
    operation: 'update',
    before: before.body,
    after: after.body,
  })
  return after
}
