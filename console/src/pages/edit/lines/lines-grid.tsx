// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one are no table of HTML
// biome-ignore-all lint/a11y/useFocusableInteractive: the cells of a grid have the focus
// The lines of a record as a grid that is changed cell by cell (ARIA: grid), drawn as far as it is seen.
import { Button, Text, VisuallyHidden } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { FieldTitle } from '../../../parts/field-title.tsx'
import { amountPlaces, amountText } from '../../../parts/field-value.tsx'
import { notify } from '../../../parts/notices.tsx'
import { sumOf } from '../../../service/exact-sums.ts'
import { type FieldInfo, isNumeric } from '../../../service/metadata.ts'
import { useMay } from '../../../service/session.ts'
import { writingOf } from '../../../service/written-values.ts'
import { t } from '../../../words/words.ts'
import { afterKey } from '../../grid/cell-focus.ts'
import { itemsOf, type LinesShape, type ListItem, type ListShape, textOfItems } from '../changes.ts'
import type { Findings } from '../findings.ts'
import { FormSection } from '../form-section.tsx'
import type { NextCell } from './cell-editor.tsx'
import { cellFaults } from './cell-faults.ts'
import { editedCell, plainText } from './cell-text.ts'
import { FaultList } from './fault-list.tsx'
import { firstGiven, widthOf } from './line-columns.ts'
import { type CellPlace, cellsOf, isEditable, type LineRights, paste, withText } from './line-items.ts'
import { LineRow } from './line-row.tsx'
import classes from './lines-grid.module.css'
import { pastedText } from './pasted-text.ts'
import { useFocus } from './use-focus.ts'
import { useNames } from './use-names.ts'

const ROW_HEIGHT = 34
const OVERSCAN = 8
const MOST_STEPS_BACK = 50

interface LinesGridProps {
  /** The document that the record is of. */
  readonly document: string
  readonly list: ListShape
  readonly lines: LinesShape
  /** The lines as the draft has them. */
  readonly text: string
  /** The lines as the service would answer them; undefined while it is asked. */
  readonly answered: string | undefined
  readonly findings: Findings
  readonly onChange: (text: string) => void
}

