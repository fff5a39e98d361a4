// The state of a single record at the number of a change: that before its first change since, or else that of now.

import { valueKind } from '../../records/kinds/attribute-values.ts'
import type { Columns, JournaledKind, JournalKey, RecordText } from '../../records/kinds/kind.ts'
import { RELATION_ENTITY } from '../../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { ReadTx } from '../../store/store.ts'
import { ChangesGone } from '../changes-gone.ts'
import { stampsOf } from '../log-entry.ts'
import type { LogSource } from '../log-source.ts'
import { type KeyEntries, listKeyEntries, startOf } from '../log-store.ts'
import { readChanges } from '../read-changes.ts'
import { ALL_PARTS } from '../record-change.ts'

/** So many entries are read to find the change of one record among those of one number. */
const ENTRIES = 64

interface PastState extends RecordText {
  /** The number of the last change of the record or its relations by then. */
  readonly changeNo: number
}

export async function recordStateAt(
  source: LogSource,
  company: CompanyRules,
  kind: JournaledKind,
  key: readonly (string | number)[],
  number: number,
): Promise<PastState> {
  const tx = source.reading(company.id)
  // Read first: when nothing was changed by the time that the log is read, it is still what it was.
  const current = await kind.find(tx, company, key)
  const { starts, entities } = entriesOf(company, kind, key)
  const name = JSON.stringify(key)
  const stamps = kind.showsStamp ? undefined : await lastStamps(tx, kind, [name], number)
  let changeNo: number | undefined
  for (let upTo = number; ; ) {
    const rows = (await listKeyEntries(tx, starts, upTo)).filter(({ entity }) => entities.includes(entity))
    changeNo ??= tagOf(kind, name, rows)
    const later = rows.map(({ next }) => next).filter((next) => next > 0)
    const first = Math.min(...later)
    const change = later.length === 0 ? undefined : await changeAt(source, company, kind, name, first)
    if (change?.isBeforeUnknown) throw new ChangesGone([kind.name])
    if (change || later.length === 0) {
      const { text, unseen } = change ? { text: change.before, unseen: change.unseen.before } : current
      return { text, unseen: { ...unseen, ...stamps?.get(name) }, changeNo }
    }
    upTo = first
  }
}

/** The number of the last entry of the record itself or of the relations that it shows. */
function tagOf(kind: JournaledKind, name: string, rows: readonly KeyEntries[]): number {
  const isTagged = ({ entity, record_key }: KeyEntries) =>
    entity === kind.journalEntity ? record_key === name : entity === RELATION_ENTITY
  return Math.max(0, ...rows.filter(isTagged).map(({ newest }) => newest))
}

async function changeAt(source: LogSource, company: CompanyRules, kind: JournaledKind, name: string, number: number) {
  const { changes } = await readChanges(source, company, { number: number - 1, part: ALL_PARTS }, ENTRIES, [kind])
  return changes.find((one) => one.number === number && JSON.stringify(one.key) === name)
}

/**
 * Who had changed records last, and when, up to a number, of a kind whose texts do not show it: the columns by the keys
 * of the journal.
 */
export async function lastStamps(
  tx: ReadTx,
  { journalEntity }: JournaledKind,
  keys: readonly string[],
  upTo: number,
): Promise<ReadonlyMap<string, Columns>> {
  const rows = await listKeyEntries(tx, keys, upTo)
  const own = rows.filter(({ entity, newest }) => entity === journalEntity && newest > 0)
  const numbers = Map.groupBy(own, ({ record_key }) => record_key)
    .values()
    .map((entries) => Math.max(...entries.map(({ newest }) => newest)))
  return stampsOf(tx, [...numbers])
}

interface RecordEntries {
  /** The starts of the keys of all entries without which the changes of the record cannot be told. */
  readonly starts: readonly string[]
  readonly entities: readonly string[]
}

/** Where the changes of a record are found, also those of its relations. */
export function entriesOf(company: CompanyRules, kind: JournaledKind, key: JournalKey): RecordEntries {
  const { journalEntity } = kind
  const value = kind.showsRelations || journalEntity === RELATION_ENTITY ? kind.valueBehind(company, key) : undefined
  if (!value) return { starts: [startOf(key, true)], entities: [journalEntity] }
  const ofValue = startOf([value.attributeId, value.attributeValue], false)
  return {
    starts: kind.kindIn ? [startOf(key, true), ofValue] : [ofValue],
    entities: [...new Set([journalEntity, valueKind.journalEntity, RELATION_ENTITY])],
  }
}
