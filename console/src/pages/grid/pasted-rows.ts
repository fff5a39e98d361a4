// A block that is pasted into a grid becomes records: the page of imports shows what would come of it.
import { useNavigate } from '@tanstack/react-router'
import type { ClipboardEvent } from 'react'
import { handOver } from '../../service/imports.ts'
import { useMayImport } from '../../service/may-import.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import { cellsOf } from '../edit/lines/line-items.ts'
import type { Column } from './list-columns.ts'

export function usePastedRows(company: string, document: DocumentInfo, columns: readonly Column[]) {
  const navigate = useNavigate()
  const isAllowed = useMayImport()(document.name)
  return (event: ClipboardEvent) => {
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    const isBlock = cells.length > 1 || (cells[0]?.length ?? 0) > 1
    if (!isBlock || !isAllowed) return
    event.preventDefault()
    handOver(blockOf(withHeadings(cells, document, columns)))
    void navigate({ to: '/$company/import/$document', params: { company, document: document.name } })
  }
}

type Cells = readonly (readonly string[])[]

export const titleOf = ({ titles, path }: Pick<Column, 'titles' | 'path'>): string => titles.at(-1) ?? path

/** What was copied without headings has the columns of the grid. */
export function withHeadings(
  cells: Cells,
  { fields }: Pick<DocumentInfo, 'fields'>,
  columns: readonly Pick<Column, 'titles' | 'path'>[],
): Cells {
  const known = new Set([...fields, ...columns].flatMap((one) => [titleOf(one).toLowerCase(), one.path.toLowerCase()]))
  const first = (cells[0] ?? []).filter((cell) => cell !== '')
  const named = first.filter((cell) => known.has(cell.trim().toLowerCase()))
  return first.length > 0 && named.length * 2 >= first.length ? cells : [columns.map(titleOf), ...cells]
}

export const blockOf = (cells: Cells): string =>
  cells.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t')).join('\n')
