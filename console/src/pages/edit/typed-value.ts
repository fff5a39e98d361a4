// What people type into a field of a form, as JSON: numbers as the grid shows them and as the language of the browser
// writes them, and nothing for what was emptied.
import type { FieldInfo } from '../../service/metadata.ts'
import { plainNumber, writingOf } from '../../service/written-values.ts'

export const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

export function literalOf(text: string, field: FieldInfo | undefined, decimal = writingOf().decimal): string {
  const kind = field?.kind ?? 'text'
  if (kind === 'boolean') return String(text === 'true')
  if (kind === 'text') return JSON.stringify(text)
  const typed = text.trim()
  if (typed === '') return 'null'
  if (kind === 'date-time') return JSON.stringify(typed)
  const number = plainNumber(typed, decimal)
  return PLAIN_NUMBER.test(number) ? number : JSON.stringify(typed)
}
