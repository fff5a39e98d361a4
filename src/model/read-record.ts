// Parsed JSON to records in documented spelling, by a schema. Names go without regard to case, unknown members are
// passed over, null is absent, scalars convert when nothing is lost (decisions 0 and 2).
import type { TObject, TSchema } from 'typebox'
import { parseDateTime } from '../base/dates.ts'
import { asDecimal, type Exact } from '../base/decimal.ts'
import { LongNumber } from '../base/long-number.ts'
import { asBoolean, asInteger, asNumber, asText, lossOf } from '../base/scalars.ts'
import { isObject, type JsonObject, type JsonValue } from '../base/strict-json.ts'
import { foldName, shortened } from '../base/text.ts'
import { malformed } from '../errors/catalogue.ts'
import type { FieldPath, Findings } from '../errors/findings.ts'
import { absentOf } from './fill-record.ts'
import { type GivenOf, type Kind, kindOf, scaleOf } from './schema.ts'
import { MAX_ITEMS } from './text-lengths.ts'

/** Reads a body. What cannot be read is left out of the result and told to the findings; the body itself must be an object. */
export function readRecord<Schema extends TObject>(
  schema: Schema,
  json: JsonValue,
  findings: Findings,
): GivenOf<Schema> {
  if (!isObject(json)) throw malformed('The request body must be a JSON object.')
  const refuse: Refuse = (path, expected, value, isLoss) => {
    const field = `The field ${fieldName(path)}`
    if (isLoss) findings.addUnreadable(path, `${field} ${wordsOfLoss(expected, value)}.`, 4030)
    else findings.addUnreadable(path, `${field} must be ${withArticle(expected)}.`)
  }
  return readMembers(schema, json, [], refuse) as GivenOf<Schema>
}

/** Takes notice of a value that cannot be read as what is expected at its place; `isLoss`: of a number that would lose digits. */
export type Refuse = (path: FieldPath, expected: string, given: JsonValue, isLoss: boolean) => void

/** Reads one value, whatever its schema; `undefined` when it was refused. Null is no value here. */
export function readValue(schema: TSchema, json: JsonValue, path: FieldPath, refuse: Refuse): unknown {
  const kind = kindOf(schema)
  if (kind === 'object' && isObject(json)) return readMembers(schema as TObject, json, path, refuse)
  if (kind === 'array' && Array.isArray(json)) return readItems(schema as ListSchema, json, path, refuse)
  const value = readScalar(kind, json, schema)
  if (value !== undefined) return value
  const loss = lossOf(kind, json, scaleOf(schema))
  refuse(path, loss ?? (kind === 'decimal' ? 'number' : kind), json, loss !== undefined)
  return undefined
}

/** A member of a record by its name in any letter case. */
export function findMember(schema: TObject, name: string): Member | undefined {
  const members = membersOf(schema)
  return members.get(name) ?? members.get(foldName(name))
}

export interface Member {
  /** As documented. */
  readonly name: string
  readonly schema: TSchema
}

/** The members of a JSON object by their documented names. One name in two spellings makes the body ambiguous: refused. */
export function* documentedMembers<Found extends { name: string }>(
  json: JsonObject,
  find: (name: string) => Found | undefined,
): Generator<[Found, JsonValue]> {
  let isChecked = false
  for (const given of Object.keys(json)) {
    const member = find(given)
    if (!member) continue
    // The documented spellings alone are names of an object, and so different.
    if (given !== member.name && !isChecked) {
      requireOneSpelling(json, find)
      isChecked = true
    }
    yield [member, json[given]!]
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

function readMembers(schema: TObject, json: JsonObject, path: FieldPath, refuse: Refuse): object {
  const result: Record<string, unknown> = {}
  for (const [member, given] of documentedMembers(json, (name) => findMember(schema, name))) {
    if (given === null) continue
    const value = readValue(member.schema, given, [...path, member.name], refuse)
    if (value !== undefined) result[member.name] = value
  }
  return result
}

/** An item that is refused leaves a blank one, so that those after it keep their indexes. */
function readItems(schema: ListSchema, json: JsonValue[], path: FieldPath, refuse: Refuse): unknown[] | undefined {
  if (json.length <= MAX_ITEMS) {
    return json.map((item, index) => readValue(schema.items, item, [...path, index], refuse) ?? absentOf(schema.items))
  }
  refuse(path, `array of at most ${MAX_ITEMS} items`, json, false)
  return undefined
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
      // Kept as it was sent, an integer of 16 digits too.
      return typeof json === 'string' || Number.isSafeInteger(json) ? (json as string | number) : asNumber(json)
    default:
      return undefined
  }
}

const knownMembers = new WeakMap<TObject, Map<string, Member>>()

/** By documented and by folded name; made once for each schema. */
function membersOf(schema: TObject): Map<string, Member> {
  const known = knownMembers.get(schema)
  if (known) return known
  const documented = Object.entries(schema.properties).map(([name, member]) => ({ name, schema: member }))
  const members = new Map(documented.toReversed().map((member) => [foldName(member.name), member]))
  for (const member of documented) members.set(member.name, member)
  knownMembers.set(schema, members)
  return members
}

/** Says of a number that would lose digits what it must be, and its digits. */
export function wordsOfLoss(expected: string, value: JsonValue): string {
  const digits = value instanceof LongNumber ? value.text : String(value)
  return `must be ${withArticle(expected)}, which ${shortened(digits)} is not`
}

/** `contactPoints[0].sortOrder` */
function fieldName(path: FieldPath): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    return name === '' ? part : `${name}.${part}`
  }, '')
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
}
