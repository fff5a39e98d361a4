// The columns of a grid of lines: how wide they are, and where one begins to type.
import type { FieldInfo } from '../../../service/metadata.ts'
import type { LinesShape } from '../changes.ts'

/** Behind the number that a new line has already. */
export const firstGiven = ({ columns }: LinesShape): number =>
  Math.max(
    0,
    columns.findIndex(({ isKey, schema }) => !isKey && !schema.readOnly),
  )

/** In rem, so that all rows have the same columns. */
export function widthOf(field: FieldInfo): number {
  const heading = field.titles.join(' / ').length * 0.56 + 2
  return Math.max(heading, contentWidth(field))
}

function contentWidth({ kind, isKey, schema }: FieldInfo): number {
  if (isKey) return 4.5
  if (kind !== 'text') return kind === 'boolean' ? 5 : 7
  return schema['x-erp-describable'] || schema['x-erp-reference'] ? 13 : 10
}
