// What a caller may see of single records of a kind, and how they are answered.
import type { Caller } from '../../access/caller.ts'
import { joinedObjects } from '../../base/text.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { accessWithLines, type RecordAccess, recordAccess } from '../shared/record-access.ts'
import type { RecordKey, RecordOperation } from '../shared/record-type.ts'
import type { RecordKind } from './record-kind.ts'
import { findWhole, hasMembers, type StoredRecord } from './record-store.ts'

export function accessTo(
  { name, document, lines }: Pick<RecordKind, 'name' | 'document' | 'lines'>,
  caller: Caller,
  company: CompanyRules,
  operation: RecordOperation,
) {
  const permission = `${name}:${operation}` as const
  if (lines.length === 0) return recordAccess(caller, company, permission, document)
  return accessWithLines(
    caller,
    company,
    permission,
    document,
    lines.map((one) => one.document),
  )
}

/** The record that was just written, with all that the caller sees of it. No promise where nothing is read for that. */
export function asWhole<Written extends StoredRecord>(
  tx: ReadTx,
  kind: RecordKind,
  { document }: RecordAccess,
  key: RecordKey,
  written: Written,
): Written | Promise<Written> {
  if (!hasMembers(kind)) return written
  return findWhole(tx, kind, key, document).then((whole) => ({ ...written, ...whole }))
}

/** The record as the caller is answered: without hidden members, with what is computed and with its lines. */
export function answered(access: RecordAccess, { members = '{}', ...found }: StoredRecord): StoredRecord {
  const record = access.redactBody(found)
  return { ...record, body: joinedObjects(record.body, members) }
}
