// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one are no table of HTML
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells of a grid have the focus
// The cells of one row. Scrolling draws only those rows anew that come into view.
import { memo } from 'react'
import type { DocumentInfo } from '../../service/metadata.ts'
import { isNumeric } from '../../service/metadata.ts'
import { CellValue, PageLink } from './cell-value.tsx'
import type { ColumnPlaces } from './column-places.ts'
import classes from './grid.module.css'
import type { Column } from './list-columns.ts'
import type { ReferenceNames } from './reference-names.ts'
import { pageOf, type Row } from './rows.ts'
import { isChangeable } from './use-editing.tsx'

interface RowCellsProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly index: number
  /** Undefined while it is still to come. */
  readonly row: Row | undefined
  readonly columns: readonly Column[]
  /** The column that leads to the record, and that is always seen. */
  readonly linkAt: number
  /** The column that Tab leads to; -1 where it leads to another row. */
  readonly tabAt: number
  readonly names: ReferenceNames
  readonly places: ColumnPlaces
  /** Whether cells may be changed where they stand, as far as the record allows it. */
  readonly isEdited: boolean
}

export const RowCells = memo(function RowCells(props: RowCellsProps) {
  const { company, document, index, row, columns, linkAt, tabAt, names, places, isEdited } = props
  const page = row && pageOf(company, document, row)
  return columns.map((column, at) => (
    <div
      key={column.path}
      role="gridcell"
      tabIndex={at === tabAt ? 0 : -1}
      data-place={`${index}:${at}`}
      aria-readonly={!(isEdited && row && isChangeable(document, row, column))}
      data-key={at === linkAt || undefined}
      className={isNumeric(column) ? classes.number : classes.cell}
    >
      {!row && '…'}
      {row && page && at === linkAt && (
        <PageLink page={page}>
          <CellValue company={company} row={row} column={column} names={names} isLink={false} />
        </PageLink>
      )}
      {row && (at !== linkAt || !page) && (
        <CellValue {...{ company, row, column, names }} places={places.get(column.path)} />
      )}
    </div>
  ))
})
