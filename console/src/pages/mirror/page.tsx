// How fresh a company is that fills itself from an ERP system, and what that costs the other system.
import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Empty } from '../../parts/empty.tsx'
import { sizeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { agoText, type CompanySource, type Mirror, mirrorQuery } from '../../service/mirror.ts'
import { useCompany } from '../../service/session.ts'
import { sentence } from '../../words/sentence.tsx'
import { t } from '../../words/words.ts'
import { Documents } from './documents.tsx'
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
