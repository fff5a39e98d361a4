// biome-ignore-all lint/a11y/useSemanticElements: a row of the grid, which is no table of HTML
// biome-ignore-all lint/a11y/useFocusableInteractive: what is within has the focus
// biome-ignore-all lint/a11y/noStaticElementInteractions: what edges do, headings do by keys
// The headings: a click orders, dragging moves and sizes. By the keyboard, Shift with arrows moves and Alt with them sizes.
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { FieldTitle } from '../../parts/field-title.tsx'
import { isNumeric } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { fittingWidth } from './column-width.ts'
import classes from './grid.module.css'
import { ordersIn } from './order.ts'
import { type ColumnDrag, dragMove, dragSize } from './pointer-drag.ts'
import { legalWidth, type ShownColumn, templateOf } from './view.ts'

const KEY_STEP_REM = 1

interface HeadRowProps {
  readonly columns: readonly ShownColumn[]
  readonly linkAt: number
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly orderBy: string
  readonly onOrder: (path: string, isFurther: boolean) => void
  readonly onColumns: (columns: readonly ShownColumn[]) => void
}

/** Scrolling leaves it as it is. */
export const HeadRow = memo(function HeadRow(props: HeadRowProps) {
  const { columns, linkAt, scroller, orderBy, onOrder, onColumns } = props
  const [drag, setDrag] = useState<ColumnDrag>()
  const last = useRef<HTMLDivElement>(null)
  useMoreBeside(scroller, last, columns)
  const move = (from: number, to: number) => {
    const column = columns[from]
    if (!column || to < 0 || to >= columns.length || to === from) return
    onColumns(columns.toSpliced(from, 1).toSpliced(to, 0, column))
    const { path } = column
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus())
  }
  const sized = (at: number, rem: number): readonly ShownColumn[] => {
    const column = columns[at]
    return column ? columns.with(at, { ...column, widthRem: legalWidth(rem) }) : columns
  }
  const showWhole = (at: number) => scroller.current && onColumns(sized(at, fittingWidth(scroller.current, at)))
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || event.shiftKey === event.altKey) return
    event.preventDefault()
    if (event.shiftKey) move(at, at + step)
    else onColumns(sized(at, (columns[at]?.widthRem ?? 0) + step * KEY_STEP_REM))
  }
  const startMove = (event: PointerEvent<HTMLElement>, from: number) =>
    dragMove(event, scroller.current, { from, onDrag: setDrag, onDrop: (to) => move(from, to) })
  const startSize = (event: PointerEvent<HTMLElement>, at: number) =>
    dragSize(event, {
      widthRem: columns[at]?.widthRem ?? 0,
      onDrag: (rem) => scroller.current?.style.setProperty('--template', templateOf(sized(at, rem))),
      onDrop: (rem) => onColumns(sized(at, rem)),
    })
  return (
    <div role="row" aria-rowindex={1} className={classes.head}>
      {columns.map((column, at) => (
        <div
          key={column.path}
          ref={at === columns.length - 1 ? last : undefined}
          role="columnheader"
          aria-sort={sortOf(orderBy, column.path)}
          data-heading={at}
          data-key={at === linkAt || undefined}
          data-drop={drag?.to === at && drag.from !== at ? (drag.from < at ? 'after' : 'before') : undefined}
          className={isNumeric(column) ? classes.numberHead : classes.headCell}
        >
          <button
            type="button"
            className={classes.heading}
            data-path={column.path}
            aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Alt+ArrowLeft Alt+ArrowRight"
            onClick={(event: MouseEvent) => !column.within && onOrder(column.path, event.shiftKey)}
            onKeyDown={(event) => onKeyDown(event, at)}
            onPointerDown={(event) => startMove(event, at)}
          >
            <Heading column={column} orderBy={orderBy} />
          </button>
          <span
            className={classes.edge}
            title={t('Drag to size, double click to fit')}
            onPointerDown={(event) => startSize(event, at)}
            onDoubleClick={() => showWhole(at)}
          />
        </div>
      ))}
    </div>
  )
})

/** Tells whether there are columns beyond those that are seen, for the shadow at the edge. */
function useMoreBeside(
  scroller: RefObject<HTMLDivElement | null>,
  last: RefObject<HTMLDivElement | null>,
  columns: readonly ShownColumn[],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another column is the last one
  useEffect(() => {
    const [root, heading] = [scroller.current, last.current]
    if (!root || !heading) return undefined
    const tell = ([entry]: readonly IntersectionObserverEntry[]) =>
      root.toggleAttribute('data-more', entry !== undefined && entry.intersectionRatio < WHOLE)
    const watcher = new IntersectionObserver(tell, { root, threshold: WHOLE })
    watcher.observe(heading)
    return () => watcher.disconnect()
  }, [scroller, last, columns])
}

/** Fractions of a pixel are not seen. */
const WHOLE = 0.98

/** Rows have no order by the items of a list. */
function Heading({ column, orderBy }: { readonly column: ShownColumn; readonly orderBy: string }) {
  const { path, titles, schema, within } = column
  const orders = ordersIn(orderBy)
  const at = orders.findIndex((order) => order.path === path)
  return (
    <>
      <FieldTitle title={titles.slice(within ? -2 : -1).join(' / ')} path={path} description={schema.description} />
      {at >= 0 && ` ${orders[at]?.isDescending ? '↓' : '↑'}${orders.length > 1 ? at + 1 : ''}`}
    </>
  )
}

/** One column has the order; further ones are within it. */
function sortOf(orderBy: string, path: string): 'ascending' | 'descending' | 'none' {
  const [first] = ordersIn(orderBy)
  if (first?.path !== path) return 'none'
  return first.isDescending ? 'descending' : 'ascending'
}
