import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../parts/data-table.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { administrationQuery } from '../../service/administration.ts'
import { t } from '../../words/words.ts'

interface ClientRequest {
  readonly at: string
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly reason?: string
  readonly company?: string
  readonly ms: number
}

const REFUSED_FROM = 400
const REFRESH_MS = 5_000

/** What a client has asked lately, and why it was refused. */
export function ClientRequests({ id }: { readonly id: string }) {
  const query = administrationQuery<{ requests: readonly ClientRequest[] }>(
    `/clients/${encodeURIComponent(id)}/requests`,
  )
  const { data, error } = useQuery({ ...query, refetchInterval: REFRESH_MS })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={3} />
  if (data.requests.length === 0) {
    return <Text size="sm">{t('It has asked nothing since this process began.')}</Text>
  }
  return (
    <DataTable
      label={t('Requests of {{id}}', { id })}
      rows={data.requests}
      keyOf={({ requestId, at }) => requestId + at}
      columns={{
        [t('Time')]: ({ at }) => at.slice(11, 19),
        [t('Request')]: ({ method, route }) => `${method} ${route}`,
        [t('Company')]: ({ company }) => company ?? '',
        [t('Status')]: ({ status }) => (status >= REFUSED_FROM ? <strong>{status}</strong> : status),
        [t('Why refused')]: ({ reason = '' }) => <ShownText text={reason} length={100} />,
        [t('Took')]: ({ ms }) => `${Math.round(ms)} ms`,
      }}
    />
  )
}
