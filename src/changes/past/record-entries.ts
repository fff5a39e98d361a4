// The entries of the log that change one record, also those of its relations.
import { RELATION_ENTITY } from '../../records/shared/master-data/relation-store.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { relationKind } from '../attribute-relations.ts'
import { valueKind } from '../attribute-values.ts'
import type { ChangeKind } from '../change-kind.ts'
import { startOf } from '../log/log-store.ts'
import { customerKind } from '../records.ts'

export interface RecordEntries {
  /** The starts of the keys of all entries without which the changes of the record cannot be told. */
  readonly starts: readonly string[]
  readonly entities: readonly string[]
}

/** Where the changes of a record are found. */
export function entriesOf(company: CompanyRules, kind: ChangeKind, key: readonly (string | number)[]): RecordEntries {
  const [first = '', second = ''] = key
  if (kind === customerKind) {
    const attributeId = company.customers?.attributeId ?? ''
    const starts = [startOf([first], true), startOf([attributeId, first], false)]
    return { starts, entities: [kind.journalEntity, valueKind.journalEntity, RELATION_ENTITY] }
  }
  const { own } = kind
  if (own?.hasRelations) {
    const starts = [startOf([first], true), startOf([own.attributeId ?? '', first], false)]
    return { starts, entities: [kind.journalEntity, valueKind.journalEntity, RELATION_ENTITY] }
  }
  if (kind === valueKind || kind === relationKind) {
    const starts = [startOf([first, second], false)]
    return { starts, entities: [valueKind.journalEntity, customerKind.journalEntity, RELATION_ENTITY] }
  }
  return { starts: [startOf(key, true)], entities: [kind.journalEntity] }
}
