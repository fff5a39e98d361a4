// The kinds of records that the log covers: those of the service, and documents of the setup in tables of the service.

import { parseExact } from '../../base/long-number.ts'
import { memo } from '../../base/memo.ts'
import { unitsOf } from '../../base/numbers/decimal.ts'
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { ABSENT, type DocumentDefinition, type Properties, type ValueProperty } from '../../model/document.ts'
import { keyNamesOf } from '../../setup/rules/declared-properties.ts'
import { declaredRulesOf } from '../../setup/rules/declared-record.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { SqlValue } from '../../sql/dialect.ts'
import { relationKind } from './attribute-relations.ts'
import { valueKind } from './attribute-values.ts'
import { documentKind, revisionKind } from './documents.ts'
import { ENGINE_KINDS, removableKindOf } from './engine-records.ts'
import { type JournaledKind, type RemovableKind, recordTextOf } from './kind.ts'

/** The kinds whose records have journal entries of their own. */
const RECORD_KINDS: readonly JournaledKind[] = [valueKind, relationKind, ...ENGINE_KINDS, documentKind, revisionKind]

/** Those of the service whose records can be imported, by their names. */
export const IMPORTED_KINDS: ReadonlyMap<string, JournaledKind> = new Map(
  RECORD_KINDS.filter(({ create }) => create).map((kind) => [kind.name, kind]),
)

/** The kinds whose records are erased and purged; `own`: those of the setup. */
export function removableKinds(own: Iterable<RecordRules>): readonly RemovableKind[] {
  return [...ENGINE_KINDS, valueKind, documentKind, ...[...own].map(removableKindOf)]
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
  const own = declaredRulesOf(definition)
  if (own) return removableKindOf(own)
  return definition.table === LEDGER_TABLE ? tableKind(definition) : undefined
})

/** The kind of the records of a document; `definition` is that of any company. */
function tableKind(definition: DocumentDefinition): JournaledKind {
  const { name, properties } = definition
  return {
    name,
    journalEntity: name,
    document: name,
    keyNames: keyNamesOf(definition),
    hasEtag: false,
    showsStamp: true,
    showsRelations: false,
    batch: definition,
    valueBehind: () => undefined,
    find: async () => recordTextOf(undefined),
    rowOf: (company, text, unseen) => ({
      columns: {
        ...Object.fromEntries(columnsOf(properties, parseExact(text) as JsonObject)),
        company_id: company.id,
        ...unseen,
      },
      items: {},
    }),
  }
}

function* columnsOf(properties: Properties, record: JsonObject): Generator<[string, SqlValue]> {
  for (const [name, property] of Object.entries(properties)) {
    if (property.kind === 'group') yield* columnsOf(property.properties, (record[name] ?? {}) as JsonObject)
    else if (property.kind === 'value' && 'column' in property.source && property.source.table === undefined) {
      yield [property.source.column, storedValue(property, record[name])]
    }
  }
}

/** The value as the column has it, where the record has it as answers do. */
function storedValue({ type, scale = 0 }: ValueProperty, value: JsonValue = ABSENT[type]): SqlValue {
  if (type === 'decimal') return unitsOf(value, scale) ?? 0
  if (typeof value === 'boolean') return Number(value)
  return value as SqlValue
}
