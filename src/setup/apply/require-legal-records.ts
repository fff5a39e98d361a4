// Refuses a setup whose stricter rules stored records break, and tells how many and which.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readStored } from '../../model/fill-record.ts'
import { type Fields, objectOf } from '../../model/record-fields.ts'
import {
  declaredRecordPages,
  type FoundRows,
  findAll,
  findDuplicates,
  findUnreferenced,
  type OwnTable,
} from '../../store/service-state/own-rows.ts'
import type { ReadTx } from '../../store/store.ts'
import type { SetupFault } from '../file/invalid-setup.ts'
import { type FieldRules, isEmptyValue } from '../rules/declared-field-rules.ts'
import { isOutOfRange, isTooLong, matchesPattern, mayBeAbsent } from '../rules/field-rules-broken.ts'
import type { ListRules, RecordRules } from '../rules/record-rules.ts'
import type { CompanyRules } from '../rules/rules.ts'
import type { FieldRule, StricterField, StricterRules } from './stricter-rules.ts'

/** Finds those of the values that an attribute has. The module of attribute values provides it. */
export type FindPresent = (tx: ReadTx, attributeId: string, values: readonly string[]) => Promise<readonly string[]>

/** How many keys an error names for each rule. */
const NAMED_KEYS = 10

/** A document whose rules are stricter than before. */
export interface StricterDocument {
  readonly rules: RecordRules
  readonly stricter: StricterRules
  /** The tables of the documents that it refers to. */
  tableOf(document: string): string
}

/** Returns what is wrong with the stored records of a company: a fault for each rule that some break. */
export async function brokenRules(
  tx: ReadTx,
  company: CompanyRules,
  document: StricterDocument,
  findPresent: FindPresent,
): Promise<SetupFault[]> {
  const { rules, stricter } = document
  const table = tableOf(rules)
  const broken = new Map<string, FoundRows>()
  if (stricter.attributeId !== undefined)
    broken.set(`attributeId ${stricter.attributeId}`, await findAll(tx, table, NAMED_KEYS))
  for (const field of stricter.unique)
    broken.set(`${field.path.join('/')}: unique`, await findDuplicates(tx, table, field, NAMED_KEYS))
  for (const { name, document: other, keyColumns, otherColumns } of stricter.references) {
    const own = keyColumns.map((column) => {
      const type = rules.checks.find((field) => field.column === column)?.type ?? 'string'
      return { column, type }
    })
    const target = { table: document.tableOf(other), columns: otherColumns }
    broken.set(`${name}: reference`, await findUnreferenced(tx, table, own, target, NAMED_KEYS))
  }
  for (const [label, rows] of await brokenByFields(tx, company, document, findPresent)) broken.set(label, rows)
  return [...broken].flatMap(([label, rows]) => (rows.total > 0 ? [describe(rules.name, company.id, label, rows)] : []))
}

function tableOf({ record, keyNames, checks }: RecordRules): OwnTable {
  const columnOf = (name: string) => checks.find(({ itemsOf, path }) => !itemsOf && path.join('/') === name)?.column
  return { document: record.document, keyColumns: keyNames.map((name) => columnOf(name) ?? '') }
}

function describe(document: string, companyId: string, label: string, { total, keys }: FoundRows): SetupFault {
  const more = total > keys.length ? ` and ${total - keys.length} more` : ''
  const records = total === 1 ? 'record' : 'records'
  const message = `${total} ${records} of company ${companyId} would break ${label}: ${keys.join(', ')}${more}`
  return { place: `document ${document}`, message }
}

