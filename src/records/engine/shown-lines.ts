// What a single record has of each of its lines: not again the key of the record, nor when the line was changed.
import type { TObject } from 'typebox'
import { type DocumentDefinition, isLines, type Properties } from '../../model/document.ts'
import { type Field, type Fields, objectOf, requiredMembers, requiring } from '../../model/record-fields.ts'
import { list, record as recordSchema } from '../../model/schema.ts'
import { COMPANY } from '../../setup/rules/own-properties.ts'
import type { LinesRules, RecordRules } from '../../setup/rules/record-rules.ts'
import type { ShownLines } from '../../sql/compile/record-lines.ts'
import type { RecordAccess } from '../shared/record-access.ts'
import type { RecordKind } from './record-kind.ts'

/** The lines that a definition shows of a record, with what it shows of each. */
export function shownLines(lines: readonly LinesRules[], { properties }: DocumentDefinition): ShownLines[] {
  return lines.flatMap((one): ShownLines[] => {
    const property = properties[one.name]
    if (!property || !isLines(property)) return []
    return [{ name: one.name, property, fields: visibleFields(lineFields(one), property.properties) }]
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
  const { fields } = lines.rules.record
  let found = schemas.get(fields)
  if (!found) {
    found = objectOf(lineFields(lines))
    schemas.set(fields, found)
  }
  return found
}

/** The schema of a record with its lines, for the API description. */
export function schemaWithLines({ record, lines }: RecordRules): TObject {
  if (lines.length === 0) return record.schema
  const members = lines.map((one) => [one.name, list(lineSchema(one))])
  const { schema } = record
  const whole: TObject = recordSchema({ ...schema.properties, ...Object.fromEntries(members) })
  return requiring(requiredMembers(schema), { ...schema, ...whole })
}

const seen = new WeakMap<DocumentDefinition, TObject>()
const whole = new WeakMap<DocumentDefinition, TObject>()

/** The schema of the lines of a record, as a caller sees them. */
export function linesSeen({ lines }: RecordKind, { document }: RecordAccess): TObject {
  let found = seen.get(document)
  if (!found) {
    const members = shownLines(lines, document).map(({ name, fields }) => [name, list(objectOf(fields))])
    found = recordSchema(Object.fromEntries(members)) as TObject
    seen.set(document, found)
  }
  return found
}

/** The schema of a record with the lines that a caller sees. */
export function withLinesSeen(kind: RecordKind, access: RecordAccess): TObject {
  if (kind.lines.length === 0) return kind.schema
  let found = whole.get(access.document)
  if (!found) {
    found = recordSchema({ ...kind.schema.properties, ...linesSeen(kind, access).properties }) as TObject
    whole.set(access.document, found)
  }
  return found
}
