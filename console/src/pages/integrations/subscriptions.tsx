import { Box, Button, Group, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { DataTable } from '../../parts/data-table.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/notices.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { useAdministersCompany } from '../../service/administration-parts.ts'
import { fetchJson } from '../../service/client.ts'
import { useMay, useService } from '../../service/session.ts'
import {
  concernOf,
  type DeliveryAttempt,
  type Subscription,
  subscriptionPath,
  subscriptionsQuery,
} from '../../service/subscriptions.ts'
import { useTitles } from '../../shell/document-title.ts'
import { sentence } from '../../words/sentence.tsx'
import { listText, t } from '../../words/words.ts'
import classes from './integrations.module.css'
import { NewWebhook } from './new-webhook.tsx'

export function Subscriptions({ company }: { readonly company: string }) {
  const { data, error, refetch } = useQuery({ ...subscriptionsQuery(company), refetchInterval: 10_000 })
  const isMaker = useAdministersCompany(company)
  return (
    <section aria-label={t('Webhooks')}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t('Webhooks')}</Title>
        {isMaker && <NewWebhook company={company} />}
      </Group>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.length === 0 && (
        <Empty title={t('Nobody has subscribed')}>
          {isMaker
            ? t('A webhook tells another program at once what changes here.')
            : t('An administrator makes a webhook, or a program subscribes by the interface.')}
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
  const { id, name, url, entities, clientId, pending } = subscription
  const titleOf = useTitles()
  const [isOpen, setOpen] = useState(false)
  const may = useMay()
  const concern = concernOf(subscription)
  return (
    <article className={classes.subscription}>
      <Title order={3}>
        <ShownText text={name || url} length={100} />
      </Title>
      <Text size="sm">
        {sentence('{{documents}} to {{url}}, with the rights of {{client}}', {
          documents: entities.length === 0 ? t('All documents') : listText(entities.map(titleOf)),
          url: <ShownText text={url} length={100} />,
          client: <ShownText text={clientId} />,
        })}
      </Text>
      <Text size="sm" {...(concern === undefined ? { c: 'dimmed' } : {})}>
        {concern ?? t('active')}, {t('{{count}} changes to be sent', { count: pending })}
      </Text>
      <Group gap="xs" mt="xs">
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('Deliveries')}
        </Button>
        {may('subscriptions:update') && <Actions company={company} subscription={subscription} />}
        {may('subscriptions:delete') && !subscription.isSetup && (
          <DeleteButton
            path={subscriptionPath(company, id)}
            what={name}
            consequence={t('Nothing is told to the program any more. To make it anew gives another secret.')}
            onDeleted={() => {}}
          />
        )}
      </Group>
      {isOpen && <Deliveries company={company} id={id} />}
    </article>
  )
}

function Actions({ company, subscription: { id, state, isSetup, deadLetters } }: OneSubscriptionProps) {
  const service = useService()
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: async ({ action, body }: { action: Action; body?: object }) => {
      const path = subscriptionPath(company, id, action)
      const answer = await service.request({ method: 'POST', path, ...(body && { body }) })
      return (await answer.json()) as { outcome?: string; excerpt?: string }
    },
    onSuccess: async ({ outcome, excerpt = '' }, { action }) => {
      notify(doneText(action, outcome, excerpt.slice(0, 200)))
      await queries.invalidateQueries({ queryKey: [company] })
    },
  })
  const isPaused = state === 'paused'
  return (
    <>
      {!isSetup && (
        <Button variant="default" onClick={() => act.mutate({ action: isPaused ? '/resume' : '/pause', body: {} })}>
          {isPaused ? t('Resume') : t('Pause')}
        </Button>
      )}
      <Button variant="default" onClick={() => act.mutate({ action: '/test', body: {} })}>
        {t('Send a test')}
      </Button>
      <Replay onReplay={(since) => act.mutate({ action: '/replay', body: { since } })} />
      {deadLetters > 0 && (
        <Button variant="default" onClick={() => act.mutate({ action: '/dead-letters/retry', body: {} })}>
          {t('Try {{count}} given up again', { count: deadLetters })}
        </Button>
      )}
      {act.error && <ProblemNote error={act.error} />}
    </>
  )
}

