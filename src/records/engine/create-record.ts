// Creates one record with its lines: all or nothing.
import type { Tx } from '../../store/store.ts'
import type { Service } from '../shared/service.ts'
import { type CreateRequest, writeRecord } from '../shared/write-record.ts'
import { RecordBatchLookups } from './batch-lookups.ts'
import { changeOwner, entryOfLine } from './change-owner.ts'
import { requireUnlockedOwner } from './check-state.ts'
import { checkLines, insertLines, type RecordWithLines, readLines, requireNewLines } from './create-lines.ts'
import { type CreatedRecord, type InsertNew, insertNewRecord, readNewRecord, recordLookups } from './insert-record.ts'
import { accessTo, answered, asWhole } from './kind-access.ts'
import { filterOf } from './record.ts'
import type { RecordKind } from './record-kind.ts'

/** Creates one record. Reports all findings together. */
export async function createRecord(
  service: Service,
  kind: RecordKind,
  request: CreateRequest,
  insertNew: InsertNew = insertNewRecord,
): Promise<CreatedRecord> {
  const { caller } = request
  const company = service.companies.require(request.companyId)
  const access = accessTo(kind, caller, company, 'create')
  const read = readNewRecord({ kind, company, caller, documents: service.own }, access, request.body)
  const { record, lines } = readLines(read, request.body)
  return writeRecord(service, company.id, request, async (tx) => {
    const lookups = recordLookups(tx)
    // A record without lines, which is none itself, waits for nothing of them.
    const checked = lines.length === 0 ? [] : await checkTogether(tx, { record, lines })
    if (checked.length > 0) await requireNewLines(tx, lookups, record, checked)
    const created = await insertNew(entryOfLine(tx, kind), lookups, record)
    if (kind.owner) {
      await requireUnlockedOwner(tx, record, created.key)
      await changeOwner(tx, company, kind, created.key)
    }
    if (access.hasRowRule) await access.requireVisible(tx, filterOf(kind, created.key))
    if (checked.length > 0) await insertLines(tx, lookups, record, created, checked)
    return { ...answered(access, await asWhole(tx, kind, access, created.key, created)), key: created.key }
  })
}

/** What the lines have in common is asked for once. */
async function checkTogether(tx: Tx, { record, lines }: RecordWithLines) {
  const lookups = new RecordBatchLookups(tx, record.kind)
  await lookups.findOthers([{ record, lines }])
  return checkLines(tx, lookups, record, lines)
}
