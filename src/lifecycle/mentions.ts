// Entries of the change log that name a record though they are of another one: relations to it, and records whose texts
// refer to it.

import { isDeepStrictEqual } from 'node:util'
import { jsonOrUndefined } from '../base/strict-json.ts'
import { decoded } from '../base/text.ts'
import { keyFrom } from '../records/engine/record.ts'
import { valueAt } from '../records/engine/record-kind.ts'
import type { ValueName } from '../records/shared/master-data/value-store.ts'
import type { RecordRules } from '../setup/rules/record-rules.ts'
import type { CompanyRules } from '../setup/rules/rules.ts'
import { AGENT_CALL } from '../store/audit/agent-call-log.ts'
import type { LinkedEntry } from '../store/chain/audit-chain.ts'
import { type RecordName, valueBehind } from './record-name.ts'
import { codedProperties } from './references.ts'

/** A record as others name it. */
interface NamedRecord {
  /** The name of its Enterprise Document. */
  readonly document: string
  readonly key: readonly string[]
  /** Whether parts of an address start with its key, or with the value that it is. */
  isKey(parts: readonly string[]): boolean
  /** A part of the key as JSON, by which texts without it are passed over quickly; empty where no part is a text. */
  readonly quoted: string
  /** The attribute value that it is. */
  readonly value: ValueName | undefined
}

export function namedRecordOf(company: CompanyRules, subject: RecordName): NamedRecord {
  const { kind, key } = subject
  const text = key.texts.findLast((_part, at) => typeof key.stored[at] === 'string')
  const quoted = text === undefined ? '' : JSON.stringify(text)
  const value = valueBehind(company, subject)
  return { document: kind.document, key: key.texts, quoted, isKey: keyTestOf(subject), value }
}

/** The parts of the key of a record of the setup may be written in several ways, such as a date without its time. */
function keyTestOf({ kind, key }: RecordName): NamedRecord['isKey'] {
  if (!kind.own) return ([part]) => part === key.texts.at(-1)
  return (parts) => isDeepStrictEqual(keyFrom(kind, parts.slice(0, kind.keyNames.length))?.stored, key.stored)
}

type Members = Readonly<Record<string, unknown>>

/** Whether an entry names the record. */
export type Mentions = (entry: LinkedEntry) => boolean

export function mentionsOf(
  company: CompanyRules,
  declaredRecords: ReadonlyMap<string, RecordRules>,
  named: NamedRecord,
): Mentions {
  const { quoted, isKey, value } = named
  return (entry) => {
    const { entity, record_key, before, after } = entry
    if (entity === 'access') return pathNames(record_key, isKey)
    if (entity === AGENT_CALL) return false
    if (![record_key, before, after].some((text) => text.includes(quoted))) return false
    if (entity === 'attribute-relation') return value !== undefined && isRelatedTo(record_key, value)
    const own = declaredRecords.get(entity)
    return [before, after]
      .map(membersOf)
      .some(
        (record) =>
          (value !== undefined && refersTo(company, value, entity, record)) ||
          (own !== undefined && declaredRefersTo(own, named, record)),
      )
  }
}

/** The members of records of the setup that refer to the record, or to the last part of its key. */
export function membersNaming(declaredRecords: Iterable<RecordRules>, { document, value }: NamedRecord): string[] {
  return [...declaredRecords].flatMap((rules) => [
    ...(rules.name === document ? rules.keyNames.slice(-1) : []),
    ...referencesTo(rules, document).flatMap((paths) => paths.at(-1)?.at(-1) ?? []),
    ...codesOf(rules, value).map(({ path }) => path.at(-1) ?? ''),
  ])
}

/** The path of refused access may have the key of a record. */
function pathNames(recordKey: string, isKey: NamedRecord['isKey']): boolean {
  const [, path = ''] = partsOf(recordKey)
  const segments = path.split('/')
  const read = segments.map(decoded)
  return segments.some((_, from) => isKey(segments.slice(from)) || isKey(read.slice(from)))
}

function isRelatedTo(recordKey: string, { attributeId, attributeValue }: ValueName): boolean {
  const [own, ownValue, related, relatedValue] = partsOf(recordKey)
  return (
    (own === attributeId && ownValue === attributeValue) || (related === attributeId && relatedValue === attributeValue)
  )
}

