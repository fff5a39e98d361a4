// Keys, drafts and messages of the records of a document of the setup.
import type { Static } from 'typebox'
import { withoutZone } from '../../base/dates.ts'
import { capitalised } from '../../base/text.ts'
import { entityNotFound } from '../../errors/catalogue.ts'
import type { FieldPath } from '../../errors/findings.ts'
import type { Problem } from '../../errors/problem.ts'
import { storedText, withDefaults } from '../../model/fill-record.ts'
import { readValue } from '../../model/read-record.ts'
import type { ContactPoint } from '../../model/records/contact-point.ts'
import type { RelatedValue } from '../../model/records/related-value.ts'
import { type GivenOf, kindOf, type RecordSchema } from '../../model/schema.ts'
import { COMPANY } from '../../setup/rules/own/own-properties.ts'
import type { OwnRecordRules } from '../../setup/rules/own/own-record.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import type { KeyFilter } from '../../store/compile/compiled-query.ts'
import type { SqlValue } from '../../store/dialects/dialect.ts'
import { rowOf } from '../../store/record-statements.ts'
import type { Tx } from '../../store/store.ts'
import { withRelationNames } from '../shared/master-data/related-value.ts'

/** A complete record. The lists that all such records may have are there where the setup says so. */
export interface OwnDraft extends Readonly<Record<string, unknown>> {
  readonly contactPoints?: ContactPoint[]
  readonly relatedValues?: RelatedValue[]
}

/** The members given by a caller or left by a patch; a member may be absent. */
export type GivenRecord = Readonly<Record<string, unknown>>

/** The key of a record below its company. */
export interface OwnKey {
  /** As addresses and messages name its parts. */
  readonly texts: readonly string[]
  /** As the table has them, and the journal. */
  readonly stored: readonly SqlValue[]
}

function schemaOf({ record }: OwnRecordRules): RecordSchema {
  return record.schema as RecordSchema
}

/** The key that texts name; undefined when a part is of another type. */
export function keyFrom(rules: OwnRecordRules, texts: readonly string[]): OwnKey | undefined {
  const { properties } = schemaOf(rules)
  const parts = rules.keyNames.flatMap((name, at): [string, unknown][] => {
    const schema = properties[name]
    const value = schema && readValue(schema, texts[at] ?? '', [name], () => {})
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  return parts.length === rules.keyNames.length ? keyOf(rules, Object.fromEntries(parts)) : undefined
}

/** The key of a record. */
export function keyOf(rules: OwnRecordRules, record: GivenRecord): OwnKey {
  const columns = rowOf(keyFields(rules), record) as Record<string, SqlValue>
  const { properties } = schemaOf(rules)
  return {
    texts: rules.keyNames.map((name) => {
      const schema = properties[name]
      const text = String(record[name])
      return schema && kindOf(schema) === 'date-time' ? withoutZone(text) : text
    }),
    stored: keyColumns(rules).map((column) => columns[column] ?? ''),
  }
}

const keyFieldsByRules = new WeakMap<OwnRecordRules, OwnRecordRules['record']['fields']>()

/** The fields of the key without the company, in its order. */
export function keyFields(rules: OwnRecordRules): OwnRecordRules['record']['fields'] {
  let fields = keyFieldsByRules.get(rules)
  if (!fields) {
    fields = Object.fromEntries(
      rules.keyNames.flatMap((name) => {
        const field = rules.record.fields[name]
        return field ? [[name, field]] : []
      }),
    )
    keyFieldsByRules.set(rules, fields)
  }
  return fields
}

/** The columns of the key without the company, in its order. */
export function keyColumns(rules: OwnRecordRules): readonly string[] {
  return rules.keyNames.map((name) => rules.record.fields[name]?.column ?? '')
}

/** Selects the row of a record within its company. */
export function filterOf(rules: OwnRecordRules, { stored }: OwnKey): KeyFilter {
  return keyColumns(rules).map((column, at) => [column, stored[at] ?? ''] as const)
}

export function notFound(rules: OwnRecordRules, company: CompanyRules, texts: readonly string[]): Problem {
  const parts = rules.keyNames.map((name, at) => [capitalised(name), texts[at] ?? ''])
  return entityNotFound({ Company: company.id, ...Object.fromEntries(parts) })
}

/** The address of a record. */
export function addressOf({ name, version }: OwnRecordRules, { texts }: OwnKey): string {
  return [`/v${version}`, name, ...texts.map(encodeURIComponent)].join('/')
}

/** The complete record that a request describes. An empty text is an absent one, which has a default. */
export function draftOf(rules: OwnRecordRules, company: CompanyRules, given: GivenRecord): OwnDraft {
  const schema = schemaOf(rules)
  const draft = withDefaults(schema, given as GivenOf<RecordSchema>) as Record<string, unknown>
  if (Object.hasOwn(schema.properties, COMPANY)) draft[COMPANY] = company.id
  for (const { itemsOf, path, absent, hasDefault, type } of rules.checks) {
    if (!hasDefault || type !== 'string') continue
    const holders = itemsOf === undefined ? [draft] : (draft[itemsOf] as Record<string, unknown>[])
    for (const holder of holders) fillEmpty(holder, path, absent)
  }
  return draft
}

function fillEmpty(holder: Record<string, unknown>, path: readonly string[], absent: unknown): void {
  const parent = path.slice(0, -1).reduce((part, name) => part[name] as Record<string, unknown>, holder)
  const name = path.at(-1) ?? ''
  if (parent[name] === '') parent[name] = absent
}

/** The value at a path of a record; undefined where a member is absent. */
export function valueAt(record: object | undefined, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (part, name) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, name)
        ? (part as Record<string | number, unknown>)[name]
        : undefined,
    record,
  )
}

/** The record with another value at a path to a member. */
export function withValueAt(record: OwnDraft, [name = '', ...rest]: readonly string[], value: unknown): OwnDraft {
  return { ...record, [name]: rest.length === 0 ? value : withValueAt(record[name] as OwnDraft, rest, value) }
}

/** Related values have the names and groups of their relations, as stored ones do. */
export function withNamedRelations(company: CompanyRules, draft: OwnDraft): OwnDraft {
  const { relatedValues } = draft
  return relatedValues ? { ...draft, relatedValues: withRelationNames(company, relatedValues) } : draft
}

/** The JSON of the record as for the single GET; undefined if only the database can produce it exactly. */
export function recordJson(
  rules: OwnRecordRules,
  company: CompanyRules,
  draft: OwnDraft,
  { at, actor }: Pick<Tx, 'at' | 'actor'>,
): string | undefined {
  const record = { ...withNamedRelations(company, draft), lastUpdated: { updatedAt: at, updatedBy: actor.userId } }
  return storedText(schemaOf(rules), record as Static<RecordSchema>)
}

/** The property that describes a record as the value of an attribute: its first text without a list of legal ones. */
export function describingPath({ checks, keyNames }: OwnRecordRules): readonly string[] | undefined {
  const describing = checks.find(
    ({ path, itemsOf, type, legalValues }) =>
      itemsOf === undefined && type === 'string' && !legalValues && !keyNames.includes(path[0] ?? ''),
  )
  return describing?.path
}
