// Values and customers show their relations, so a change of a relation changes them too. This follows their texts from
// entry to entry: those of the values and of the customer that own some relations, and these relations.

import { findPeriods } from '../records/attribute-values/attribute-value-store.ts'
import { relationKind } from '../records/kinds/attribute-relations.ts'
import { valueKind } from '../records/kinds/attribute-values.ts'
import { ENGINE_KINDS } from '../records/kinds/engine-records.ts'
import { byEntity, type JournaledKind } from '../records/kinds/kind.ts'
import {
  journaledRelation,
  RELATION_ENTITY as RELATION,
  relationsOf,
} from '../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { ReadTx } from '../store/store.ts'
import { type Key, keyOf, type LogEntry, type LogHead } from './log-entry.ts'
import type { LogTx } from './log-source.ts'
import { startOf } from './log-store.ts'
import { type RecordState, type StatesWanted, statesUpTo } from './record-states.ts'
import { isShortValue, type JournaledRelation, relatedValueText, wholeValue } from './relation-text.ts'

/**
 * The kinds of records that show relations, and relations themselves, by what the journal calls them; `kinds`: those
 * that are asked for.
 */
function ownerKinds(kinds: ReadonlyMap<string, JournaledKind>): ReadonlyMap<string, JournaledKind> {
  const showing = kinds.values().filter(({ showsRelations }) => showsRelations)
  return byEntity([valueKind, ...ENGINE_KINDS.filter(({ showsRelations }) => showsRelations), relationKind, ...showing])
}

/** A value or customer that shows relations, with the text that readers know. */
export interface OwnedRecord {
  readonly kind: JournaledKind
  readonly key: Key
  text: string
}

interface Relation {
  /** As the journal has it. */
  readonly text: string
  readonly createdNo: number
}

interface Owner {
  readonly relations: Map<string, Relation>
  /** By entity and key. */
  readonly records: Map<string, OwnedRecord>
}

/** The text of an owner before and after a change of its relations. */
export interface OwnerChange {
  readonly record: OwnedRecord
  readonly before: string
  readonly after: string
  /** The place of the owner among those of the relation, from 1. */
  readonly part: number
}

export function recordName({ entity, recordKey }: Pick<LogHead, 'entity' | 'recordKey'>): string {
  return `${entity} ${recordKey}`
}

export class OwnerStates {
  readonly #company: CompanyRules
  readonly #kinds: ReadonlyMap<string, JournaledKind>
  /** By the attribute and the value, as a JSON array. */
  readonly #owners = new Map<string, Owner>()

  /** `kinds`: those that are asked for, by what the journal calls their records. */
  constructor(company: CompanyRules, kinds: ReadonlyMap<string, JournaledKind>) {
    this.#company = company
    this.#kinds = ownerKinds(kinds)
  }

