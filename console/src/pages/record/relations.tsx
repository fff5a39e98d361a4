// The values that a record is related to: as a small picture, and as a list with their dates.
import { Title } from '@mantine/core'
import { dateText } from '../../parts/field-value.tsx'
import { ShownText, shownText } from '../../parts/shown-text.tsx'
import classes from './record.module.css'

interface Relation {
  readonly relationName: string
  readonly relatedValue: string
  readonly percentage: number
  readonly dateFrom: string
  readonly dateTo: string
}

const WIDTH = 420
const LINE_HEIGHT = 30
const MOST = 12

interface RelationsProps {
  readonly row: Readonly<Record<string, unknown>>
  readonly recordKey: readonly string[]
}

export function Relations({ row, recordKey }: RelationsProps) {
  const relations = (Array.isArray(row.relatedValues) ? row.relatedValues : []) as readonly Relation[]
  if (relations.length === 0) return null
  return (
    <section aria-label="Relations">
      <Title order={2}>Relations</Title>
      <RelationPicture relations={relations.slice(0, MOST)} from={recordKey.at(-1) ?? ''} />
      <dl className={classes.fields}>
        {relations.map(({ relationName, relatedValue, percentage, dateFrom, dateTo }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record may have equal relations; their place tells them apart
          <div key={place} className={classes.relation}>
            <dt>
              <ShownText text={relationName} />
            </dt>
            <dd>
              <ShownText text={relatedValue} /> {percentage === 100 ? '' : `${percentage} %, `}
              {dateText(dateFrom)} to {dateTo.startsWith('2099') ? 'further notice' : dateText(dateTo)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function RelationPicture({ relations, from }: { readonly relations: readonly Relation[]; readonly from: string }) {
  const height = relations.length * LINE_HEIGHT
  const short = (text: string) => (text.length > 24 ? `${shownText(text).slice(0, 23)}…` : shownText(text))
  return (
    <svg className={classes.picture} viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
      {relations.map(({ relationName, relatedValue }, place) => {
        const y = place * LINE_HEIGHT + LINE_HEIGHT / 2
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <g key={place}>
            <line x1={110} y1={height / 2} x2={180} y2={y} />
            <rect x={180} y={y - 11} width={236} height={22} rx={4} />
            <text x={188} y={y + 4}>
              {short(`${relationName}: ${relatedValue}`)}
            </text>
          </g>
        )
      })}
      <rect x={2} y={height / 2 - 13} width={108} height={26} rx={4} />
      <text x={10} y={height / 2 + 4}>
        {short(from).slice(0, 14)}
      </text>
    </svg>
  )
}
