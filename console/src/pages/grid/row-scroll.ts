// Where the rows stand that a scroll bar leads to. No browser draws an element of any height (Firefox ends at some 17
// million pixels): where all rows were higher, a pixel of the scroll bar is more than one of the rows.

export const ROW_HEIGHT = 30
const MOST_PIXELS = 8_000_000

/** How high the element is that is scrolled, in pixels. */
export const drawnHeight = (count: number, rowHeight = ROW_HEIGHT): number => Math.min(count * rowHeight, MOST_PIXELS)

/** Pixels of the rows for each of the scroll bar; 1 but for very many rows. */
export function paceOf(
  count: number,
  element: Pick<Element, 'scrollHeight' | 'clientHeight'> | null,
  rowHeight = ROW_HEIGHT,
): number {
  const length = element ? element.scrollHeight - element.clientHeight : 0
  return length <= 0 ? 1 : (length + count * rowHeight - drawnHeight(count, rowHeight)) / length
}

/** The offset that shows a row, nearest to the one that there is. */
export function offsetShowing(row: number, offset: number, height: number): number {
  const top = row * ROW_HEIGHT
  return Math.max(Math.min(offset, top), top + ROW_HEIGHT - height)
}
