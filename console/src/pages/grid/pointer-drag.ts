// Dragging of headings: along the row to another place, and their edges to another width.
import type { PointerEvent } from 'react'

export interface ColumnDrag {
  readonly from: number
  readonly to: number
}

/** Fewer pixels are a click. */
const LEAST_PX = 6

interface Move {
  readonly from: number
  readonly onDrag: (drag: ColumnDrag | undefined) => void
  readonly onDrop: (to: number) => void
}

/** A finger scrolls instead. */
export function dragMove(
  event: PointerEvent<HTMLElement>,
  grid: HTMLElement | null,
  { from, onDrag, onDrop }: Move,
): void {
  if (event.button !== 0 || event.pointerType === 'touch' || !grid) return
  const { clientX: begun } = event
  let to: number | undefined
  follow(
    event,
    (x) => {
      if (to === undefined && Math.abs(x - begun) < LEAST_PX) return
      to = placeAt(grid, x)
      onDrag({ from, to })
    },
    (isDone) => {
      onDrag(undefined)
      if (to === undefined) return
      // The click that ends it orders nothing.
      const ending = new AbortController()
      addEventListener('click', (click) => click.stopPropagation(), { capture: true, signal: ending.signal })
      setTimeout(() => ending.abort())
      if (isDone) onDrop(to)
    },
  )
}

function placeAt(grid: HTMLElement, x: number): number {
  const headings = [...grid.querySelectorAll('[data-heading]')]
  const at = headings.findIndex((heading) => x < heading.getBoundingClientRect().right)
  return at < 0 ? headings.length - 1 : at
}

interface Size {
  readonly widthRem: number
  readonly onDrag: (widthRem: number) => void
  readonly onDrop: (widthRem: number) => void
}

export function dragSize(event: PointerEvent<HTMLElement>, { widthRem, onDrag, onDrop }: Size): void {
  if (event.button !== 0) return
  event.preventDefault()
  const { clientX: begun } = event
  const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  let rem = widthRem
  follow(
    event,
    (x) => {
      rem = widthRem + (x - begun) / remPx
      onDrag(rem)
    },
    (isDone) => {
      if (!isDone) onDrag(widthRem)
      else if (rem !== widthRem) onDrop(rem)
    },
  )
}

/** Until the pointer is released, or taken away. */
function follow(
  { currentTarget, pointerId }: PointerEvent<HTMLElement>,
  onMove: (x: number) => void,
  onEnd: (isDone: boolean) => void,
): void {
  const target: HTMLElement = currentTarget
  const following = new AbortController()
  const { signal } = following
  const end = (isDone: boolean) => {
    following.abort()
    onEnd(isDone)
  }
  target.setPointerCapture(pointerId)
  target.addEventListener('pointermove', ({ clientX }) => onMove(clientX), { signal })
  target.addEventListener('pointerup', () => end(true), { signal })
  target.addEventListener('pointercancel', () => end(false), { signal })
}
