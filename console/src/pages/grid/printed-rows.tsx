// The rows on paper: all of them, as far as somebody would turn pages, and nothing that is pressed.
import { isNumeric } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { CellValue } from './cell-value.tsx'
import { useColumnPlaces } from './column-places.ts'
import { columnTitle } from './filter/operator-words.ts'
import classes from './grid.module.css'
import type { Column } from './list-columns.ts'
import type { PrintedRows } from './print-sheet.tsx'
import { type Row, useSums } from './rows.ts'
import { sumText } from './sum-row.tsx'

const NO_NAMES: ReadonlyMap<string, string> = new Map()

export function PrintSheet({
  company,
  question,
  columns,
  sums,
  count,
  rows,
}: PrintedRows & { readonly rows: readonly Row[] }) {
  const sumOf = useSums(company, question, sums)
  const places = useColumnPlaces(columns, rows)
  const classOf = (column: Column) => (isNumeric(column) ? classes.printedNumber : undefined)
  return (
    <div className={classes.sheet}>
      {count !== undefined && count > rows.length && (
        <p>{t('The first {{rows}} of {{count}} rows. Download has all of them.', { rows: rows.length, count })}</p>
      )}
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.path} className={classOf(column)}>
                {columnTitle(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of an answer have a place and nothing else
            <tr key={at}>
              {columns.map((column) => (
                <td key={column.path} className={classOf(column)}>
                  <CellValue
                    {...{ company, row, column }}
                    names={NO_NAMES}
                    places={places.get(column.path)}
                    isLink={false}
                  />
                </td>
              ))}
            </tr>
          ))}
          {columns.some(({ path }) => sums.includes(path)) && (
            <tr>
              {columns.map((column) => (
                <th key={column.path} className={classOf(column)}>
                  {sums.includes(column.path) && sumText(sumOf(column.path), column, places)}
                </th>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
