// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one are no table of HTML
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells of a grid have the focus
// The grid itself (ARIA: grid): as many rows as there are, drawn as far as they are seen, with one cell in focus.
import { type CSSProperties, type KeyboardEvent, useMemo, useRef } from 'react'
import type { DocumentInfo } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { CellChoice } from './cell-choice.tsx'
import { useCellFocus } from './cell-focus.ts'
import { useColumnPlaces } from './column-places.ts'
import type { Condition } from './filter/conditions.ts'
import { conditionOfCell } from './filter/from-cell.ts'
import classes from './grid.module.css'
import { HeadRow } from './head-row.tsx'
import type { Marks } from './marks.ts'
import { useReferenceNames } from './reference-names.ts'
import { RowCells } from './row-cells.tsx'
import { drawnHeight, offsetShowing, ROW_HEIGHT } from './row-scroll.ts'
import type { Row } from './rows.ts'
import { SumRow } from './sum-row.tsx'
import { isChangeable, useEditing } from './use-editing.tsx'
import { useMarking } from './use-marking.ts'
import { usePaste } from './use-paste.ts'
import { type ShownRows, useSeenRows } from './use-rows.ts'
import { type ShownColumn, templateOf } from './view.ts'

const HEAD_HEIGHT = 31
/** Rows above and below those that are seen: each is drawn anew in a frame that passes a whole page. */
const OVERSCAN = 5

export interface GridTableProps extends ShownRows {
  readonly document: DocumentInfo
  readonly columns: readonly ShownColumn[]
  /** Paths of what is summed. */
  readonly sums: readonly string[]
  readonly marks: Marks
  readonly orderBy: string
  /** Beside the other columns, or instead of them. */
  readonly onOrder: (path: string, isFurther: boolean) => void
  readonly onColumns: (columns: readonly ShownColumn[]) => void
  readonly onCondition: (condition: Condition) => void
  readonly onOpen: (row: Row) => void
}

