// Creates many records of a kind in one transaction, for imports.
import type { Caller } from '../../access/caller.ts'
import { memo } from '../../base/memo.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import { Findings } from '../../errors/findings.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { Tx } from '../../store/store.ts'
import { BatchLookups, type NewKey } from '../shared/master-data/lookups.ts'
import type { OwnDocuments } from '../shared/service.ts'
import { KnownReferences } from './cached-lookups.ts'
import { type ReferenceLookups, storedReferences } from './check-others.ts'
import { requireUnlockedOwner } from './check-state.ts'
import { checkLines, insertLines, type RecordWithLines, readLines } from './create-lines.ts'
import { checkNewRecord, insertNewRecord, isRecord, type RecordLookups, readNewRecord } from './insert-record.ts'
import { accessTo } from './kind-access.ts'
import { keyOf } from './record.ts'
import type { RecordKey, RecordKind } from './record-kind.ts'
import { findPresentRecords } from './record-store.ts'

class RecordBatchLookups extends BatchLookups implements RecordLookups {
  readonly #kind: RecordKind
  readonly #records = new Map<string, boolean>()
  readonly #stored: ReferenceLookups
  readonly #references: KnownReferences
  /** The documents of the batch. */
  readonly #written: ReadonlySet<string>

  constructor(tx: Tx, kind: RecordKind) {
    super(tx)
    this.#kind = kind
    this.#stored = storedReferences(tx)
    this.#references = new KnownReferences(this.#stored)
    this.#written = new Set([kind.name, ...kind.lines.map(({ document }) => document)])
  }

  problemOf(...asked: Parameters<ReferenceLookups['problemOf']>) {
    const [{ company, caller }, { document }] = asked
    // What the caller may see can depend on records of the batch.
    const mayChange = this.#written.has(document) || caller.rulesForReference(company.id, document) !== undefined
    return (mayChange ? this.#stored : this.#references).problemOf(...asked)
  }

  /** Looks up at once which of the keys are taken, where one statement can. */
  async findKeys(keys: readonly RecordKey[]): Promise<void> {
    const { attributeId, hasRelations } = this.#kind
    if (attributeId !== undefined && hasRelations) {
      await this.findPresent(keys.map(({ texts: [value = ''] }) => [attributeId, value]))
    }
    const present = await findPresentRecords(this.tx, this.#kind, keys)
    if (!present) return
    for (const { stored } of keys) this.#records.set(JSON.stringify(stored), false)
    for (const id of present) this.#records.set(JSON.stringify([id]), true)
  }

  async isRecord(kind: RecordKind, key: RecordKey): Promise<boolean> {
    return this.#records.get(JSON.stringify(key.stored)) ?? (await isRecord(this.tx, kind, key))
  }

  addRecord({ stored, texts: [value = ''] }: RecordKey): void {
    this.#records.set(JSON.stringify(stored), true)
    if (this.#kind.attributeId !== undefined) this.add([this.#kind.attributeId, value])
  }
}

/** Notes which values of some attributes are not there, and takes them for legal, so that all are found at once. */
class MissingValues extends RecordBatchLookups {
  readonly #attributeIds: ReadonlySet<string>
  readonly found = new Map<string, NewKey>()

  constructor(tx: Tx, kind: RecordKind, attributeIds: ReadonlySet<string>) {
    super(tx, kind)
    this.#attributeIds = attributeIds
  }

  override async isLegalValue(attributeId: string, attributeValue: string): Promise<boolean> {
    if (await super.isLegalValue(attributeId, attributeValue)) return true
    if (!this.#attributeIds.has(attributeId)) return false
    this.found.set(JSON.stringify([attributeId, attributeValue]), [attributeId, attributeValue])
    return true
  }

  /** Those that have no period at all: a closed value is there. */
  async absent(): Promise<readonly NewKey[]> {
    const all = [...this.found.values()]
    await this.findPresent(all)
    return all.filter(([attributeId, attributeValue]) => !this.mayExist(attributeId, attributeValue))
  }
}

/**
 * Applies the rules of a single new record. All records must be visible to the caller, because no write is checked for
 * visibility.
 */
export function recordBatches(caller: Caller, company: CompanyRules, kind: RecordKind, documents: OwnDocuments) {
  const access = accessTo(kind, caller, company, 'create')
  const references = { kind, company, caller, documents }
  // The parts of a write have them in common.
  const lookupsOf = memo((batch: Tx) => new RecordBatchLookups(batch, kind))
  return {
    read: (body: JsonObject): RecordWithLines => readLines(readNewRecord(references, access, body), body),
    missing: async (tx: Tx, records: readonly RecordWithLines[], attributeIds: ReadonlySet<string>) => {
      const values = new MissingValues(tx, kind, attributeIds)
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
      return async (tx: Tx, { record, lines }: RecordWithLines): Promise<void> => {
        const checked = await checkLines(tx, lookups, record, lines)
        const created = await insertNewRecord(tx, lookups, record)
        await requireUnlockedOwner(tx, record, created.key)
        lookups.addRecord(created.key)
        await insertLines(tx, lookups, record, created, checked)
      }
    },
  }
}

function copyOf({ all }: Findings): Findings {
  const copy = new Findings()
  copy.all.push(...all)
  return copy
}
