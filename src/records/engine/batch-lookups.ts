// Lookups that are asked once for what many records have in common. What was found stays true as long as nothing is
// written that it depends on.
import { getOrInsert } from '../../base/memo.ts'
import type { RecordRules, ReferenceRules } from '../../setup/rules/record-rules.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { askedOnce, BatchLookups, CodesToFind } from '../shared/master-data/lookups.ts'
import type { RecordKey } from '../shared/record-type.ts'
import { fieldAt, type ReferenceLookups, type References, storedReferences } from './check-others.ts'
import { isRecord, type NewRecord, type RecordLookups } from './insert-record.ts'
import { relationsIn } from './record.ts'
import { type LinesKind, type RecordKind, valueAt } from './record-kind.ts'
import { valueBehind } from './record-parts.ts'
import { findOwners, findPresentRecords, findReferable } from './record-store.ts'

type Problem = ReturnType<ReferenceLookups['problemOf']>
type StoredReferences = ReturnType<typeof storedReferences>

interface DraftWithLines {
  readonly record: References & Pick<NewRecord, 'draft' | 'subject'>
  readonly lines: readonly { readonly lines: LinesKind; readonly items: readonly object[] }[]
}

/** Why records cannot be referred to, by the references and their values. */
class KnownReferences implements ReferenceLookups {
  readonly #lookups: StoredReferences
  readonly #known = new Map<ReferenceRules, Map<string, Problem>>()

  constructor(lookups: StoredReferences) {
    this.#lookups = lookups
  }

  /** Looks up at once which of the records that drafts refer to by one text can be. */
  async find(
    tx: ReadTx,
    { kind, company, documents }: References,
    reference: ReferenceRules,
    records: readonly object[],
  ): Promise<void> {
    const [path, second] = reference.key
    const definition = documents.definitionOf(reference.document, company)
    if (!path || second || !definition || fieldAt(kind.checks, path)?.type !== 'string') return
    const known = getOrInsert(this.#known, reference, () => new Map())
    const texts = new Set(records.map((record) => String(valueAt(record, path) ?? '')))
    const unknown = [...texts].filter((text) => text !== '' && !known.has(text))
    if (unknown.length < 2) return
    for (const text of await findReferable(tx, reference, definition, unknown)) known.set(text, undefined)
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
  /** The records looked up last that have lines; undefined where one statement cannot tell. */
  readonly #owners = new Map<LinesKind, ReadonlySet<string> | undefined>()
  readonly #stored: StoredReferences
  readonly #references: KnownReferences
  readonly #lookups = new Map<ReferenceRules, ReferenceLookups>()
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
    const [references, reference] = asked
    return this.#lookupsOf(references, reference).problemOf(...asked)
  }

  /** Looks up at once which of the records that others refer to can be, where one statement can. */
  async #findReferences(references: References, kind: RecordKind, records: readonly object[]): Promise<void> {
    for (const reference of kind.references) {
      if (this.#lookupsOf(references, reference) === this.#references)
        await this.#references.find(this.tx, { ...references, kind }, reference, records)
    }
  }

  /** What the caller may see can depend on records of the batch: then nothing is known of it. */
  #lookupsOf({ company, caller }: References, reference: ReferenceRules): ReferenceLookups {
    const { document } = reference
    return getOrInsert(this.#lookups, reference, () =>
      this.#written.has(document) || caller.rulesForReference(company.id, document) ? this.#stored : this.#references,
    )
  }

  /** Looks up at once which of the keys are taken, where one statement can. */
  async findKeys(keys: readonly RecordKey[]): Promise<void> {
    await this.findPresent(keys.map((key) => valueBehind(this.#kind, key)).filter((one) => one !== undefined))
    for (const lines of this.#kind.lines) this.#owners.set(lines, await findOwners(this.tx, lines.rules, keys))
    const present = await findPresentRecords(this.tx, this.#kind, keys)
    if (!present) return
    for (const { stored } of keys) this.#records.set(JSON.stringify(stored), false)
    for (const id of present) this.#records.set(JSON.stringify([id]), true)
  }

  /** Looks up at once which of the codes of records and of their lines are legal, and what they refer to. */
  async findOthers(records: readonly DraftWithLines[]): Promise<void> {
    const [first] = records
    if (!first) return
    const codes = new CodesToFind()
    for (const { record, lines: all } of records) {
      addCodes(codes, this.#kind, [record.draft])
      codes.addRelated(record.company, relationsIn(this.#kind, record.draft) ?? [])
      const owner = record.subject && this.#kind.ownerIn?.(record.subject, record.draft)
      if (owner) codes.add(owner.attributeId, owner.attributeValue)
      for (const { lines, items } of all) addCodes(codes, lines.rules, items)
    }
    await this.findLegal(codes)
    const drafts = records.map(({ record }) => record.draft)
    await this.#findReferences(first.record, this.#kind, drafts)
    for (const { rules } of this.#kind.lines) {
      const items = records.flatMap(({ lines: all }) =>
        all.flatMap(({ lines, items }) => (lines.rules === rules ? items : [])),
      )
      await this.#findReferences(first.record, rules, items)
    }
  }

  isRecord(kind: RecordKind, key: RecordKey): boolean | Promise<boolean> {
    return this.#records.get(JSON.stringify(key.stored)) ?? isRecord(this.tx, kind, key)
  }

  mayHaveLines(lines: LinesKind, { stored: [id = ''] }: RecordKey): boolean {
    return this.#owners.get(lines)?.has(String(id)) ?? true
  }

  addRecord(key: RecordKey): void {
    this.#records.set(JSON.stringify(key.stored), true)
    const value = valueBehind(this.#kind, key)
    if (value) this.add(value)
  }
}

/** Adds the codes of records that must be values of attributes, by these. */
function addCodes(codes: CodesToFind, { checks }: RecordRules, records: readonly object[]): void {
  for (const { itemsOf, path, legalValues } of checks) {
    if (itemsOf !== undefined || !legalValues || !('attributeId' in legalValues)) continue
    for (const record of records) codes.add(legalValues.attributeId, String(valueAt(record, path) ?? ''))
  }
}
