import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { fetchJson } from '../../service/client.ts'
import classes from './service.module.css'

interface ServiceHealth {
  readonly version: string
  readonly node: string
  readonly isShared: boolean
  readonly databaseBytes: number
  readonly integrity: string
  readonly startedAt: string
  readonly processes: readonly { readonly host: string; readonly pid: number; readonly setupVersion: number }[]
}

const MEGABYTE = 1_000_000

export function Health() {
  const { data, error } = useQuery({
    queryKey: ['administration', 'health'],
    queryFn: () => fetchJson<ServiceHealth>('/console/api/administration/health'),
    refetchInterval: 10_000,
  })
  const { data: ready, error: unready } = useQuery({
    queryKey: ['ready'],
    queryFn: () => fetchJson<{ status: string }>('/health/ready'),
    retry: false,
  })
  return (
    <section aria-label="Health">
      <Title order={2}>Health</Title>
      {error && <ProblemNote error={error} />}
      {unready && <ProblemNote error={unready} />}
      {!data && !error && <Loading lines={4} />}
      {data && (
        <dl className={classes.pairs}>
          <dt>State</dt>
          <dd>{ready?.status ?? 'not ready'}</dd>
          <dt>Version</dt>
          <dd>
            {data.version}, Node.js {data.node}, since {data.startedAt.slice(0, 19).replace('T', ' ')}
          </dd>
          <dt>Database</dt>
          <dd>
            {(data.databaseBytes / MEGABYTE).toLocaleString('en', { maximumFractionDigits: 1 })} MB,{' '}
            {data.isShared ? 'on a server' : `a file of this machine${data.integrity && `, ${data.integrity}`}`}
          </dd>
          <dt>Processes</dt>
          <dd>
            {data.processes.map(({ host, pid, setupVersion }) => (
              <div key={`${host} ${pid}`}>
                {host}, process {pid}, version {setupVersion} of the setup
              </div>
            ))}
          </dd>
          <dt>Backups</dt>
          <dd>
            <Text size="sm" component="span">
              The service keeps no list of them. <code>tabularium backup FOLDER</code> takes one while it runs,{' '}
              <code>tabularium verify FOLDER</code> reads it whole.
            </Text>
          </dd>
        </dl>
      )}
    </section>
  )
}
