// Marking rows: by the pointer on the edge of a row, by Space in its cells; with Shift all from the one before.
import { type KeyboardEvent, type MouseEvent, type RefObject, useRef } from 'react'
import { type Marks, MOST_MARKED, tellTooMany } from './marks.ts'
import type { SeenRows } from './use-rows.ts'

/** As `--edge` of the styles has it. */
const EDGE_REM = 2

export function useMarking(marks: Marks, { rowAt, rowsBetween }: SeenRows, scroller: RefObject<HTMLDivElement | null>) {
  const last = useRef<number>(undefined)
  const markUpTo = async (place: number) => {
    const from = last.current ?? place
    if (Math.abs(place - from) >= MOST_MARKED) return tellTooMany()
    marks.set(await rowsBetween(Math.min(from, place), Math.max(from, place)), true)
  }
  const mark = (place: number, isRange: boolean) => {
    if (isRange) return void markUpTo(place)
    const row = rowAt(place)
    last.current = place
    if (row) marks.set([row], !marks.has(row))
  }
  const isOnEdge = ({ target, clientX }: MouseEvent): boolean => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const left = scroller.current?.getBoundingClientRect().left ?? 0
    return marks.isPossible && (target as Element).role === 'row' && clientX - left <= EDGE_REM * rem
  }
  const onClick = (event: MouseEvent) => {
    // The headings are the first row.
    if (isOnEdge(event)) mark(Number((event.target as Element).getAttribute('aria-rowindex')) - 2, event.shiftKey)
  }
  /** Whether the key has marked or unmarked something; arrows also lead on. */
  const onKey = (event: KeyboardEvent, place: number): boolean => {
    const { key, shiftKey } = event
    if (!marks.isPossible) return false
    if (key === 'Escape' && marks.count > 0) {
      marks.clear()
      return true
    }
    if (key === ' ') {
      event.preventDefault()
      mark(place, shiftKey)
      return true
    }
    const step = shiftKey ? { ArrowDown: 1, ArrowUp: -1 }[key] : undefined
    if (step === undefined) return false
    last.current ??= place
    const row = rowAt(place)
    const isBack = Math.abs(place + step - last.current) < Math.abs(place - last.current)
    if (isBack && row) marks.set([row], false)
    else void markUpTo(Math.max(0, place + step))
    return false
  }
  return { isOnEdge, onClick, onKey }
}
