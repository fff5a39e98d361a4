// biome-ignore-all lint/a11y/useSemanticElements: a row of the grid, which is no table of HTML
// biome-ignore-all lint/a11y/useFocusableInteractive: it holds nothing to act on
import { useQuery } from '@tanstack/react-query'
import { amountText } from '../../parts/field-value.tsx'
import { fetchService } from '../../service/client.ts'
import { parseExact } from '../../service/exact-json.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import { addressOf, type Question } from '../../service/question.ts'
import classes from './grid.module.css'
import type { Column } from './list-columns.ts'

/** The columns whose amounts the document sums. */
export const summedColumns = ({ record }: DocumentInfo, columns: readonly Column[]): readonly Column[] =>
  columns.filter(({ path }) => record['x-erp-sums']?.includes(path))

interface SumRowProps {
  readonly company: string
  readonly question: Question
  readonly columns: readonly Column[]
  readonly summed: readonly Column[]
  readonly rowIndex: number
  readonly template: string
}

/** The sums of all rows that the filter leaves, also of those that are not seen. */
export function SumRow({ company, question, columns, summed, rowIndex, template }: SumRowProps) {
  const aggregate = summed.map(({ path }, at) => `sum(${path}) as sum${at}`).join(',')
  const address = addressOf(company, { document: question.document, filter: question.filter, aggregate })
  const { data } = useQuery({
    queryKey: [company, 'sums', address],
    queryFn: async ({ signal }) =>
      parseExact<Record<string, unknown>[]>(await (await fetchService(address, { signal })).text())[0],
  })
  const textOf = (column: Column, place: number) => {
    const at = summed.indexOf(column)
    if (at >= 0) return data === undefined ? '…' : amountText(String(data[`sum${at}`]))
    return place === 0 ? 'Sum' : ''
  }
  return (
    <div role="row" aria-rowindex={rowIndex} className={classes.foot} style={{ gridTemplateColumns: template }}>
      {columns.map((column, place) => (
        <div key={column.path} role="gridcell" className={summed.includes(column) ? classes.number : classes.cell}>
          {textOf(column, place)}
        </div>
      ))}
    </div>
  )
}
