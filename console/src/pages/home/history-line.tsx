// A small line of the last periods of a figure, from the oldest to the newest. Whoever does not see it is told its ends.
import { t } from '../../words/words.ts'
import classes from './home.module.css'
import type { PeriodValue } from './read-figure.ts'

const [WIDTH, HEIGHT] = [200, 32]
/** The line is as thick at its highest and lowest point. */
const MARGIN = 2
/** Fewer tell nothing that the note does not. */
const LEAST = 3

interface HistoryLineProps {
  readonly history: readonly PeriodValue[]
  readonly textOf: (value: string) => string
}

/** The box is there before the answer is, and without a history. */
export function HistoryLine({ history, textOf }: HistoryLineProps) {
  const sorted = history.toSorted((one, other) => Number(one.value) - Number(other.value))
  const [first, last] = [history[0], history.at(-1)]
  const [least, greatest] = [sorted[0], sorted.at(-1)]
  if (history.length < LEAST || !first || !last || !least || !greatest) return <span className={classes.history} />
  const label = t('{{from}} to {{to}}: least {{least}} in {{leastIn}}, greatest {{greatest}} in {{greatestIn}}', {
    ...{ from: first.label, to: last.label },
    ...{ least: textOf(least.value), leastIn: least.label },
    ...{ greatest: textOf(greatest.value), greatestIn: greatest.label },
  })
  return (
    <svg
      className={classes.history}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      <polyline
        points={pointsOf(history.map(({ value }) => Number(value)))}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

/** The least value stands at the foot; where all are equal, the line is in the middle. */
function pointsOf(values: readonly number[]): string {
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const heightOf = (value: number) => (greatest === least ? 0.5 : (value - least) / (greatest - least))
  const places = values.map((value, at) => {
    const x = (at / (values.length - 1)) * WIDTH
    return `${x.toFixed(1)},${(HEIGHT - MARGIN - heightOf(value) * (HEIGHT - 2 * MARGIN)).toFixed(1)}`
  })
  return places.join(' ')
}
