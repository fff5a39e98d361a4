// Walks a record by its schema in documented order: to fill in absent members, to read a record that the database
// returned, and to write one exactly as the database would. A walk is compiled once for each schema.

import type { Static, TObject, TSchema } from 'typebox'
import { OPEN_FROM, parseDateTime, withoutZone } from '../base/dates.ts'
import { LongNumber, parseExact } from '../base/long-number.ts'
import { memo } from '../base/memo.ts'
import { asBoolean, asInteger, asNumber, asText } from '../base/numbers/scalars.ts'
import type { JsonValue } from '../base/strict-json.ts'
import { type GivenOf, type Kind, kindOf } from './schema.ts'

/** Fills in every absent member in documented order, because responses contain no null (decision 0). */
export function withDefaults<Schema extends TObject>(schema: Schema, given: GivenOf<Schema>): Static<Schema> {
  return fill(schema, given) as Static<Schema>
}

/** Parses a record from the JSON of a response. A value whose type a setup has changed since reads as absent. */
export function readStored<Schema extends TObject>(schema: Schema, text: string): Static<Schema> {
  return revive(schema, parseExact(text)) as Static<Schema>
}

/**
 * The JSON of a complete record, byte for byte as the database produces it: date-times without zone, members in
 * documented order. Undefined if it contains a number or a text that an engine may serialize differently.
 */
export function storedText<Schema extends TObject>(schema: Schema, record: Static<Schema>): string | undefined {
  try {
    return JSON.stringify(serialize(schema, record))
  } catch (error) {
    if (error === SERIALIZED_DIFFERENTLY) return undefined
    throw error
  }
}

/** A part of a record as its JSON is stored, which is as responses have it. */
export function storedPart(schema: TSchema, value: unknown): string {
  return JSON.stringify(withoutZones(schema, value))
}

type Walk = (schema: TSchema, value: unknown) => unknown
type Scalar = (kind: Kind, value: unknown, absent: unknown) => unknown
type Step = (value: unknown) => unknown

const fill = walk((_kind, value, absent) => value ?? absent)

const revive = walk((kind, value, absent) => {
  if (value === undefined || value === null) return absent
  return readBack(kind, value as JsonValue) ?? absent
})

const serialize = walk((kind, value) => {
  if (kind === 'date-time') return withoutZone(value as string)
  if (kind === 'number' && !isSerializedAlike(value as number)) throw SERIALIZED_DIFFERENTLY
  if (kind === 'string' && !(value as string).isWellFormed()) throw SERIALIZED_DIFFERENTLY
  return value
})

const withoutZones = walk((kind, value) => (kind === 'date-time' ? withoutZone(value as string) : value))

const SERIALIZED_DIFFERENTLY = new Error('an engine may serialize this value differently')

/** Beyond these bounds, SQLite writes an exponent or unnecessary digits, and PostgreSQL an exponent. */
const MAX_PLAIN = 1e15
const MIN_PLAIN = 1e-3
const MAX_DIGITS = 13

function isSerializedAlike(number: number): boolean {
  const size = Math.abs(number)
  if (Number.isInteger(number)) return size < MAX_PLAIN
  return size >= MIN_PLAIN && size < MAX_PLAIN && Number(number.toPrecision(MAX_DIGITS)) === number
}

function readBack(kind: Kind, value: JsonValue): unknown {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : asText(value)
    case 'decimal':
      return typeof value === 'number' || value instanceof LongNumber ? value : undefined
    case 'number':
      // The database may write more digits of a double than a client may send.
      return value instanceof LongNumber ? Number(value.text) : typeof value === 'number' ? value : asNumber(value)
    case 'integer':
      return asInteger(value)
    case 'boolean':
      return asBoolean(value)
    case 'date-time':
      return typeof value === 'string' ? (isStoredInstant(value) ? `${value}Z` : parseDateTime(value)) : undefined
    default:
      return typeof value === 'string' || typeof value === 'number' ? value : undefined
  }
}

const STORED_INSTANT_LENGTH = '1900-01-01T00:00:00.000'.length

/** Whether a text is a date-time without zone as in responses; its digits were validated when it was written. */
function isStoredInstant(text: string): boolean {
  return text.length === STORED_INSTANT_LENGTH && text[10] === 'T' && text[19] === '.'
}

function walk(scalar: Scalar): Walk {
  const stepFor = memo((schema: TSchema): Step => {
    const kind = kindOf(schema)
    if (kind === 'array') {
      const item = stepFor((schema as TSchema & { items: TSchema }).items)
      return (value) => ((value ?? []) as unknown[]).map(item)
    }
    if (kind !== 'object') {
      const absent = absentOf(schema, kind)
      return (value) => scalar(kind, value, absent)
    }
    const members = Object.entries((schema as TObject).properties).map(
      ([name, member]) => [name, stepFor(member)] as const,
    )
    return (value) => {
      const result: Record<string, unknown> = {}
      const given = value as Record<string, unknown> | undefined
      for (const [name, step] of members) {
        result[name] = step(given && Object.hasOwn(given, name) ? given[name] : undefined)
      }
      return result
    }
  })
  return (schema, value) => stepFor(schema)(value)
}

/** The value that an absent value reads as. */
export function absentOf(schema: TSchema, kind = kindOf(schema)): unknown {
  const { default: defaultValue } = schema as { default?: unknown }
  if (defaultValue !== undefined) return defaultValue
  switch (kind) {
    case 'object':
      return {}
    case 'array':
      return []
    case 'boolean':
      return false
    case 'number':
    case 'decimal':
    case 'integer':
      return 0
    case 'date-time':
      return OPEN_FROM
    default:
      return ''
  }
}
