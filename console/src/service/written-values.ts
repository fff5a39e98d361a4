// Numbers and days as the reader's language writes them: what is typed into a grid of lines, or pasted from a
// spreadsheet. What the service takes is the plain form: 1234.5, and 2026-01-31.
import { getOrInsert } from '../../../src/base/memo.ts'
import { readerLocale } from '../words/words.ts'

/** As the service answers a day that is absent. */
export const isNoDay = (text: string): boolean => /^1900-01-01(?:T00:00:00(?:\.0+)?Z?)?$/.test(text)

/** How a language writes. */
export interface Writing {
  readonly decimal: string
  readonly dayOrder: readonly DayPart[]
}

type DayPart = 'day' | 'month' | 'year'

const known = new Map<string | undefined, Writing>()

/** How a language writes values; by default that of the reader. */
export function writingOf(language = readerLocale()): Writing {
  return getOrInsert(known, language, () => readWriting(language))
}

function readWriting(language: string | undefined): Writing {
  const day = new Intl.DateTimeFormat(language).formatToParts(0)
  const parts = day.map(({ type }) => type)
  return {
    decimal: new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    dayOrder: parts.filter((type): type is DayPart => type === 'day' || type === 'month' || type === 'year'),
  }
}

/** Groups of three digits, by what is no digit sign and no decimal sign in any language. */
const GROUPED = /^-?\d{1,3}(?:[\s'\u2019]\d{3})+(?![\d\s])/
const BETWEEN_GROUPS = /[\s'\u2019]/g

/** As amounts are shown where commas stand between groups. One group alone may be meant as a fraction. */
const COMMA_GROUPED = /^-?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/

/** With a decimal point, if the text is a number; a point is a decimal sign in any language. */
export function plainNumber(typed: string, decimal: string): string {
  const text = typed.replace(/^\u2212/, '-')
  if (decimal === '.' && COMMA_GROUPED.test(text)) return text.replaceAll(',', '')
  const whole = GROUPED.test(text) ? text.replace(BETWEEN_GROUPS, '') : text
  return decimal === ',' ? whole.replace(/^(-?)(\d{1,3}(?:\.\d{3})+|\d+),(\d+)$/, pointed) : whole
}

function pointed(_text: string, sign: string, whole: string, fraction: string): string {
  return `${sign}${whole.replaceAll('.', '')}.${fraction}`
}

/** The same where groups of digits stand apart as in the language alone: 1.234 is more than a thousand in German. */
export function plainNumberOfSheet(typed: string, { decimal }: Writing): string {
  const text = typed.trim().replace(/^\u2212/, '-')
  const [between, point] = decimal === ',' ? ['\\.', ','] : [',', '\\.']
  const grouped = new RegExp(`^-?[1-9]\\d{0,2}(?:${between}\\d{3})+(?:${point}\\d+)?$`)
  const whole = grouped.test(text) ? text.replace(new RegExp(between, 'g'), '') : text
  return plainNumber(whole, decimal).replace(/^(-?)0+(?=\d)/, '$1')
}

const LOCAL_DAY = /^(\d{1,4})([./-])[ ]?(\d{1,2})\2[ ]?(\d{1,4})\.?(?:,?[ T]+(\d{1,2}:\d\d(?::\d\d)?))?$/
const PLAIN_DAY = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/
/** Spreadsheets take years of two digits to be those of this century up to 29. */
const LAST_OF_CENTURY = 29

/**
 * The plain form of a day, or of a moment, which is written in the reader's zone, and in plain form is of UTC. Undefined if
 * the text is neither.
 */
export function plainDay(typed: string, { dayOrder }: Writing): string | undefined {
  const text = typed.trim()
  if (PLAIN_DAY.test(text)) return isDay(text.slice(0, 10)) ? text : undefined
  const [, first = '', , second = '', third = '', time = ''] = LOCAL_DAY.exec(text) ?? []
  const order = first.length === 4 ? (['year', 'month', 'day'] as const) : dayOrder
  const part = (name: DayPart) => [first, second, third][order.indexOf(name)] ?? ''
  const day = `${fullYear(part('year'))}-${part('month').padStart(2, '0')}-${part('day').padStart(2, '0')}`
  if (!isDay(day)) return undefined
  return time === '' ? day : momentOf(`${day}T${time.padStart(time.length < 6 ? 5 : 8, '0')}`)
}

/** The plain form of a moment in the reader's zone. No day has a 25th hour. */
function momentOf(local: string): string | undefined {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().slice(0, local.length)
}

function fullYear(year: string): string {
  if (year.length !== 2) return year
  return `${Number(year) > LAST_OF_CENTURY ? '19' : '20'}${year}`
}

/** February has no 30th. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
