import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../parts/data-table.tsx'
import { sizeText, timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { administrationQuery } from '../../service/administration.ts'
import { fetchJson } from '../../service/client.ts'
import { t } from '../../words/words.ts'
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

const REFRESH_MS = 10_000

export function Health() {
  const { data, error } = useQuery({ ...administrationQuery<ServiceHealth>('/health'), refetchInterval: REFRESH_MS })
  const { data: ready, error: unready } = useQuery({
    queryKey: ['ready'],
    queryFn: () => fetchJson<{ status: string }>('/health/ready'),
    retry: false,
  })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={4} />
  return (
    <div className={classes.section}>
      {unready && <ProblemNote error={unready} />}
      <dl className={classes.pairs}>
        <dt>{t('State')}</dt>
        <dd>{ready ? t('Ready') : t('Not ready')}</dd>
        <dt>{t('Version')}</dt>
        <dd>
          {t('{{version}}, Node.js {{node}}, since {{time}}', {
            version: data.version,
            node: data.node,
            time: timeText(data.startedAt),
          })}
        </dd>
        <dt>{t('Database')}</dt>
        <dd>
          {data.isShared
            ? t('{{size}}, on a server', { size: sizeText(data.databaseBytes) })
            : t('{{size}}, a file of this machine', { size: sizeText(data.databaseBytes) })}
          {data.integrity && `, ${data.integrity}`}
        </dd>
        <dt>{t('Processes')}</dt>
        <dd>
          {data.processes.map(({ host, pid, setupVersion }) => (
            <div key={`${host} ${pid}`}>
              {t('{{host}}, process {{pid}}, version {{setup}} of the setup', {
                host,
                pid: String(pid),
                setup: setupVersion,
              })}
            </div>
          ))}
        </dd>
      </dl>
      <CompanySizes />
    </div>
  )
}

interface CompanySize {
  readonly id: string
  readonly name: string
  readonly fileBytes: number
  readonly journalBytes: number
  readonly quotas: { readonly fileBytes?: number; readonly journalBytes?: number }
}

/** What each company keeps, and how much its setup lets it keep. */
function CompanySizes() {
  const { data, error } = useQuery(administrationQuery<{ companies: readonly CompanySize[] }>('/companies'))
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={3} />
  return (
    <DataTable
      label={t('What companies keep')}
      rows={data.companies}
      keyOf={({ id }) => id}
      columns={{
        [t('Company')]: ({ name }) => name,
        [t('Files')]: ({ fileBytes, quotas }) => <Used bytes={fileBytes} quota={quotas.fileBytes} />,
        [t('Change log')]: ({ journalBytes, quotas }) => <Used bytes={journalBytes} quota={quotas.journalBytes} />,
      }}
    />
  )
}

const ALMOST = 0.9

function Used({ bytes, quota }: { readonly bytes: number; readonly quota: number | undefined }) {
  if (quota === undefined) return sizeText(bytes)
  const isFull = bytes >= quota * ALMOST
  return (
    <>
      <Text span size="sm" fw={isFull ? 600 : undefined}>
        {t('{{used}} of {{quota}}', { used: sizeText(bytes), quota: sizeText(quota) })}
      </Text>{' '}
      <meter min={0} max={quota} high={quota * ALMOST} value={bytes} aria-label={t('Part of the quota')} />
    </>
  )
}