/** Reads all records of the company once, in pages, and checks them by every stricter rule. */
async function brokenByFields(
  tx: ReadTx,
  company: CompanyRules,
  { rules, stricter }: StricterDocument,
  findPresent: FindPresent,
): Promise<ReadonlyMap<string, FoundRows>> {
  const counts = new Map<string, { total: number; keys: string[] }>()
  const { fields, lists } = stricter
  if (fields.length + lists.length === 0) return counts
  const read = fieldsRead(rules, stricter)
  const schema = objectOf(read)
  for await (const page of declaredRecordPages(tx, tableOf(rules), read)) {
    const records = page.map((body) => readStored(schema, body) as RecordPart)
    const isLegal = await legalCodes(tx, company, fields, records, findPresent)
    for (const record of records) {
      for (const label of [...brokenLabels(fields, record, isLegal), ...brokenLists(lists, record)]) {
        const count = counts.get(label) ?? { total: 0, keys: [] }
        counts.set(label, count)
        count.total += 1
        if (count.keys.length < NAMED_KEYS)
          count.keys.push(rules.keyNames.map((name) => String(record[name])).join('/'))
      }
    }
    await nextTurn()
  }
  return counts
}

type RecordPart = Readonly<Record<string, unknown>>
type IsLegal = (field: FieldRules, value: unknown) => boolean

/** The members that the rules are about, and the key. */
function fieldsRead({ record, keyNames }: RecordRules, { fields, lists }: StricterRules): Fields {
  const ofFields = fields.map(({ field }) => field.itemsOf ?? field.path[0] ?? '')
  const names = new Set([...keyNames, ...ofFields, ...lists.map(({ name }) => name)])
  return Object.fromEntries(Object.entries(record.fields).filter(([name]) => names.has(name)))
}

/** The values of a property in a record: one, or those of the items of a list. */
function valuesOf({ itemsOf, path }: FieldRules, record: RecordPart): unknown[] {
  const holders = itemsOf === undefined ? [record] : (record[itemsOf] as RecordPart[])
  return holders.map((holder) => path.reduce<unknown>((part, name) => (part as RecordPart)[name], holder))
}

function brokenLists(lists: readonly ListRules[], record: RecordPart): string[] {
  return lists.flatMap(({ name, least, most }) => {
    const { length } = record[name] as readonly unknown[]
    return length < least ? [`${name}: minItems`] : length > most ? [`${name}: maxItems`] : []
  })
}

function brokenLabels(fields: readonly StricterField[], record: RecordPart, isLegal: IsLegal): Set<string> {
  const labels = new Set<string>()
  for (const { field, rules } of fields) {
    const values = valuesOf(field, record)
    const name = [field.itemsOf ?? [], field.path].flat().join('/')
    for (const value of values) {
      const broken = rules.find((rule) => isBroken(rule, field, value, isLegal))
      if (broken !== undefined) labels.add(`${name}: ${broken}`)
    }
    if (rules.includes('unique') && isRepeated(field, values)) labels.add(`${name}: unique`)
  }
  return labels
}

function isRepeated({ type }: FieldRules, values: readonly unknown[]): boolean {
  const given = values.filter((value) => !isEmptyValue(type, value)).map(String)
  return new Set(given).size < given.length
}

function isBroken(rule: FieldRule, field: FieldRules, value: unknown, isLegal: IsLegal): boolean {
  if (mayBeAbsent(field, value)) return rule === 'required' && field.required
  switch (rule) {
    case 'required':
    case 'unique':
      return false
    case 'maxLength':
      return isTooLong(field, value)
    case 'pattern':
      return !matchesPattern(field, value)
    case 'range':
      return isOutOfRange(field, value)
    case 'legalValues':
      return !isLegal(field, value)
  }
}

/** Looks up the codes of a page with one statement for each property whose codes are values of an attribute. */
async function legalCodes(
  tx: ReadTx,
  company: CompanyRules,
  fields: readonly StricterField[],
  records: readonly RecordPart[],
  findPresent: FindPresent,
): Promise<IsLegal> {
  const present = new Map<FieldRules, ReadonlySet<string>>()
  for (const { field, rules } of fields) {
    const { legalValues } = field
    if (!rules.includes('legalValues') || !legalValues || 'valueList' in legalValues) continue
    const codes = new Set(records.flatMap((record) => valuesOf(field, record).map(String)))
    present.set(field, new Set(await findPresent(tx, legalValues.attributeId, [...codes])))
  }
  return (field, value) => {
    const { legalValues } = field
    if (legalValues && 'valueList' in legalValues) return company.valueLists.has(legalValues.valueList, String(value))
    return present.get(field)?.has(String(value)) ?? true
  }
}
