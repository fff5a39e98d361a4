// Compares the rules of a document with those of the setup before: which are stricter, so that stored records may
// break them.

import { MAX_ITEMS } from '../../model/document.ts'
import { type FieldRules, isEmptyValue } from '../rules/declared-field-rules.ts'
import { isOutOfRange } from '../rules/field-rules-broken.ts'
import type { ListRules, RecordRules, ReferenceRules } from '../rules/record-rules.ts'

/** `unique`: within the list of an item; records are compared by the database. */
const FIELD_RULES = ['required', 'maxLength', 'pattern', 'range', 'legalValues', 'unique'] as const
export type FieldRule = (typeof FIELD_RULES)[number]

export interface StricterField {
  readonly field: FieldRules
  readonly rules: readonly FieldRule[]
}

export interface StricterRules {
  readonly fields: readonly StricterField[]
  readonly unique: readonly FieldRules[]
  /** Lists that need more items, or may have fewer. */
  readonly lists: readonly ListRules[]
  readonly references: readonly ReferenceRules[]
  /** The attribute whose values the records become. */
  readonly attributeId: string | undefined
}

/** `added` are the columns that the table has since this setup: stored records have no other value in them. */
export function stricterRules(
  before: RecordRules,
  after: RecordRules,
  added: ReadonlySet<string>,
): StricterRules | undefined {
  const known = new Map(before.checks.map((field) => [pathOf(field), field]))
  const isNew = ({ column }: FieldRules) => added.has(column)
  const fields = after.checks.flatMap((field): StricterField[] => {
    const rules = isNew(field) ? rulesOfEmpty(field) : stricterThan(known.get(pathOf(field)), field)
    return rules.length > 0 ? [{ field, rules }] : []
  })
  const isUnique = ({ unique, itemsOf }: FieldRules) => unique && itemsOf === undefined
  const unique = after.checks.filter((field) => isUnique(field) && !known.get(pathOf(field))?.unique && !isNew(field))
  const lists = after.lists.filter((list) => isShorterOrLonger(list, before, added))
  const references = after.references.filter((reference) => {
    const isKnown = before.references.some((one) => JSON.stringify(one) === JSON.stringify(reference))
    return !isKnown && !reference.keyColumns.every((column) => added.has(column))
  })
  const attributeId = after.attributeId === before.attributeId ? undefined : after.attributeId
  const isStricter = fields.length + unique.length + lists.length + references.length > 0 || attributeId !== undefined
  return isStricter ? { fields, unique, lists, references, attributeId } : undefined
}

/** A list that was not declared may have a column with items of an earlier setup. */
function isShorterOrLonger(list: ListRules, before: RecordRules, added: ReadonlySet<string>): boolean {
  if (added.has(list.column)) return list.least > 0
  const known = before.lists.find(({ name }) => name === list.name)
  return list.least > (known?.least ?? 0) || list.most < (known?.most ?? MAX_ITEMS)
}

function pathOf({ itemsOf, path }: FieldRules): string {
  return JSON.stringify([itemsOf, path])
}

/** The rules that a record without the new property breaks. */
function rulesOfEmpty(field: FieldRules): FieldRule[] {
  if (field.hasDefault || !field.required) return []
  if (field.type === 'string' || field.type === 'date-time') return ['required']
  return isOutOfRange(field, 0) ? ['range'] : []
}

/** A property that was not declared may have a column with values of an earlier setup. */
function stricterThan(before: FieldRules | undefined, after: FieldRules): FieldRule[] {
  return FIELD_RULES.filter((rule) => isStricter(rule, before, after))
}

function isStricter(rule: FieldRule, before: FieldRules | undefined, after: FieldRules): boolean {
  switch (rule) {
    case 'required':
      return after.required && !before?.required
    case 'maxLength':
      return after.type === 'string' && after.maxLength < (before?.maxLength ?? Number.POSITIVE_INFINITY)
    case 'pattern':
      return after.pattern !== undefined && after.pattern.text !== before?.pattern?.text
    case 'range':
      return isNarrower(before, after)
    case 'unique':
      return after.unique && after.itemsOf !== undefined && !before?.unique
    case 'legalValues':
      return (
        after.legalValues !== undefined && JSON.stringify(after.legalValues) !== JSON.stringify(before?.legalValues)
      )
  }
}

/** A number that becomes required no longer stands for none where it is 0. */
function isNarrower(before: FieldRules | undefined, after: FieldRules): boolean {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = after
  if (after.minimum === undefined && after.maximum === undefined) return false
  const isZeroLegal = before !== undefined && !before.required && isEmptyValue(before.type, 0)
  if (isZeroLegal && after.required && isOutOfRange(after, 0)) return true
  return (
    minimum > (before?.minimum ?? Number.NEGATIVE_INFINITY) || maximum < (before?.maximum ?? Number.POSITIVE_INFINITY)
  )
}
