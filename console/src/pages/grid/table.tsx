// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one are no table of HTML
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells of a grid have the focus
// The grid itself (ARIA: grid): as many rows as there are, drawn as far as they are seen, with one cell in focus.
import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { FieldValue } from '../../parts/field-value.tsx'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import type { Question } from '../../service/question.ts'
import { valueIn } from '../../service/question.ts'
import { recordKeyText } from '../../service/record-key.ts'
import classes from './grid.module.css'
import { type Row, useWindows } from './rows.ts'

const ROW_HEIGHT = 30
const OVERSCAN = 12
const PAGE = 20

interface GridTableProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly columns: readonly FieldInfo[]
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
  })
  const seen = rows.getVirtualItems()
  const { rowAt, error } = useWindows(company, question, seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0)
  useEffect(() => onError(error), [error, onError])
  const navigate = useNavigate()
  const open = (row: Row | undefined) => {
    const key = row && keyOf(document, row)
    if (key === undefined) return
    void navigate({ to: '/$company/record/$document/$key', params: { company, document: document.name, key } })
  }
  const focus = useCellFocus(scroller, count, columns.length, rows.scrollToIndex)
  const template = columns.map((field) => `${widthOf(field)}rem`).join(' ')
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-label={`Rows of ${document.name}`}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && focus.place.row >= 0) open(rowAt(focus.place.row))
        else focus.onKeyDown(event)
      }}
    >
      <div role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template }}>
        {columns.map((field) => (
          <div
            key={field.path}
            role="columnheader"
            aria-sort={sortOf(orderBy, field.path)}
            className={classes.headCell}
          >
            <button type="button" className={classes.heading} onClick={() => onOrder(field.path)} title={field.path}>
              {field.names.at(-1)}
              {orderBy === field.path && ' ↑'}
              {orderBy === `${field.path} desc` && ' ↓'}
            </button>
          </div>
        ))}
      </div>
      <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {seen.map(({ index, start }) => {
          const row = rowAt(index)
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              className={classes.row}
              style={{ gridTemplateColumns: template, transform: `translateY(${start}px)` }}
              onDoubleClick={() => open(row)}
            >
              {columns.map((field, column) => (
                <div
                  key={field.path}
                  role="gridcell"
                  tabIndex={focus.tabIndexOf(index, column)}
                  data-place={`${index}:${column}`}
                  className={field.kind === 'number' || field.kind === 'integer' ? classes.number : classes.cell}
                  onFocus={() => focus.moveTo(index, column)}
                >
                  {row ? <Cell row={row} field={field} isLink={column === 0} onOpen={() => open(row)} /> : '…'}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function Cell({ row, field, isLink, onOpen }: { row: Row; field: FieldInfo; isLink: boolean; onOpen: () => void }) {
  const { value, description } = valueIn(row, field)
  const shown = <FieldValue value={value} kind={field.kind} description={description} />
  if (!isLink) return shown
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
function widthOf({ kind, names, schema }: FieldInfo): number {
  if (kind === 'boolean') return 8
  if (kind === 'date-time') return 11
  if (kind === 'number' || kind === 'integer') return 10
  if (/name$|description|title/i.test(names.at(-1) ?? '')) return 18
  return schema['x-erp-describable'] ? 15 : 12
}

function sortOf(orderBy: string, path: string): 'ascending' | 'descending' | 'none' {
  if (orderBy === path) return 'ascending'
  return orderBy === `${path} desc` ? 'descending' : 'none'
}

/** One cell can be reached by Tab; arrows move from it. */
function useCellFocus(
  scroller: React.RefObject<HTMLDivElement | null>,
  rows: number,
  columns: number,
  scrollToIndex: (index: number) => void,
) {
  const [place, setPlace] = useState({ row: 0, column: 0 })
  const moveTo = (row: number, column: number) => {
    if (row !== place.row || column !== place.column) setPlace({ row, column })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = afterKey(event, place, rows, columns)
    if (!next) return
    event.preventDefault()
    scrollToIndex(next.row)
    moveTo(next.row, next.column)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-place="${next.row}:${next.column}"]`)?.focus(),
    )
  }
  const tabIndexOf = (row: number, column: number) => (row === place.row && column === place.column ? 0 : -1)
  return { place, moveTo, onKeyDown, tabIndexOf }
}

type Place = { readonly row: number; readonly column: number }

function afterKey(
  { key, ctrlKey }: KeyboardEvent,
  { row, column }: Place,
  rows: number,
  columns: number,
): Place | undefined {
  const at = (nextRow: number, nextColumn: number): Place => ({
    row: Math.min(Math.max(nextRow, 0), rows - 1),
    column: Math.min(Math.max(nextColumn, 0), columns - 1),
  })
  switch (key) {
    case 'ArrowDown':
      return at(row + 1, column)
    case 'ArrowUp':
      return at(row - 1, column)
    case 'ArrowRight':
      return at(row, column + 1)
    case 'ArrowLeft':
      return at(row, column - 1)
    case 'PageDown':
      return at(row + PAGE, column)
    case 'PageUp':
      return at(row - PAGE, column)
    case 'Home':
      return at(ctrlKey ? 0 : row, 0)
    case 'End':
      return at(ctrlKey ? rows - 1 : row, columns - 1)
    default:
      return undefined
  }
}
