// The service itself, for administrators: who may use it, how it is set up, and how it is.
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { BackupsPart } from './backups.tsx'
import { Clients } from './clients.tsx'
import { Health } from './health.tsx'
import { JobsPart } from './jobs.tsx'
import { PeoplePart } from './people.tsx'
import { RequestsPart } from './requests.tsx'
import classes from './service.module.css'
import { SetupPart } from './setup.tsx'

interface Part {
  readonly title: () => string
  readonly show: () => ReactNode
  /** Concerns all companies. */
  readonly isOfService?: true
}

const PARTS: Readonly<Record<string, Part>> = {
  people: { title: () => t('People'), show: () => <PeoplePart /> },
  clients: { title: () => t('Clients'), show: () => <Clients /> },
  requests: { title: () => t('Requests'), show: () => <RequestsPart /> },
  jobs: { title: () => t('Jobs'), show: () => <JobsPart /> },
  setup: { title: () => t('Setup'), show: () => <SetupPart />, isOfService: true },
  backups: { title: () => t('Backups'), show: () => <BackupsPart />, isOfService: true },
  health: { title: () => t('Health'), show: () => <Health />, isOfService: true },
}

/** On a phone the parts are wider than the page. */
const showWhole = (part: HTMLElement | null) => part?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

export function ServicePage() {
  const { administrator, administers, actingAs } = useSession()
  const { part = 'people' } = useSearch({ strict: false }) as { part?: string }
  if ((!administrator && !administers) || actingAs !== undefined) {
    return (
      <PageFrame title={t('Administration')}>
        <Empty title={t('For administrators')} icon="server">
          {t('An administrator gives others this right.')}
        </Empty>
      </PageFrame>
    )
  }
  const parts = Object.entries(PARTS).filter(([, { isOfService }]) => administrator || !isOfService)
  const shown = parts.find(([name]) => name === part) ?? parts[0]
  return (
    <PageFrame title={t('Administration')}>
      <nav aria-label={t('Parts of the administration')} className={classes.parts}>
        {parts.map(([name, { title }]) => (
          <Link
            key={name}
            to="/service"
            search={{ part: name }}
            className={classes.part}
            ref={name === shown?.[0] ? showWhole : undefined}
            aria-current={name === shown?.[0] ? 'page' : undefined}
          >
            {title()}
          </Link>
        ))}
      </nav>
      {shown?.[1].show()}
    </PageFrame>
  )
}
