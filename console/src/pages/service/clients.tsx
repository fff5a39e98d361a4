import { Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { actAs, fetchJson } from '../../service/client.ts'
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
    <section aria-label="Clients">
      <Title order={2}>Clients</Title>
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
  const ends = secretsUntil.filter((until) => until !== '').map((until) => until.slice(0, 10))
  return (
    <article className={classes.client}>
      <Group gap="sm" justify="space-between">
        <div>
          <Title order={3}>
            <ShownText text={id} />
          </Title>
          <Text size="sm" c="dimmed">
            as <ShownText text={user} /> in {companies.map((company) => company.id).join(', ') || 'no company'}
            {isDisabled && ', disabled'}
            {ends.length > 0 && `, secrets end on ${ends.join(' and ')}`}
          </Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" aria-expanded={shown === 'rights'} onClick={() => toggle('rights')}>
            Rights
          </Button>
          <Button size="xs" variant="default" aria-expanded={shown === 'requests'} onClick={() => toggle('requests')}>
            Requests
          </Button>
          {!isDisabled && (
            <Button size="xs" variant="default" onClick={() => actAs(id)}>
              See as it
            </Button>
          )}
        </Group>
      </Group>
      {shown === 'rights' &&
        companies.map((company) => (
          <p key={company.id} className={classes.rights}>
            <strong>{company.id}</strong> {company.permissions.join(', ') || 'nothing'}
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
  if (data.requests.length === 0) return <Text size="sm">It has asked nothing since this process began.</Text>
  return (
    <DataTable
      label={`Requests of ${id}`}
      rows={data.requests}
      keyOf={({ requestId, at }) => requestId + at}
      columns={{
        At: ({ at }) => at.slice(11, 19),
        Request: ({ method, route }) => `${method} ${route}`,
        Company: ({ company }) => company ?? '',
        Status: ({ status }) => (status >= REFUSED_FROM ? <strong>{status}</strong> : status),
        'Why refused': ({ reason = '' }) => <ShownText text={reason} length={100} />,
        Took: ({ ms }) => `${Math.round(ms)} ms`,
      }}
    />
  )
}