/** How an attempt ended, with the status that the receiver has answered. */
function outcomeText(outcome: string, status: number): string {
  switch (outcome) {
    case 'delivered':
      return t('Delivered')
    case 'status':
      return t('Refused with {{status}}', { status: String(status) })
    case 'refused':
      return t('No connection')
    case 'timeout':
      return t('No answer in time')
    case 'address':
      return t('Address not allowed')
    case 'tls':
      return t('Certificate not trusted')
    default:
      return t('Connection broken')
  }
}

type Action = '/pause' | '/resume' | '/test' | '/replay' | '/dead-letters/retry'

function doneText(action: Action, outcome: string | undefined, excerpt: string): string {
  switch (action) {
    case '/pause':
      return t('The subscription is paused.')
    case '/resume':
      return t('The subscription goes on.')
    case '/test':
      return outcome === 'delivered'
        ? t('The test was delivered. {{answer}}', { answer: excerpt })
        : t('The test was not delivered. {{answer}}', { answer: excerpt })
    default:
      return t('They are sent again.')
  }
}

function Deliveries({ company, id }: { readonly company: string; readonly id: string }) {
  const may = useMay()
  const path = subscriptionPath(company, id, '/replay')
  const { data, error } = useQuery({
    queryKey: [company, 'attempts', id],
    queryFn: () => fetchJson<DeliveryAttempt[]>(`${subscriptionPath(company, id, '/attempts')}&limit=20`),
    refetchInterval: 5_000,
  })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={3} />
  if (data.length === 0) return <Text size="sm">{t('Nothing was sent yet.')}</Text>
  return (
    <DataTable<DeliveryAttempt>
      label={t('Deliveries')}
      rows={data}
      keyOf={({ attemptNo }) => attemptNo}
      columns={{
        [t('Time')]: ({ at }) => timeText(at),
        [t('Event')]: ({ eventId, events }) =>
          events > 1 ? t('{{event}} and {{number}} more', { event: eventId, number: events - 1 }) : eventId,
        [t('Attempt')]: ({ attempt }) => attempt,
        [t('Outcome')]: ({ outcome, status }) => outcomeText(outcome, status),
        [t('Duration')]: ({ ms }) => t('{{number}} ms', { number: ms }),
        [t('Answer')]: ({ excerpt }) => (
          <Box miw="10rem">
            <ShownText text={excerpt} length={80} />
          </Box>
        ),
        ...(may('subscriptions:update')
          ? { [t('Send again')]: ({ eventId }) => <Resend path={path} eventId={eventId} /> }
          : {}),
      }}
    />
  )
}

/** One event once more, whatever became of it. */
function Resend({ path, eventId }: { readonly path: string; readonly eventId: string }) {
  const service = useService()
  const resend = useMutation({
    mutationFn: () => service.request({ method: 'POST', path, body: { eventId } }),
    onSuccess: () => notify(t('It is sent again.')),
  })
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={resend.isPending}
        aria-label={t('Send {{event}} again', { event: eventId })}
        onClick={() => resend.mutate()}
      >
        {t('Send')}
      </Button>
      {resend.error && <ProblemNote error={resend.error} />}
    </>
  )
}

/** Asks from which change on. */
function Replay({ onReplay }: { readonly onReplay: (since: number) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [since, setSince] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setOpen(false)
    onReplay(Number(since))
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('Replay')}
      </Button>
      <Sheet title={t('Tell changes again')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form onSubmit={submit}>
          <TextInput
            label={t('All changes after number')}
            description={t('The number of a change stands in the feed below, and in each event.')}
            inputMode="numeric"
            pattern="[0-9]+"
            required
            value={since}
            onChange={({ currentTarget }) => setSince(currentTarget.value)}
          />
          <Button type="submit" mt="sm">
            {t('Tell them again')}
          </Button>
        </form>
      </Sheet>
    </>
  )
}
