// What of the lines of a voucher stands above them, because it is the same in all, and what stands in their columns.
import { attributeIdPath } from '../../service/dimensions.ts'
import { isNegative, negated, sumOf } from '../../service/exact-sums.ts'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { memberAt, valueIn } from '../../service/question.ts'
import { isNoDay } from '../../service/written-values.ts'

export type Line = Readonly<Record<string, unknown>>

export interface VoucherShape {
  /** The same in all lines. */
  readonly head: readonly FieldInfo[]
  /** In front of the amounts: what the document's own columns show; behind them further dimensions. */
  readonly columns: readonly FieldInfo[]
  readonly behind: readonly FieldInfo[]
  /** The amount that is shown as debit and credit. */
  readonly balance: FieldInfo | undefined
  /** Other amounts, with their sums. */
  readonly sums: readonly FieldInfo[]
}

/** What a line has by itself, or others say. */
const LEFT_OUT = /^(?:companyId|lastUpdated\/.*)$/

export function shapeOf(document: DocumentInfo, lines: readonly Line[]): VoucherShape {
  const { record, fields } = document
  const { number, balance: balanced } = record['x-erp-voucher'] ?? {}
  const summed = record['x-erp-sums'] ?? []
  const ids = new Set(fields.map(attributeIdPath))
  const shown = record['x-erp-defaultColumns'] ?? []
  const balance = fields.find(({ path }) => path === balanced)
  const others = fields.filter(({ association, path }) => association && shown.includes(path))
  const referred = new Set(others.map(({ association }) => association?.document))
  const told = fields.filter(({ path, association, schema }) => {
    if (LEFT_OUT.test(path) || path === number || path === balanced || ids.has(path)) return false
    // The key of a record that is told by its name stands there.
    if (referred.has(schema['x-erp-reference']?.document)) return false
    return !association || shown.includes(path)
  })
  const filled = told.filter((field) => lines.some((line) => textIn(line, field) !== ''))
  const main = mainColumn(filled, shown)
  const isSame = (field: FieldInfo) =>
    field !== main && !field.isKey && new Set(lines.map((line) => textIn(line, field))).size === 1
  const different = filled.filter((field) => !isSame(field))
  const amounts = different.filter(({ kind }) => kind === 'decimal' || kind === 'number')
  const sums = amounts.filter((field) => summed.includes(field.path) || isOtherAmount(field, balance, lines))
  const isFront = (field: FieldInfo) =>
    field.isKey || field === main || (shown.includes(field.path) && attributeIdPath(field) === undefined)
  const columns = different.filter((field) => !amounts.includes(field))
  return {
    head: inOrder(
      filled.filter((field) => isSame(field) && field.kind !== 'decimal'),
      shown,
    ),
    columns: inOrder(columns.filter(isFront), shown),
    behind: columns.filter((field) => !isFront(field) && isDimension(field)),
    balance,
    sums,
  }
}

/** What amounts are booked on: the code that the document's own columns show first. */
const mainColumn = (fields: readonly FieldInfo[], shown: readonly string[]): FieldInfo | undefined =>
  shown.flatMap((path) => fields.find((field) => field.path === path) ?? []).find(isDimension)

const isDimension = ({ schema, association }: FieldInfo): boolean =>
  schema['x-erp-describable'] !== undefined && !association

/** An amount in another currency says nothing where it is the same in all lines. */
const isOtherAmount = (field: FieldInfo, balance: FieldInfo | undefined, lines: readonly Line[]): boolean =>
  field.kind === 'decimal' && lines.some((line) => !balance || textIn(line, field) !== textIn(line, balance))

/** Keys first, then as the document's own columns, then the others. */
function inOrder(fields: readonly FieldInfo[], shown: readonly string[]): readonly FieldInfo[] {
  const placeOf = ({ path, isKey }: FieldInfo) =>
    isKey ? -1 : shown.includes(path) ? shown.indexOf(path) : shown.length
  return fields.toSorted((one, other) => placeOf(one) - placeOf(other))
}

export function textIn(line: Line, field: FieldInfo): string {
  const text = String(valueIn(line, field).value ?? '')
  return field.kind === 'date-time' && isNoDay(text) ? '' : text
}

export interface Totals {
  readonly debit: string
  readonly credit: string
  /** Debit less credit: zero in a voucher that balances. */
  readonly difference: string
}

/** With all digits. */
export function totalsOf(lines: readonly Line[], balance: FieldInfo): Totals {
  const amounts = lines.map((line) => textIn(line, balance))
  const debit = sumOf(amounts.filter((amount) => !isNegative(amount)))
  const credit = sumOf(amounts.filter(isNegative).map(negated))
  return { debit, credit, difference: sumOf(amounts) }
}

/** The attribute whose value a dimension has in a line; undefined where it is always the same one. */
export function attributeIn(line: Line, field: FieldInfo): string | undefined {
  const path = attributeIdPath(field)
  return path === undefined ? undefined : String(memberAt(line, path.split('/')) ?? '')
}
