// The sessions: one's own, and those of all for administrators.
import { Button, Group, Table, Text, TextInput, Title, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ScrollBox } from '../../parts/data-table.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/notices.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { actAs, checkActing, fetchJson, fetchService } from '../../service/client.ts'
import { useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'

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
                  <VisuallyHidden>{t('End', { context: 'session' })}</VisuallyHidden>
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
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{timeText(session.createdAt)}</Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{timeText(session.lastUsedAt)}</Table.Td>
                  <Table.Td>
                    {session.isThis ? (
                      <Text span size="sm">
                        {t('This one')}
                      </Text>
                    ) : (
                      <Button variant="default" onClick={() => end.mutate(session.id)}>
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

// For administrators: everything as a client sees it, without changing anything.

function ActAs() {
  const [client, setClient] = useState('')
  const look = useMutation({ mutationFn: checkActing, onSuccess: (_none, id) => actAs(id) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (client.trim() !== '') look.mutate(client.trim())
  }
  return (
    <section aria-label={t('See as a client')}>
      <Title order={2}>{t('See as a client')}</Title>
      <p>{t('Every page, copy and download is then what this client is answered. Nothing can be changed.')}</p>
      <form onSubmit={submit}>
        <Group align="end" gap="xs">
          <TextInput
            label={t('Client id')}
            value={client}
            error={look.error && t('There is no such client, or you may not see as it.')}
            onChange={({ currentTarget }) => setClient(currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={look.isPending}>
            {t('See as this client')}
          </Button>
        </Group>
      </form>
    </section>
  )
}
