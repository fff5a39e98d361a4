// The one cell that can have the focus: Tab leads to it, and arrows move from it.
import { type FocusEvent, type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

const PAGE = 20

export function useCellFocus(
  scroller: React.RefObject<HTMLDivElement | null>,
  rows: number,
  columns: number,
  show: (row: number) => void,
) {
  const [place, setPlace] = useState({ row: 0, column: 0 })
  const moveTo = useCallback((row: number, column: number) => {
    setPlace((before) => (row !== before.row || column !== before.column ? { row, column } : before))
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = afterKey(event, place, rows, columns)
    if (!next) return
    event.preventDefault()
    show(next.row)
    moveTo(next.row, next.column)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-place="${next.row}:${next.column}"]`)?.focus(),
    )
  }
  const focused = useRef<string>(undefined)
  const onFocus = ({ target }: FocusEvent) => {
    focused.current = placeIn(target)
    const [row, column] = (focused.current ?? '').split(':').map(Number)
    if (row !== undefined && column !== undefined) moveTo(row, column)
  }
  // Another row has taken the element: the one in focus has been scrolled away.
  useLayoutEffect(() => {
    const active = document.activeElement
    if (!(active instanceof HTMLElement) || !scroller.current?.contains(active)) return
    const [before, now] = [focused.current, placeIn(active)]
    if (before !== undefined && now !== undefined && before !== now) active.blur()
  })
  return { place, moveTo, onFocus, onKeyDown }
}

/** The cell that an element stands in. */
const placeIn = (element: Element): string | undefined => element.closest<HTMLElement>('[data-place]')?.dataset.place

type Place = { readonly row: number; readonly column: number }

/** The cell that a key leads to; undefined for other keys. */
export function afterKey(
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
