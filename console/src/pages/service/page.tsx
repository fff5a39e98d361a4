// The service itself, for administrators: who may use it, how it is set up, and how it is.
import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { administrationQuery } from '../../service/administration.ts'
import { type PartName, useAdministered } from '../../service/administration-parts.ts'
import { t } from '../../words/words.ts'
import { BackupsPart } from './backups.tsx'
import { Clients } from './clients.tsx'
import { Health } from './health.tsx'
import { JobsPart } from './jobs.tsx'
import { PeoplePart } from './people.tsx'
import { type EndedRequest, RequestTable } from './request-table.tsx'
import classes from './service.module.css'
import { SetupPart } from './setup.tsx'
import { WebhooksPart } from './webhooks.tsx'

const SHOWN: Readonly<Record<PartName, () => ReactNode>> = {
  people: () => <PeoplePart />,
  clients: () => <Clients />,
  requests: () => <RequestsPart />,
  webhooks: () => <WebhooksPart />,
  jobs: () => <JobsPart />,
  setup: () => <SetupPart />,
  backups: () => <BackupsPart />,
  health: () => <Health />,
}

/** On a phone the parts are wider than the page. */
const showWhole = (part: HTMLElement | null) => part?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

export function ServicePage() {
  const parts = useAdministered()
  const { part = 'people' } = useSearch({ strict: false }) as { part?: string }
  const shown = parts.find(([name]) => name === part) ?? parts[0]
  if (!shown) {
    return (
      <PageFrame title={t('Administration')}>
        <Empty title={t('For administrators')} icon="server">
          {t('An administrator gives others this right.')}
        </Empty>
      </PageFrame>
    )
  }
  return (
    <PageFrame title={t('Administration')}>
      <nav aria-label={t('Parts of the administration')} className={classes.parts}>
        {parts.map(([name, { title }]) => (
          <Link
            key={name}
            to="/service"
            search={{ part: name }}
            className={classes.part}
            ref={name === shown[0] ? showWhole : undefined}
            aria-current={name === shown[0] ? 'page' : undefined}
          >
            {title()}
          </Link>
        ))}
      </nav>
      {SHOWN[shown[0]]()}
    </PageFrame>
  )
}

const REFRESH_MS = 5_000

/** What was refused lately, to whom and why: somebody who asks for help has the id of the request. */
function RequestsPart() {
  const [wanted, want] = useState('')
  const { data, error, refetch } = useQuery({
    ...administrationQuery<{ requests: readonly EndedRequest[] }>('/requests'),
    refetchInterval: REFRESH_MS,
  })
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const found = data.requests.filter((request) => isAbout(request, wanted.trim().toLowerCase()))
  return (
    <div className={classes.section}>
      <Text size="sm" c="dimmed">
        {t('What was refused or has failed lately, in the process that answers this.')}
      </Text>
      <TextInput
        size="sm"
        label={t('Request, person or client')}
        description={t('The id of a request is shown with every refusal.')}
        value={wanted}
        onChange={({ currentTarget }) => want(currentTarget.value)}
      />
      {found.length === 0 ? (
        <Empty title={t('Nothing was refused')} icon="clock" />
      ) : (
        <RequestTable label={t('Refused lately')} requests={found} />
      )}
    </div>
  )
}

const isAbout = ({ requestId, client = '', user = '' }: EndedRequest, wanted: string): boolean =>
  [requestId, client, user].some((one) => one.toLowerCase().includes(wanted))
