import { dateText } from '../../parts/field-value.tsx'
import { shownText } from '../../parts/shown-text.tsx'
import { t } from '../../words/words.ts'
import classes from './record.module.css'

interface Dated {
  readonly relationName: string
  readonly relatedValue: string
  readonly dateFrom: string
  readonly dateTo: string
}

const WIDTH = 480
const LINE_HEIGHT = 22
const AXIS_HEIGHT = 18
const YEAR_MS = 365 * 86_400_000
const OPEN_FROM = '1900-01-01'
const OPEN_TO = '2099-12-31'

/** When each relation holds, around today. Nothing is drawn of relations that always hold: there is nothing to see. */
export function RelationDates({ relations }: { readonly relations: readonly Dated[] }) {
  const given = relations.flatMap(({ dateFrom, dateTo }) => [
    ...(dateFrom.startsWith(OPEN_FROM) ? [] : [Date.parse(dateFrom)]),
    ...(dateTo.startsWith(OPEN_TO) ? [] : [Date.parse(dateTo)]),
  ])
  if (given.length === 0) return null
  const today = Date.now()
  const from = Math.min(...given, today) - YEAR_MS / 4
  const to = Math.max(...given, today) + YEAR_MS / 4
  const place = (moment: number) => ((Math.min(Math.max(moment, from), to) - from) / (to - from)) * WIDTH
  const height = relations.length * LINE_HEIGHT + AXIS_HEIGHT
  return (
    <svg className={classes.dates} viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
      {relations.map(({ relationName, relatedValue, dateFrom, dateTo }, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no state
        <g key={line}>
          <rect
            x={place(Date.parse(dateFrom))}
            y={line * LINE_HEIGHT + 2}
            width={Math.max(place(Date.parse(dateTo)) - place(Date.parse(dateFrom)), 2)}
            height={LINE_HEIGHT - 4}
            rx={3}
          />
          <text x={place(Date.parse(dateFrom)) + 6} y={line * LINE_HEIGHT + 15}>
            {shownText(`${relationName} ${relatedValue}`).slice(0, 40)}
          </text>
        </g>
      ))}
      <line x1={place(today)} x2={place(today)} y1={0} y2={height - AXIS_HEIGHT} />
      <text x={0} y={height - 4}>
        {dayOf(from)}
      </text>
      <text x={Math.min(Math.max(place(today), 100), WIDTH - 100)} y={height - 4} textAnchor="middle">
        {t('today')}
      </text>
      <text x={WIDTH} y={height - 4} textAnchor="end">
        {dayOf(to)}
      </text>
    </svg>
  )
}

const dayOf = (moment: number): string => dateText(new Date(moment).toISOString().slice(0, 10))
