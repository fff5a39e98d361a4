// What somebody may mean by a text that is searched for: words, an amount, a date.
import { parseDateTime } from '../../base/dates.ts'
import { casePairs } from '../../sql/rows/case-pairs.ts'

export interface SearchTerms {
  /** Without letter case. */
  readonly whole: string
  /** The parts between blanks, without letter case; all of them must be found. */
  readonly words: readonly string[]
  /** The letters as they were typed, small, as capitals, and with capitals at the start of words. */
  readonly spellings: readonly string[]
  /** A number without blanks, as codes have it; undefined if it is the only word. */
  readonly joined: string | undefined
  readonly integer: string | undefined
  /** As the query language writes numbers; a text may be read as several. */
  readonly amounts: readonly string[]
  /** ISO 8601. */
  readonly days: readonly string[]
}

export function searchTerms(text: string): SearchTerms {
  const typed = text.trim().replace(/\s+/g, ' ')
  const whole = inLowerCase(typed)
  const compact = typed.replaceAll(' ', '')
  return {
    whole,
    words: [...new Set(whole.split(' '))],
    spellings: spellingsOf(typed),
    joined: compact !== typed && /\d/.test(compact) ? inLowerCase(compact) : undefined,
    integer: /^\d{1,15}$/.test(compact) ? String(Number(compact)) : undefined,
    amounts: amountsIn(typed),
    days: daysIn(typed),
  }
}

/** Each letter by itself, as the databases do it: the result has the length of the text. */
export function inLowerCase(text: string): string {
  const pairs = casePairs('lower')
  let lower = ''
  for (const letter of text) {
    const other = pairs.get(letter)
    lower += other?.length === letter.length ? other : letter
  }
  return lower
}

/** For indexes, which know the case of letters. */
export function spellingsOf(text: string): string[] {
  const lower = text.toLowerCase()
  const started = lower.replace(/(^|[\s./-])(\p{L})/gu, (start) => start.toUpperCase())
  return [...new Set([text, lower, text.toUpperCase(), started, text.slice(0, 1).toUpperCase() + text.slice(1)])]
}

const MOST_DIGITS = 18
const GROUPED = /^(\d{1,3})([.,' ])\d{3}(?:\2\d{3})*$/

/** `1250.50`, `1 250,50`, `1.250,50` and `-1,250.5`; `1.250` is a thousand to some readers. Without a sign, of both. */
function amountsIn(typed: string): string[] {
  const [, sign = '', number = ''] = /^([+\-\u2212]?) ?(\d[\d.,' ]*)$/.exec(typed.replace(/[\u2019`]/g, "'")) ?? []
  if (number === '' || number.length > 2 * MOST_DIGITS) return []
  const found = [decimalIn(number), GROUPED.test(number) ? number.replace(/\D/g, '') : undefined]
  const values = [...new Set(found.filter((one) => one !== undefined))]
  if (sign === '+') return values
  return values.flatMap((one) => (sign !== '' || Number(one) === 0 ? [`-${one}`] : [one, `-${one}`]))
}

/** The last separator is that of the decimals; before it, the other one stands between groups of three digits. */
function decimalIn(number: string): string | undefined {
  const [, whole = '', mark, decimals = ''] = /^(.*?)(?:([.,])(\d+))?$/.exec(number) ?? []
  const [, , between] = GROUPED.exec(whole) ?? []
  if (!/^\d+$/.test(whole) && (between === undefined || between === mark)) return undefined
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '')
  if (digits.length + decimals.length > MOST_DIGITS) return undefined
  const places = decimals.replace(/0+$/, '')
  return places === '' ? digits : `${digits}.${places}`
}

/** The day after it has no date of four digits. */
const LAST_DAY = '9999-12-31'

/** ISO 8601, the day first, or the month first with slashes; of two digits the year is of this century. */
function daysIn(typed: string): string[] {
  const iso = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? [typed] : []
  const [, first = '', mark, second = '', year = ''] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(typed) ?? []
  const written = (month: string, day: string) =>
    `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const others = mark === undefined ? [] : [written(second, first), ...(mark === '/' ? [written(first, second)] : [])]
  return [...new Set([...iso, ...others])].filter((day) => day < LAST_DAY && parseDateTime(day) !== undefined)
}
