// A value of a record, by its kind.
import { getOrInsert } from '../../../src/base/memo.ts'
import type { FieldInfo, Schema, StatesInfo } from '../service/metadata.ts'
import { isNoDay } from '../service/written-values.ts'
import { readerLocale, t } from '../words/words.ts'
import classes from './field-value.module.css'
import { ShownText } from './shown-text.tsx'
import { StateBadge } from './state-badge.tsx'

interface FieldValueProps {
  readonly value: unknown
  readonly kind: FieldInfo['kind']
  /** What a code means. */
  readonly description?: string | undefined
  /** What people call the codes, where the service itself has them. */
  readonly titles?: Schema['x-erp-codeTitles']
  /** Where it is the state of a record. */
  readonly states?: StatesInfo | undefined
  /** As `ShownText` has it. */
  readonly isInCell?: boolean
  /** As `amountPlaces` has it, of the column that an amount stands in. */
  readonly places?: number | undefined
}

export function FieldValue({ value, kind, description, titles, states, isInCell = false, places }: FieldValueProps) {
  if (value === undefined || value === null || value === '' || (kind === 'date-time' && isNoDay(String(value))))
    return (
      <span className={classes.quiet} role="img" aria-label={t('empty')}>
        –
      </span>
    )
  if (states) return <StateBadge states={states} state={String(value)} title={description} />
  if (titles) return <span title={String(value)}>{titles[String(value)] ?? String(value)}</span>
  if (kind === 'boolean') return <>{value === true ? t('Yes') : t('No')}</>
  if (kind === 'decimal') return <>{amountText(String(value), places)}</>
  if (kind === 'number') return <>{numberText(String(value))}</>
  if (kind === 'date-time') return <time dateTime={String(value)}>{dateText(String(value))}</time>
  return (
    <>
      <ShownText text={String(value)} isInCell={isInCell} />
      {description !== undefined && description !== '' && (
        <span className={classes.quiet}>
          {' '}
          <ShownText text={description} isInCell={isInCell} />
        </span>
      )}
    </>
  )
}

const PLAIN_NUMBER = /^-?\d+(?:\.(\d*))?$/
/** `Intl` writes no more. */
const MOST_PLACES = 100

const numberFormats = new Map<string, Intl.NumberFormat>()
const timeFormats = new Map<string, Intl.DateTimeFormat>()

/** As the reader writes it. `Intl` takes the text itself, and keeps all digits: one of 19 digits has no exact double. */
export function numberText(text: string, locale = readerLocale(), leastPlaces = 0): string {
  const [whole, places = ''] = PLAIN_NUMBER.exec(text) ?? []
  if (whole === undefined || places.length > MOST_PLACES) return text
  const shown = Math.max(places.length, leastPlaces)
  const format = getOrInsert(
    numberFormats,
    `${locale} ${shown}`,
    () => new Intl.NumberFormat(locale, { minimumFractionDigits: shown, maximumFractionDigits: shown }),
  )
  return format.format(text as `${number}`)
}

const AMOUNT_PLACES = 2

/** With two places at least, or as many as its column has. */
export const amountText = (text: string, places = AMOUNT_PLACES): string => numberText(text, readerLocale(), places)

/** As many as one of the amounts has: written with these they stand below each other. */
export function amountPlaces(texts: Iterable<string>, least = AMOUNT_PLACES): number {
  let places = least
  for (const text of texts) places = Math.max(places, PLAIN_NUMBER.exec(text)?.[1]?.length ?? 0)
  return Math.min(places, MOST_PLACES)
}

const NUMBERS = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
/** A day is the same one everywhere. */
const DAY = { ...NUMBERS, timeZone: 'UTC' } as const
/** In the zone of the reader. */
const TIME = { ...NUMBERS, hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

/** A day without its midnight, which the service gives it; with another time a moment. */
export function dateText(text: string, locale = readerLocale()): string {
  const [, day, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?))?/.exec(text) ?? []
  if (day === undefined) return text
  if (!/^00:00(?::00)?$/.test(time)) return timeText(`${day}T${time}`, locale)
  return written(`${day}T00:00Z`, locale, DAY) ?? text
}

/** A moment, also that of midnight; the service writes it in UTC. `plainDay` reads it back. */
export const timeText = (text: string, locale = readerLocale()): string =>
  written(`${text.slice(0, 19)}Z`, locale, TIME) ?? text

function written(instant: string, locale: string | undefined, parts: typeof DAY | typeof TIME): string | undefined {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return undefined
  const key = `${locale} ${'hour' in parts}`
  return getOrInsert(timeFormats, key, () => new Intl.DateTimeFormat(locale, parts)).format(date)
}

const UNITS = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const

/** A number of bytes: `1.2 MB`. */
export function sizeText(bytes: number, locale = readerLocale()): string {
  const [unit, one] = UNITS.find(([, least]) => bytes >= least) ?? (['byte', 1] as const)
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  return (bytes / one).toLocaleString(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 })
}
