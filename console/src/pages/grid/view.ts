// What a grid shows, as its address has it. The person's own columns of a document are kept, too.
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { DocumentInfo } from '../../service/metadata.ts'
import { membersIn, useSettings } from '../../service/settings.ts'
import { usualWidth } from './column-width.ts'
import { allColumns, type Column } from './list-columns.ts'

export interface View {
  /** Paths of fields, those of another width with it in rem: `customerName:20`. */
  readonly columns: readonly string[] | undefined
  readonly filter: string
  /** Paths, each with `desc` or without. */
  readonly orderBy: string
  /** Paths of what is summed; those of the document where undefined. */
  readonly sums: readonly string[] | undefined
}

export interface ShownColumn extends Column {
  readonly widthRem: number
}

const SHOWN_AT_FIRST = 9

export interface ShownView {
  readonly view: View
  readonly change: (change: Partial<View>) => void
  /** As it is before anything is chosen. */
  readonly reset: () => void
}

export function useView(document: string): ShownView {
  const [settings, changeSettings] = useSettings()
  const kept = membersIn(settings.columns)[document]
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const view = viewOf({ columns: kept, ...search })
  const keep = (columns: string | undefined) =>
    changeSettings((before) => ({ ...before, columns: { ...membersIn(before.columns), [document]: columns } }))
  const change = (changed: Partial<View>) => {
    if (changed.columns) keep(changed.columns.join(','))
    void navigate({ to: '.', search: searchOf({ ...view, ...changed }) as never, replace: true })
  }
  const reset = () => {
    keep(undefined)
    void navigate({ to: '.', search: {} as never })
  }
  return { view, change, reset }
}

export function viewOf({ columns, filter, orderBy, sums }: Record<string, unknown>): View {
  return {
    columns: typeof columns === 'string' && columns !== '' ? columns.split(',') : undefined,
    filter: filter === undefined ? '' : String(filter),
    orderBy: typeof orderBy === 'string' ? orderBy : '',
    sums: typeof sums === 'string' ? sums.split(',').filter((path) => path !== '') : undefined,
  }
}

/** As the address has it. */
export const searchOf = ({ columns, filter, orderBy, sums }: View): Record<string, string> => ({
  ...(columns ? { columns: columns.join(',') } : {}),
  ...(filter === '' ? {} : { filter }),
  ...(orderBy === '' ? {} : { orderBy }),
  ...(sums ? { sums: sums.join(',') } : {}),
})

/** Those that the view names, or the first ones of the document. */
export function columnsOf(document: DocumentInfo, view: View): readonly ShownColumn[] {
  const all = allColumns(document)
  const named = view.columns ?? document.record['x-erp-defaultColumns']
  if (!named) {
    const first = all.filter(({ path, isOnRequest }) => path !== 'companyId' && !isOnRequest).slice(0, SHOWN_AT_FIRST)
    return first.map((column) => shownColumn(document, column, ''))
  }
  return named.flatMap((name) => {
    const [path = '', rem = ''] = name.split(':')
    const column = all.find((one) => one.path === path)
    return column ? [shownColumn(document, column, rem)] : []
  })
}

/** What is summed is shown as an amount, also where it is computed. */
function shownColumn({ record }: DocumentInfo, column: Column, rem: string): ShownColumn {
  const isAmount = column.kind === 'number' && record['x-erp-sums']?.includes(column.path) === true
  return {
    ...column,
    kind: isAmount ? 'decimal' : column.kind,
    widthRem: widthIn(rem) ?? usualWidth(column),
  }
}

const NARROWEST_REM = 3
const WIDEST_REM = 60

export const legalWidth = (rem: number): number =>
  Math.round(10 * Math.min(Math.max(rem, NARROWEST_REM), WIDEST_REM)) / 10

function widthIn(rem: string): number | undefined {
  return /^\d{1,2}(?:\.\d)?$/.test(rem) ? legalWidth(Number(rem)) : undefined
}

/** As CSS has the columns of a grid. */
export const templateOf = (columns: readonly ShownColumn[]): string =>
  columns.map(({ widthRem }) => `${widthRem}rem`).join(' ')

/** As a view names it. */
export const columnName = (column: ShownColumn): string =>
  column.widthRem === usualWidth(column) ? column.path : `${column.path}:${column.widthRem}`
