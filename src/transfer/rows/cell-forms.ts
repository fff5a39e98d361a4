// The values of cells as spreadsheets write them: numbers with a decimal comma and grouped digits, dates of several
// forms, words for true and false. Only what can be read in one way is read.
import { parseDateTime } from '../../base/dates.ts'
import { PROTECTED_FORMULA } from '../../base/numbers/spreadsheet-style.ts'
import { shortened } from '../../base/text.ts'
import type { ValueType } from '../../model/document.ts'

export const DECIMAL_SIGNS = ['comma', 'point'] as const
export const DAY_ORDERS = ['dd/mm/yyyy', 'mm/dd/yyyy'] as const

export type DecimalSign = (typeof DECIMAL_SIGNS)[number]
export type DayOrder = (typeof DAY_ORDERS)[number]

export interface CellForms {
  /** Undefined when no cell has told it: then a cell is read if it tells it itself. */
  readonly decimal: DecimalSign | undefined
  /** A single point may as well group digits: with other separators than the comma. */
  readonly isPointDoubtful: boolean
  /** The order in dates with slashes or hyphens, the year last; undefined when no cell has told it. */
  readonly days: DayOrder | undefined
}

/** A cell that cannot be read, with the remedy. */
export class CellError extends Error {}

/** The text in the form that records have. A text that is none of its type stays: the record's rules tell of it. */
export function readCell(cell: string, type: ValueType, forms: CellForms): string {
  switch (type) {
    case 'string':
      return withoutFormulaGuard(cell)
    case 'boolean':
      return BOOLEANS.get(cell.trim().toLowerCase()) ?? cell
    case 'date-time':
      return readDate(cell, forms)
    default:
      return readNumber(cell, forms)
  }
}

/** Removes the apostrophe that an export puts before a text which a spreadsheet would evaluate as a formula. */
function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && PROTECTED_FORMULA.test(cell) ? cell.slice(1) : cell
}

/**
 * As spreadsheets in English, German, Norwegian, Swedish, Danish, Dutch, French, Spanish and Italian write them, and
 * people in the first six.
 */
const BOOLEANS = new Map([
  ['1', 'true'] as const,
  ['0', 'false'] as const,
  ...['true', 'wahr', 'sann', 'sant', 'sand', 'waar', 'vrai', 'verdadero', 'vero', 'yes', 'ja'].map(
    (word) => [word, 'true'] as const,
  ),
  ...['false', 'falsch', 'usann', 'falskt', 'falsk', 'onwaar', 'faux', 'falso', 'no', 'nei', 'nej', 'nein', 'nee'].map(
    (word) => [word, 'false'] as const,
  ),
])

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/
const EXPONENT = '(?:E([+-]?\\d{1,3}))?'
const SPACES = " \\u00a0\\u202f'\\u2019"

function numberForm(decimal: string, group: string): RegExp {
  const digits = `(\\d{1,3}(?:([${group}${SPACES}])\\d{3})(?:\\3\\d{3})*|\\d+)`
  return new RegExp(`^([+\\-\\u2212]?)${digits}(?:\\${decimal}(\\d+))?${EXPONENT}$`, 'i')
}

const NUMBERS: Readonly<Record<DecimalSign, RegExp>> = { point: numberForm('.', ','), comma: numberForm(',', '.') }

function readNumber(cell: string, { decimal, isPointDoubtful }: CellForms): string {
  if (decimal !== 'comma' && PLAIN_NUMBER.test(cell) && (decimal === 'point' || !isPointDoubtful)) return cell
  const text = signFirst(cell)
  const sign = decimal ?? signOf(text, isPointDoubtful)
  if (sign === 'doubtful') {
    throw new CellError(
      `'${shortened(text)}' has a decimal sign or grouped digits: decimal=comma or decimal=point says which`,
    )
  }
  const match = NUMBERS[sign ?? 'point'].exec(text)
  if (match) {
    const [, minus = '', digits = '', , fraction, exponent] = match
    const whole = digits.replaceAll(/\D/g, '')
    return `${minus && minus !== '+' ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}${exponent ? `E${exponent}` : ''}`
  }
  if (decimal && NUMBERS[decimal === 'comma' ? 'point' : 'comma'].test(text)) {
    throw new CellError(
      `'${shortened(text)}' has no decimal ${decimal}, as the other numbers have (decimal=${decimal})`,
    )
  }
  return cell
}

const ACCOUNTED = /^\(\s*([\d.,].*?)\s*\)$/
const SIGN_BEHIND = /^([\d.,].*?)\s*[-\u2212]$/
const WITHOUT_ZERO = /^([+\-\u2212]?)([.,]\d)/

/** Accounting writes a negative number in parentheses, others its sign behind it; databases leave out a zero. */
function signFirst(cell: string): string {
  const text = cell.trim()
  const negative = (ACCOUNTED.exec(text) ?? SIGN_BEHIND.exec(text))?.[1]
  return (negative === undefined ? text : `-${negative}`).replace(WITHOUT_ZERO, '$10$2')
}

