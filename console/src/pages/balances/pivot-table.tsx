// biome-ignore-all lint/a11y/useSemanticElements: the cells of the table are walked through as those of a grid
// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: the same
// biome-ignore-all lint/a11y/useFocusableInteractive: the same
// Balances as a grid (ARIA: grid): one cell has the focus, arrows lead to the others, Enter to what was summed.
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react'
import { amountPlaces, amountText, numberText } from '../../parts/field-value.tsx'
import { isNegative, isZero } from '../../service/exact-sums.ts'
import type { FieldInfo } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { useCellFocus } from '../grid/cell-focus.ts'
import { axisLabel } from './axes.ts'
import classes from './balances.module.css'
import { type Amounts, differencesOf, type Pivot, type PivotRow, type Subtotal } from './pivot.ts'
import type { Chosen } from './view.ts'

/** A line of the table; `filter` leaves what was summed, where the grid can show it. */
export interface PivotLine extends Amounts {
  readonly kind: 'group' | 'row' | 'total'
  readonly key: string
  readonly code: string
  readonly title: string
  /** The rows of a group that is closed are not shown. */
  readonly isClosed?: boolean
}

interface PivotTableProps {
  readonly pivot: Pivot
  /** Undefined without subtotals. */
  readonly groups: readonly Subtotal[] | undefined
  readonly chosen: Chosen
  readonly rowTitle: string
  readonly label: string
  readonly showsDifferences: boolean
  /** The address of the records behind a cell; undefined where no filter can say which. */
  readonly linkTo: (line: PivotLine, column: number | undefined) => CellLink | undefined
  readonly onLine: (line: PivotLine) => void
}

export interface CellLink {
  readonly company: string
  readonly document: string
  readonly filter: string
}

