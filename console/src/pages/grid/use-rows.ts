// The rows that are seen of all that there are, whatever is scrolled.
import { observeElementOffset, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useEffect } from 'react'
import type { Question } from '../../service/question.ts'
import { paceOf } from './row-scroll.ts'
import { type Row, useWindows } from './rows.ts'

export interface ShownRows {
  readonly company: string
  readonly question: Question
  readonly count: number
  readonly onError: (error: Error | null) => void
}

export interface SeenRows {
  readonly seen: readonly VirtualItem[]
  readonly rowAt: (place: number) => Row | undefined
  readonly rowsBetween: (start: number, end: number) => Promise<readonly Row[]>
  /** Those that have come. */
  readonly shown: readonly Row[]
  /** How far it is scrolled, in pixels of the rows, and how many of these a pixel of the scroll bar is. */
  readonly offset: number
  readonly pace: number
  /** Where a row is drawn, in pixels of the scroll bar. */
  readonly topOf: (item: VirtualItem) => number
}

export function useSeenRows(
  { company, question, count, onError }: ShownRows,
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  overscan: number,
): SeenRows {
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    observeElementOffset: (instance, notify) =>
      observeElementOffset(instance, (offset, isScrolling) =>
        notify(offset * paceOf(instance.options.count, instance.scrollElement, rowHeight), isScrolling),
      ),
  })
  const seen = rows.getVirtualItems()
  const [first, last] = [seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0]
  const { rowAt, rowsBetween, error } = useWindows(company, question, first, last, rows.isScrolling)
  useEffect(() => onError(error), [error, onError])
  const pace = paceOf(count, scroller.current, rowHeight)
  const offset = rows.scrollOffset ?? 0
  const shown = seen.map(({ index }) => rowAt(index)).filter((row) => row !== undefined)
  return { seen, rowAt, rowsBetween, shown, offset, pace, topOf: ({ start }) => start - offset + offset / pace }
}