/** The decimal sign that a cell tells; `doubtful` where it may also group digits, undefined for a number without. */
export function signOf(cell: string, isPointDoubtful: boolean): DecimalSign | 'doubtful' | undefined {
  const text = signFirst(cell).replace(/^[+\-\u2212]/, '')
  const [points, commas] = [text.split('.').length - 1, text.split(',').length - 1]
  if (points + commas === 0 || !/^[\d.,\s'\u2019]+(E[+-]?\d+)?$/i.test(text)) return undefined
  if (points > 0 && commas > 0) return text.lastIndexOf('.') > text.lastIndexOf(',') ? 'point' : 'comma'
  if (points > 1) return 'comma'
  if (commas > 1) return 'point'
  const mayGroup = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)
  if (commas === 1) return mayGroup ? 'doubtful' : 'comma'
  return mayGroup && isPointDoubtful ? 'doubtful' : 'point'
}

const ZONE = String.raw`(Z|[+-]\d{2}(?::?\d{2})?)?`
const TIME = String.raw`(?:(?:T|,?\s+)(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?\s*([AP]M)?\s*${ZONE})?`
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}$`, 'i')
const DOTTED = new RegExp(String.raw`^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})${TIME}$`, 'i')
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})[-/](\d{1,2})[-/](\d{4})${TIME}$`, 'i')
const DAY_NUMBER = /^(\d{4,7})(?:[.,](\d{1,10}))?$/
/** Days of 1905 and the years since then. */
const LIKE_YEAR = /^(?:19|20)\d\d$/
const SHORT_YEAR = /^\d{1,2}[./-]\d{1,2}[./-]\d{2}(\s|$)/
const ISO = /^\d{4}-\d{2}-\d{2}(?:T|$)/

function readDate(cell: string, { days }: CellForms): string {
  if (ISO.test(cell)) return cell
  const text = cell.trim()
  const read = readDateForm(text, days)
  if (read !== undefined && parseDateTime(read) === undefined) {
    throw new CellError(
      `there is no day '${shortened(text)}'${days && YEAR_LAST.test(text) ? ` by dates=${days}` : ''}`,
    )
  }
  return read ?? cell
}

function readDateForm(text: string, days: DayOrder | undefined): string | undefined {
  if (LIKE_YEAR.test(text)) {
    throw new CellError(`'${shortened(text)}' may be a year or one of Excel's day numbers: write the day`)
  }
  const [, number, fraction] = DAY_NUMBER.exec(text) ?? []
  if (number) return ofDayNumber(Number(`${number}.${fraction ?? 0}`))
  if (SHORT_YEAR.test(text)) throw new CellError(`'${shortened(text)}' has a year of two digits: write four`)
  const [, compactYear, compactMonth, compactDay] = COMPACT.exec(text) ?? []
  if (compactYear) return isoOf(compactYear, compactMonth, compactDay)
  const [, year, , month, day, ...time] = YEAR_FIRST.exec(text) ?? []
  if (year) return isoOf(year, month, day, time)
  const [, dottedDay, dottedMonth, dottedYear, ...dottedTime] = DOTTED.exec(text) ?? []
  if (dottedYear) return isoOf(dottedYear, dottedMonth, dottedDay, dottedTime)
  const [, first = '', second = '', lastYear, ...lastTime] = YEAR_LAST.exec(text) ?? []
  if (!lastYear) return undefined
  const order = days ?? orderOf(text)
  if (order === 'doubtful') {
    throw new CellError(
      `'${shortened(text)}' may have the day or the month first: dates=dd/mm/yyyy or dates=mm/dd/yyyy says which`,
    )
  }
  return order === 'dd/mm/yyyy' ? isoOf(lastYear, second, first, lastTime) : isoOf(lastYear, first, second, lastTime)
}

/** Which of day and month a date has first; undefined for dates of other forms, or where both are the same. */
export function orderOf(cell: string): DayOrder | 'doubtful' | undefined {
  const [, first, second, year] = YEAR_LAST.exec(cell.trim()) ?? []
  if (!year || Number(first) === Number(second)) return undefined
  if (Number(first) > 12) return 'dd/mm/yyyy'
  return Number(second) > 12 ? 'mm/dd/yyyy' : 'doubtful'
}

/** How a report names the form of a date, but those with slashes. */
export function dateFormOf(cell: string): string | undefined {
  const text = cell.trim()
  if (DAY_NUMBER.test(text)) return "Excel's day numbers"
  if (COMPACT.test(text)) return 'yyyymmdd'
  return DOTTED.test(text) ? 'dd.mm.yyyy' : YEAR_FIRST.test(text) || ISO.test(text) ? 'yyyy-mm-dd' : undefined
}

function isoOf(year: string, month = '', day = '', time: readonly (string | undefined)[] = []): string {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const [hours, minutes = '', seconds = '00', fraction = '0', half, zone = ''] = time
  if (hours === undefined) return date
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
  return `${date}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}.${fraction}${zone.toUpperCase()}`
}

/** Excel counts days from 1899-12-30, for all days after February 1900. */
function ofDayNumber(days: number): string {
  return new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400) * 1_000).toISOString()
}
