// What a record is related to: as a small picture of two steps, as links, and with its dates on a time line.
import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dateText, numberText } from '../../parts/field-value.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { useAttributeTitle } from '../../service/dimensions.ts'
import type { DocumentInfo } from '../../service/metadata.ts'
import { recordKeyText } from '../../service/record-key.ts'
import { t } from '../../words/words.ts'
import classes from './record.module.css'
import { RelationDates } from './relation-dates.tsx'
import { fetchRelations, type RelationGraph, type Relation as Step, targetOf, valueKey } from './relation-graph.ts'
import { RelationPicture } from './relation-picture.tsx'

interface RelatedValue {
  readonly relationId: string
  readonly relationName: string
  readonly relatedValue: string
  readonly percentage: number
  readonly dateFrom: string
  readonly dateTo: string
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
              <ShownText text={relation.relationName} />
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
    const { title = relation.relationName } = known.find(({ relationId }) => relationId === relation.relationId) ?? {}
    return { ...relation, relationName: title }
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
