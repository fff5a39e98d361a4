// The entries of the log that change one record, also those of its relations.

import { valueKind } from '../../records/kinds/attribute-values.ts'
import type { JournaledKind, JournalKey } from '../../records/kinds/kind.ts'
import { RELATION_ENTITY } from '../../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { startOf } from '../log/log-store.ts'

export interface RecordEntries {
  /** The starts of the keys of all entries without which the changes of the record cannot be told. */
  readonly starts: readonly string[]
  readonly entities: readonly string[]
}

/** Where the changes of a record are found. */
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
