// The kinds of records that the log covers: those of the service, and documents of the setup in tables of the service.
import { memo } from '../../base/memo.ts'
import type { DocumentDefinition } from '../../model/document.ts'
import { ownRulesOf } from '../../setup/rules/own-record.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import { relationKind } from './attribute-relations.ts'
import { valueKind } from './attribute-values.ts'
import { documentKind, revisionKind } from './documents.ts'
import { customerKind, ownKind } from './engine-records.ts'
import type { JournaledKind, RemovableKind } from './kind.ts'
import { tableKind } from './table-records.ts'

/** The kinds whose records have journal entries of their own. */
const RECORD_KINDS: readonly JournaledKind[] = [valueKind, relationKind, customerKind, documentKind, revisionKind]

/** Those of the service whose records can be imported, by their names. */
export const IMPORTED_KINDS: ReadonlyMap<string, JournaledKind> = new Map(
  RECORD_KINDS.filter(({ create }) => create).map((kind) => [kind.name, kind]),
)

/** The kinds whose records are erased and purged; `own`: those of the setup. */
export function removableKinds(own: Iterable<RecordRules>): readonly RemovableKind[] {
  return [customerKind, valueKind, documentKind, ...[...own].map(ownKind)]
}

const LEDGER_TABLE = 'ledger_transaction'

/** The kinds by their names, for the documents that are served. */
export function kindsOf(
  documents: Iterable<{ readonly common: DocumentDefinition }>,
): ReadonlyMap<string, JournaledKind> {
  const journaled = [...documents].flatMap(({ common }) => kindOfDocument(common) ?? [])
  return new Map([...RECORD_KINDS, ...journaled].map((kind) => [kind.name, kind]))
}

/** Undefined where no change is recorded. */
const kindOfDocument = memo((definition: DocumentDefinition): JournaledKind | undefined => {
  const own = ownRulesOf(definition)
  if (own) return ownKind(own)
  return definition.table === LEDGER_TABLE ? tableKind(definition) : undefined
})
