import type { Pasted } from './line-items.ts'

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** What has become of what was pasted, in a sentence or two. */
export function pastedText({ cells, added, rowsLeft, cellsLeft }: Pasted, most: number): string {
  const lines = added === 0 ? '' : `, ${counted(added, 'line')} added`
  const left = [
    ...(rowsLeft === 0 ? [] : [`${counted(rowsLeft, 'row')} (there may be ${counted(most, 'line')})`]),
    ...(cellsLeft === 0 ? [] : [`${counted(cellsLeft, 'cell')} that cannot be changed or have no column`]),
  ]
  return `${counted(cells, 'cell')} pasted${lines}.${left.length === 0 ? '' : ` Left out: ${left.join(', ')}.`}`
}
