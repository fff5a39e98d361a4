import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sizeText, timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { fetchJson } from '../../service/client.ts'
import { sentence } from '../../words/sentence.tsx'
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
    <section aria-label={t('Health')}>
      <Title order={2}>{t('Health')}</Title>
      {error && <ProblemNote error={error} />}
      {unready && <ProblemNote error={unready} />}
      {!data && !error && <Loading lines={4} />}
      {data && (
        <dl className={classes.pairs}>
          <dt>{t('State')}</dt>
          <dd>{ready?.status === 'ready' ? t('ready') : t('not ready')}</dd>
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
            {data.integrity && ` (${data.integrity})`}
          </dd>
          <dt>{t('Processes')}</dt>
          <dd>
            {data.processes.map(({ host, pid, setupVersion }) => (
              <div key={`${host} ${pid}`}>
                {t('{{host}}, process {{process}}, version {{version}} of the setup', {
                  host,
                  process: String(pid),
                  version: String(setupVersion),
                })}
              </div>
            ))}
          </dd>
          <dt>{t('Backups')}</dt>
          <dd>
            <Text size="sm" component="span">
              {sentence(
                'The service keeps no list of them. {{backup}} takes one while it runs, {{verify}} reads it whole.',
                {
                  backup: <code>tabularium backup FOLDER</code>,
                  verify: <code>tabularium verify FOLDER</code>,
                },
              )}
            </Text>
          </dd>
        </dl>
      )}
    </section>
  )
}
