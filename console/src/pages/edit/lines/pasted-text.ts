import { t } from '../../../words/words.ts'
import type { Pasted } from './line-items.ts'

/** What has become of what was pasted, in a sentence or two. */
export function pastedText({ cells, added, rowsLeft, cellsLeft }: Pasted, most: number): string {
  return [
    t('{{count}} cells pasted.', { count: cells }),
    ...(added === 0 ? [] : [t('{{count}} lines added.', { count: added })]),
    ...(rowsLeft === 0 ? [] : [t('{{count}} rows left out: there may be {{most}} lines.', { count: rowsLeft, most })]),
    ...(cellsLeft === 0
      ? []
      : [t('{{count}} cells left out, which cannot be changed or have no column.', { count: cellsLeft })]),
  ].join(' ')
}
