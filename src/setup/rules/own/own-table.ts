// The table that the service creates for a document of a setup.
import { LongNumber } from '../../../base/numbers/long-number.ts'
import type { CustomColumn, CustomTable } from '../../../store/store.ts'
import type { DocumentSetup } from '../../read/document-schema.ts'
import { type FieldRules, fieldRulesOf } from './own-field-rules.ts'
import { ATTRIBUTE_COLUMN } from './own-fields.ts'
import { columnAt, keyNamesOf, listColumnOf, listProperties } from './own-properties.ts'

/** The name of the table. */
export function customTableName(document: Pick<DocumentSetup, 'name'>): string {
  return `own_${document.name.replaceAll('-', '_')}`
}

/** The shape of the table. */
export function customTableOf(document: DocumentSetup): CustomTable {
  const rules = fieldRulesOf(document).filter(({ itemsOf }) => itemsOf === undefined)
  const columns: CustomColumn[] = [
    ...rules.map(columnOfRules),
    ...listProperties(document).map(({ name }) => ({ name: listColumnOf(name), type: 'json' as const })),
    ...(document.contactPoints ? [{ name: 'contact_points', type: 'json' as const }] : []),
    ...(document.attributeId === undefined
      ? []
      : [{ name: ATTRIBUTE_COLUMN, type: 'string' as const, initial: document.attributeId }]),
  ]
  return {
    name: customTableName(document),
    columns,
    key: keyNamesOf(document).map((name) => columnAt(document, name)),
    unique: rules.flatMap(({ unique, column }) => (unique ? [column] : [])),
  }
}

function columnOfRules({ column, type, scale, hasDefault, absent }: FieldRules): CustomColumn {
  return {
    name: column,
    type,
    ...(type === 'decimal' ? { scale } : {}),
    ...(hasDefault ? { initial: absent instanceof LongNumber ? absent.text : absent } : {}),
  }
}
