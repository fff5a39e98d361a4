import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { numberText, timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson, fetchService } from '../../service/client.ts'
import { useCompany } from '../../service/session.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import classes from './service.module.css'

interface Job {
  readonly id: string
  readonly document: string
  readonly status: string
  readonly message: string
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
  readonly userId: string
  readonly createdAt: string
  readonly endedAt: string
}

const REFRESH_MS = 3_000

const STATES: Readonly<Record<string, () => string>> = {
  N: () => t('Waits'),
  W: () => t('Works'),
  C: () => t('Done'),
  T: () => t('Ended by the service'),
  E: () => t('Failed'),
  K: () => t('Cancelled'),
}
const OPEN: ReadonlySet<string> = new Set(['N', 'W'])

/** Rows that are imported in the background, of the company that is seen. */
export function JobsPart() {
  const { id: company, name = company } = useCompany()
  const titleOf = useTitles()
  const queries = useQueryClient()
  const queryKey = [company, 'jobs']
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => fetchJson<readonly Job[]>(`/v1/batch-operations?companyId=${encodeURIComponent(company)}`),
    refetchInterval: REFRESH_MS,
  })
  const cancel = useMutation({
    mutationFn: (id: string) =>
      fetchService(`/v1/batch-operations/${id}?companyId=${encodeURIComponent(company)}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  })
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <div className={classes.section}>
      <Text size="sm" c="dimmed">
        {t('Imports in the background of {{company}}, of the last seven days.', { company: name })}
      </Text>
      {cancel.error && <ProblemNote error={cancel.error} />}
      {data.length === 0 ? (
        <Empty title={t('Nothing was imported')} icon="clock" />
      ) : (
        <DataTable
          label={t('Jobs')}
          rows={data}
          keyOf={({ id }) => id}
          columns={{
            [t('Begun')]: ({ createdAt }) => timeText(createdAt),
            [t('What')]: ({ document }) => titleOf(document),
            [t('Who')]: ({ userId }) => <ShownText text={userId} />,
            [t('State')]: ({ status, message }) => (
              <>
                {STATES[status]?.() ?? status} <ShownText text={message} length={200} />
              </>
            ),
            [t('Stored')]: ({ written }) => numberText(String(written)),
            [t('Unchanged')]: ({ unchanged }) => numberText(String(unchanged)),
            [t('Refused')]: ({ rejected }) => numberText(String(rejected)),
            [t('Cancel')]: ({ id, status }) =>
              OPEN.has(status) && (
                <Button variant="default" onClick={() => cancel.mutate(id)}>
                  {t('Cancel')}
                </Button>
              ),
          }}
        />
      )}
    </div>
  )
}
