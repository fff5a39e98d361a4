// Creates many records of a kind in one transaction, for imports.
import type { Caller } from '../../access/caller.ts'
import { memo } from '../../base/memo.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import { type FieldPath, Findings } from '../../errors/findings.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { Tx } from '../../store/store.ts'
import type { ValueName } from '../shared/master-data/value-store.ts'
import type { DeclaredRecords } from '../shared/service.ts'
import { RecordBatchLookups } from './batch-lookups.ts'
import { changeOwner, entryOfLine } from './change-owner.ts'
import { requireUnlockedOwner } from './check-state.ts'
import { checkLines, insertLines, type RecordWithLines, readLines, requireNewLines } from './create-lines.ts'
import { checkNewRecord, type InsertNew, insertNewRecord, type NewRecord, readNewRecord } from './insert-record.ts'
import { accessTo } from './kind-access.ts'
import { keyOf } from './record.ts'
import type { RecordKind } from './record-kind.ts'

/** Notes which values of some attributes are not there, and takes them for legal, so that all are found at once. */
class MissingValues extends RecordBatchLookups {
  readonly #attributeIds: ReadonlySet<string>
  readonly found = new Map<string, ValueName>()

  constructor(tx: Tx, kind: RecordKind, attributeIds: ReadonlySet<string>) {
    super(tx, kind)
    this.#attributeIds = attributeIds
  }

  override async isLegalValue(attributeId: string, attributeValue: string): Promise<boolean> {
    if (await super.isLegalValue(attributeId, attributeValue)) return true
    if (!this.#attributeIds.has(attributeId)) return false
    this.found.set(JSON.stringify([attributeId, attributeValue]), { attributeId, attributeValue })
    return true
  }

  /** Those that have no period at all: a closed value is there. */
  async absent(): Promise<readonly ValueName[]> {
    const all = [...this.found.values()]
    await this.findPresent(all)
    return all.filter(({ attributeId, attributeValue }) => !this.mayExist(attributeId, attributeValue))
  }
}

/**
 * Applies the rules of a single new record. All records must be visible to the caller, because no write is checked for
 * visibility.
 */
export function recordBatches(
  caller: Caller,
  company: CompanyRules,
  kind: RecordKind,
  documents: DeclaredRecords,
  insertNew: InsertNew = insertNewRecord,
) {
  const access = accessTo(kind, caller, company, 'create')
  const references = { kind, company, caller, documents }
  // The parts of a write have them in common.
  const lookupsOf = memo((batch: Tx) => new RecordBatchLookups(batch, kind))
  /** The records that were told to change with their lines: once in a write. */
  const toldIn = memo((_batch: Tx) => new Set<string>())
  return {
    read: (body: JsonObject, unread: readonly FieldPath[] = []): RecordWithLines => {
      const read = readLines(readNewRecord(references, access, body), body)
      read.record.findings.addUnread(unread)
      return read
    },
    missing: async (tx: Tx, records: readonly RecordWithLines[], attributeIds: ReadonlySet<string>) => {
      const values = new MissingValues(tx, kind, attributeIds)
      await values.findOthers(records)
      for (const { record, lines } of records) {
        const tried = { ...record, findings: copyOf(record.findings) }
        await checkLines(tx, values, tried, lines)
        await checkNewRecord(tx, values, tried)
      }
      return values.absent()
    },
    prepare: async (batch: Tx, records: readonly RecordWithLines[]) => {
      const lookups = lookupsOf(batch)
      await lookups.findKeys(records.map(({ record: { draft } }) => keyOf(kind, draft)))
      await lookups.findOthers(records)
      return async (tx: Tx, { record, lines }: RecordWithLines): Promise<void> => {
        const checked = lines.length > 0 ? await checkLines(tx, lookups, record, lines) : []
        if (lines.length > 0) await requireNewLines(tx, lookups, record, checked)
        const created = kind.owner
          ? await insertLine(tx, lookups, record, toldIn(batch))
          : await insertNew(tx, lookups, record)
        lookups.addRecord(created.key)
        if (lines.length > 0) await insertLines(tx, lookups, record, created, checked)
      }
    },
  }
}

/** Inserts a line, and tells of its record unless that was `told`. */
async function insertLine(tx: Tx, lookups: RecordBatchLookups, record: NewRecord, told: Set<string>) {
  const { kind, company, draft } = record
  const key = keyOf(kind, draft)
  await requireUnlockedOwner(tx, record, key)
  const name = JSON.stringify(key.stored.slice(0, kind.owner?.keyColumns.length))
  const created = await insertNewRecord(told.has(name) ? tx : entryOfLine(tx, kind), lookups, record)
  if (!told.has(name)) await changeOwner(tx, company, kind, created.key)
  told.add(name)
  return created
}

function copyOf({ all }: Findings): Findings {
  const copy = new Findings()
  copy.all.push(...all)
  return copy
}
