import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { administrationQuery } from '../../service/administration.ts'
import { t } from '../../words/words.ts'
import { type EndedRequest, RequestTable } from './request-table.tsx'
import classes from './service.module.css'

const REFRESH_MS = 5_000

/** What was refused lately, to whom and why: somebody who asks for help has the id of the request. */
export function RequestsPart() {
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
