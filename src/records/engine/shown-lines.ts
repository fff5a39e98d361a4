// What a single record has besides its own columns: what is computed, and its lines. Of each line it has not again the
// key of the record, nor when the line was changed.

import type { TObject, TSchema } from 'typebox'
import { getOrInsert } from '../../base/memo.ts'
import { type DocumentDefinition, isLines, MAX_LINES, type Properties } from '../../model/document.ts'
import { type Field, type Fields, objectOf, requiredMembers, requiring } from '../../model/record-fields.ts'
import { list, record as recordSchema, textOrNumber } from '../../model/schema.ts'
import { computedSchema } from '../../query/schema-of.ts'
import { COMPANY } from '../../setup/rules/declared-properties.ts'
import type { LinesRules, RecordRules } from '../../setup/rules/record-rules.ts'
import type { ShownComputed, ShownLines } from '../../sql/compile/record-lines.ts'
import type { RecordAccess } from '../shared/record-access.ts'
import type { RecordKind } from './record-kind.ts'

/** The lines that a definition shows of a record, with what it shows of each. */
export function shownLines(lines: readonly LinesRules[], { properties }: DocumentDefinition): ShownLines[] {
  return lines.flatMap((one): ShownLines[] => {
    const property = properties[one.name]
    if (!property || !isLines(property)) return []
    const computed = shownComputed(one.rules.computed, property)
    return [{ name: one.name, property, computed, fields: visibleFields(lineFields(one), property.properties) }]
  })
}

/** Those of the computed properties that a definition shows. */
export function shownComputed(
  names: readonly string[],
  { properties }: Pick<DocumentDefinition, 'properties'>,
): ShownComputed {
  return names.flatMap((name) => {
    const property = properties[name]
    return property?.kind === 'value' ? [[name, property] as const] : []
  })
}

function lineFields({ rules }: LinesRules): Fields {
  const ofRecord = new Set([COMPANY, 'lastUpdated', ...rules.keyNames.slice(0, rules.owner?.keyColumns.length)])
  return Object.fromEntries(Object.entries(rules.record.fields).filter(([name]) => !ofRecord.has(name)))
}

/** The fields that are properties of a document as a caller sees it. */
function visibleFields(fields: Fields, properties: Properties): Fields {
  const visible = Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    const property = properties[name]
    if (!property) return []
    if (!field.fields || property.kind !== 'group') return [[name, field]]
    return [[name, { ...field, fields: visibleFields(field.fields, property.properties) }]]
  })
  return Object.fromEntries(visible)
}

const schemas = new WeakMap<Fields, TObject>()

/** The schema of a line within its record. */
export function lineSchema(lines: LinesRules): TObject {
  return getOrInsert(schemas, lines.rules.record.fields, () => objectOf(lineFields(lines)))
}

export function listOfLines(line: TObject) {
  return list(line, { maxItems: MAX_LINES })
}

/** The schema of a record with all that it is answered with, for the API description. */
export function wholeSchema(rules: RecordRules): TObject {
  const lines = rules.lines.map((one) => [one.name, listOfLines(withComputed(lineSchema(one), one.rules))] as const)
  return withMembers(withComputed(rules.record.schema, rules), Object.fromEntries(lines))
}

function withComputed(schema: TObject, { computed, record }: RecordRules): TObject {
  const shown = shownComputed(computed, record.document)
  return withMembers(schema, Object.fromEntries(shown.map(([name, property]) => [name, computedSchema(property)])))
}

/** The schema by which what a record has besides its own members is written: of what is computed, any value. */
export function membersSchema(computed: ShownComputed, lines: readonly ShownLines[]): TObject {
  const anyOf = (shown: ShownComputed) => Object.fromEntries(shown.map(([name]) => [name, textOrNumber()]))
  const lists = lines.map((one) => {
    const line = recordSchema({ ...objectOf(one.fields).properties, ...anyOf(one.computed) })
    return [one.name, listOfLines(line)] as const
  })
  return recordSchema({ ...anyOf(computed), ...Object.fromEntries(lists) })
}

function withMembers(schema: TObject, members: Readonly<Record<string, TSchema>>): TObject {
  if (Object.keys(members).length === 0) return schema
  const whole: TObject = recordSchema({ ...schema.properties, ...members })
  return requiring(requiredMembers(schema), { ...schema, ...whole })
}

const seen = new WeakMap<DocumentDefinition, TObject>()
const whole = new WeakMap<DocumentDefinition, TObject>()

/** The schema of the lines of a record, as a caller sees them. */
export function linesSeen({ lines }: RecordKind, { document }: RecordAccess): TObject {
  return getOrInsert(seen, document, () => {
    const members = shownLines(lines, document).map(({ name, fields }) => [name, listOfLines(objectOf(fields))])
    return recordSchema(Object.fromEntries(members))
  })
}

/** The schema of a record with the lines that a caller sees. */
export function withLinesSeen(kind: RecordKind, access: RecordAccess): TObject {
  if (kind.lines.length === 0) return kind.schema
  return getOrInsert(whole, access.document, () =>
    recordSchema({ ...kind.schema.properties, ...linesSeen(kind, access).properties }),
  )
}
