// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one are no table of HTML
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells of a grid have the focus
// The grid itself (ARIA: grid): as many rows as there are, drawn as far as they are seen, with one cell in focus.
import { Link, useNavigate } from '@tanstack/react-router'
import { observeElementOffset, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useEffect, useRef } from 'react'
import { FieldTitle } from '../../parts/field-title.tsx'
import { FieldValue } from '../../parts/field-value.tsx'
import { type DocumentInfo, type FieldInfo, isNumeric } from '../../service/metadata.ts'
import type { Question } from '../../service/question.ts'
import { associatedKey, valueIn } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { useCellFocus } from './cell-focus.ts'
import classes from './grid.module.css'
import { type Column, valuesOf } from './list-columns.ts'
import { usePastedRows } from './pasted-rows.ts'
import { drawnHeight, offsetShowing, paceOf, ROW_HEIGHT } from './row-scroll.ts'
import { type Row, useWindows } from './rows.ts'
import { SumRow, summedColumns } from './sum-row.tsx'

const HEAD_HEIGHT = 31
const OVERSCAN = 12

interface GridTableProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly columns: readonly Column[]
  readonly question: Question
  readonly count: number
  readonly orderBy: string
  readonly onOrder: (path: string) => void
  readonly onError: (error: Error | null) => void
}

export function GridTable(props: GridTableProps) {
  const { company, document, columns, question, count, orderBy, onOrder, onError } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    observeElementOffset: (instance, notify) =>
      observeElementOffset(instance, (offset, isScrolling) =>
        notify(offset * paceOf(instance.options.count, instance.scrollElement), isScrolling),
      ),
  })
  const summed = summedColumns(document, columns)
  const linkAt = Math.max(
    0,
    columns.findIndex(({ isKey }) => isKey),
  )
  const bars = HEAD_HEIGHT * (summed.length > 0 ? 2 : 1)
  const pace = paceOf(count, scroller.current)
  const offset = rows.scrollOffset ?? 0
  const show = (row: number) => {
    const element = scroller.current
    if (element) element.scrollTop = offsetShowing(row, offset, element.clientHeight - bars) / pace
  }
  const seen = rows.getVirtualItems()
  const { rowAt, error } = useWindows(company, question, seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0)
  useEffect(() => onError(error), [error, onError])
  const navigate = useNavigate()
  const open = (row: Row | undefined) => {
    const key = row && keyOf(document, row)
    if (key === undefined) return
    void navigate({ to: '/$company/record/$document/$key', params: { company, document: document.name, key } })
  }
  const onPaste = usePastedRows(company, document, columns)
  const focus = useCellFocus(scroller, count, columns.length, show)
  // Tab leads into what is seen, also when the cell in focus has been scrolled away.
  const isDrawn = seen.some(({ index }) => index === focus.place.row)
  const tabRow = isDrawn ? focus.place.row : Math.min(Math.ceil(offset / ROW_HEIGHT), seen.at(-1)?.index ?? 0)
  const template = columns.map((field) => `${Math.max(widthOf(field), headingWidth(field))}rem`).join(' ')
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-rowcount={count + (summed.length > 0 ? 2 : 1)}
      aria-colcount={columns.length}
      aria-label={`Rows of ${document.schema.title}`}
    >
      <div role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template }}>
        {columns.map((field) => (
          <div
            key={field.path}
            role="columnheader"
            aria-sort={sortOf(orderBy, field.path)}
            className={isNumeric(field) ? classes.numberHead : classes.headCell}
          >
            <Heading column={field} orderBy={orderBy} onOrder={onOrder} />
          </div>
        ))}
      </div>
      <div
        role="rowgroup"
        style={{ height: drawnHeight(count), position: 'relative' }}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.key === 'Enter') open(rowAt(focus.place.row))
          else focus.onKeyDown(event)
        }}
      >
        {seen.map(({ index, start }) => {
          const row = rowAt(index)
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ gridTemplateColumns: template, transform: `translateY(${start - offset + offset / pace}px)` }}
              onDoubleClick={() => open(row)}
            >
              {columns.map((field, column) => (
                <div
                  key={field.path}
                  role="gridcell"
                  tabIndex={index === tabRow && column === focus.place.column ? 0 : -1}
                  data-place={`${index}:${column}`}
                  className={isNumeric(field) ? classes.number : classes.cell}
                  onFocus={() => focus.moveTo(index, column)}
                >
                  {row ? (
                    <Cell
                      company={company}
                      row={row}
                      field={field}
                      onOpen={column === linkAt ? () => open(row) : undefined}
                    />
                  ) : (
                    '…'
                  )}
                </div>
              ))}
            </div>
          )
        })}
      </div>
      {summed.length > 0 && (
        <SumRow
          company={company}
          question={question}
          columns={columns}
          summed={summed}
          rowIndex={count + 2}
          template={template}
        />
      )}
    </div>
  )
}

