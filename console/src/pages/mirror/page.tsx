// How fresh a company is that fills itself from an ERP system, and what that costs the other system.
import { Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty } from '../../parts/empty.tsx'
import { numberText, sizeText, timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { LoadBar } from '../../parts/mirror-note.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { agoText, type CompanySource, type Mirror, type MirroredDocument, mirrorQuery } from '../../service/mirror.ts'
import { useCompany } from '../../service/session.ts'
import { useTitles } from '../../shell/document-title.ts'
import { sentence } from '../../words/sentence.tsx'
import { t } from '../../words/words.ts'
import classes from './mirror.module.css'

export function MirrorPage() {
  const { source } = useCompany()
  if (source) return <Status source={source} />
  return (
    <PageFrame title={t('Mirror')}>
      <Empty title={t('This company is no mirror')}>
        {t('Its records are its own. A mirror has a source in the setup.')}
      </Empty>
    </PageFrame>
  )
}

function Status({ source }: { readonly source: CompanySource }) {
  const { id: company } = useCompany()
  const { data, error, refetch } = useQuery(mirrorQuery(company))
  return (
    <PageFrame
      title={t('Mirror')}
      description={
        <>
          {sentence('Filled from {{address}}.', { address: <ShownText text={source.url} /> })}{' '}
          {source.writes === 'refuse'
            ? t('Records are read here and written there.')
            : t('What is written here goes there.')}
        </>
      }
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading lines={10} />}
      {data && (
        <>
          <Text role="status">{summaryOf(data)}</Text>
          <Documents company={company} documents={data.documents} />
          <Used quota={data.quota} />
        </>
      )}
    </PageFrame>
  )
}

function summaryOf({ documents }: Mirror): string {
  const of = documents.length
  if (of === 0) return t('It has no document that you may read.')
  const loading = documents.filter(({ phase }) => phase === 'loading').length
  if (loading > 0)
    return t('Loading: {{complete}} of {{count}} documents are complete.', { complete: of - loading, count: of })
  const wrong = documents.filter(({ problem }) => problem !== '').length
  if (wrong > 0) return t('{{count}} of {{all}} documents are not followed at this moment.', { count: wrong, all: of })
  const oldest = Math.max(...documents.map(({ ageSeconds }) => ageSeconds ?? 0))
  return t('Everything that the source had {{ago}} is here.', { ago: agoText(oldest) })
}

function Used({ quota }: Pick<Mirror, 'quota'>) {
  return (
    <section aria-label={t('Load on the source')}>
      <Title order={2}>{t('Load on the source')}</Title>
      {quota ? (
        <div className={classes.quotas}>
          <Share
            label={t('Requests in the last minute')}
            used={quota.requests}
            allowed={quota.requestsAllowed}
            text={t('{{used}} of {{allowed}}', { used: quota.requests, allowed: quota.requestsAllowed })}
          />
          <Share
            label={t('Answers in the last five minutes')}
            used={quota.bytes}
            allowed={quota.bytesAllowed}
            text={t('{{used}} of {{allowed}}', { used: sizeText(quota.bytes), allowed: sizeText(quota.bytesAllowed) })}
          />
        </div>
      ) : (
        <Text size="sm">{t('Nothing is asked of it at this moment.')}</Text>
      )}
    </section>
  )
}

interface ShareProps {
  readonly label: string
  readonly used: number
  readonly allowed: number
  readonly text: string
}

function Share({ label, used, allowed, text }: ShareProps) {
  return (
    <div>
      <div className={classes.share}>
        <span>{label}</span>
        <span>{text}</span>
      </div>
      <div className={classes.meter} aria-hidden>
        <div style={{ width: `${Math.min(100, (used / allowed) * 100)}%` }} />
      </div>
    </div>
  )
}

// The documents of a mirror in one table. What is wrong with one stands below it, in the width of the table.

interface DocumentsProps {
  readonly company: string
  readonly documents: readonly MirroredDocument[]
}

function Documents({ company, documents }: DocumentsProps) {
  if (documents.length === 0) return null
  return (
    <Table fz="sm" className={classes.documents} aria-label={t('Documents of the mirror')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Document')}</Table.Th>
          <Table.Th className={classes.number}>{t('Here')}</Table.Th>
          <Table.Th className={classes.number}>{t('There')}</Table.Th>
          <Table.Th>{t('As of')}</Table.Th>
          <Table.Th className={classes.wide}>{t('Removals checked')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      {documents.map((mirrored) => (
        <OneDocument key={mirrored.name} company={company} mirrored={mirrored} />
      ))}
    </Table>
  )
}

interface OneDocumentProps {
  readonly company: string
  readonly mirrored: MirroredDocument
}

function OneDocument({ company, mirrored }: OneDocumentProps) {
  const { name, phase, rows, sourceRows, asOf, ageSeconds, sweptAt } = mirrored
  const titleOf = useTitles()
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th scope="row">
          <Link to="/$company/grid/$document" params={{ company, document: name }} className={classes.title}>
            {titleOf(name)}
          </Link>
          {phase === 'following' && (
            <div className={classes.narrow}>
              {sentence('Removals checked {{ago}}', {
                ago: <Ago instant={sweptAt} seconds={secondsSince(sweptAt)} />,
              })}
            </div>
          )}
        </Table.Th>
        <Table.Td className={classes.number}>{numberText(String(rows))}</Table.Td>
        <Table.Td className={classes.number}>
          {sourceRows === undefined ? '–' : numberText(String(sourceRows))}
        </Table.Td>
        <Table.Td>{phase === 'following' ? <Ago instant={asOf} seconds={ageSeconds} /> : phaseText(phase)}</Table.Td>
        <Table.Td className={classes.wide}>
          {phase === 'following' && <Ago instant={sweptAt} seconds={secondsSince(sweptAt)} />}
        </Table.Td>
      </Table.Tr>
      <Remarks company={company} mirrored={mirrored} title={titleOf(name)} />
    </Table.Tbody>
  )
}

const phaseText = (phase: 'loading' | 'absent'): string => (phase === 'loading' ? t('Loading') : t('Not there'))

function Ago({ instant, seconds }: { readonly instant: string | undefined; readonly seconds: number | undefined }) {
  if (instant === undefined || seconds === undefined) return <>–</>
  return (
    <time dateTime={instant} title={timeText(instant)}>
      {agoText(seconds)}
    </time>
  )
}

const secondsSince = (instant: string | undefined): number | undefined =>
  instant === undefined ? undefined : Math.max(0, (Date.now() - Date.parse(instant)) / 1000)

const sentenceOf = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function Remarks({ company, mirrored, title }: OneDocumentProps & { readonly title: string }) {
  const { name, phase, misfits, problem } = mirrored
  const bar =
    phase === 'loading' && mirrored.sourceRows ? (
      <LoadBar mirrored={mirrored} label={t('{{document}}, loaded', { document: title })} />
    ) : null
  if (!bar && misfits === 0 && problem === '') return null
  return (
    <Table.Tr className={classes.remarks}>
      <Table.Td colSpan={5}>
        {bar}
        {problem !== '' && (
          <p className={classes.problem}>
            <ShownText text={sentenceOf(problem.replace(`${name}: `, '').replace(`${title}: `, ''))} length={200} />
          </p>
        )}
        {misfits > 0 && (
          <Link to="/$company/mirror/$document" params={{ company, document: name }}>
            {t('{{count}} records could not be kept as they came', { count: misfits })}
          </Link>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
