// The steps of every read, patch and removal of a single record, in their order.
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/caller.ts'
import { etagOf } from '../../base/etag.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { coded } from '../../errors/catalogue.ts'
import { applyOperations } from '../../patch/apply-operations.ts'
import { type PatchOperation, parseOperations } from '../../patch/operations.ts'
import { supportedOps } from '../../patch/rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import type { RecordAccess } from './record-access.ts'
import type { RecordKey, RecordType, TargetRecord, Versioned } from './record-type.ts'
import type { Service } from './service.ts'
import { requireUnchanged, type WriteRequest, writeRecord } from './write-record.ts'

interface ReadRequest {
  readonly caller: Caller
  readonly companyId: string
  /** The texts of its parts. */
  readonly key: readonly string[]
}

interface RemoveRequest extends ReadRequest, WriteRequest {
  readonly ifMatch: string | undefined
}

export interface PatchRequest extends RemoveRequest {
  readonly body: JsonValue | undefined
  /** The number of the last change of the company that the caller knows: a later one of the record is a conflict. */
  readonly unchangedSince?: number | undefined
}

/** Returns one record by its key. Throws 404 with the parts of the key. */
export async function getRecord<Found extends Versioned>(
  { store, companies }: Service,
  type: RecordType<Found>,
  request: ReadRequest,
  operation: 'read' | 'update' = 'read',
): Promise<Found> {
  const company = companies.require(request.companyId)
  const key = type.keyOf(company, request.key)
  const access = type.access(request.caller, company, operation)
  return type.redacted(access, await requireFound(type, store.reading(company.id), company, access, key))
}

async function requireFound<Found extends Versioned>(
  type: RecordType<Found>,
  tx: ReadTx,
  company: CompanyRules,
  access: RecordAccess,
  key: RecordKey,
): Promise<Found> {
  const filterOf = () => type.filterOf(key)
  const found = await access.find(tx, filterOf, () => type.find(tx, company, key, access))
  if (!found) throw type.notFound(company, key.texts)
  return found
}

/** A changed record with its key. */
export type PatchedRecord<Found> = Found & { readonly key: RecordKey; readonly isChanged: boolean }

/** Changes one record: all operations or none. The result is checked by the same rules as a new record. */
export async function patchRecord<Found extends Versioned>(
  service: Service,
  type: RecordType<Found>,
  request: PatchRequest,
): Promise<PatchedRecord<Found>> {
  const company = service.companies.require(request.companyId)
  const key = type.keyOf(company, request.key)
  const operations = parseOperations(request.body ?? null, { ops: supportedOps(type.patchRules) })
  const access = type.access(request.caller, company, 'update')
  return writeRecord(service, company.id, request, async (tx) => {
    const found = await requireFound(type, tx, company, access, key)
    const refused = requireUnchanged(tx, found, tagRequired(found, request), type.journalRanges(key), access)
    if (refused) await refused
    const stored = type.stored(company, found, access)
    const given = apply(type, company, stored, operations, access)
    const change = { tx, company, access, key, found, stored, given, draft: type.draftOf(company, given, access) }
    const draft = await type.check(change)
    // Without a change nothing is written: no journal entry, no new tag and no new lastUpdated.
    const isChanged = !isDeepStrictEqual(draft, stored)
    const after = isChanged ? await type.save({ ...change, draft }) : found
    const keyAfter = type.keyAfter?.(draft) ?? key
    if (access.hasRowRule) await access.requireVisible(tx, type.filterOf(keyAfter))
    return { ...type.redacted(access, after), key: keyAfter, isChanged }
  })
}

/** A record that has changed since the number has another tag than that number. */
function tagRequired({ change_no }: Versioned, { ifMatch, unchangedSince }: PatchRequest): string | undefined {
  return unchangedSince === undefined || change_no <= unchangedSince ? ifMatch : etagOf(unchangedSince)
}

function apply(
  type: RecordType,
  company: CompanyRules,
  stored: object,
  operations: readonly PatchOperation[],
  access: RecordAccess,
): object {
  const schema = access.schema(type.schema(company, access))
  const { record, failures } = applyOperations(schema, type.patchRules, stored, operations)
  const [first] = failures ?? []
  if (!failures || !first) return access.restoreHidden(record as object, stored)
  // The messages of all failures and the code of the first; no operation was applied.
  const message = failures.map((failure) => failure.message).join('; ')
  throw coded(type.patchStatus(failures), first.code, message, { parts: failures, titleOf: access.titleOf })
}

/** Deletes or closes one record, as its kind does. */
export async function removeRecord(service: Service, type: RecordType, request: RemoveRequest): Promise<void> {
  const company = service.companies.require(request.companyId)
  const key = type.keyOf(company, request.key)
  const access = type.access(request.caller, company, 'delete')
  await writeRecord(service, company.id, { ...request, isRemoval: true }, async (tx) => {
    const found = await requireFound(type, tx, company, access, key)
    const target: TargetRecord<Versioned> = { tx, company, access, key, found }
    await type.requireRemovable?.(target)
    await requireUnchanged(tx, found, request.ifMatch, type.journalRanges(key), access)
    await type.remove(target)
  })
}
