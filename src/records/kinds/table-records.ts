// Records that imports write in batches: ledger transactions, and documents of the setup in tables of the service.

import { parseExact } from '../../base/long-number.ts'
import { unitsOf } from '../../base/numbers/decimal.ts'
import type { JsonObject, JsonValue } from '../../base/strict-json.ts'
import { ABSENT, type DocumentDefinition, type Properties, type ValueProperty } from '../../model/document.ts'
import type { SqlValue } from '../../sql/dialect.ts'
import { type JournaledKind, textOf } from './kind.ts'

/** The kind of the records of a document; `definition` is that of any company. */
export function tableKind(definition: DocumentDefinition): JournaledKind {
  const { name, key, properties } = definition
  return {
    name,
    journalEntity: name,
    document: name,
    keyNames: key.filter((one) => one !== 'companyId'),
    hasEtag: false,
    showsStamp: true,
    showsRelations: false,
    batch: definition,
    valueBehind: () => undefined,
    find: async () => textOf(undefined),
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
