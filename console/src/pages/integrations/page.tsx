// How other programs are told of changes: subscriptions with their attempts, and the feed as it comes.

import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../parts/data-table.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'
import { addressOf } from '../../service/question.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { LiveFeed } from './live-feed.tsx'
import { Subscriptions } from './subscriptions.tsx'

export function IntegrationsPage() {
  const { id: company } = useCompany()
  const may = useMay()
  return (
    <PageFrame title={t('Integrations')} description={t('How other programs are told what changes in this company.')}>
      {may('subscriptions:read') && <Subscriptions company={company} />}
      <LiveFeed key={company} company={company} />
      {may('objects:read/audit-entries') && <RefusedAccess company={company} />}
    </PageFrame>
  )
}

interface AuditEntry {
  readonly entryNo: number
  readonly at: string
  readonly operation: string
  readonly recordKey: string
  readonly userId: string
  readonly clientId: string
}

/** What callers of this company were refused lately. */
function RefusedAccess({ company }: { readonly company: string }) {
  const { data, error } = useQuery({
    queryKey: [company, 'refused'],
    queryFn: () =>
      fetchJson<AuditEntry[]>(
        addressOf(company, {
          document: 'audit-entries',
          select: 'entryNo,at,operation,recordKey,userId,clientId',
          filter: "entity eq 'access'",
          orderBy: 'entryNo desc',
          limit: 20,
        }),
      ),
  })
  return (
    <section aria-label={t('Refused access')}>
      <Title order={2}>{t('Refused lately')}</Title>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading lines={3} />}
      {data?.length === 0 && <Text size="sm">{t('Nobody was refused.')}</Text>}
      {data && data.length > 0 && (
        <DataTable
          label={t('Refused access')}
          rows={data}
          keyOf={({ entryNo }) => entryNo}
          columns={{
            [t('Time')]: ({ at }) => timeText(at),
            [t('Client')]: ({ clientId, userId }) => <ShownText text={clientId || userId} />,
            [t('Asked')]: ({ operation, recordKey }) => <ShownText text={`${operation} ${recordKey}`} length={120} />,
          }}
        />
      )}
    </section>
  )
}
