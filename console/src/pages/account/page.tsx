// The sessions: one's own, and those of all for administrators.
import { Button, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/notices.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson, fetchService } from '../../service/client.ts'
import { useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { ActAs } from './act-as.tsx'

interface ListedSession {
  readonly id: string
  readonly user: string
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly userAgent: string
  readonly address: string
  readonly isThis: boolean
}

export function AccountPage() {
  const { administrator, actingAs } = useSession()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => fetchJson<{ sessions: readonly ListedSession[] }>('/console/api/sessions'),
  })
  const end = useMutation({
    mutationFn: (id: string) => fetchService(`/console/api/sessions/${id}`, { method: 'DELETE' }),
    onSuccess: () => {
      notify(t('The session has ended.'))
      void queries.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  return (
    <PageFrame
      title={t('Sessions')}
      description={t('Where somebody has signed in. A session ends after an hour without use.')}
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {end.error && <ProblemNote error={end.error} />}
      {!data && !error && <Loading />}
      {data && (
        <ScrollBox label={t('Sessions')}>
          <Table miw="48rem">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w="10rem">{t('User')}</Table.Th>
                <Table.Th>{t('Browser')}</Table.Th>
                <Table.Th>{t('Address')}</Table.Th>
                <Table.Th>{t('Begun')}</Table.Th>
                <Table.Th>{t('Last used')}</Table.Th>
                <Table.Th>
                  <span hidden>{t('End', { context: 'session' })}</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.sessions.map((session) => (
                <Table.Tr key={session.id}>
                  <Table.Td>
                    <ShownText text={session.user} />
                  </Table.Td>
                  <Table.Td>
                    <ShownText text={session.userAgent} length={80} />
                  </Table.Td>
                  <Table.Td>{session.address}</Table.Td>
                  <Table.Td>{timeText(session.createdAt)}</Table.Td>
                  <Table.Td>{timeText(session.lastUsedAt)}</Table.Td>
                  <Table.Td>
                    {session.isThis ? (
                      <Text span size="sm">
                        {t('This one')}
                      </Text>
                    ) : (
                      <Button size="xs" variant="default" onClick={() => end.mutate(session.id)}>
                        {t('End', { context: 'session' })}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollBox>
      )}
      {administrator && actingAs === undefined && <ActAs />}
    </PageFrame>
  )
}
