// CSV (RFC 4180): plain for programs, or in the style of a spreadsheet, which evaluates formulas and reads local forms.
import { PROTECTED_FORMULA, type SpreadsheetStyle, withoutFormula } from '../base/numbers/spreadsheet-style.ts'

/** A column of a CSV answer. */
export interface AnswerCell {
  readonly name: string
  readonly type: 'text' | 'date-time' | 'number' | 'boolean'
}

/** Tells a spreadsheet that the file is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'

export function csvHeader(cells: readonly AnswerCell[], style: SpreadsheetStyle | undefined): string {
  // A setup may call a property what a spreadsheet would evaluate.
  const names = cells.map(({ name }) => csvCell(style ? withoutFormula(name) : name, style))
  return (style ? BYTE_ORDER_MARK : '') + names.join(style?.separator ?? ',')
}

export function csvRow(
  row: readonly (string | number | null)[],
  cells: readonly AnswerCell[],
  style: SpreadsheetStyle | undefined,
): string {
  const separator = style?.separator ?? ','
  let line = ''
  for (let at = 0; at < row.length; at++) {
    if (at > 0) line += separator
    const [text, type] = [String(row[at] ?? ''), cells[at]?.type ?? 'text']
    line += csvCell(style ? styledText(text, type, style) : type === 'text' ? plainText(text) : text, style)
  }
  return line
}

/** An apostrophe protects a formula, and another one the apostrophe of a text: `import` removes one. */
function plainText(text: string): string {
  return text.startsWith("'") && PROTECTED_FORMULA.test(text) ? `'${text}` : text
}

function styledText(text: string, type: AnswerCell['type'], { decimal }: SpreadsheetStyle): string {
  switch (type) {
    case 'text':
      return withoutFormula(text)
    case 'date-time':
      return localDate(text, decimal)
    case 'number':
      return decimal === ',' ? withComma(text) : text
    default:
      return text
  }
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{3}))?Z?$/

/** The day, and its time unless it is midnight, in the form that a spreadsheet of any language reads. */
function localDate(text: string, decimal: string): string {
  const [, day, time, fraction = '000'] = DATE_TIME.exec(text) ?? []
  if (day === undefined) return text
  if (fraction !== '000') return `${day} ${time}${decimal}${fraction}`
  return time === '00:00:00' ? day : `${day} ${time}`
}

/** With another digit where three decimals would look like a group of digits. */
function withComma(text: string): string {
  return (/^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text).replace('.', ',')
}

const NEEDS_QUOTES = { ',': /[",\r\n]/, ';': /[";\r\n]/ } as const

function csvCell(text: string, style: SpreadsheetStyle | undefined): string {
  return NEEDS_QUOTES[style?.separator ?? ','].test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
