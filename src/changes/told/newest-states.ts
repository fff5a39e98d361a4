// Of several changes of a record the newest alone, as if it had been the only one since a number.
import { RELATION_ENTITY } from '../../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import type { ChangeKind } from '../change-kind.ts'
import type { LogSource } from '../log/log-source.ts'
import { type KeyEntries, listEntryNumbers, listKeyEntries, startOf } from '../log/log-store.ts'
import { readChanges } from '../log/read-changes.ts'
import { ALL_PARTS, type RecordChange } from '../record-change.ts'

/** Where entries that may change the record start in the journal: its own key, and those of its relations. */
function startsOf(company: CompanyRules, { kind, key }: RecordChange): string[] {
  const own = startOf(key, true)
  const [first = '', second = ''] = key
  switch (kind.name) {
    case 'attribute-values':
      return [own, startOf([first, second], false)]
    case 'customers':
      return [own, startOf([company.customers?.attributeId ?? '', first], false)]
    default:
      return [own]
  }
}

/** Entries of a record that are looked at: most tell of it, but for some of its relations. */
const ENTRIES_LOOKED_AT = 20
/** A number tells of the periods of a value at most, or of a customer. */
const CHANGES_AT_ONCE = 100
const LAST = Number.MAX_SAFE_INTEGER

/**
 * The changes of a page that no later one of the same record replaces, each from the state of the record after the
 * entry `base`.
 */
export class NewestStates {
  readonly #source: LogSource
  readonly #company: CompanyRules
  readonly #kinds: readonly ChangeKind[]
  readonly #known = new Map<number, Promise<readonly RecordChange[]>>()

  constructor(source: LogSource, company: CompanyRules, kinds: readonly ChangeKind[]) {
    this.#source = source
    this.#company = company
    this.#kinds = kinds
  }

  async of(changes: readonly RecordChange[], base: number): Promise<RecordChange[]> {
    const records = Map.groupBy(changes, nameOf)
    const starts = [...new Set(changes.flatMap((change) => (change.kind.batch ? [] : startsOf(this.#company, change))))]
    const firstNumbers = byStart(await listKeyEntries(this.#tx, starts, base), ({ next }) => next, Math.min)
    const lastNumbers = byStart(await listKeyEntries(this.#tx, starts, LAST), ({ newest }) => newest, Math.max)
    const newest: RecordChange[] = []
    for (const change of changes) {
      const [first, last] = [records.get(nameOf(change))?.[0], records.get(nameOf(change))?.at(-1)]
      if (!first || last !== change) continue
      const isLast = !change.kind.batch && (await this.#isReplaced(change, lastNumbers))
      if (!isLast) newest.push(since(await this.#firstSince(base, first, firstNumbers), change))
    }
    return newest
  }

  get #tx(): ReadTx {
    return this.#source.reading(this.#company.id)
  }

  /** Whether a later change of the same record is told. */
  async #isReplaced(change: RecordChange, lastNumbers: ReadonlyMap<string, number>): Promise<boolean> {
    const starts = startsOf(this.#company, change)
    if (starts.every((start) => (lastNumbers.get(start) ?? 0) <= change.number)) return false
    return (await this.#toldBetween(change, change.number, LAST)).at(0) !== undefined
  }

  /** The first change of the record after a number, of which one is known. */
  async #firstSince(
    base: number,
    known: RecordChange,
    firstNumbers: ReadonlyMap<string, number>,
  ): Promise<RecordChange> {
    if (known.kind.batch) return known
    const starts = startsOf(this.#company, known)
    if (starts.every((start) => (firstNumbers.get(start) ?? known.number) >= known.number)) return known
    return (await this.#toldBetween(known, base, known.number)).at(-1) ?? known
  }

  /** Changes of the record of this one between two numbers, the newest first. */
  async #toldBetween(change: RecordChange, after: number, below: number): Promise<RecordChange[]> {
    const entities = [change.kind.journalEntity, RELATION_ENTITY]
    const range = { after, below, entities, most: ENTRIES_LOOKED_AT }
    const told: RecordChange[] = []
    for (const number of await listEntryNumbers(this.#tx, startsOf(this.#company, change), range)) {
      const found = (await this.#changesAt(number)).find((one) => nameOf(one) === nameOf(change))
      if (found) told.push(found)
    }
    return told
  }

  #changesAt(number: number): Promise<readonly RecordChange[]> {
    const from = { number: number - 1, part: ALL_PARTS }
    const read = async () => {
      const { changes } = await readChanges(this.#source, this.#company, from, CHANGES_AT_ONCE, this.#kinds)
      return changes.filter((one) => one.number === number)
    }
    const found = this.#known.get(number) ?? read()
    this.#known.set(number, found)
    return found
  }
}

/** Of each start the least or the greatest number of its entries; 0 stands for none. */
function byStart(
  entries: readonly KeyEntries[],
  numberOf: (entry: KeyEntries) => number,
  choose: (one: number, other: number) => number,
): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const entry of entries) {
    const number = numberOf(entry)
    if (number === 0) continue
    const key = JSON.parse(entry.record_key) as (string | number)[]
    const starts =
      entry.entity === RELATION_ENTITY ? [entry.record_key, startOf(key.slice(0, 2), false)] : [entry.record_key]
    for (const start of starts) numbers.set(start, choose(numbers.get(start) ?? number, number))
  }
  return numbers
}

/** The change as if it had been the only one since another. */
function since(first: RecordChange, last: RecordChange): RecordChange {
  if (first === last) return last
  const { before, isBeforeUnknown = false, unseen } = first
  return { ...last, before, isBeforeUnknown, unseen: { ...last.unseen, before: unseen.before } }
}

function nameOf({ kind, key }: RecordChange): string {
  return `${kind.name} ${JSON.stringify(key)}`
}
