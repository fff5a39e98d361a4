// The columns of a grid of lines: how wide they are, and where one begins to type.
import type { FieldInfo } from '../../../service/metadata.ts'
import type { LinesShape } from '../changes.ts'

/** Behind the number that a new line has already. */
export const firstGiven = ({ columns }: LinesShape): number =>
  Math.max(
    0,
    columns.findIndex(({ isKey, schema }) => !isKey && !schema.readOnly),
  )

const CHARACTER_REM = 0.56

/** In rem, so that all rows have the same columns; a plain text is as wide as the longest of the texts. */
export function widthOf(field: FieldInfo, texts: readonly string[]): number {
  const heading = field.titles.join(' / ').length * CHARACTER_REM + 2
  return Math.max(heading, contentWidth(field, texts))
}

const WIDEST_TEXT = 10

function contentWidth({ kind, isKey, schema }: FieldInfo, texts: readonly string[]): number {
  if (isKey) return 4.5
  if (kind !== 'text') return kind === 'boolean' ? 5 : 7
  if (schema['x-erp-describable'] || schema['x-erp-reference']) return 13
  const longest = Math.max(0, ...texts.map(({ length }) => length))
  return longest === 0 ? WIDEST_TEXT : Math.min(WIDEST_TEXT, longest * CHARACTER_REM + 2)
}
