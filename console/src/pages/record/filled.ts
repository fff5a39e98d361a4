import type { FieldInfo } from '../../service/metadata.ts'
import { valueIn } from '../../service/question.ts'
import { isNoDay } from '../../service/written-values.ts'

/** Whether a record has a value there that says something. */
export function isFilled(row: unknown, field: FieldInfo): boolean {
  const { value } = valueIn(row, field)
  if (value === undefined || value === null || value === '') return false
  return field.kind !== 'date-time' || !isNoDay(String(value))
}
