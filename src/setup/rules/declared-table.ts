// The table that the service creates for a document of a setup.
import { LongNumber } from '../../base/long-number.ts'
import type { DeclaredColumn, DeclaredTable } from '../../sql/schema.ts'
import { DECLARED_TABLE_COLUMNS } from '../../sql/tables.ts'
import type { DocumentSetup } from '../file/document-schema.ts'
import { type FieldRules, fieldRulesOf } from './declared-field-rules.ts'
import { ATTRIBUTE_COLUMN } from './declared-fields.ts'
import { columnAt, keyNamesOf, listColumnOf, listProperties } from './declared-properties.ts'

export function declaredTableName(document: Pick<DocumentSetup, 'name'>): string {
  return `own_${document.name.replaceAll('-', '_')}`
}

/** The columns of the table that no property is kept in. */
export function columnsOfService(document: DocumentSetup): string[] {
  const kept = ['company_id', ...DECLARED_TABLE_COLUMNS.map(({ name }) => name)]
  return [...kept, ...columnsOfParts(document).map(({ name }) => name)]
}

/** The shape of the table. */
export function declaredTableOf(document: DocumentSetup): DeclaredTable {
  const rules = fieldRulesOf(document).filter(({ itemsOf }) => itemsOf === undefined)
  const columns: DeclaredColumn[] = [
    ...rules.map(columnOfRules),
    ...listProperties(document).map(({ name }) => ({ name: listColumnOf(name), type: 'json' as const })),
    ...columnsOfParts(document),
  ]
  return {
    name: declaredTableName(document),
    columns,
    key: keyNamesOf(document).map((name) => columnAt(document, name)),
    unique: rules.flatMap(({ unique, column }) => (unique ? [column] : [])),
  }
}

function columnsOfParts({ contactPoints, attributeId }: DocumentSetup): DeclaredColumn[] {
  return [
    ...(contactPoints ? [{ name: 'contact_points', type: 'json' as const }] : []),
    ...(attributeId === undefined ? [] : [{ name: ATTRIBUTE_COLUMN, type: 'string' as const, initial: attributeId }]),
  ]
}

function columnOfRules({ column, type, scale, hasDefault, absent }: FieldRules): DeclaredColumn {
  return {
    name: column,
    type,
    ...(type === 'decimal' ? { scale } : {}),
    ...(hasDefault ? { initial: absent instanceof LongNumber ? absent.text : absent } : {}),
  }
}
