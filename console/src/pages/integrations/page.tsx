// How other programs are told of changes: subscriptions with their attempts, and the feed as it comes.
import { PageFrame } from '../../parts/page-frame.tsx'
import { useCompany, useMay } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { LiveFeed } from './live-feed.tsx'
import { RefusedAccess } from './refused-access.tsx'
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
