// Several changes of a record become the newest alone, as if it had been the only one since a number.

import type { JournaledKind } from '../../records/kinds/kind.ts'
import { RELATION_ENTITY } from '../../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import type { LogSource } from '../log-source.ts'
import { type KeyEntries, listEntryNumbers, listKeyEntries, startOf } from '../log-store.ts'
import { readChanges } from '../read-changes.ts'
import { ALL_PARTS, type Position, type RecordChange } from '../record-change.ts'

/** Where the entries of its relations start in the journal, for a record that shows them. */
function relationsOf(company: CompanyRules, { kind, key }: RecordChange): string | undefined {
  const value = kind.showsRelations ? kind.valueBehind(company, key) : undefined
  return value && startOf([value.attributeId, value.attributeValue], false)
}

/** The newest change of a record, which stands for earlier ones. */
export interface NewestChange extends RecordChange {
  /** The number of the first of these; absent if there are none. */
  readonly firstNumber?: number
}

/** Entries of a record that are looked at: most tell of it, but for some of its relations. */
const ENTRIES_LOOKED_AT = 20
/** Nearly all numbers tell of fewer: of a relation, and of the periods of a value or a customer. */
const CHANGES_AT_ONCE = 20
const LAST = Number.MAX_SAFE_INTEGER

/**
 * The changes of a page that no later one of the same record replaces, each from the state of the record after the
 * entry `base`.
 */
export class NewestStates {
  readonly #source: LogSource
  readonly #company: CompanyRules
  readonly #kinds: readonly JournaledKind[]
  readonly #known = new Map<number, Promise<readonly RecordChange[]>>()

  constructor(source: LogSource, company: CompanyRules, kinds: readonly JournaledKind[]) {
    this.#source = source
    this.#company = company
    this.#kinds = kinds
  }

  async of(changes: readonly RecordChange[], base: number): Promise<NewestChange[]> {
    const records = Map.groupBy(changes, nameOf)
    const entries = await this.#entriesOf(changes, base)
    const newest: NewestChange[] = []
    for (const ofRecord of records.values()) {
      const [first, last] = [ofRecord[0], ofRecord.at(-1)]
      if (!first || !last || (await this.#isReplaced(last, entries))) continue
      newest.push(since(this.#company, await this.#firstSince(base, first, entries), last))
    }
    return newest.sort((one, other) => one.number - other.number || one.part - other.part)
  }

  /** The newest and the first entry after the base, of the records and of their relations. */
  async #entriesOf(changes: readonly RecordChange[], base: number): Promise<Entries> {
    const single = changes.filter(({ kind }) => !kind.batch)
    const own = single.map(({ key }) => startOf(key, true))
    const ofRelations = single.flatMap((change) => relationsOf(this.#company, change) ?? [])
    const starts = [...new Set([...own, ...ofRelations])]
    const first = await listKeyEntries(this.#tx, starts, base)
    const newest = await listKeyEntries(this.#tx, starts, LAST)
    return new Entries(first, newest)
  }

  get #tx(): ReadTx {
    return this.#source.reading(this.#company.id)
  }

  /** Whether a later change of the same record is told. An entry of the record itself always tells of it. */
  async #isReplaced(change: RecordChange, entries: Entries): Promise<boolean> {
    if (change.kind.batch) return false
    if (entries.newest(ownName(change)) > change.number) return true
    const relations = relationsOf(this.#company, change)
    if (relations === undefined || entries.newest(relations) <= change.number) return false
    return (await this.#toldByRelations(change, relations, change.number, LAST)).length > 0
  }

  /** The first change of the record after a number, of which one is known. */
  async #firstSince(base: number, known: RecordChange, entries: Entries): Promise<RecordChange> {
    if (known.kind.batch) return known
    const relations = relationsOf(this.#company, known)
    const own = entries.first(ownName(known))
    const related = relations === undefined ? undefined : entries.first(relations)
    if (relations !== undefined && related && related.number < Math.min(known.number, own?.number ?? LAST)) {
      const told = await this.#toldByRelations(known, relations, base, Math.min(known.number, own?.number ?? LAST))
      const first = told.at(-1)
      if (first) return first
    }
    if (!own || own.number >= known.number) return known
    if (own.isCreation) return { ...known, before: '', unseen: { ...known.unseen, before: {} } }
    return (await this.#changesAt(own.number)).find((one) => nameOf(one) === nameOf(known)) ?? known
  }

  /** Changes of the record that entries of its relations between two numbers tell of, the newest first. */
  async #toldByRelations(change: RecordChange, start: string, after: number, below: number): Promise<RecordChange[]> {
    const range = { after, below, entities: [RELATION_ENTITY], most: ENTRIES_LOOKED_AT }
    const told: RecordChange[] = []
    for (const number of await listEntryNumbers(this.#tx, [start], range)) {
      const found = (await this.#changesAt(number)).find((one) => nameOf(one) === nameOf(change))
      if (found) told.push(found)
    }
    return told
  }

  #changesAt(number: number): Promise<readonly RecordChange[]> {
    const read = async () => {
      const found: RecordChange[] = []
      let from: Position = { number: number - 1, part: ALL_PARTS }
      do {
        const page = await readChanges(this.#source, this.#company, from, CHANGES_AT_ONCE, this.#kinds)
        found.push(...page.changes.filter((one) => one.number === number))
        from = page.next
      } while (from.number === number && from.part !== ALL_PARTS)
      return found
    }
    const found = this.#known.get(number) ?? read()
    this.#known.set(number, found)
    return found
  }
}

/** Entries by the records that they change, and those of relations by the start of the keys of all of a record. */
class Entries {
  readonly #newest = new Map<string, number>()
  readonly #first = new Map<string, { readonly number: number; readonly isCreation: boolean }>()

  constructor(first: readonly KeyEntries[], newest: readonly KeyEntries[]) {
    for (const entry of newest) {
      for (const name of namesOf(entry)) this.#newest.set(name, Math.max(this.newest(name), entry.newest))
    }
    for (const { next: number, ...entry } of first) {
      if (number === 0) continue
      const isCreation = entry.operation === 'create'
      for (const name of namesOf(entry)) {
        if (number < (this.#first.get(name)?.number ?? LAST)) this.#first.set(name, { number, isCreation })
      }
    }
  }

  newest(name: string): number {
    return this.#newest.get(name) ?? 0
  }

  first(name: string) {
    return this.#first.get(name)
  }
}

function namesOf({ entity, record_key }: Pick<KeyEntries, 'entity' | 'record_key'>): string[] {
  const own = `${entity} ${record_key}`
  if (entity !== RELATION_ENTITY) return [own]
  return [own, startOf((JSON.parse(record_key) as string[]).slice(0, 2), false)]
}

function ownName({ kind, key }: RecordChange): string {
  return `${kind.journalEntity} ${JSON.stringify(key)}`
}

/** The change as if it had been the only one since another. */
function since(company: CompanyRules, first: RecordChange, last: RecordChange): NewestChange {
  if (first === last) return last
  const { before, isBeforeUnknown = false, unseen, lines = [] } = first
  return {
    ...last,
    before,
    isBeforeUnknown,
    firstNumber: first.number,
    // The changes between them may have changed lines too, and are not looked at.
    lines: last.kind.kindIn?.(company).lines.map(({ name }) => name) ?? lines,
    unseen: { ...last.unseen, before: unseen.before },
  }
}

function nameOf({ kind, key }: RecordChange): string {
  return `${kind.name} ${JSON.stringify(key)}`
}
