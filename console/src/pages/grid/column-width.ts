import type { Column } from './list-columns.ts'

/** The width that a column has at first, in rem: for its values, and for its title with the arrow of its order. */
export const usualWidth = (column: Column): number =>
  Math.round(10 * Math.max(valueWidth(column), headingWidth(column))) / 10

function valueWidth({ kind, names, schema, within }: Column): number {
  if (within) return 18
  if (kind === 'boolean') return 8
  const name = names.at(-1) ?? ''
  if (kind === 'date-time') return /at$/i.test(name) ? 11 : 8
  if (kind !== 'text') return 9
  if (/name$|description|title/i.test(name)) return 16
  return schema['x-erp-describable'] ? 13 : 11
}

const headingWidth = ({ titles, within }: Column): number => (within ? 0 : (titles.at(-1) ?? '').length * 0.56 + 2)

const PADDING_PX = 22

/** The width that shows all of a column that is drawn, in rem. */
export function fittingWidth(grid: HTMLElement, column: number): number {
  const cells = grid.querySelectorAll(`[data-place$=":${column}"], [data-heading="${column}"]`)
  const widest = Math.max(0, ...[...cells].map(textWidth))
  return (widest + PADDING_PX) / Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

/** In pixels, also of what a cell has no room for. */
function textWidth(cell: Element): number {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const first = texts.nextNode()
  if (!first) return 0
  range.setStart(first, 0)
  for (let text: Node | null = first; text; text = texts.nextNode()) range.setEnd(text, text.nodeValue?.length ?? 0)
  return range.getBoundingClientRect().width
}
