import { Button, Group, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/notices.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { fetchJson } from '../../service/client.ts'
import { useMay, useService } from '../../service/session.ts'
import {
  concernOf,
  type DeliveryAttempt,
  type Subscription,
  subscriptionPath,
  subscriptionsQuery,
} from '../../service/subscriptions.ts'
import classes from './integrations.module.css'
import { Replay } from './replay.tsx'

export function Subscriptions({ company }: { readonly company: string }) {
  const { data, error, refetch } = useQuery({ ...subscriptionsQuery(company), refetchInterval: 10_000 })
  return (
    <section aria-label="Subscriptions">
      <Title order={2}>Subscriptions</Title>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && (
        <Empty title="Nobody has subscribed">
          A client subscribes by <code>POST /v1/subscriptions</code>, or the setup declares it.
        </Empty>
      )}
      {data?.map((one) => (
        <OneSubscription key={one.id} company={company} subscription={one} />
      ))}
    </section>
  )
}

interface OneSubscriptionProps {
  readonly company: string
  readonly subscription: Subscription
}

function OneSubscription({ company, subscription }: OneSubscriptionProps) {
  const { id, name, url, entities, clientId, pending, state } = subscription
  const [isOpen, setOpen] = useState(false)
  const may = useMay()
  const concern = concernOf(subscription)
  return (
    <article className={classes.subscription}>
      <Title order={3}>
        <ShownText text={name || url} length={100} />
      </Title>
      <Text size="sm">
        to <ShownText text={url} length={100} />, of {entities.length === 0 ? 'all documents' : entities.join(', ')},
        with the rights of <ShownText text={clientId} />
      </Text>
      <Text size="sm" {...(concern === undefined ? { c: 'dimmed' } : {})}>
        {concern ?? state}, {pending.toLocaleString('en')} changes to be read
      </Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Attempts
        </Button>
        {may('subscriptions:update') && <Actions company={company} subscription={subscription} />}
      </Group>
      {isOpen && <Attempts company={company} id={id} />}
    </article>
  )
}

function Actions({ company, subscription: { id, state, isSetup, deadLetters } }: OneSubscriptionProps) {
  const service = useService()
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: async ({ action, body }: { action: string; body?: object }) => {
      const path = subscriptionPath(company, id, action)
      const answer = await service.request({ method: 'POST', path, ...(body && { body }) })
      return (await answer.json()) as { outcome?: string; excerpt?: string }
    },
    onSuccess: async ({ outcome, excerpt = '' }, { action }) => {
      notify(outcome === undefined ? `Done: ${action.slice(1)}.` : `The test was ${outcome}. ${excerpt.slice(0, 200)}`)
      await queries.invalidateQueries({ queryKey: [company] })
    },
  })
  const isPaused = state === 'paused'
  return (
    <>
      {!isSetup && (
        <Button
          size="xs"
          variant="default"
          onClick={() => act.mutate({ action: isPaused ? '/resume' : '/pause', body: {} })}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => act.mutate({ action: '/test', body: {} })}>
        Send a test
      </Button>
      <Replay onReplay={(since) => act.mutate({ action: '/replay', body: { since } })} />
      {deadLetters > 0 && (
        <Button size="xs" variant="default" onClick={() => act.mutate({ action: '/dead-letters/retry', body: {} })}>
          Try {deadLetters} given up again
        </Button>
      )}
      {act.error && <ProblemNote error={act.error} />}
    </>
  )
}

function Attempts({ company, id }: { readonly company: string; readonly id: string }) {
  const { data, error } = useQuery({
    queryKey: [company, 'attempts', id],
    queryFn: () => fetchJson<DeliveryAttempt[]>(`${subscriptionPath(company, id, '/attempts')}&limit=20`),
    refetchInterval: 5_000,
  })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={3} />
  if (data.length === 0) return <Text size="sm">Nothing was sent yet.</Text>
  return (
    <DataTable
      label="Attempts to deliver"
      rows={data}
      keyOf={({ attemptNo }) => attemptNo}
      columns={{
        At: ({ at }) => at.slice(0, 19).replace('T', ' '),
        Events: ({ events }) => events,
        Attempt: ({ attempt }) => attempt,
        Outcome: ({ outcome, status }) => `${outcome}${status === 0 ? '' : ` (${status})`}`,
        Took: ({ ms }) => `${ms} ms`,
        Answer: ({ excerpt }) => <ShownText text={excerpt} length={80} />,
      }}
    />
  )
}
