// By what amounts can be summed: the members of a document, and their values in the groups that the service answers.
import { filter } from '#client'
import { attributeIdPath } from '../../service/dimensions.ts'
import { nameAmong } from '../../service/legal-values.ts'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { beginOf, dayOf } from '../../service/moments.ts'
import { memberAt, selectItem, valueIn } from '../../service/question.ts'
import { isNoDay } from '../../service/written-values.ts'
import { t } from '../../words/words.ts'

/** A member by whose values amounts are summed. */
export interface Axis extends FieldInfo {
  /** The member with the name of another record, where this is its key. */
  readonly name?: FieldInfo
}

/** A value by which amounts are summed. */
export interface AxisValue {
  /** Tells it from all others. */
  readonly key: string
  /** As filters write it; `2026-03` for the days of a month. */
  readonly code: string
  /** What the code means; empty where nothing tells. */
  readonly text: string
  /** The attribute that it is a value of, where that differs by record; else empty. */
  readonly attributeId: string
}

/** Such as a period: its values have an order, and a range of them is chosen. */
export const isOrdered = ({ kind }: FieldInfo): boolean => kind === 'integer' || kind === 'date-time'

/** A period is written as 202603. */
export const isPeriod = ({ kind, path }: FieldInfo): boolean => kind === 'integer' && /period$/i.test(path)

const GROUPED: readonly FieldInfo['kind'][] = ['text', 'integer', 'boolean', 'date-time']

/** Numbers of a key are names of single records, and ids of attributes are no values. */
export function axisFields({ fields }: DocumentInfo): readonly Axis[] {
  const ids = new Set(fields.map(attributeIdPath))
  const axes = fields.filter((field) => {
    const { path, kind, isKey, isFilterable, association } = field
    if (!isFilterable || !GROUPED.includes(kind) || path === 'companyId' || ids.has(path)) return false
    return !(isKey && kind === 'integer') && !(association && attributeIdPath(field) !== undefined)
  })
  return axes.map((field) => {
    const name = nameOfReferred(field, axes)
    return name ? { ...field, name } : field
  })
}

/** The name of the record whose key a member holds, where that record is associated with this one. */
function nameOfReferred({ schema }: FieldInfo, fields: readonly FieldInfo[]): FieldInfo | undefined {
  const document = schema['x-erp-reference']?.document
  const referred = fields.filter(
    ({ association, kind, names }) =>
      association?.document === document && kind === 'text' && names.length === (association?.names.length ?? 0) + 1,
  )
  const name = document === undefined ? undefined : nameAmong(referred.map(({ names }) => names.at(-1) ?? ''))
  return name === undefined ? undefined : referred.find(({ names }) => names.at(-1) === name)
}

export const isCoded = ({ schema }: FieldInfo): boolean => schema['x-erp-describable'] !== undefined

/** What amounts are summed by first: the code that the document's own columns show first, such as the account. */
export function firstRows(document: DocumentInfo): Axis | undefined {
  const fields = axisFields(document)
  const shown = shownIn(document, fields)
  return (
    [...shown, ...fields].find((field) => isCoded(field) && !field.association) ??
    [...shown, ...fields].find(({ kind }) => kind === 'text')
  )
}

/** Periods if there are any, or else the months of the first day that is shown. */
export function firstColumns(document: DocumentInfo): Axis | undefined {
  const fields = axisFields(document).filter(({ association }) => !association)
  return fields.find(isPeriod) ?? shownIn(document, fields).find(({ kind }) => kind === 'date-time')
}

function shownIn({ record }: DocumentInfo, fields: readonly Axis[]): Axis[] {
  const shown = record['x-erp-defaultColumns'] ?? []
  return shown.flatMap((path) => fields.find((field) => field.path === path) ?? [])
}

/** The items of `$groupby` for a member. */
export function groupItems(field: Axis): readonly string[] {
  const id = attributeIdPath(field)
  return [...(id === undefined ? [] : [id]), selectItem(field), ...(field.name ? [field.name.path] : [])]
}

export function axisValueIn(row: unknown, field: Axis): AxisValue {
  const { value, description = field.name ? String(valueIn(row, field.name).value ?? '') : '' } = valueIn(row, field)
  const code = field.kind === 'date-time' ? monthOf(String(value ?? ''), field) : String(value ?? '')
  const attributeId = String(memberAt(row, attributeIdPath(field)?.split('/') ?? ['']) ?? '')
  return { key: JSON.stringify([attributeId, code]), code, text: description, attributeId }
}

/** The service answers an absent day as the first one of 1900. */
export const monthOf = (value: string, field: FieldInfo): string =>
  isNoDay(value) ? '' : dayOf(value, field).slice(0, 7)

/** The filter that leaves the records with a value. */
export function conditionOf(field: FieldInfo, { code, attributeId }: AxisValue): string {
  const { kind, path } = field
  const id = attributeIdPath(field)
  const ofAttribute = id === undefined ? '' : `${id} eq ${filter`${attributeId}`} and `
  if (kind === 'text') return `${ofAttribute}${path} eq ${filter`${code}`}`
  if (kind !== 'date-time') return `${path} eq ${code}`
  return code === '' ? `${path} eq null` : rangeOf(field, code, code)
}

/** The filter that leaves the records with any of the values. */
export function anyOf(field: Axis, values: readonly AxisValue[]): string {
  const isList = (field.kind === 'text' || field.kind === 'integer') && attributeIdPath(field) === undefined
  if (values.length < 2 || !isList) return values.map((value) => conditionOf(field, value)).join(' or ')
  const codes = values.map(({ code }) => (field.kind === 'text' ? String(filter`${code}`) : code))
  return `${field.path} in (${codes.join(',')})`
}

/** All conditions as one filter; empty ones are left out. */
export function allOf(...conditions: readonly string[]): string {
  const given = conditions.filter((one) => one !== '')
  return given.map((one) => (given.length > 1 && / or /i.test(one) ? `(${one})` : one)).join(' and ')
}

/** The filter for all values from one to another. */
export function rangeOf(field: FieldInfo, from: string, to: string): string {
  const { path, kind } = field
  const begin = (month: string) => beginOf(`${month}-01`, field)
  if (kind === 'date-time') return `${path} ge ${begin(from)} and ${path} lt ${begin(monthAfter(to))}`
  return from === to ? `${path} eq ${from}` : `${path} ge ${from} and ${path} le ${to}`
}

export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number < 12 ? `${year}-${String(number + 1).padStart(2, '0')}` : `${year + 1}-01`
}

export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number > 1 ? `${year}-${String(number - 1).padStart(2, '0')}` : `${year - 1}-12`
}

/** As people read it. */
export function axisLabel(field: FieldInfo, { code }: Pick<AxisValue, 'code'>): string {
  if (code === '') return t('(none)')
  if (field.kind === 'boolean') return code === 'true' ? t('Yes') : t('No')
  return isPeriod(field) ? code.replace(/^(\d{4})(\d\d)$/, '$1-$2') : code
}

/** Whole numbers by their size, other codes by their letters; no code stands last. */
export function compareCodes(one: string, other: string): number {
  if (one === '' || other === '') return Number(one === '') - Number(other === '')
  if (/^\d+$/.test(one) && /^\d+$/.test(other) && one.length !== other.length) return one.length - other.length
  return one < other ? -1 : one > other ? 1 : 0
}
