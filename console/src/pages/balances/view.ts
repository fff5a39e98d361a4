// What of the balances is shown, as the address of the page says it: whoever has that sees the same.
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { type Axis, axisFields, firstColumns, firstRows } from './axes.ts'

/** Members by their paths, all texts; empty where the page chooses itself. */
export interface View {
  readonly rows: string
  readonly columns: string
  readonly amount: string
  readonly from: string
  readonly to: string
  /** What the rows are grouped by; see `groupings.ts`. */
  readonly by: string
  readonly filter: string
  readonly differences: string
}

/** In the place of a member: no columns but that of the totals, no subtotals. */
export const NONE = '-'

const MEMBERS = ['rows', 'columns', 'amount', 'from', 'to', 'by', 'filter', 'differences'] as const

export function useView(): [View, (change: Partial<View>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const view = Object.fromEntries(MEMBERS.map((name) => [name, String(search[name] ?? '')])) as unknown as View
  const change = (changed: Partial<View>) => {
    const next = Object.entries({ ...view, ...changed }).filter(([, value]) => value !== '')
    void navigate({ to: '.', search: Object.fromEntries(next) as never, replace: true })
  }
  return [view, change]
}

export interface Chosen {
  readonly rows: Axis
  readonly columns: Axis | undefined
  readonly amount: FieldInfo
}

/** The amounts of a document that can be summed. */
export const amountFields = ({ record, fields }: DocumentInfo): readonly FieldInfo[] =>
  (record['x-erp-sums'] ?? []).flatMap((path) => fields.find((field) => field.path === path) ?? [])

/** Undefined for a document without amounts, or without anything to sum them by. */
export function chosenIn(document: DocumentInfo, view: View): Chosen | undefined {
  const amounts = amountFields(document)
  const axes = axisFields(document)
  const named = (path: string) => axes.find((field) => field.path === path)
  const amount = amounts.find(({ path }) => path === view.amount) ?? amounts[0]
  const rows = named(view.rows) ?? firstRows(document)
  if (!amount || !rows) return undefined
  const columns = view.columns === NONE ? undefined : (named(view.columns) ?? firstColumns(document))
  return { amount, rows, columns: columns?.path === rows.path ? undefined : columns }
}
