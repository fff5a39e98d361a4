// What goes from a grid to a spreadsheet, and comes from one: cells between tabs, numbers and days as the reader writes
// them. It comes with the first use.
import { notify } from '../../parts/notices.tsx'
import { handOver } from '../../service/imports.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import type { Question } from '../../service/question.ts'
import { writingOf } from '../../service/written-values.ts'
import { t } from '../../words/words.ts'
import { editedCell } from '../edit/lines/cell-text.ts'
import { cellsOf } from '../edit/lines/line-items.ts'
import { type Column, valuesOf } from './list-columns.ts'
import { MOST_READ, readRows } from './rows.ts'

/** Copies the first rows, and tells how many. */
export async function copyRows(company: string, question: Question, columns: readonly Column[]): Promise<void> {
  try {
    const rows = await readRows(company, question)
    const writing = writingOf()
    const cells = rows.map((row) =>
      columns.map((column) =>
        valuesOf(row, column)
          .map(({ value }) => editedCell(column, String(value ?? ''), writing))
          .join(' · '),
      ),
    )
    const count = rows.length
    const told =
      count < MOST_READ
        ? t('{{count}} rows were copied.', { count })
        : t('The first {{count}} rows were copied.', { count })
    await copyText(blockOf([columns.map(titleOf), ...cells]), told)
  } catch (error) {
    notify(t('Not copied: {{message}}', { message: (error as Error).message }))
  }
}

/** Copies, and tells so. */
export async function copyText(text: string, told: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  notify(told)
}

/** A block becomes records: the page of imports shows what would come of it. Whether it is one. */
export function handOverBlock(text: string, document: DocumentInfo, columns: readonly Column[]): boolean {
  const cells = cellsOf(text)
  const isBlock = cells.length > 1 || (cells[0]?.length ?? 0) > 1
  if (isBlock) handOver(blockOf(withHeadings(cells, document, columns)))
  return isBlock
}

/** What was copied without headings has the columns of the grid. */
function withHeadings(
  cells: Cells,
  { fields }: Pick<DocumentInfo, 'fields'>,
  columns: readonly Pick<Column, 'titles' | 'path'>[],
): Cells {
  const known = new Set([...fields, ...columns].flatMap((one) => [titleOf(one).toLowerCase(), one.path.toLowerCase()]))
  const first = (cells[0] ?? []).filter((cell) => cell !== '')
  const named = first.filter((cell) => known.has(cell.trim().toLowerCase()))
  return first.length > 0 && named.length * 2 >= first.length ? cells : [columns.map(titleOf), ...cells]
}

type Cells = readonly (readonly string[])[]

const titleOf = ({ titles, path }: Pick<Column, 'titles' | 'path'>): string => titles.at(-1) ?? path

const blockOf = (cells: Cells): string =>
  cells.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t')).join('\n')