interface HeadingProps {
  readonly column: Column
  readonly orderBy: string
  readonly onOrder: (path: string) => void
}

/** Rows have no order by the items of a list. */
function Heading({ column: { path, titles, schema, within }, orderBy, onOrder }: HeadingProps) {
  if (within) {
    return (
      <span className={classes.title}>
        <FieldTitle title={titles.slice(-2).join(' / ')} path={path} />
      </span>
    )
  }
  return (
    <button type="button" className={classes.heading} onClick={() => onOrder(path)}>
      <FieldTitle title={titles.at(-1) ?? ''} path={path} description={schema.description} />
      {orderBy === path && ' ↑'}
      {orderBy === `${path} desc` && ' ↓'}
    </button>
  )
}

interface CellProps {
  readonly company: string
  readonly row: Row
  readonly field: Column
  /** Where the cell leads to the record. */
  readonly onOpen: (() => void) | undefined
}

function Cell({ company, row, field, onOpen }: CellProps) {
  const shown = valuesOf(row, field).map(({ value, description }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have a place and nothing else
    <Fragment key={place}>
      {place > 0 && ' · '}
      <FieldValue value={value} kind={field.kind} description={description} />
    </Fragment>
  ))
  if (!onOpen) {
    const { association, within } = field
    const key = association && !within && associatedKey(row, association)
    if (!key) return shown
    const params = { company, document: association.document, key: recordKeyText(key) }
    return (
      <Link to="/$company/record/$document/$key" params={params} tabIndex={-1} className={classes.link}>
        {shown}
      </Link>
    )
  }
  return (
    <button type="button" tabIndex={-1} className={classes.link} onClick={onOpen}>
      {shown}
    </button>
  )
}

/** The record's key without the company; undefined where the document has none. */
function keyOf({ keys, fields }: DocumentInfo, row: Row): string | undefined {
  const parts = keys.filter((path) => path !== 'companyId').map((path) => fields.find((field) => field.path === path))
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  return recordKeyText(parts.map((field) => String(valueIn(row, field as FieldInfo).value ?? '')))
}

/** In rem, so that all rows have the same columns. */
function widthOf({ kind, names, schema, within }: Column): number {
  if (within) return 18
  if (kind === 'boolean') return 8
  const name = names.at(-1) ?? ''
  if (kind === 'date-time') return /at$/i.test(name) ? 11 : 8
  if (kind !== 'text') return 9
  if (/name$|description|title/i.test(name)) return 16
  return schema['x-erp-describable'] ? 13 : 11
}

/** So that the title and the arrow of its order are seen. */
const headingWidth = ({ titles, within }: Column): number => (within ? 0 : (titles.at(-1) ?? '').length * 0.56 + 2)

function sortOf(orderBy: string, path: string): 'ascending' | 'descending' | 'none' {
  if (orderBy === path) return 'ascending'
  return orderBy === `${path} desc` ? 'descending' : 'none'
}