export function GridTable(props: GridTableProps) {
  const { company, document, columns, question, count, orderBy, marks } = props
  const { onOrder, onColumns, onCondition, onOpen } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useSeenRows(props, scroller, ROW_HEIGHT, OVERSCAN)
  const { seen, rowAt, shown, offset, pace, topOf } = rows
  const marking = useMarking(marks, rows, scroller)
  const sums = useMemo(
    () => props.sums.filter((path) => columns.some((one) => one.path === path)),
    [props.sums, columns],
  )
  const linkAt = Math.max(
    0,
    columns.findIndex(({ isKey }) => isKey),
  )
  const bars = HEAD_HEIGHT * (sums.length > 0 ? 2 : 1)
  const show = (row: number) => {
    const element = scroller.current
    if (element) element.scrollTop = offsetShowing(row, offset, element.clientHeight - bars) / pace
  }
  const onPaste = usePaste(company, document, columns)
  const focus = useCellFocus(scroller, count, columns.length, show)
  // Tab leads into what is seen, also when the cell in focus has been scrolled away.
  const isDrawn = seen.some(({ index }) => index === focus.place.row)
  const tabRow = isDrawn ? focus.place.row : Math.min(Math.ceil(offset / ROW_HEIGHT), seen.at(-1)?.index ?? 0)
  const keyOf = useRowKeys(seen.length)
  const names = useReferenceNames(columns, shown)
  const places = useColumnPlaces(columns, shown)
  // Rows that are drawn already stay as they are when a page makes its columns anew.
  const shape = columns.map(({ path }) => path).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns of a document with these paths
  const kept = useMemo(() => columns, [document, shape])
  const conditionAt = (row: number, column: number, isWanted: boolean) => {
    const [shown, one] = [rowAt(row), columns[column]]
    return shown && one && conditionOfCell(shown, one, isWanted)
  }
  const editing = useEditing(company, document)
  const isEditable = (row: number, column: number) => {
    const [shown, one] = [rowAt(row), columns[column]]
    return editing.isPossible && !!shown && !!one && isChangeable(document, shown, one)
  }
  const onCopy = async ({ textContent }: Element) => {
    const { copyRows, copyText } = await import('./clipboard.ts')
    if (marks.count > 0) await copyRows(company, { ...question, filter: marks.filter }, columns)
    else await copyText(textContent, t('Copied'))
  }
  const isMarked = (place: number) => {
    const row = marks.count > 0 ? rowAt(place) : undefined
    return marks.isPossible ? row !== undefined && marks.has(row) : undefined
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { row, column } = focus.place
    const shown = rowAt(row)
    if (marking.onKey(event, row)) return
    if (event.key === 'c' && (event.ctrlKey || event.metaKey) && getSelection()?.isCollapsed !== false)
      return void onCopy(event.target as Element)
    if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault()
      if (editing.edit(shown, columns[column], event.target as Element) || event.key === 'F2') return
      return shown && onOpen(shown)
    }
    if (event.key !== '=' && event.key !== '!') return focus.onKeyDown(event)
    const condition = conditionAt(row, column, event.key === '=')
    if (condition) onCondition(condition)
  }
  return (
    <CellChoice
      conditionAt={conditionAt}
      isEditable={isEditable}
      onChoose={onCondition}
      onEdit={(row, column, cell) => editing.edit(rowAt(row), columns[column], cell)}
    >
      <div
        ref={scroller}
        className={classes.scroller}
        role="grid"
        aria-rowcount={count + (sums.length > 0 ? 2 : 1)}
        aria-colcount={columns.length}
        aria-multiselectable={marks.isPossible}
        data-markable={marks.isPossible || undefined}
        aria-label={t('Rows of {{title}}', { title: document.schema.title ?? document.name })}
        style={{ '--template': templateOf(columns) } as CSSProperties}
      >
        <HeadRow {...{ columns, linkAt, scroller, orderBy, onOrder, onColumns }} />
        <div
          role="rowgroup"
          style={{ height: drawnHeight(count), position: 'relative' }}
          aria-keyshortcuts="Enter F2 = ! Space Shift+Space Control+C"
          onPaste={(event) => void onPaste(event)}
          onFocus={focus.onFocus}
          onKeyDown={onKeyDown}
          onClick={marking.onClick}
          // Shift would select the texts between.
          onMouseDown={(event) => marking.isOnEdge(event) && event.preventDefault()}
        >
          {seen.map((item) => (
            <div
              key={keyOf(item.index)}
              role="row"
              aria-rowindex={item.index + 2}
              className={classes.row}
              style={{ transform: `translateY(${topOf(item)}px)` }}
              aria-selected={isMarked(item.index)}
              onDoubleClick={(event) => {
                const row = rowAt(item.index)
                if (!row || marking.isOnEdge(event)) return
                const cell = (event.target as Element).closest<HTMLElement>('[data-place]')
                const column = columns[Number(cell?.dataset.place?.split(':')[1])]
                if (!cell || !editing.edit(row, column, cell)) onOpen(row)
              }}
            >
              <RowCells
                company={company}
                document={document}
                index={item.index}
                row={rowAt(item.index)}
                columns={kept}
                linkAt={linkAt}
                tabAt={item.index === tabRow ? focus.place.column : -1}
                names={names}
                places={places}
                isEdited={editing.isPossible}
              />
            </div>
          ))}
        </div>
        {sums.length > 0 && <SumRow {...{ company, question, columns, sums, places, linkAt }} rowIndex={count + 2} />}
      </div>
      {editing.editor}
    </CellChoice>
  )
}

/** A row that comes into view takes the elements of one that has left it: making new ones takes most of a frame. */
function useRowKeys(seen: number): (row: number) => number {
  const most = useRef(1)
  most.current = Math.max(most.current, seen)
  return (row) => row % most.current
}
