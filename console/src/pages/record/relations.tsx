// What a record is related to: as a small picture of two steps, as links, and with its dates on a time line.
import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dateText, numberText } from '../../parts/field-value.tsx'
import { ShownText, shownText } from '../../parts/shown-text.tsx'
import { useAttributeTitle } from '../../service/dimensions.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { t } from '../../words/words.ts'
import classes from './record.module.css'
import { fetchRelations, type RelationGraph, type Relation as Step, targetOf, valueKey } from './relation-graph.ts'
import { RelationPicture } from './relation-picture.tsx'

interface RelatedValue {
  readonly relationId: string
  readonly relationName: string
  readonly relatedValue: string
  readonly percentage: number
  readonly dateFrom: string
  readonly dateTo: string
  /** As the setup says it in the reader's language. */
  readonly description?: string | undefined
}

interface RelationsProps {
  readonly company: string
  readonly document: DocumentInfo
  readonly row: Readonly<Record<string, unknown>>
  readonly recordKey: readonly string[]
}

export function Relations({ company, document, row, recordKey }: RelationsProps) {
  const relations = titled(document, Array.isArray(row.relatedValues) ? row.relatedValues : [])
  const isValue = document.name === 'attribute-values'
  const attributeId = isValue ? recordKey[0] : undefined
  const attributeValue = (isValue ? recordKey[1] : recordKey[0]) ?? ''
  const relatedValues = [...new Set(relations.map(({ relatedValue }) => relatedValue))]
  const { data: graph } = useQuery({
    queryKey: [company, 'relations', document.name, ...recordKey, ...relatedValues],
    queryFn: () => fetchRelations(company, { attributeId, attributeValue, relatedValues }),
    enabled: relations.length > 0,
    retry: false,
  })
  if (relations.length === 0) return null
  return (
    <section aria-label={t('Relations')}>
      <Title order={2}>{t('Relations')}</Title>
      {graph && <RelationPicture graph={graph} from={attributeValue} />}
      <dl className={classes.fields}>
        {relations.map((relation, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record may have equal relations; their place tells them apart
          <div key={place} className={classes.relation}>
            <dt>
              <span title={relation.description}>
                <ShownText text={relation.relationName} />
              </span>
            </dt>
            <dd>
              <Related company={company} graph={graph} value={relation.relatedValue} />{' '}
              {relation.percentage === 100 ? '' : `${numberText(String(relation.percentage))} %, `}
              {periodText(relation)}
            </dd>
          </div>
        ))}
      </dl>
      {graph && <SecondStep company={company} graph={graph} />}
      <RelationDates relations={relations} />
      {graph?.isCut && (
        <Text size="sm" c="dimmed">
          {t('There are more relations than the picture shows.')}
        </Text>
      )}
    </section>
  )
}

/** With the titles of the relations instead of their names. */
function titled({ lists }: DocumentInfo, relations: readonly RelatedValue[]): readonly RelatedValue[] {
  const known = lists.find(({ path }) => path === 'relatedValues')?.schema['x-erp-relations'] ?? []
  return relations.map((relation) => {
    const { title, description } = known.find(({ relationId }) => relationId === relation.relationId) ?? {}
    return { ...relation, relationName: title ?? relation.relationName, description }
  })
}

function periodText({ dateFrom, dateTo }: RelatedValue): string {
  const from = dateText(dateFrom)
  return dateTo.startsWith('2099')
    ? t('from {{from}} until further notice', { from })
    : t('from {{from}} to {{to}}', { from, to: dateText(dateTo) })
}

interface RelatedProps {
  readonly company: string
  readonly graph: RelationGraph | undefined
  readonly value: string
}

/** A link once it is known which record it is. */
function Related({ company, graph, value }: RelatedProps) {
  const step = graph?.first.find(({ relationValue }) => relationValue === value)
  return step && graph ? <ValueLink company={company} graph={graph} step={step} /> : <ShownText text={value} />
}

interface ValueLinkProps {
  readonly company: string
  readonly graph: RelationGraph
  readonly step: Step
}

function ValueLink({ company, graph, step }: ValueLinkProps) {
  const known = graph.values.get(valueKey(targetOf(step)))
  if (!known) return <ShownText text={step.relationValue} />
  const key = recordKeyText([known.attributeId, known.attributeValue, String(known.periodFrom)])
  return (
    <Link to="/$company/record/$document/$key" params={{ company, document: 'attribute-values', key }}>
      <bdi>{known.attributeValue}</bdi> <bdi>{known.description}</bdi>
    </Link>
  )
}

function SecondStep({ company, graph }: { readonly company: string; readonly graph: RelationGraph }) {
  const titleOf = useAttributeTitle()
  if (graph.second.length === 0) return null
  return (
    <details>
      <summary>{t('One step further: {{number}}', { number: graph.second.length })}</summary>
      <ul className={classes.steps}>
        {graph.second.map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal relations differ in their dates alone
          <li key={place}>
            <ShownText text={step.attributeValue} /> → <ShownText text={titleOf(step)} />{' '}
            <ValueLink company={company} graph={graph} step={step} />
          </li>
        ))}
      </ul>
    </details>
  )
}

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
function RelationDates({ relations }: { readonly relations: readonly Dated[] }) {
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