export function PivotTable(props: PivotTableProps) {
  const { pivot, groups, chosen, rowTitle, label, showsDifferences, linkTo, onLine } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const lines = linesOf(pivot, groups, chosen.rows, closed)
  const textOf = useMemo(() => textsOf(pivot, chosen.amount), [pivot, chosen.amount])
  const focus = useCellFocus(scroller, lines.length, pivot.columns.length + 2, () => {})
  const toggle = (key: string) =>
    setClosed(new Set(closed.has(key) ? [...closed].filter((one) => one !== key) : [...closed, key]))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter') return focus.onKeyDown(event)
    const target = event.target as HTMLElement
    if (target.matches('th, td')) target.querySelector<HTMLElement>('a, button')?.click()
  }
  return (
    <div ref={scroller} className={classes.scroller}>
      <table className={classes.table} role="grid" aria-label={label} aria-rowcount={lines.length + 1}>
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              {rowTitle}
            </th>
            {pivot.columns.map((column) => (
              <th key={column.key} scope="col" title={column.text}>
                {axisLabel(chosen.columns as FieldInfo, column)}
                {column.text !== '' && <span className={classes.meaning}>{column.text}</span>}
              </th>
            ))}
            <th scope="col">{t('Total')}</th>
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {lines.map((line, at) => (
            <Line
              key={line.kind + line.key}
              line={line}
              place={at}
              current={Math.min(focus.place.row, lines.length - 1) === at ? focus.place.column : -1}
              textOf={textOf}
              showsDifferences={showsDifferences}
              linkTo={linkTo}
              onToggle={toggle}
              onFocus={(column) => {
                focus.moveTo(at, column)
                onLine(line)
              }}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What is seen, from above to below. */
export function linesOf(
  pivot: Pivot,
  groups: readonly Subtotal[] | undefined,
  rows: FieldInfo,
  closed: ReadonlySet<string>,
): PivotLine[] {
  const inGroups = groups?.flatMap((group) => {
    const { key, title, cells, total } = group
    const isClosed = closed.has(key)
    const head: PivotLine = { kind: 'group', key, code: '', title, cells, total, isClosed }
    return [head, ...(isClosed ? [] : group.rows.map((row) => rowLine(row, rows)))]
  })
  const { cells, total } = pivot
  const all: PivotLine = { kind: 'total', key: '', code: '', title: t('Total'), cells, total }
  return [...(inGroups ?? pivot.rows.map((row) => rowLine(row, rows))), all]
}

function rowLine({ value, cells, total }: PivotRow, field: FieldInfo): PivotLine {
  return { kind: 'row', key: value.key, code: axisLabel(field, value), title: value.text, cells, total }
}

interface LineProps extends Pick<PivotTableProps, 'linkTo' | 'showsDifferences'> {
  readonly line: PivotLine
  readonly place: number
  /** The cell that Tab leads to; -1 for none. */
  readonly current: number
  readonly textOf: TextOf
  readonly onToggle: (group: string) => void
  readonly onFocus: (column: number) => void
}

const Line = memo(
  function Line({ line, place, current, textOf, showsDifferences, linkTo, onToggle, onFocus }: LineProps) {
    const { kind, code, title, cells, total } = line
    const differences = showsDifferences ? differencesOf(cells) : []
    const cellProps = (column: number) => ({
      tabIndex: current === column ? 0 : -1,
      'data-place': `${place}:${column}`,
      onFocus: () => onFocus(column),
    })
    return (
      <tr className={classes[kind]}>
        <th scope="row" className={classes.heading} {...cellProps(0)}>
          {kind === 'group' ? (
            <button
              type="button"
              tabIndex={-1}
              className={classes.toggle}
              aria-expanded={!line.isClosed}
              title={title}
              onClick={() => onToggle(line.key)}
            >
              <span aria-hidden>{line.isClosed ? '▸' : '▾'}</span> <bdi>{title}</bdi>
            </button>
          ) : (
            <>
              {code !== '' && <bdi className={classes.code}>{code}</bdi>} <bdi title={title}>{title}</bdi>
            </>
          )}
        </th>
        {cells.map((cell, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have a place and nothing else
          <td key={column} role="gridcell" className={classes.cell} {...cellProps(column + 1)}>
            {cell !== undefined && <Amount text={cell} textOf={textOf} link={linkTo(line, column)} />}
            {differences[column] !== undefined && (
              <span className={classes.difference}>
                <Amount text={differences[column]} textOf={textOf} isSigned />
              </span>
            )}
          </td>
        ))}
        <td role="gridcell" className={classes.sum} {...cellProps(cells.length + 1)}>
          <Amount text={total} textOf={textOf} link={linkTo(line, undefined)} />
        </td>
      </tr>
    )
  },
  // Functions differ each time, and do the same for the same line.
  (before, after) =>
    before.current === after.current &&
    before.place === after.place &&
    before.textOf === after.textOf &&
    before.showsDifferences === after.showsDifferences &&
    before.line.cells === after.line.cells &&
    before.line.title === after.line.title &&
    before.line.isClosed === after.line.isClosed,
)

interface AmountProps {
  readonly text: string
  readonly textOf: TextOf
  readonly link?: CellLink | undefined
  readonly isSigned?: boolean
}

function Amount({ text, textOf, link, isSigned = false }: AmountProps) {
  const written = textOf(text)
  const shown = isSigned && !isNegative(text) && !isZero(text) ? `+${written}` : written
  const look = isZero(text) ? classes.zero : undefined
  if (!link) return <span className={look}>{shown}</span>
  const { company, document, filter } = link
  return (
    <Link
      to="/$company/grid/$document"
      params={{ company, document }}
      search={(filter === '' ? {} : { filter }) as never}
      tabIndex={-1}
      preload={false}
      className={`${classes.amount} ${look ?? ''}`}
    >
      {shown}
    </Link>
  )
}

type TextOf = (text: string) => string

/** How all sums are written: with as many places as one of them has, if they are none of whole numbers. */
function textsOf({ rows, cells, total }: Pivot, { kind }: FieldInfo): TextOf {
  if (kind === 'integer') return (text) => numberText(text)
  const all = [...rows.flatMap((row) => [...row.cells, row.total]), ...cells, total]
  const places = amountPlaces(all.filter((text) => text !== undefined))
  return (text) => amountText(text, places)
}
