// Keys, drafts and JSON of the records of a kind.

import { withoutZone } from '../../base/dates.ts'
import { getOrInsert } from '../../base/memo.ts'
import { entityNotFound } from '../../errors/catalogue.ts'
import type { Problem } from '../../errors/problem.ts'
import { storedText, withDefaults } from '../../model/fill-record.ts'
import { readValue } from '../../model/read-record.ts'
import { columnOf, type Fields } from '../../model/record-fields.ts'
import type { RelatedValue } from '../../model/records/related-value.ts'
import { kindOf, type RecordSchema } from '../../model/schema.ts'
import { COMPANY } from '../../setup/rules/declared-properties.ts'
import type { RecordRules } from '../../setup/rules/record-rules.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { valuesOf } from '../../sql/record-statements.ts'
import type { KeyFilter } from '../../sql/rows/compiled-query.ts'
import type { Tx } from '../../store/store.ts'
import { withRelationNames } from '../shared/master-data/related-value.ts'
import type { Stamp } from '../shared/master-data/source-stamp.ts'
import type { RecordKey } from '../shared/record-type.ts'
import type { GivenRecord, RecordDraft, RecordKind } from './record-kind.ts'

/** The key that texts name; undefined when a part is of another type. */
export function keyFrom(rules: KeyRules, texts: readonly string[]): RecordKey | undefined {
  const { properties }: RecordSchema = rules.record.schema
  const record: Record<string, unknown> = {}
  for (const [at, name] of rules.keyNames.entries()) {
    const schema = properties[name]
    const value = schema && readValue(schema, texts[at] ?? '', [name], () => {})
    if (value === undefined || value === '') return undefined
    record[name] = value
  }
  return keyOf(rules, record)
}

export function keyOf(rules: KeyRules, record: GivenRecord): RecordKey {
  const { fields, times } = keyParts(rules)
  return {
    texts: rules.keyNames.map((name) => (times.has(name) ? withoutZone(String(record[name])) : String(record[name]))),
    stored: valuesOf(fields, record).map((value) => value ?? ''),
  }
}

/** What the key of a record is made of. */
export type KeyRules = Pick<RecordRules, 'record' | 'keyNames'>

interface KeyParts {
  readonly fields: Fields
  /** The names of those that are date-times. */
  readonly times: ReadonlySet<string>
  readonly columns: readonly string[]
}

/** Every request asks for them several times. */
const partsByFields = new WeakMap<Fields, KeyParts>()

function keyParts({ record, keyNames }: KeyRules): KeyParts {
  return getOrInsert(partsByFields, record.fields, () => {
    const fields = keyNames.flatMap((name) => {
      const field = record.fields[name]
      return field ? [[name, field] as const] : []
    })
    const times = fields.filter(([, { schema }]) => schema && kindOf(schema) === 'date-time').map(([name]) => name)
    return {
      fields: Object.fromEntries(fields),
      times: new Set(times),
      columns: fields.map(([name, field]) => columnOf(name, field)),
    }
  })
}

/** The fields of the key without the company, in its order. */
export function keyFields(rules: KeyRules): Fields {
  return keyParts(rules).fields
}

/** The columns of the key without the company, in its order. */
export function keyColumns(rules: KeyRules): readonly string[] {
  return keyParts(rules).columns
}

/** Selects the row of a record within its company. */
export function filterOf(rules: KeyRules, { stored }: RecordKey): KeyFilter {
  return keyColumns(rules).map((column, at) => [column, stored[at] ?? ''] as const)
}

export function notFound({ words }: RecordKind, company: CompanyRules, texts: readonly string[]): Problem {
  const parts = words.keyTitles.map((title, at) => [title, texts[at] ?? ''])
  return entityNotFound({ Company: company.id, ...Object.fromEntries(parts) })
}

/** The address of a record. */
export function addressOf({ name, version }: RecordRules, { texts }: RecordKey): string {
  return [`/v${version}`, name, ...texts.map(encodeURIComponent)].join('/')
}

/** The complete record that a request describes. An empty text is an absent one, which has a default. */
export function draftOf(kind: RecordKind, company: CompanyRules, given: GivenRecord): RecordDraft {
  const schema = kind.schema
  const draft = withDefaults(schema, given)
  if (Object.hasOwn(schema.properties, COMPANY)) draft[COMPANY] = company.id
  for (const { itemsOf, path, absent, hasDefault, type } of kind.checks) {
    if (!hasDefault || type !== 'string') continue
    const holders = itemsOf === undefined ? [draft] : (draft[itemsOf] as Record<string, unknown>[])
    for (const holder of holders) fillEmpty(holder, path, absent)
  }
  return kind.normalised(draft, company)
}

function fillEmpty(holder: Record<string, unknown>, path: readonly string[], absent: unknown): void {
  const parent = path.slice(0, -1).reduce((part, name) => part[name] as Record<string, unknown>, holder)
  const name = path.at(-1) ?? ''
  if (parent[name] === '') parent[name] = absent
}

/** The relations of a draft: `relatedValues` of a kind without relations is a property like any other. */
export function relationsIn({ hasRelations }: RecordRules, { relatedValues }: RecordDraft): RelatedValue[] | undefined {
  return hasRelations ? relatedValues : undefined
}

/** Related values have the names and groups of their relations, as stored ones do. */
export function withNamedRelations(kind: RecordKind, company: CompanyRules, draft: RecordDraft): RecordDraft {
  const relatedValues = relationsIn(kind, draft)
  return relatedValues ? { ...draft, relatedValues: withRelationNames(company, relatedValues) } : draft
}

/** That of the write itself. */
export function stampOf({ at, actor }: Tx): Stamp {
  return { updatedAt: at, updatedBy: actor.userId }
}

/** The JSON of the record as for the single GET; undefined if only the database can produce it exactly. */
export function recordJson(
  kind: RecordKind,
  company: CompanyRules,
  draft: RecordDraft,
  lastUpdated: Stamp | undefined,
): string | undefined {
  const record = { ...withNamedRelations(kind, company, draft), lastUpdated }
  return storedText(kind.schema, record)
}
