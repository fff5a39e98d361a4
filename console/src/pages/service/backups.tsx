import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Empty } from '../../parts/empty.tsx'
import { numberText, sizeText, timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { administrationQuery, useServiceChange } from '../../service/administration.ts'
import { t } from '../../words/words.ts'
import classes from './service.module.css'

interface ServiceBackups {
  readonly folder?: string
  readonly last?: {
    readonly begun: string
    readonly program: string
    readonly files: number
    readonly sizeBytes: number
    readonly missing: number
  }
  readonly unfinished?: string
  readonly running?: { readonly stage: string; readonly done: number; readonly total: number }
  readonly problem?: string
}

const REFRESH_MS = 2_000

export function BackupsPart() {
  const { data, error, refetch } = useQuery({
    ...administrationQuery<ServiceBackups>('/backups'),
    refetchInterval: REFRESH_MS,
  })
  const change = useServiceChange()
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={3} />
  if (data.folder === undefined) {
    return (
      <Empty title={t('The service has no folder for backups')} icon="server">
        {t('Start it with `--backups FOLDER` to take them here. `tabularium backup FOLDER` takes one at any time.')}
      </Empty>
    )
  }
  return (
    <div className={classes.section}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t(
            'A backup has the database and all files, whole and as of one moment. It is taken while the service runs.',
          )}
        </Text>
        <Button
          disabled={data.running !== undefined}
          loading={change.isPending}
          onClick={() => change.mutate({ method: 'POST', path: '/backups' })}
        >
          {t('Take a backup')}
        </Button>
      </Group>
      {change.error && <ProblemNote error={change.error} />}
      {data.problem !== undefined && <ProblemNote error={new Error(data.problem)} />}
      <BackupFacts backups={data} />
    </div>
  )
}

function BackupFacts({ backups: { folder, last, unfinished, running } }: { readonly backups: ServiceBackups }) {
  return (
    <dl className={classes.pairs} aria-live="polite">
      <dt>{t('Folder')}</dt>
      <dd>
        <bdi>{folder}</bdi>
      </dd>
      <dt>{t('The last one')}</dt>
      <dd>
        {last
          ? t('{{time}}, {{files}} files, {{size}}, version {{version}}', {
              time: timeText(last.begun),
              files: numberText(String(last.files)),
              size: sizeText(last.sizeBytes),
              version: last.program,
            })
          : t('None yet')}
        {last && last.missing > 0 && (
          <strong> {t('{{count}} files were missing or damaged.', { count: last.missing })}</strong>
        )}
      </dd>
      {running && (
        <>
          <dt>{t('Being taken')}</dt>
          <dd>{STAGES[running.stage]?.(running) ?? t('It begins.')}</dd>
        </>
      )}
      {unfinished !== undefined && !running && (
        <>
          <dt>{t('Not finished')}</dt>
          <dd>{t('Begun on {{time}}: taken by somebody else now, or interrupted.', { time: timeText(unfinished) })}</dd>
        </>
      )}
    </dl>
  )
}

type Progress = NonNullable<ServiceBackups['running']>

const STAGES: Readonly<Record<string, (progress: Progress) => string>> = {
  'copying the database': ({ done, total }) =>
    t('Copies the database, {{share}} %', { share: total === 0 ? 0 : Math.floor((100 * done) / total) }),
  'copying files': ({ done, total }) => t('Copies files, {{done}} of {{total}}', { done, total }),
}
