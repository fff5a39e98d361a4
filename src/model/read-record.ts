// Reads records in documented spelling from parsed JSON, by a schema. Names are case-insensitive, unknown members are
// ignored, null means absent, and scalars are converted if nothing is lost (decisions 0 and 2).

import type { TObject, TSchema } from 'typebox'
import { parseDateTime } from '../base/dates.ts'
import { LongNumber } from '../base/long-number.ts'
import { memo } from '../base/memo.ts'
import { asDecimal, type Exact } from '../base/numbers/decimal.ts'
import { asBoolean, asInteger, asNumber, asText, lossOf } from '../base/numbers/scalars.ts'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { foldName, shortened } from '../base/text.ts'
import { malformed } from '../errors/catalogue.ts'
import type { FieldPath, Findings } from '../errors/findings.ts'
import { MAX_ITEMS } from './document.ts'
import { absentOf } from './fill-record.ts'
import { type GivenOf, type Kind, kindOf, scaleOf } from './schema.ts'

/**
 * Reads a body, which must be an object. Unreadable values are omitted from the result and added to the findings, but
 * for those of members that are ignored whatever they are.
 */
export function readRecord<Schema extends TObject>(
  schema: Schema,
  json: JsonValue,
  findings: Findings,
  ignored: readonly (string | number | undefined)[] = [],
): GivenOf<Schema> {
  if (!isObject(json)) throw malformed('The request body must be a JSON object.')
  const reject: Reject = (path, expected, value, isLoss) => {
    if (ignored.includes(path[0])) return
    const field = `The field ${fieldName(path)}`
    if (isLoss) findings.addUnreadable(path, `${field} ${lossMessage(expected, value)}.`, 4030)
    else findings.addUnreadable(path, `${field} must be ${withArticle(expected)}.`)
  }
  return readMembers(schema, json, [], reject) as GivenOf<Schema>
}

/** Reports a value that cannot be read as the expected type. `isLoss` marks a number that would lose digits. */
export type Reject = (path: FieldPath, expected: string, given: JsonValue, isLoss: boolean) => void

/** Reads one value of any schema; undefined if it was rejected. Null is rejected. */
export function readValue(schema: TSchema, json: JsonValue, path: FieldPath, reject: Reject): unknown {
  const kind = kindOf(schema)
  if (kind === 'object' && isObject(json)) return readMembers(schema as TObject, json, path, reject)
  if (kind === 'array' && Array.isArray(json)) return readItems(schema as ListSchema, json, path, reject)
  const value = readScalar(kind, json, schema)
  if (value !== undefined) return value
  const loss = lossOf(kind, json, scaleOf(schema))
  reject(path, loss ?? (kind === 'decimal' ? 'number' : kind), json, loss !== undefined)
  return undefined
}

/** Finds a member of a record by its name in any letter case. */
export function findMember(schema: TObject, name: string): Member | undefined {
  return memberIn(membersOf(schema), name)
}

function memberIn(members: ReadonlyMap<string, Member>, name: string): Member | undefined {
  return members.get(name) ?? members.get(foldName(name))
}

interface Member {
  /** The name in documented spelling. */
  readonly name: string
  readonly schema: TSchema
  readonly kind: Kind
}

/**
 * Passes the members of a JSON object by their documented names. Rejects one name in two spellings, because it is
 * ambiguous.
 */
export function eachDocumented<Found extends { name: string }>(
  json: JsonObject,
  find: (name: string) => Found | undefined,
  act: (member: Found, given: JsonValue) => void,
): void {
  let isChecked = false
  for (const given of Object.keys(json)) {
    const member = find(given)
    if (!member) continue
    // Only another spelling can repeat a name: the members of an object are distinct.
    if (given !== member.name && !isChecked) {
      requireOneSpelling(json, find)
      isChecked = true
    }
    act(member, json[given]!)
  }
}

function requireOneSpelling(json: JsonObject, find: (name: string) => { name: string } | undefined): void {
  const spellings = new Map<string, string>()
  for (const given of Object.keys(json)) {
    const member = find(given)
    if (!member) continue
    const other = spellings.get(member.name)
    if (other !== undefined)
      throw malformed(`The field ${member.name} is given twice, as '${other}' and as '${given}'.`)
    spellings.set(member.name, given)
  }
}

type ListSchema = TSchema & { items: TSchema }

function readMembers(schema: TObject, json: JsonObject, path: FieldPath, reject: Reject): object {
  const result: Record<string, unknown> = {}
  const members = membersOf(schema)
  const find = (name: string) => memberIn(members, name)
  eachDocumented(json, find, ({ name, schema: own, kind }, given) => {
    if (given === null) return
    // Paths are made where they are needed: a record with lines has thousands of values.
    const value = readScalar(kind, given, own) ?? readValue(own, given, [...path, name], reject)
    if (value !== undefined) result[name] = value
  })
  return result
}

/** A rejected item is replaced with a default value, so that the following items keep their indexes. */
function readItems(schema: ListSchema, json: JsonValue[], path: FieldPath, reject: Reject): unknown[] | undefined {
  const most = mostItems(schema)
  if (json.length <= most) {
    return json.map((item, index) => readValue(schema.items, item, [...path, index], reject) ?? absentOf(schema.items))
  }
  reject(path, `array of at most ${most} items`, json, false)
  return undefined
}

/** The maximum number of items of a list. */
export function mostItems({ maxItems = MAX_ITEMS }: TSchema & { readonly maxItems?: number }): number {
  return maxItems
}

function readScalar(kind: Kind, json: JsonValue, schema: TSchema): string | Exact | boolean | undefined {
  switch (kind) {
    case 'string':
      return asText(json)
    case 'number':
      return asNumber(json)
    case 'decimal':
      return asDecimal(json, scaleOf(schema))
    case 'integer':
      return asInteger(json)
    case 'boolean':
      return asBoolean(json)
    case 'date-time':
      return typeof json === 'string' ? parseDateTime(json) : undefined
    case 'string or number':
      // The value is stored as sent, even an integer of 16 digits.
      return typeof json === 'string' || Number.isSafeInteger(json) ? (json as string | number) : asNumber(json)
    default:
      return undefined
  }
}

/** The members by documented and by folded name. */
const membersOf = memo((schema: TObject): Map<string, Member> => {
  const documented = Object.entries(schema.properties).map(([name, member]) => ({
    name,
    schema: member,
    kind: kindOf(member),
  }))
  const members = new Map(documented.toReversed().map((member) => [foldName(member.name), member]))
  for (const member of documented) members.set(member.name, member)
  return members
})

/** The message for a number that would lose digits, with the expected type and the digits. */
export function lossMessage(expected: string, value: JsonValue): string {
  const digits = value instanceof LongNumber ? value.text : String(value)
  return `must be ${withArticle(expected)}, which ${shortened(digits)} is not`
}

/** The path as in messages, such as `contactPoints[0].sortOrder`. */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    return name === '' ? part : `${name}.${part}`
  }, '')
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
}