export function LinesGrid({ document, list, lines, text, answered, findings, onChange }: LinesGridProps) {
  const { columns, most } = lines
  const title = list.titles.join(' / ')
  const rights = useRights(lines.document)
  const writing = writingOf()
  const items = useMemo(() => itemsOf(text), [text])
  const computed = useMemo(() => computedByKey(lines, answered), [lines, answered])
  const faults = useMemo(
    () => cellFaults(list.path, columns, items, findings, writing),
    [list, columns, items, findings, writing],
  )
  const valuesOf = (path: string) => items.map((one) => (computed?.(one) ?? one.texts)[path] ?? '')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the values are those of the items
  const places = useMemo(
    () =>
      new Map(
        columns
          .filter(({ kind }) => kind === 'decimal')
          .map(({ path }) => [path, amountPlaces(valuesOf(path))] as const),
      ),
    [columns, items, computed],
  )
  // As the lines were at first: columns do not move while one types.
  const [widths] = useState(() => columns.map((column) => widthOf(column, valuesOf(column.path))))
  const earlier = useRef<string[]>([])
  const [at, setAt] = useState<CellPlace>({ row: 0, column: 0 })
  const [edited, setEdited] = useState<{ readonly typed: string | undefined }>()
  const mayAdd = rights.create && items.length < most
  const count = items.length + (mayAdd ? 1 : 0)
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  })
  const goTo = useFocus(scroller, count, setAt, (row) => rows.scrollToIndex(row))
  const firstShown = useRef(location.hash === `#${list.path}`)
  useEffect(() => {
    if (!firstShown.current) return
    firstShown.current = false
    goTo({ row: 0, column: firstGiven(lines) })
  })
  const change = (next: readonly ListItem[]) => {
    if (next === items) return
    earlier.current = [...earlier.current.slice(1 - MOST_STEPS_BACK), text]
    onChange(textOfItems(next))
  }
  const undo = () => {
    const before = earlier.current.pop()
    if (before !== undefined) onChange(before)
  }
  const field = columns[at.column]
  const item = items[at.row]
  const isChangeable = isEditable(field, item, rights)
  const set = (typed: string) => {
    if (field && isChangeable) change(withText(items, at.row, field.path, plainText(field, typed, writing), lines))
  }
  const remove = (row: number) => {
    change(items.toSpliced(row, 1))
    goTo({ row: Math.max(0, Math.min(row, items.length - 2)), column: at.column })
  }
  const step = (next: NextCell) => {
    const { row, column } = at
    const last = columns.length - 1
    if (next === 'here') goTo(at)
    if (next === 'below') goTo({ row: row + 1, column })
    if (next === 'above') goTo({ row: Math.max(0, row - 1), column })
    if (next === 'right') goTo(column < last ? { row, column: column + 1 } : { row: row + 1, column: 0 })
    if (next === 'left') goTo(column > 0 ? { row, column: column - 1 } : { row: Math.max(0, row - 1), column: last })
  }
  const edit = (typed?: string) => {
    if (!field || !isChangeable) return
    if (field.kind === 'boolean') set(item?.texts[field.path] === 'true' ? 'false' : 'true')
    else setEdited({ typed })
  }
  const onDone = (taken: string | undefined, next: NextCell) => {
    setEdited(undefined)
    if (taken !== undefined) set(taken)
    step(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (altKey || edited) return
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() !== 'z') return move(event)
      event.preventDefault()
      undo()
      return
    }
    if (key === 'Escape') {
      event.preventDefault()
      scroller.current?.parentElement?.querySelector<HTMLElement>('[data-behind]')?.focus()
      return
    }
    if (key === 'Tab') {
      const isEnd = shiftKey ? at.row === 0 && at.column === 0 : at.row === count - 1 && at.column >= columns.length - 1
      if (isEnd) return
      event.preventDefault()
      step(shiftKey ? 'left' : 'right')
      return
    }
    if (at.column < columns.length && (key === 'Enter' || key === 'F2' || key.length === 1)) {
      event.preventDefault()
      edit(key.length === 1 && !(key === ' ' && field?.kind === 'boolean') ? key : undefined)
      return
    }
    if (key === 'Delete' || key === 'Backspace') return set('')
    move(event)
  }
  const move = (event: KeyboardEvent) => {
    const next = afterKey(event, at, count, columns.length + (rights.delete ? 1 : 0))
    if (!next) return
    event.preventDefault()
    goTo(next)
  }
  const onPaste = (event: ClipboardEvent) => {
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    const isOne = cells.length === 1 && cells[0]?.length === 1
    // In a cell that is being changed, one value goes where the caret is.
    if (cells.length === 0 || (edited && isOne)) return
    event.preventDefault()
    const pasted = paste(items, at, cells, lines, rights, writing)
    setEdited(undefined)
    change(pasted.items)
    notify(pastedText(pasted, most))
    goTo(at)
  }
  const onCopy = (event: ClipboardEvent) => {
    if (edited || !field) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', editedCell(field, item?.texts[field.path] ?? '', writing))
  }
  const template = `${widths.map((rem) => `minmax(${rem}rem, ${rem}fr)`).join(' ')}${rights.delete ? ' 2.5rem' : ''}`
  const seen = rows.getVirtualItems()
  const isSeen = seen.some(({ index }) => index === at.row)
  /** The column of a row that Tab leads to: the current cell, or the first one that is drawn. */
  const currentIn = (row: number): number => {
    if (row === at.row) return at.column
    return !isSeen && row === seen[0]?.index ? 0 : -1
  }
  const names = useNames(
    columns,
    seen.flatMap(({ index }) => items[index] ?? []),
  )
  const hasSums = lines.sums.length > 0
  if (!rights.create && !rights.update && !rights.delete && items.length === 0) return null
  return (
    <FormSection
      {...{ document, title }}
      path={list.path}
      anchor={list.path}
      isNeeded={faults.size > 0 || firstShown.current}
    >
      <FaultList faults={faults} items={items} columns={columns} onGo={goTo} />
      <div
        ref={scroller}
        className={classes.scroller}
        role="grid"
        aria-label={title}
        aria-rowcount={count + (hasSums ? 2 : 1)}
        aria-colcount={columns.length + (rights.delete ? 1 : 0)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onCopy={onCopy}
      >
        <div style={{ minWidth: `${widths.reduce((sum, rem) => sum + rem, rights.delete ? 2.5 : 0)}rem` }}>
          <div role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template }}>
            {columns.map((column, place) => (
              <div key={column.path} role="columnheader" className={edgeClass(column, place)}>
                <FieldTitle
                  title={column.titles.join(' / ')}
                  path={column.path}
                  description={column.schema.description}
                />
                {column.schema['x-erp-required'] && <span className={classes.needed}> *</span>}
              </div>
            ))}
            {rights.delete && (
              <div role="columnheader" className={classes.headCell}>
                <VisuallyHidden>{t('Remove')}</VisuallyHidden>
              </div>
            )}
          </div>
          <div role="rowgroup" style={{ height: count * ROW_HEIGHT, position: 'relative' }}>
            {seen.map(({ index, start }) => (
              <LineRow
                key={index}
                index={index}
                style={{ gridTemplateColumns: template, transform: `translateY(${start}px)` }}
                columns={columns}
                item={items[index]}
                computed={computed?.(items[index])}
                faults={faults}
                names={names}
                places={places}
                rights={rights}
                current={currentIn(index)}
                edited={at.row === index ? edited : undefined}
                onEnter={(column) => {
                  if (index !== at.row || column !== at.column) setAt({ row: index, column })
                }}
                onEdit={() => edit()}
                onDone={onDone}
                onRemove={() => remove(index)}
              />
            ))}
          </div>
          {hasSums && (
            <div
              role="row"
              aria-rowindex={count + 2}
              className={classes.foot}
              style={{ gridTemplateColumns: template }}
            >
              {columns.map((column, place) => (
                <div key={column.path} role="gridcell" className={edgeClass(column, place)}>
                  {lines.sums.includes(column.path)
                    ? amountText(sumOf(valuesOf(column.path)), places.get(column.path))
                    : place === 0 && t('Sum')}
                </div>
              ))}
            </div>
          )}
        </div>
      </div>
      <div className={classes.bar} data-behind tabIndex={-1}>
        <Button
          variant="default"
          disabled={!mayAdd}
          onClick={() => goTo({ row: items.length, column: firstGiven(lines) })}
        >
          {t('Add a line')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('{{number}} of at most {{most}} lines. Cells of a spreadsheet can be pasted.', {
            number: items.length,
            most,
          })}{' '}
          <span className={classes.keys}>
            {t('Enter changes a cell, Tab and arrows move, Ctrl+Z takes back, Escape leaves the grid.')}
          </span>
        </Text>
      </div>
    </FormSection>
  )
}

/** A cell of the first and the last row, which stay in sight. */
function edgeClass(column: FieldInfo, place: number): string {
  return `${classes.headCell} ${place === 0 ? classes.first : ''} ${isNumeric(column) ? classes.numeric : ''}`
}

function useRights(document: string): LineRights {
  const may = useMay()
  return { create: may(`${document}:create`), update: may(`${document}:update`), delete: may(`${document}:delete`) }
}

/** What the service computes of each line; undefined while it is not known. */
function computedByKey({ columns }: LinesShape, answered: string | undefined) {
  if (answered === undefined) return undefined
  const keys = columns.filter(({ isKey }) => isKey)
  const keyOf = ({ texts }: ListItem) => JSON.stringify(keys.map(({ path }) => texts[path]))
  const lines = new Map(itemsOf(answered).map((item) => [keyOf(item), item.texts]))
  return (item: ListItem | undefined) => (item ? lines.get(keyOf(item)) : undefined)
}
