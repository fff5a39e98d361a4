import { Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { dateText, timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { actAs, fetchJson } from '../../service/client.ts'
import { sentence } from '../../words/sentence.tsx'
import { listText, t } from '../../words/words.ts'
import classes from './service.module.css'

interface ServiceClient {
  readonly id: string
  readonly user: string
  readonly isDisabled: boolean
  /** Empty for a secret without an end. */
  readonly secretsUntil: readonly string[]
  readonly companies: readonly { readonly id: string; readonly permissions: readonly string[] }[]
}

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

const PATH = '/console/api/administration/clients'
const REFUSED_FROM = 400

export function Clients() {
  const { data, error } = useQuery({
    queryKey: ['administration', 'clients'],
    queryFn: () => fetchJson<{ clients: readonly ServiceClient[] }>(PATH),
  })
  return (
    <section aria-label={t('Clients')}>
      <Title order={2}>{t('Clients')}</Title>
      {error && <ProblemNote error={error} />}
      {!data && !error && <Loading />}
      {data?.clients.map((client) => (
        <OneClient key={client.id} client={client} />
      ))}
    </section>
  )
}

function OneClient({ client }: { readonly client: ServiceClient }) {
  const { id, user, isDisabled, secretsUntil, companies } = client
  const [shown, show] = useState<'rights' | 'requests'>()
  const toggle = (what: 'rights' | 'requests') => show(shown === what ? undefined : what)
  const ends = secretsUntil.filter((until) => until !== '').map((until) => dateText(until.slice(0, 10)))
  return (
    <article className={classes.client}>
      <Group gap="sm" justify="space-between">
        <div>
          <Title order={3}>
            <ShownText text={id} />
          </Title>
          <Text size="sm" c="dimmed">
            {companies.length === 0
              ? sentence('as {{user}}, in no company', { user: <ShownText text={user} /> })
              : sentence('as {{user}}, in {{companies}}', {
                  user: <ShownText text={user} />,
                  companies: listText(companies.map((company) => company.id)),
                })}
            {isDisabled && ` · ${t('disabled')}`}
            {ends.length > 0 && ` · ${t('Secrets end on {{dates}}', { dates: listText(ends) })}`}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" aria-expanded={shown === 'rights'} onClick={() => toggle('rights')}>
            {t('Rights')}
          </Button>
          <Button size="xs" variant="default" aria-expanded={shown === 'requests'} onClick={() => toggle('requests')}>
            {t('Requests')}
          </Button>
          {!isDisabled && (
            <Button size="xs" variant="default" onClick={() => actAs(id)}>
              {t('See as it')}
            </Button>
          )}
        </Group>
      </Group>
      {shown === 'rights' &&
        companies.map((company) => (
          <p key={company.id} className={classes.rights}>
            <strong>{company.id}</strong> {company.permissions.join(', ') || t('nothing')}
          </p>
        ))}
      {shown === 'requests' && <Requests id={id} />}
    </article>
  )
}

function Requests({ id }: { readonly id: string }) {
  const { data, error } = useQuery({
    queryKey: ['administration', 'requests', id],
    queryFn: () => fetchJson<{ requests: readonly ClientRequest[] }>(`${PATH}/${encodeURIComponent(id)}/requests`),
    refetchInterval: 5_000,
  })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={3} />
  if (data.requests.length === 0) return <Text size="sm">{t('It has asked nothing since this process began.')}</Text>
  return (
    <DataTable
      label={t('Requests of {{client}}', { client: id })}
      rows={data.requests}
      keyOf={({ requestId, at }) => requestId + at}
      columns={{
        [t('Time')]: ({ at }) => timeText(at),
        [t('Request')]: ({ method, route }) => `${method} ${route}`,
        [t('Company')]: ({ company }) => company ?? '',
        [t('Status')]: ({ status }) => (status >= REFUSED_FROM ? <strong>{status}</strong> : status),
        [t('Reason')]: ({ reason = '' }) => <ShownText text={reason} length={100} />,
        [t('Duration')]: ({ ms }) => t('{{number}} ms', { number: Math.round(ms) }),
      }}
    />
  )
}
