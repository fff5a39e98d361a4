import { useEffect, useRef } from 'react'
import type { CellPlace } from './line-items.ts'

/** Leads the focus to a cell once it is drawn; behind the last of the `count` rows, to that one. */
export function useFocus(
  scroller: React.RefObject<HTMLDivElement | null>,
  count: number,
  setAt: (place: CellPlace) => void,
  show: (row: number) => void,
): (place: CellPlace) => void {
  const wanted = useRef<CellPlace>(undefined)
  useEffect(() => {
    const { current: place } = wanted
    if (!place) return
    const row = Math.min(place.row, count - 1)
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-place="${row}:${place.column}"]`)
    if (!cell) return show(row)
    wanted.current = undefined
    cell.focus({ preventScroll: true })
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  return (place) => {
    wanted.current = place
    setAt({ ...place })
  }
}
