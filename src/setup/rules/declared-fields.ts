// The fields of a document that a setup declares: those of a record, as built-in resources have them.
import type { TSchema } from 'typebox'
import { type Codes, type DocumentDefinition, type LinesProperty, recordLines } from '../../model/document.ts'
import { dateTime, field, group, jsonList, queriesOnly, text } from '../../model/record-definition.ts'
import { type Field, type Fields, objectOf } from '../../model/record-fields.ts'
import { contactPoints } from '../../model/records/contact-point.ts'
import { relatedValues } from '../../model/records/related-value.ts'
import * as schemas from '../../model/schema.ts'
import type { DocumentSetup, LinesSetup, ListSetup, PropertySetup, ReferenceSetup } from '../file/document-schema.ts'
import type { NamesSetup } from '../file/schema-parts.ts'
import { computedProperty } from './declared-computed.ts'
import { type FieldRules, fieldRulesOf } from './declared-field-rules.ts'
import {
  COMPANY,
  columnAt,
  isComputed,
  isLinesSetup,
  isReference,
  isSimple,
  keyNamesOf,
  listColumnOf,
  namesIn,
} from './declared-properties.ts'
import { legalValuesOf } from './rules.ts'

export interface ClosedState {
  readonly column: string
  readonly value: string
}

/** The documents that references lead to. They are made when they are asked for: references may lead back. */
export interface Referenced {
  /** Its columns with the key without the company; undefined for an unknown document. */
  keyColumnsOf(name: string): readonly string[] | undefined
  /** Undefined for a document that is not of the setup. */
  declarationOf(name: string): DocumentSetup | undefined
  documentOf(name: string): DocumentDefinition
  /** What its closed records have; undefined where none are closed. */
  closedOf(name: string): ClosedState | undefined
}

/** The column of the attribute whose values the records are. */
export const ATTRIBUTE_COLUMN = 'attribute_id'

const COMPANY_LENGTH = 25

/** All fields, in the order in which members are answered: as declared, then those that the service keeps. */
export function declaredFieldsOf(document: DocumentSetup, title: string, referenced: Referenced): Fields {
  const fieldOf = fieldsOf(document, title, referenced)
  const declared = Object.keys(document.properties).flatMap((name) => {
    const one = fieldOf(name)
    return one ? [[name, one] as const] : []
  })
  return {
    ...Object.fromEntries(declared),
    lastUpdated: LAST_UPDATED,
    ...(document.contactPoints ? { contactPoints: contactPoints('At least one of the General type.', true) } : {}),
    ...(document.relations ? { relatedValues: relationsOf(document) } : {}),
  }
}

const LAST_UPDATED = group(
  { updatedAt: dateTime({ isFixed: true }), updatedBy: text({ length: 255, isFixed: true }) },
  { isFixed: true, isComplex: true, description: 'Answered only.' },
)

function relationsOf(document: DocumentSetup): Field {
  const key = columnAt(document, keyNamesOf(document)[0] ?? '')
  return relatedValues(
    [
      [ATTRIBUTE_COLUMN, ATTRIBUTE_COLUMN],
      [key, 'attribute_value'],
    ],
    'Relations of the record as a value of its attribute.',
  )
}

/** What makes the field of a property; undefined where it leads to a document that is unknown. */
function fieldsOf(document: DocumentSetup, title: string, referenced: Referenced) {
  const allRules = new Map(fieldRulesOf(document).map((rules) => [pathKey(rules.itemsOf, rules.path), rules]))

  const simpleOf = (property: PropertySetup, path: readonly string[], itemsOf?: string): Field => {
    const rules = allRules.get(pathKey(itemsOf, path))
    if (!rules) throw new Error(`${document.name} has no rules for ${path.join('/')}`)
    const isKey = path.length === 1 && document.key.includes(path[0] ?? '')
    return named(valueField(property, rules, isKey), property)
  }

  const groupOf = (members: Readonly<Record<string, PropertySetup>>, name: string, itemsOf?: string): Field => {
    const fields = mapped(members, (property, inner) => simpleOf(property, [name, inner], itemsOf))
    const isRequired = Object.values(fields).some((one) => one.isRequired)
    return { ...group(fields), ...(isRequired ? { isRequired } : {}) }
  }

  const listOf = ({ list, minItems, maxItems }: ListSetup, name: string): Field => {
    const fields = mapped(list, (property, inner) =>
      'group' in property ? named(groupOf(property.group, inner, name), property) : simpleOf(property, [inner], name),
    )
    const schema = objectOf(fields, { title: title + name.charAt(0).toUpperCase() + name.slice(1) })
    const patch = [
      { path: '' },
      { path: '/-', ops: ['add'] },
      { path: '/*', ops: ['replace', 'remove'] },
      { path: '/*/**' },
    ] as const
    const bounds = { ...(minItems ? { minItems } : {}), ...(maxItems ? { maxItems } : {}) }
    const made = jsonList({ schema, fields }, { patch })
    const isRequired = minItems ? { isRequired: true } : {}
    return { ...made, schema: schemas.list(schema, bounds), column: listColumnOf(name), ...isRequired }
  }

  const computedOf = (name: string): Field | undefined => {
    const property = computedProperty(document, name, {
      declarationOf: (other) => referenced.declarationOf(other),
      linesOf: (other, lines) => {
        const declared = other.properties[lines]
        return isLinesSetup(declared) ? linesProperty(other, declared, referenced) : undefined
      },
    })
    return property && queriesOnly(property)
  }

  const referenceOf = ({ reference, key, ...names }: ReferenceSetup): Field | undefined => {
    const columns = referenced.keyColumnsOf(reference)
    if (!columns) return undefined
    const own = key.map((path) => columnAt(document, path))
    return queriesOnly({
      kind: 'association',
      ...namesIn(names),
      on: own.map((column, at) => [column, columns[at] ?? ''] as const),
      get document() {
        return referenced.documentOf(reference)
      },
    })
  }

  return (name: string): Field | undefined => {
    const property = document.properties[name]
    if (!property) return undefined
    if (name === COMPANY) return text({ most: COMPANY_LENGTH, isFixed: true, column: 'company_id' })
    if (isSimple(property)) return simpleOf(property, [name])
    if (isReference(property)) return referenceOf(property)
    if (isLinesSetup(property)) {
      const lines = linesProperty(document, property, referenced)
      return lines && queriesOnly(lines)
    }
    if (isComputed(property)) return computedOf(name)
    return named('group' in property ? groupOf(property.group, name) : listOf(property, name), property)
  }
}