  /** What the journal calls the records that are followed. */
  get entities(): readonly string[] {
    return [...this.#kinds.keys()]
  }

  /** The kinds whose records are values of an attribute. */
  #kindsOf(attributeId: string): JournaledKind[] {
    return [...this.#kinds.values()].filter(({ kindIn }) => kindIn?.(this.#company).attributeId === attributeId)
  }

  get isEmpty(): boolean {
    return this.#owners.size === 0
  }

  /** The attribute and the value that an entry is about; undefined for other kinds of records. */
  subjectOf(head: Pick<LogHead, 'entity' | 'recordKey'>): string | undefined {
    const value = this.#kinds.get(head.entity)?.valueBehind(this.#company, keyOf(head))
    return value && JSON.stringify([value.attributeId, value.attributeValue])
  }

  /** Reads the states after all entries up to a number. */
  async load(tx: LogTx, subjects: ReadonlySet<string>, wanted: StatesWanted): Promise<void> {
    for (const subject of subjects) this.#owners.set(subject, { relations: new Map(), records: new Map() })
    await this.#follow(tx, await this.#statesUpTo(tx, subjects, wanted))
    const unsure = new Set(subjects.values().filter((subject) => this.#isUnsure(subject, wanted)))
    if (unsure.size > 0) await this.#loadCurrent(tx, unsure, wanted)
    for (const owner of this.#owners.values()) {
      const items = this.#itemsOf(owner)
      for (const record of owner.records.values()) record.text = withRelatedValues(record.text, items)
      await tx.steps.pause()
    }
  }

  #startsOf(subjects: ReadonlySet<string>): string[] {
    return [...subjects].flatMap((subject) => {
      const [attributeId, attributeValue] = JSON.parse(subject) as [string, string]
      const ofValue = startOf([attributeId, attributeValue], false)
      return this.#kindsOf(attributeId).length > 0 ? [ofValue, startOf([attributeValue], true)] : [ofValue]
    })
  }

  #statesUpTo(tx: LogTx, subjects: ReadonlySet<string>, wanted: StatesWanted): Promise<RecordState[]> {
    return statesUpTo(tx, this.#startsOf(subjects), this.entities, wanted)
  }

  async #follow({ steps }: LogTx, states: readonly RecordState[]): Promise<void> {
    for (const state of states) {
      this.#put(state, state.text)
      await steps.pause()
    }
  }

  /** Whether records may be there of which no entry has a text any more. */
  #isUnsure(subject: string, { end }: StatesWanted): boolean {
    return end.textsFrom > 0 || (end.oldest > 0 && this.#owners.get(subject)?.records.size === 0)
  }

  /** Records without entries that have texts are as they are now; what changes after that has entries. */
  async #loadCurrent(tx: LogTx, subjects: ReadonlySet<string>, wanted: StatesWanted): Promise<void> {
    const current: CurrentState[] = []
    for (const subject of subjects) {
      const [attributeId] = JSON.parse(subject) as [string]
      current.push(...(await currentOwner(tx, this.#company, subject, this.#kindsOf(attributeId))))
    }
    const states = await this.#statesUpTo(tx, subjects, wanted)
    const known = new Set(states.map(recordName))
    for (const state of current) if (!known.has(recordName(state))) this.#put(state, state.text)
    await this.#follow(tx, states)
  }

  /** Follows an entry. */
  apply(entry: LogEntry): void {
    this.#put(entry, entry.after)
  }

  /** The text of a record that readers know; of a relation as the journal has it. */
  textOf(head: Pick<LogHead, 'entity' | 'recordKey'>): string | undefined {
    const owner = this.#owners.get(this.subjectOf(head) ?? '')
    if (head.entity === RELATION) return owner?.relations.get(head.recordKey)?.text
    return owner?.records.get(recordName(head))?.text
  }

  /** The owners whose texts do not show the relations as they are now; from now on they do. */
  showRelations(subject: string, isToldLater: (name: string) => boolean): OwnerChange[] {
    const owner = this.#owners.get(subject)
    if (!owner) return []
    const items = this.#itemsOf(owner)
    const names = [...owner.records.keys()].sort()
    return names.flatMap((name, index) => {
      const record = owner.records.get(name)
      if (!record || isToldLater(name)) return []
      const before = record.text
      record.text = withRelatedValues(before, items)
      return record.text === before ? [] : [{ record, before, after: record.text, part: index + 1 }]
    })
  }

  #itemsOf({ relations }: Owner): string[] {
    const inOrder = [...relations.values()].sort((one, other) => one.createdNo - other.createdNo)
    return inOrder.map(({ text }) => relatedValueText(this.#company, JSON.parse(text) as JournaledRelation))
  }

  #put(head: Pick<LogHead, 'entity' | 'recordKey'>, text: string): void {
    const owner = this.#owners.get(this.subjectOf(head) ?? '')
    if (!owner) return
    const { recordKey } = head
    if (head.entity === RELATION) {
      if (text === '') owner.relations.delete(recordKey)
      else {
        const { createdNo } = JSON.parse(text) as JournaledRelation
        owner.relations.set(recordKey, { text, createdNo })
      }
      return
    }
    const name = recordName(head)
    if (text === '') owner.records.delete(name)
    else {
      const kind = this.#kinds.get(head.entity) ?? valueKind
      const isShort = isShortValue(head.entity, text)
      const whole = isShort ? withRelatedValues(wholeValue(this.#company, text), this.#itemsOf(owner)) : text
      owner.records.set(name, { kind, key: keyOf(head), text: whole })
    }
  }
}

/** Quotes inside texts are escaped, so that the name of a member with the comma before it stands nowhere else. */
const LIST = ',"relatedValues":['

/** The text with another list of related values. */
function withRelatedValues(text: string, items: readonly string[]): string {
  const at = text.indexOf(LIST)
  if (at < 0) return text
  const start = at + LIST.length
  return `${text.slice(0, start)}${items.join(',')}${text.slice(endOf(text, start))}`
}

/** The position of the bracket that ends the list. */
function endOf(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfText(text, at)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return text.length
}

/** The position of the quote that ends the text which starts at a quote. */
function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** A record as it is now. */
interface CurrentState {
  readonly entity: string
  readonly recordKey: string
  readonly text: string
}

/** `kinds`: those whose records are values of the attribute. */
async function currentOwner(
  tx: ReadTx,
  company: CompanyRules,
  subject: string,
  kinds: readonly JournaledKind[],
): Promise<CurrentState[]> {
  const [attributeId, attributeValue] = JSON.parse(subject) as [string, string]
  const states: CurrentState[] = []
  for (const relation of await relationsOf(tx, attributeId, attributeValue)) {
    const { entity, key, text } = journaledRelation(relation)
    states.push({ entity, recordKey: JSON.stringify(key), text })
  }
  for (const { period_from } of await findPeriods(tx, attributeId, attributeValue)) {
    const key = [attributeId, attributeValue, Number(period_from)]
    const { text } = await valueKind.find(tx, company, key)
    if (text !== '') states.push({ entity: valueKind.journalEntity, recordKey: JSON.stringify(key), text })
  }
  const key = [attributeValue]
  for (const kind of kinds) {
    const { text } = await kind.find(tx, company, key)
    if (text !== '') states.push({ entity: kind.journalEntity, recordKey: JSON.stringify(key), text })
  }
  return states
}
