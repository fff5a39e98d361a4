// Writes records as another system has them: no rule of the setup refuses one, each keeps the stamp that it has there,
// and what is the same as before is not written. The parts of a record outside its row, such as its relations, are
// records of their own there.
import { isDeepStrictEqual } from 'node:util'
import type { TObject, TSchema } from 'typebox'
import { parseDateTime } from '../../base/dates.ts'
import { LongNumber } from '../../base/long-number.ts'
import { memo } from '../../base/memo.ts'
import { isObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import { shortened } from '../../base/text.ts'
import type { FieldPath } from '../../errors/findings.ts'
import { Problem } from '../../errors/problem.ts'
import { readStored } from '../../model/fill-record.ts'
import { type Reject, readValue } from '../../model/read-record.ts'
import { kindOf } from '../../model/schema.ts'
import type { CompanyRules } from '../../setup/rules/rules.ts'
import { writeEntry } from '../../store/journal/journal.ts'
import type { ReadTx, Tx } from '../../store/store.ts'
import { RELATIONS, RelationDraft, relationRow } from '../attribute-relations/attribute-relation.ts'
import { findRelation } from '../attribute-relations/attribute-relation-store.ts'
import { VALUES } from '../attribute-values/attribute-value-record.ts'
import { draftOf, type KeyRules, keyColumns, keyFrom, keyOf, recordJson, stampOf } from '../engine/record.ts'
import { type GivenRecord, type RecordDraft, type RecordKind, valueAt } from '../engine/record-kind.ts'
import {
  findRecord,
  findStamp,
  hasRecord,
  insertRecord,
  listKeys,
  type RowRules,
  removeRow,
  touchOwner,
  updateRecord,
} from '../engine/record-store.ts'
import {
  addRelation,
  bumpOwnerVersion,
  deleteRelation,
  RELATION_ENTITY,
  relationsOf,
  type StoredRelation,
  updateRelation,
} from '../shared/master-data/relation-store.ts'
import { type Stamp, withSourceStamp } from '../shared/master-data/source-stamp.ts'
import type { RecordKey } from '../shared/record-type.ts'
import type { DeclaredRecords } from '../shared/service.ts'
import { customersOf } from './customers.ts'
import { declaredKind } from './declared.ts'

/** A member of a record that cannot be kept as it came. */
export interface Misfit {
  readonly member: string
  readonly message: string
}

/** A record of another system, as it is read here. */
export interface CopiedRecord {
  readonly key: RecordKey
  readonly given: GivenRecord
  readonly stamp: Stamp | undefined
  readonly misfits: readonly Misfit[]
}

export type PutOutcome = 'created' | 'updated' | 'same'

/** A kind whose records are copies. */
export interface CopiedKind {
  /** As the journal calls its records. */
  readonly entity: string
  /** Undefined where a part of the key is missing or cannot be read. */
  read(row: JsonObject): CopiedRecord | undefined
  keyFrom(texts: readonly string[]): RecordKey | undefined
  put(tx: Tx, record: CopiedRecord): Promise<PutOutcome>
  /** Whether the record is here as it is. */
  isSame(tx: ReadTx, record: CopiedRecord): Promise<boolean>
  has(tx: ReadTx, key: RecordKey): Promise<boolean>
  /** The number of the record's last change; undefined: it is not here. */
  changeNoOf(tx: ReadTx, key: RecordKey): Promise<number | undefined>
  /** Up to `most` keys in their order, behind one. */
  listKeys(tx: ReadTx, after: RecordKey | undefined, most: number): Promise<readonly RecordKey[]>
  /** Removes the record for good; returns whether there was one. */
  remove(tx: Tx, key: RecordKey): Promise<boolean>
}

/** The kind of a document, by its version as in the path; undefined where no records of it are kept. */
export function copiedKind(
  company: CompanyRules,
  own: DeclaredRecords,
  version: string,
  name: string,
): CopiedKind | undefined {
  const declared = own.findRecord(version, name)
  if (declared) return engineKind(company, declaredKind(declared))
  if (name === 'customers' && company.customers) return engineKind(company, customersOf(company))
  if (name === 'attribute-values') return engineKind(company, VALUES)
  return name === 'attribute-relations' ? relationsIn(company) : undefined
}

/** Some kinds show none. */
const NO_STAMP: Stamp = { updatedAt: '', updatedBy: '' }

/** How records of a row are read, compared and written. */
interface Copying {
  readonly entity: string
  readonly rules: RowRules
  readonly schema: TObject
  readonly hasRelations: boolean
  draftOf(given: GivenRecord): RecordDraft
  /** Undefined where only the database can make it. */
  textOf(draft: RecordDraft, stamp: Stamp): string | undefined
}

function engineKind(company: CompanyRules, kind: RecordKind): CopiedKind {
  const { attributes } = company
  return rowKind({
    entity: kind.journalEntity,
    rules: kind,
    schema: kind.schema,
    hasRelations: kind.hasRelations,
    draftOf: (given) => draftOf(kind, company, given),
    textOf: (draft, stamp) =>
      // The name of an attribute that is not of the setup any more is in the database alone.
      kind === VALUES && !attributes.has(String(draft.attributeId))
        ? undefined
        : recordJson(kind, company, draft, stamp),
  })
}

function rowKind(copying: Copying): CopiedKind {
  const { entity, rules, schema, hasRelations } = copying
  const showsStamp = rules.record.fields.lastUpdated?.schema !== undefined
  const write = async (
    tx: Tx,
    { key, stamp: told }: CopiedRecord,
    draft: RecordDraft,
    before: string | undefined,
  ): Promise<void> => {
    const stamp = told ?? stampOf(tx)
    if (before === undefined) insertRecord(tx, rules, draft, tx.entryNo, stamp)
    else updateRecord(tx, rules, undefined, draft, stamp)
    touchOwner(tx, rules, key)
    // A new record shows the relations that its value has already.
    const isWhole = before !== undefined || !hasRelations
    const made = isWhole ? copying.textOf(draft, stamp) : undefined
    const text = made ?? (await findRecord(tx, rules, key))?.body ?? ''
    const after = showsStamp ? text : withSourceStamp(text, told)
    const operation = before === undefined ? 'create' : 'update'
    writeEntry(tx, { entity, key: key.stored, operation, before: before ?? '', after })
  }
  /** The record as it is to be written. Without a stamp of its own it keeps the one that it was given here. */
  const draftUnlessSame = async (tx: ReadTx, body: string, record: CopiedRecord) => {
    const { given, stamp } = record
    const stored = readStored(schema, body) as RecordDraft & { readonly lastUpdated?: Stamp }
    const relations = hasRelations ? { relatedValues: stored.relatedValues ?? [] } : {}
    const draft = { ...copying.draftOf(given), ...relations }
    const lastUpdated = stamp ?? stored.lastUpdated ?? NO_STAMP
    const text = copying.textOf(draft, lastUpdated)
    const stamped = stored.lastUpdated ? { lastUpdated } : {}
    const isSame =
      text === undefined ? isDeepStrictEqual({ ...stored }, { ...stored, ...draft, ...stamped }) : text === body
    return isSame && (showsStamp || (await hasStamp(tx, rules, record))) ? undefined : draft
  }
  return {
    entity,
    read: (row) => readRow(rules, schema, hasRelations ? withoutRelations(row) : row),
    keyFrom: (texts) => keyFrom(rules, texts),
    has: (tx, { stored }) => hasRecord(tx, rules.record.document, keyColumns(rules), stored),
    changeNoOf: async (tx, key) => (await findRecord(tx, rules, key))?.change_no,
    listKeys: (tx, after, most) => listKeys(tx, rules, after, most),
    isSame: async (tx, record) => {
      const found = await findRecord(tx, rules, record.key)
      return found !== undefined && (await draftUnlessSame(tx, found.body, record)) === undefined
    },
    async put(tx, record) {
      const found = await findRecord(tx, rules, record.key)
      const draft = found ? await draftUnlessSame(tx, found.body, record) : copying.draftOf(record.given)
      if (!draft) return 'same'
      await write(tx, record, draft, found?.body)
      return found ? 'updated' : 'created'
    },
    async remove(tx, key) {
      const found = await findRecord(tx, rules, key)
      if (!found) return false
      removeRow(tx, rules, key)
      touchOwner(tx, rules, key)
      writeEntry(tx, { entity, key: key.stored, operation: 'delete', before: found.body, after: '' })
      return true
    },
  }
}

/** Whether the row has the stamp of its source, if that tells one. */
async function hasStamp(tx: ReadTx, rules: RowRules, { key, stamp }: CopiedRecord): Promise<boolean> {
  return stamp === undefined || isDeepStrictEqual(await findStamp(tx, rules, key), stamp)
}

/** A relation is shown by the value that has it, whose tag changes with it. */
const relationsIn = memo((company: CompanyRules): CopiedKind => {
  const find = async (tx: ReadTx, { stored }: RecordKey): Promise<StoredRelation | undefined> => {
    const [attributeId = '', attributeValue = '', related, value] = stored.map(String)
    const relations = await relationsOf(tx, attributeId, attributeValue)
    return relations.find((one) => one.related_attribute_id === related && one.relation_value === value)
  }
  const rowOf = (given: GivenRecord, before: StoredRelation | undefined): StoredRelation => {
    const { unit_value = 0, created_no = 0, relation_id = '' } = before ?? {}
    const draft = draftOf(RELATIONS, company, given) as unknown as RelationDraft
    const link = company.linkBetween(draft.attributeId, draft.relatedAttributeId)
    return relationRow(draft, { relation_id: link?.id ?? relation_id, unit_value, created_no })
  }
  const isEqual = async (tx: ReadTx, record: CopiedRecord, before: StoredRelation, after: StoredRelation) =>
    isDeepStrictEqual({ ...before }, { ...before, ...after }) && hasStamp(tx, RELATIONS, record)
  return {
    entity: RELATION_ENTITY,
    read: (row) => readRow(RELATIONS, RelationDraft, row),
    keyFrom: (texts) => keyFrom(RELATIONS, texts),
    has: (tx, { stored }) => hasRecord(tx, RELATIONS.record.document, keyColumns(RELATIONS), stored),
    changeNoOf: async (tx, key) => (await findRelation(tx, key))?.change_no,
    listKeys: (tx, after, most) => listKeys(tx, RELATIONS, after, most),
    isSame: async (tx, record) => {
      const before = await find(tx, record.key)
      return before !== undefined && isEqual(tx, record, before, rowOf(record.given, before))
    },
    async put(tx, record) {
      const { key, given, stamp } = record
      const before = await find(tx, key)
      const after = rowOf(given, before)
      if (before && (await isEqual(tx, record, before, after))) return 'same'
      if (before) updateRelation(tx, before, after, stamp)
      else addRelation(tx, after, stamp)
      bumpOwnerVersion(tx, company, after)
      return before ? 'updated' : 'created'
    },
    async remove(tx, key) {
      const before = await find(tx, key)
      if (!before) return false
      deleteRelation(tx, before)
      bumpOwnerVersion(tx, company, before)
      return true
    },
  }
})

/**
 * Members that cannot be read are left out and told; those that the document does not have are passed over. A number
 * with more digits than clients may send is kept as the double that it is there.
 */
export function readRow(keys: KeyRules, schema: TObject, row: JsonObject): CopiedRecord | undefined {
  const misfits: Misfit[] = []
  const doubles: [FieldPath, number][] = []
  const reject: Reject = (path, expected, value, isLoss) => {
    const double = isLoss && kindAt(schema, path) === 'number' ? doubleOf(value) : undefined
    if (double !== undefined) doubles.push([path, double])
    else misfits.push({ member: path.join('/'), message: `must be ${expected}: ${shortened(textOf(value), 100)}` })
  }
  const given = readOrNothing(schema, withListsOfRecords(row), reject)
  if (!given) return undefined
  for (const [path, double] of doubles) {
    const holder = valueAt(given, path.slice(0, -1)) as Record<string | number, unknown> | undefined
    if (holder) holder[path.at(-1) ?? ''] = double
  }
  if (keys.keyNames.some((name) => given[name] === undefined || given[name] === '')) return undefined
  return { key: keyOf(keys, given), given, stamp: stampIn(row.lastUpdated), misfits: misfits.slice(0, MOST_MISFITS) }
}

/** As many of a record are told; more say nothing new. */
const MOST_MISFITS = 20

/** Undefined where a name stands there in two spellings. */
function readOrNothing(schema: TObject, row: JsonObject, reject: Reject): GivenRecord | undefined {
  try {
    return readValue(schema, row, [], reject) as GivenRecord
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function kindAt(schema: TSchema, path: FieldPath): string | undefined {
  const found = path.reduce<TSchema | undefined>((at, name) => {
    const { properties, items } = (at ?? {}) as Partial<TObject> & { readonly items?: TSchema }
    return typeof name === 'number' ? items : properties?.[name]
  }, schema)
  return found && kindOf(found)
}

function doubleOf(value: JsonValue): number | undefined {
  const double = value instanceof LongNumber ? Number(value.text) : value
  return typeof double === 'number' && Number.isFinite(double) ? double : undefined
}

function textOf(value: JsonValue): string {
  return value instanceof LongNumber ? value.text : typeof value === 'string' ? value : JSON.stringify(value)
}

/** They are records of their own. */
function withoutRelations({ relatedValues: _relations, ...row }: JsonObject): JsonObject {
  return row
}

/** Queries of some systems call members of contact points otherwise than their single records. */
const IN_RECORDS: Readonly<Record<string, string>> = { phoneNumber: 'phoneNumbers', sequenceNumber: 'sortOrder' }

function withListsOfRecords(row: JsonObject): JsonObject {
  const { contactPoints } = row
  if (!Array.isArray(contactPoints)) return row
  const renamed = (point: JsonValue): JsonValue =>
    isObject(point)
      ? Object.fromEntries(Object.entries(point).map(([name, value]) => [IN_RECORDS[name] ?? name, value]))
      : point
  return { ...row, contactPoints: contactPoints.map(renamed) }
}

/** The stamp that another system tells of a record; undefined where it is none. */
export function stampIn(told: JsonValue | undefined): Stamp | undefined {
  if (!isObject(told)) return undefined
  const { updatedAt, updatedBy } = told
  const read = typeof updatedAt === 'string' ? parseDateTime(updatedAt) : undefined
  return read === undefined ? undefined : { updatedAt: read, updatedBy: typeof updatedBy === 'string' ? updatedBy : '' }
}
