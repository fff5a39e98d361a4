// A document of a source as one that a setup declares: by its schema, or where it has none by some of its rows.
import { LongNumber } from '../../base/long-number.ts'
import { isObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import { isWordOfQueries } from '../../setup/check/check.ts'
import { TAKEN_NAMES } from '../../setup/check/declared-documents.ts'
import type { DocumentSetup, PropertySetup } from '../../setup/file/document-schema.ts'
import { annotation, DESCRIPTION, type FoundSchema, fieldType, type MemberSchema } from './found-schema.ts'

interface KnownCodes {
  readonly attributes: ReadonlySet<string>
  readonly valueLists: ReadonlySet<string>
}

interface Declared {
  readonly document: DocumentSetup | undefined
  /** What is left out of it, for people. */
  readonly left: readonly string[]
}

/** Members that each record has here by itself, or that answers have. */
const OF_SERVICE: ReadonlySet<string> = new Set(['lastupdated', 'notificationmessages'])
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,49}$/
const DOCUMENT_NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const MAX_KEY_PARTS = 5
const MAX_MEMBERS = 300
/** Amounts are kept exactly with at least as many digits behind the point. */
const AMOUNT_SCALE = 2
const GREATEST_SCALE = 6
/** Numbers below it have room for these digits. */
const GREATEST_AMOUNT = 1e11
const KEY_LENGTH = 120

export function declaredDocument(
  { name, version }: { readonly name: string; readonly version: number },
  schema: FoundSchema | undefined,
  rows: readonly JsonObject[],
  codes: KnownCodes,
): Declared {
  const left: string[] = []
  if (!DOCUMENT_NAME.test(name) || name.length > 50 || TAKEN_NAMES.includes(name)) {
    return { document: undefined, left: ['a document cannot have this name here'] }
  }
  const members = schema ? schema.members : membersIn(rows)
  const properties: Record<string, DocumentSetup['properties'][string]> = {}
  for (const { name: member, schema: described, isOnRequest } of members) {
    const values = rows.map((row) => row[member])
    const made = OF_SERVICE.has(member.toLowerCase())
      ? undefined
      : propertyOf(member, described, values, codes, isOnRequest)
    if (made) properties[member] = made
    else if (!OF_SERVICE.has(member.toLowerCase())) left.push(`${member} is left out`)
    if (Object.keys(properties).length >= MAX_MEMBERS) break
  }
  const key = (schema?.key ?? keyOf(properties, rows)).filter((part) => part.toLowerCase() !== 'companyid')
  const unkept = key.filter((part) => !isKey(properties[part]))
  if (key.length === 0 || key.length > MAX_KEY_PARTS || unkept.length > 0) {
    return { document: undefined, left: [`its key (${key.join(', ') || 'none'}) cannot be kept`] }
  }
  for (const part of key) properties[part] = keyProperty(properties[part] as PropertySetup)
  const title = schema?.description
  return {
    document: {
      name,
      ...(version === 1 ? {} : { version }),
      ...(title ? { description: title.slice(0, 255) } : {}),
      key,
      properties,
    },
    left,
  }
}

function propertyOf(
  name: string,
  schema: MemberSchema,
  values: readonly (JsonValue | undefined)[],
  codes: KnownCodes,
  isOnRequest: boolean,
): DocumentSetup['properties'][string] | undefined {
  if (!NAME.test(name) || isWordOfQueries(name)) return undefined
  const simple = simpleProperty(schema, values, codes)
  if (simple) return simple
  const objects = values.filter(isObject)
  if (schema.properties && !isOnRequest) {
    const group = membersOf(schema.properties, objects, codes)
    return Object.keys(group).length > 0 ? { group } : undefined
  }
  const items = schema.type === 'array' ? schema.items?.properties : undefined
  if (!items) return undefined
  const list = membersOf(
    items,
    values.flatMap((value) => (Array.isArray(value) ? value.filter(isObject) : [])),
    codes,
  )
  return Object.keys(list).length > 0 ? { list } : undefined
}

function membersOf(
  properties: Readonly<Record<string, MemberSchema>>,
  rows: readonly JsonObject[],
  codes: KnownCodes,
): Record<string, PropertySetup> {
  const made = Object.entries(properties).flatMap(([name, schema]): [string, PropertySetup][] => {
    if (name.endsWith(DESCRIPTION) || !NAME.test(name) || isWordOfQueries(name)) return []
    const property = simpleProperty(
      schema,
      rows.map((row) => row[name]),
      codes,
    )
    return property ? [[name, property]] : []
  })
  return Object.fromEntries(made)
}

