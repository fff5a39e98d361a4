// What a grid shows, as its address has it.
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { DocumentInfo } from '../../service/metadata.ts'
import { allColumns, type Column } from './list-columns.ts'

export interface View {
  /** Paths of fields. */
  readonly columns: readonly string[] | undefined
  readonly filter: string
  /** A path, with `desc` or without. */
  readonly orderBy: string
}

const SHOWN_AT_FIRST = 9

export function useView(): [View, (change: Partial<View>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const view = viewOf(search)
  const change = (changed: Partial<View>) => {
    void navigate({ to: '.', search: searchOf({ ...view, ...changed }) as never, replace: true })
  }
  return [view, change]
}

/** As an address has it. */
export const searchOf = ({ columns, filter, orderBy }: View): Readonly<Record<string, string>> => ({
  ...(columns ? { columns: columns.join(',') } : {}),
  ...(filter === '' ? {} : { filter }),
  ...(orderBy === '' ? {} : { orderBy }),
})

export function viewOf({ columns, filter, orderBy }: Record<string, unknown>): View {
  return {
    columns: typeof columns === 'string' && columns !== '' ? columns.split(',') : undefined,
    filter: filter === undefined ? '' : String(filter),
    orderBy: typeof orderBy === 'string' ? orderBy : '',
  }
}

/** Those that the view names, or the first ones of the document. */
export function columnsOf(document: DocumentInfo, view: View): readonly Column[] {
  const all = allColumns(document)
  const columns = view.columns ?? document.record['x-erp-defaultColumns']
  if (columns) return columns.flatMap((path) => all.find((column) => column.path === path) ?? [])
  return all.filter(({ path, isOnRequest }) => path !== 'companyId' && !isOnRequest).slice(0, SHOWN_AT_FIRST)
}

/** The order after a click on the heading of a column: up, down, none. */
export function nextOrder(orderBy: string, path: string): string {
  if (orderBy === path) return `${path} desc`
  return orderBy === `${path} desc` ? '' : path
}
