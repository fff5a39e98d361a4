// The service itself, for administrators: its health, its clients, and the setup in force.
import { useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { Clients } from './clients.tsx'
import { CompareSetup } from './compare-setup.tsx'
import { Health } from './health.tsx'
import { SetupInForce } from './setup-in-force.tsx'

export function ServicePage() {
  const { administrator, actingAs } = useSession()
  const [compared, setCompared] = useState('')
  if (!administrator || actingAs !== undefined) {
    return (
      <PageFrame title={t('Service')}>
        <Empty title={t('For administrators')}>{t('The setup names them: users with `administrator: true`.')}</Empty>
      </PageFrame>
    )
  }
  return (
    <PageFrame title={t('Service')} description={t('How the service is set up and used, over all companies.')}>
      <Health />
      <Clients />
      <SetupInForce onEdit={setCompared} />
      <CompareSetup text={compared} onChange={setCompared} />
    </PageFrame>
  )
}
