// What the commands of the life cycle work on.
import type { FileStore } from '../files/file-store.ts'
import type { DocumentDefinition } from '../model/document.ts'
import type { EnterpriseDocument } from '../objects/enterprise-document.ts'
import type { RemovableKind } from '../records/kinds/kind.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import type { Actor, Store } from '../store/store.ts'

export interface RecordsAtWork {
  readonly store: Store
  readonly files: FileStore
  /** Built-in and custom documents, in which references are looked for. */
  readonly documents: readonly EnterpriseDocument[]
  /** Those of the setup on tables of the service, by name. */
  readonly declaredRecords: ReadonlyMap<string, RecordRules>
  /** The version of the setup whose rules are followed: a later one may hold records. */
  readonly setupVersion: number
  /** The author of the changes, for the journal. */
  readonly actor: Actor
}

export function definitionOf(
  { documents }: Pick<RecordsAtWork, 'documents'>,
  company: CompanyRules,
  { document: name }: RemovableKind,
): DocumentDefinition {
  const found = documents.find(({ common }) => common.name === name)
  if (!found) throw new Error(`there is no document ${name}`)
  return found.of(company)
}