function simpleProperty(
  schema: MemberSchema,
  values: readonly (JsonValue | undefined)[],
  codes: KnownCodes,
): PropertySetup | undefined {
  const type = fieldType(schema)
  if (!type) return undefined
  if (type === 'number') return numberProperty(schema, values)
  if (type !== 'string') return { type }
  const { valueList } = (annotation(schema, 'valueList') ?? {}) as { readonly valueList?: unknown }
  const { attributeId } = (annotation(schema, 'attribute') ?? {}) as { readonly attributeId?: unknown }
  if (typeof valueList === 'string' && codes.valueLists.has(valueList)) return { type, valueList }
  return typeof attributeId === 'string' && codes.attributes.has(attributeId) ? { type, attributeId } : { type }
}

/** Amounts are decimals, so that sums are exact; what has more digits stays a number. */
function numberProperty(
  { multipleOf, format }: MemberSchema,
  values: readonly (JsonValue | undefined)[],
): PropertySetup {
  const places = typeof multipleOf === 'number' && multipleOf > 0 ? placesOf(String(multipleOf)) : 0
  const numbers = values.filter((value) => typeof value === 'number' || value instanceof LongNumber)
  const seen = Math.max(
    places,
    AMOUNT_SCALE,
    format === 'decimal' ? 4 : 0,
    ...numbers.map((value) => placesOf(digitsOf(value))),
  )
  const isLarge = numbers.some((value) => Math.abs(Number(digitsOf(value))) >= GREATEST_AMOUNT)
  return seen > GREATEST_SCALE || isLarge ? { type: 'number' } : { type: 'decimal', scale: seen }
}

function digitsOf(value: number | LongNumber): string {
  return value instanceof LongNumber ? value.text : String(value)
}

/** Digits behind the point. */
function placesOf(number: string): number {
  const [digits = '', exponent = '0'] = number.toLowerCase().split('e')
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent))
}

function isKey(property: DocumentSetup['properties'][string] | undefined): property is PropertySetup {
  return property !== undefined && 'type' in property && property.type !== 'boolean'
}

/** Keys are texts, whole numbers or times. */
function keyProperty(property: PropertySetup): PropertySetup {
  if (property.type === 'string') return { ...property, maxLength: KEY_LENGTH }
  return property.type === 'decimal' || property.type === 'number' ? { type: 'integer' } : property
}

/** Without a schema: what some rows show. */
function membersIn(rows: readonly JsonObject[]) {
  const names = new Set(rows.flatMap((row) => Object.keys(row)))
  return [...names].map((name) => ({ name, schema: schemaOf(rows.map((row) => row[name])), isOnRequest: false }))
}

function schemaOf(values: readonly (JsonValue | undefined)[]): MemberSchema {
  const given = values.filter((value) => value !== undefined && value !== null)
  const every = (is: (value: JsonValue) => boolean) =>
    given.length > 0 && given.every((value) => is(value as JsonValue))
  if (every((value) => typeof value === 'boolean')) return { type: 'boolean' }
  if (every((value) => Number.isInteger(value))) return { type: 'integer' }
  if (every((value) => typeof value === 'number' || value instanceof LongNumber)) return { type: 'number' }
  if (every((value) => typeof value === 'string' && DATE_TIME.test(value)))
    return { type: 'string', format: 'date-time' }
  if (every(isObject)) return { properties: propertiesIn(given as JsonObject[]) }
  if (every(Array.isArray)) {
    return { type: 'array', items: { properties: propertiesIn((given as JsonValue[][]).flat().filter(isObject)) } }
  }
  return { type: 'string' }
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function propertiesIn(rows: readonly JsonObject[]): Record<string, MemberSchema> {
  return Object.fromEntries(membersIn(rows).map(({ name, schema }) => [name, schema]))
}

/** The first properties that no two rows have in common. */
function keyOf(properties: DocumentSetup['properties'], rows: readonly JsonObject[]): string[] {
  const names = Object.keys(properties).filter((name) => name.toLowerCase() !== 'companyid' && isKey(properties[name]))
  for (let count = 1; count <= Math.min(names.length, MAX_KEY_PARTS) && rows.length > 0; count += 1) {
    const some = names.slice(0, count)
    const seen = new Set(rows.map((row) => JSON.stringify(some.map((name) => row[name]))))
    if (seen.size === rows.length) return some
  }
  return []
}
