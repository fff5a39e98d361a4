// Creates many records of a document of the setup in one transaction, for imports.
import type { Caller } from '../../access/caller.ts'
import type { JsonObject } from '../../base/strict-json.ts'
import type { OwnRecordRules } from '../../setup/rules/own/own-record.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { Tx } from '../../store/store.ts'
import { BatchLookups } from '../shared/master-data/lookups.ts'
import type { OwnDocuments } from '../shared/service.ts'
import { insertNewRecord, isRecord, type NewRecord, type RecordLookups, readNewRecord } from './create-own-record.ts'
import { keyOf, type OwnKey } from './own-record.ts'
import { ownAccess } from './own-record-type.ts'
import { findPresentRecords } from './own-store.ts'

class RecordBatchLookups extends BatchLookups implements RecordLookups {
  readonly #rules: OwnRecordRules
  readonly #records = new Map<string, boolean>()

  constructor(tx: Tx, rules: OwnRecordRules) {
    super(tx)
    this.#rules = rules
  }

  /** Looks up at once which of the keys are taken, where one statement can. */
  async findKeys(keys: readonly OwnKey[]): Promise<void> {
    const { attributeId, hasRelations } = this.#rules
    if (attributeId !== undefined && hasRelations) {
      await this.findPresent(keys.map(({ texts: [value = ''] }) => [attributeId, value]))
    }
    const present = await findPresentRecords(this.tx, this.#rules, keys)
    if (!present) return
    for (const { stored } of keys) this.#records.set(JSON.stringify(stored), false)
    for (const id of present) this.#records.set(JSON.stringify([id]), true)
  }

  async isRecord(rules: OwnRecordRules, key: OwnKey): Promise<boolean> {
    return this.#records.get(JSON.stringify(key.stored)) ?? (await isRecord(this.tx, rules, key))
  }

  addRecord({ stored, texts: [value = ''] }: OwnKey): void {
    this.#records.set(JSON.stringify(stored), true)
    if (this.#rules.attributeId !== undefined) this.add([this.#rules.attributeId, value])
  }
}

/**
 * Applies the rules of a single new record. All records must be visible to the caller, because no write is checked for
 * visibility.
 */
export function ownRecordBatches(
  caller: Caller,
  company: CompanyRules,
  rules: OwnRecordRules,
  documents: OwnDocuments,
) {
  const access = ownAccess(rules, caller, company, 'create')
  const references = { rules, company, caller, documents }
  return {
    read: (record: JsonObject): NewRecord => readNewRecord(references, access, record),
    prepare: async (batch: Tx, records: readonly NewRecord[]) => {
      const lookups = new RecordBatchLookups(batch, rules)
      await lookups.findKeys(records.map(({ draft }) => keyOf(rules, draft)))
      return async (tx: Tx, record: NewRecord): Promise<void> => {
        const { key } = await insertNewRecord(tx, lookups, record)
        lookups.addRecord(key)
      }
    },
  }
}
