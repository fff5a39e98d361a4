// Lookups that are asked once for what many records have in common. What was found stays true as long as nothing is
// written that it depends on.
import { getOrInsert } from '../../base/memo.ts'
import type { RecordRules, ReferenceRules } from '../../setup/rules/record-rules.ts'
import type { Tx } from '../../store/store.ts'
import { askedOnce, BatchLookups, type NewKey } from '../shared/master-data/lookups.ts'
import { type ReferenceLookups, storedReferences } from './check-others.ts'
import type { RecordWithLines } from './create-lines.ts'
import { isRecord, type RecordLookups } from './insert-record.ts'
import { type RecordKey, type RecordKind, valueAt } from './record-kind.ts'
import { findPresentRecords } from './record-store.ts'

type Problem = ReturnType<ReferenceLookups['problemOf']>

/** Why records cannot be referred to, by the references and their values. */
class KnownReferences implements ReferenceLookups {
  readonly #lookups: ReferenceLookups
  readonly #known = new Map<ReferenceRules, Map<string, Problem>>()

  constructor(lookups: ReferenceLookups) {
    this.#lookups = lookups
  }

  problemOf(...[references, reference, draft]: Parameters<ReferenceLookups['problemOf']>): Problem {
    const known = getOrInsert(this.#known, reference, () => new Map())
    const values = reference.key.map((path) => valueAt(draft, path))
    const key = values.length === 1 ? String(values[0]) : JSON.stringify(values)
    // A record that is missing may be added.
    const ask = () => this.#lookups.problemOf(references, reference, draft)
    return askedOnce(known, key, ask, (problem) => problem === undefined)
  }
}

export class RecordBatchLookups extends BatchLookups implements RecordLookups {
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

  /** Looks up at once which of the codes of records and of their lines are legal. */
  findCodes(records: readonly RecordWithLines[]): Promise<void> {
    const own = codesIn(
      this.#kind,
      records.map(({ record: { draft } }) => draft),
    )
    const ofLines = records.flatMap((record) => record.lines.flatMap(({ lines, items }) => codesIn(lines.rules, items)))
    return this.findLegal([...own, ...ofLines])
  }

  async isRecord(kind: RecordKind, key: RecordKey): Promise<boolean> {
    return this.#records.get(JSON.stringify(key.stored)) ?? (await isRecord(this.tx, kind, key))
  }

  addRecord({ stored, texts: [value = ''] }: RecordKey): void {
    this.#records.set(JSON.stringify(stored), true)
    if (this.#kind.attributeId !== undefined) this.add([this.#kind.attributeId, value])
  }
}

/** The codes of records that must be values of attributes. */
function codesIn({ checks }: RecordRules, records: readonly object[]): NewKey[] {
  return checks.flatMap(({ itemsOf, path, legalValues }) => {
    if (itemsOf !== undefined || !legalValues || !('attributeId' in legalValues)) return []
    const codes = records.map((record) => String(valueAt(record, path) ?? '')).filter(Boolean)
    return codes.map((code): NewKey => [legalValues.attributeId, code])
  })
}
