// What people type into a field of a form, as JSON: numbers as the grid shows them and as the language of the browser
// writes them, and nothing for what was emptied.
import type { FieldInfo } from '../../service/metadata.ts'

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** Groups of three digits, by what is no digit sign and no decimal sign in any language. */
const GROUPED = /^-?\d{1,3}(?:[\s'\u2019]\d{3})+(?![\d\s])/
const BETWEEN_GROUPS = /[\s'\u2019]/g

export function literalOf(text: string, field: FieldInfo | undefined, decimal = decimalSign()): string {
  const kind = field?.kind ?? 'text'
  if (kind === 'boolean') return String(text === 'true')
  if (kind === 'text') return JSON.stringify(text)
  const typed = text.trim()
  if (typed === '') return 'null'
  if (kind === 'date-time') return JSON.stringify(typed)
  const number = numberTyped(typed, decimal)
  return PLAIN_NUMBER.test(number) ? number : JSON.stringify(typed)
}

function numberTyped(typed: string, decimal: string): string {
  const text = typed.replace(/^\u2212/, '-')
  const whole = GROUPED.test(text) ? text.replace(BETWEEN_GROUPS, '') : text
  // A point is a decimal sign in any language, because the form shows numbers so.
  return decimal === ',' ? whole.replace(/^(-?)(\d{1,3}(?:\.\d{3})+|\d+),(\d+)$/, pointed) : whole
}

function pointed(_text: string, sign: string, whole: string, fraction: string): string {
  return `${sign}${whole.replaceAll('.', '')}.${fraction}`
}

function decimalSign(): string {
  return new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}
