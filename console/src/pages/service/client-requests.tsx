import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { administrationQuery } from '../../service/administration.ts'
import { t } from '../../words/words.ts'
import { type EndedRequest, RequestTable } from './request-table.tsx'

const REFRESH_MS = 5_000

/** What a client has asked lately, and why it was refused. */
export function ClientRequests({ id }: { readonly id: string }) {
  const query = administrationQuery<{ requests: readonly EndedRequest[] }>(
    `/clients/${encodeURIComponent(id)}/requests`,
  )
  const { data, error } = useQuery({ ...query, refetchInterval: REFRESH_MS })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={3} />
  if (data.requests.length === 0) {
    return <Text size="sm">{t('It has asked nothing since this process began.')}</Text>
  }
  return <RequestTable label={t('Requests of {{id}}', { id })} requests={data.requests} />
}
