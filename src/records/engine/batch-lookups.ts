// Lookups that are asked once for what many records have in common. What was found stays true as long as nothing is
// written that it depends on.
import { getOrInsert } from '../../base/memo.ts'
import type { RecordRules, ReferenceRules } from '../../setup/rules/record-rules.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { askedOnce, BatchLookups } from '../shared/master-data/lookups.ts'
import { fieldAt, type ReferenceLookups, type References, storedReferences } from './check-others.ts'
import { isRecord, type RecordLookups } from './insert-record.ts'
import { type RecordDraft, type RecordKey, type RecordKind, valueAt } from './record-kind.ts'
import { findPresentRecords, findReferable } from './record-store.ts'

type Problem = ReturnType<ReferenceLookups['problemOf']>
type StoredReferences = ReturnType<typeof storedReferences>

interface DraftWithLines {
  readonly record: { readonly draft: RecordDraft }
  readonly lines: readonly { readonly lines: { readonly rules: RecordRules }; readonly items: readonly object[] }[]
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
    drafts: readonly RecordDraft[],
  ): Promise<void> {
    const [path, second] = reference.key
    const definition = documents.definitionOf(reference.document, company)
    if (!path || second || !definition || fieldAt(kind.checks, path)?.type !== 'string') return
    const known = getOrInsert(this.#known, reference, () => new Map())
    const texts = new Set(drafts.map((draft) => String(valueAt(draft, path))))
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

  /** Looks up at once which of the records that lines refer to can be, where one statement can. */
  async findReferences([line, ...others]: readonly (References & { readonly draft: RecordDraft })[]): Promise<void> {
    if (!line) return
    const drafts = [line, ...others].map(({ draft }) => draft)
    for (const reference of line.kind.references) {
      if (this.#lookupsOf(line, reference) === this.#references)
        await this.#references.find(this.tx, line, reference, drafts)
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
  findCodes(records: readonly DraftWithLines[]): Promise<void> {
    const codes = new Map<string, Set<string>>()
    for (const { record, lines: all } of records) {
      addCodes(codes, this.#kind, [record.draft])
      for (const { lines, items } of all) addCodes(codes, lines.rules, items)
    }
    return this.findLegal(codes)
  }

  isRecord(kind: RecordKind, key: RecordKey): boolean | Promise<boolean> {
    return this.#records.get(JSON.stringify(key.stored)) ?? isRecord(this.tx, kind, key)
  }

  addRecord({ stored, texts: [value = ''] }: RecordKey): void {
    this.#records.set(JSON.stringify(stored), true)
    if (this.#kind.attributeId !== undefined) this.add([this.#kind.attributeId, value])
  }
}

/** Adds the codes of records that must be values of attributes, by these. */
function addCodes(codes: Map<string, Set<string>>, { checks }: RecordRules, records: readonly object[]): void {
  for (const { itemsOf, path, legalValues } of checks) {
    if (itemsOf !== undefined || !legalValues || !('attributeId' in legalValues)) continue
    const known = getOrInsert(codes, legalValues.attributeId, () => new Set())
    for (const record of records) {
      const code = valueAt(record, path)
      if (code !== undefined && code !== '') known.add(String(code))
    }
  }
}