function partsOf(recordKey: string): string[] {
  const parts = jsonOrUndefined(recordKey)
  return Array.isArray(parts) ? parts.map(String) : []
}

function membersOf(text: string): Members {
  const found = jsonOrUndefined(text)
  return typeof found === 'object' && found !== null ? (found as Members) : {}
}

/** Whether a record of the setup refers to the record, by a reference or by a code. */
function declaredRefersTo(rules: RecordRules, { document, key, value }: NamedRecord, record: Members): boolean {
  const isReferred = referencesTo(rules, document).some((paths) =>
    paths.every((path, at) => String(valueAt(record, path)) === key[at]),
  )
  return (
    isReferred ||
    codesOf(rules, value).some(({ path, list }) =>
      (list === undefined ? [record] : itemsOf(record[list])).some(
        (holder) => String(valueAt(holder, path)) === value?.attributeValue,
      ),
    )
  )
}

/** For each reference to a document the paths to the parts of the key. */
function referencesTo({ references }: RecordRules, document: string): (readonly (readonly string[])[])[] {
  return references.filter((reference) => reference.document === document).map(({ key }) => key)
}

/** The properties whose codes are the values of the attribute; within an item for those of a list. */
function codesOf({ record }: RecordRules, value: ValueName | undefined) {
  return [...codedProperties(record.document.properties)].flatMap(([path, { codes }, list]) =>
    codes && 'attributeId' in codes && codes.attributeId === value?.attributeId
      ? [{ path: path.split('/'), list }]
      : [],
  )
}

/** Whether a record refers to the value in a property whose codes are the values of the attribute. */
function refersTo(company: CompanyRules, value: ValueName, entity: string, record: Members): boolean {
  const { attributeId, attributeValue } = value
  const related = itemsOf(record.relatedValues).some(
    ({ relationId, relatedValue }) =>
      relatedValue === attributeValue && company.relationById(String(relationId))?.relatedAttributeId === attributeId,
  )
  if (related || hasContactPointType(company, value, record)) return true
  switch (entity) {
    case 'attribute-value': {
      const own = company.attributes.get(String(record.attributeId))
      return (own?.owner === attributeId && record.owner === attributeValue) || isValue(value, record)
    }
    case 'document':
      return isIndexed(company, value, record)
    case 'customer':
      return isCodeOf(company, value, record)
    default:
      return false
  }
}

function isValue({ attributeId, attributeValue }: ValueName, record: Members): boolean {
  return record.attributeId === attributeId && record.attributeValue === attributeValue
}

function hasContactPointType(
  company: CompanyRules,
  { attributeId, attributeValue }: ValueName,
  record: Members,
): boolean {
  if (company.attributeByName('ADDRTYPE')?.id !== attributeId) return false
  return itemsOf(record.contactPoints).some(({ contactPointType }) => contactPointType === attributeValue)
}

function isIndexed(company: CompanyRules, { attributeId, attributeValue }: ValueName, record: Members): boolean {
  const indexes = company.documentTypes.get(String(record.docType))?.indexes ?? []
  return itemsOf(record.indexes).some(
    ({ sequenceNo, indexValue }) =>
      indexValue === attributeValue &&
      indexes.some((index) => index.sequenceNo === sequenceNo && index.attributeId === attributeId),
  )
}

/** Whether a field of a customer with legal values of the attribute has the value. */
function isCodeOf({ customers }: CompanyRules, { attributeId, attributeValue }: ValueName, record: Members): boolean {
  const isOf = (legal: object | undefined) =>
    legal !== undefined && 'attributeId' in legal && legal.attributeId === attributeId
  const groups = [record, record.invoice, record.payment] as readonly (Members | undefined)[]
  const coded = Object.entries(customers?.legalValues ?? {}).some(
    ([name, legal]) => isOf(legal) && groups.some((group) => group?.[name] === attributeValue),
  )
  const custom = (record.customFieldGroups ?? {}) as Readonly<Record<string, Members>>
  return (
    coded ||
    (customers?.customFieldGroups ?? []).some(({ name, fields }) =>
      fields.some((field) => isOf(field.legalValues) && String(custom[name]?.[field.name]) === attributeValue),
    )
  )
}

function itemsOf(list: unknown): Members[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []
}
