// biome-ignore-all lint/a11y/useSemanticElements: a row of the grid, which is no table of HTML
// biome-ignore-all lint/a11y/useFocusableInteractive: it holds nothing to act on
import { memo } from 'react'
import { amountText, FieldValue } from '../../parts/field-value.tsx'
import { isNumeric } from '../../service/metadata.ts'
import type { Question } from '../../service/question.ts'
import { t } from '../../words/words.ts'
import type { ColumnPlaces } from './column-places.ts'
import classes from './grid.module.css'
import type { Column } from './list-columns.ts'
import { useSums } from './rows.ts'

interface SumRowProps {
  readonly company: string
  readonly question: Question
  readonly columns: readonly Column[]
  /** Paths of those that are summed. */
  readonly sums: readonly string[]
  readonly places: ColumnPlaces
  readonly linkAt: number
  readonly rowIndex: number
}

/** The sums of all rows that the filter leaves, also of those that are not seen. */
export const SumRow = memo(function SumRow({
  company,
  question,
  columns,
  sums,
  places,
  linkAt,
  rowIndex,
}: SumRowProps) {
  const sumOf = useSums(company, question, sums)
  const labelled = columns.findIndex(({ path }) => !sums.includes(path))
  return (
    <div role="row" aria-rowindex={rowIndex} className={classes.foot}>
      {columns.map((column, at) => (
        <div
          key={column.path}
          role="gridcell"
          data-key={at === linkAt || undefined}
          className={isNumeric(column) ? classes.number : classes.cell}
        >
          {sums.includes(column.path) ? sumText(sumOf(column.path), column, places) : at === labelled && t('Sum')}
        </div>
      ))}
    </div>
  )
})

/** With the places of the column; undefined while it is asked for. */
export function sumText(sum: string | undefined, { kind, path }: Column, places: ColumnPlaces) {
  if (sum === undefined) return '…'
  return kind === 'decimal' ? (
    amountText(sum, places.get(path))
  ) : (
    <FieldValue value={sum} kind={kind === 'integer' ? 'number' : kind} />
  )
}