/** The lines of a document, whose key begins with the key of it. */
function linesProperty(
  document: DocumentSetup,
  { items, by, ...names }: LinesSetup,
  referenced: Referenced,
): LinesProperty | undefined {
  const columns = referenced.keyColumnsOf(items)
  if (!columns) return undefined
  const own = keyNamesOf(document).map((name) => columnAt(document, name))
  const lines = {
    on: own.map((column, at) => [column, columns[at] ?? ''] as const),
    orderBy: columns.slice(by.length),
    get document() {
      return referenced.documentOf(items)
    },
  }
  return recordLines(lines, namesIn(names))
}

/** A field whose property is called as the setup says. */
function named(field: Field, names: NamesSetup): Field {
  const { property } = field
  return { ...field, property: property && ((column, at) => ({ ...property(column, at), ...namesIn(names) })) }
}

function mapped<Member>(
  members: Readonly<Record<string, Member>>,
  make: (property: Member, name: string) => Field,
): Fields {
  return Object.fromEntries(Object.entries(members).map(([name, property]) => [name, make(property, name)]))
}

function pathKey(itemsOf: string | undefined, path: readonly string[]): string {
  return JSON.stringify([itemsOf, path])
}

function valueField(property: PropertySetup, rules: FieldRules, isKey: boolean): Field {
  const { type, scale, maxLength, required, itemsOf, column } = rules
  const codes = codesOf(property)
  return field(
    schemaOf(rules),
    {
      type,
      ...(type === 'boolean' && itemsOf === undefined ? { storedAs: 'flag' as const } : {}),
      ...(type === 'decimal' ? { scale } : {}),
      ...(type === 'string' && isBounded(property, isKey) ? { maxLength } : {}),
    },
    {
      ...(itemsOf === undefined ? { column } : {}),
      ...(required ? { isRequired: true } : {}),
      ...(isKey ? { isFixed: true } : {}),
      ...(codes ? { codes } : {}),
    },
  )
}

/** Whether the document tells how long a text may be; the longest of all are told by the schema of the record alone. */
function isBounded({ maxLength, unique }: PropertySetup, isKey: boolean): boolean {
  return isKey || maxLength !== undefined || unique === true
}

function codesOf({ legalValues, attributeId, valueList }: PropertySetup): Codes | undefined {
  if (legalValues) return legalValuesOf(legalValues)
  if (attributeId !== undefined) return { attributeId }
  return valueList === undefined ? undefined : { valueList }
}

type Notes = Readonly<Record<string, unknown>>

/** The schema of a member, in requests and in responses: an absent value is answered as an empty one. */
function schemaOf(rules: FieldRules): TSchema {
  const { type, scale } = rules
  const absent: Notes = rules.hasDefault ? { default: rules.absent } : {}
  switch (type) {
    case 'string':
      return schemas.text({ ...absent, ...textNotes(rules) })
    case 'date-time':
      return schemas.dateTime(absent)
    case 'boolean':
      return schemas.bool(absent)
    case 'decimal':
      return schemas.decimal(scale, { ...absent, ...rangeNotes(rules) })
    case 'integer':
      return schemas.integer({ ...absent, ...rangeNotes(rules) })
    case 'number':
      return schemas.number({ ...absent, ...rangeNotes(rules) })
  }
}

function textNotes({ required, maxLength, pattern }: FieldRules): Notes {
  return {
    ...(required ? { minLength: 1 } : {}),
    maxLength,
    ...(pattern === undefined ? {} : { pattern: required ? `^(?:${pattern.text})$` : `^(?:${pattern.text})?$` }),
  }
}

/** Without a value, 0 is answered, which may be out of the range. */
function rangeNotes({ required, minimum, maximum }: FieldRules): Notes {
  const range = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) }
  const hasZero = (minimum ?? 0) <= 0 && (maximum ?? 0) >= 0
  return required || hasZero ? range : { anyOf: [{ const: 0 }, range] }
}
