import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import {
  administrationQuery,
  type People,
  type ServiceClient,
  usePeople,
  useServiceChange,
} from '../../service/administration.ts'
import { actAs } from '../../service/client.ts'
import { useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { ClientForm } from './client-form.tsx'
import { ClientRequests } from './client-requests.tsx'
import { NewSecret } from './new-secret.tsx'
import { RolesText } from './role-words.tsx'
import { SecretOnce } from './secret-once.tsx'
import classes from './service.module.css'

/** Programs that use the service. */
export function Clients() {
  const { data, error, refetch } = useQuery(administrationQuery<{ clients: readonly ServiceClient[] }>('/clients'))
  const { data: lists } = usePeople()
  const [isAdding, add] = useState(false)
  const [told, tell] = useState<{ readonly id: string; readonly secret: string }>()
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (!data || !lists) return <Loading />
  const done = (id: string, secret: string) => {
    add(false)
    tell({ id, secret })
  }
  return (
    <div className={classes.section}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('Clients are programs: each has its own secret and roles.')}
        </Text>
        <Button size="xs" onClick={() => add(true)}>
          {t('New client')}
        </Button>
      </Group>
      {data.clients.length === 0 && <Empty title={t('No program uses the service yet')} icon="plug" />}
      {data.clients.map((client) => (
        <OneClient key={client.id} client={client} lists={lists} onSecret={(secret) => done(client.id, secret)} />
      ))}
      <Sheet title={t('New client')} isOpen={isAdding} onClose={() => add(false)}>
        <ClientForm lists={lists} onDone={done} />
      </Sheet>
      <Sheet title={t('Secret')} isOpen={told !== undefined} onClose={() => tell(undefined)}>
        {told && (
          <SecretOnce
            secret={told.secret}
            note={t('Put it into the program {{id}} now. It is shown this once, and kept nowhere.', { id: told.id })}
          />
        )}
      </Sheet>
    </div>
  )
}

interface OneClientProps {
  readonly client: ServiceClient
  readonly lists: People
  readonly onSecret: (secret: string) => void
}

function OneClient({ client, lists, onSecret }: OneClientProps) {
  const { id, user, isDisabled, secretsUntil, roles } = client
  const { administrator } = useSession()
  const [showsRequests, showRequests] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const change = useServiceChange()
  const path = `/clients/${encodeURIComponent(id)}`
  const ends = secretsUntil.filter((until) => until !== '').map((until) => timeText(until))
  return (
    <article className={classes.client} aria-label={id}>
      <Group gap="sm" justify="space-between">
        <div>
          <Group gap="xs">
            <Title order={2} size="h3">
              <ShownText text={id} />
            </Title>
            {isDisabled && (
              <Badge variant="default" size="sm" tt="none">
                {t('Disabled')}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {user !== id && (
              <div>
                {t('As')} <ShownText text={user} />
              </div>
            )}
            <RolesText roles={roles} companies={lists.companies} />
            {ends.length > 0 && t('A secret ends on {{days}}', { days: ends.join(', ') })}
          </Text>
        </div>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-expanded={showsRequests}
            onClick={() => showRequests(!showsRequests)}
          >
            {t('Requests')}
          </Button>
          {administrator && !isDisabled && (
            <Button size="xs" variant="default" onClick={() => actAs(id)}>
              {t('See as it')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setChanging(true)}>
            {t('New secret')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ method: 'PATCH', path, body: { disabled: !isDisabled } })}
          >
            {isDisabled ? t('Enable') : t('Disable')}
          </Button>
        </Group>
      </Group>
      {change.error && <ProblemNote error={change.error} />}
      {showsRequests && <ClientRequests id={id} />}
      <Sheet title={t('New secret')} isOpen={isChanging} onClose={() => setChanging(false)}>
        <NewSecret
          path={path}
          onMade={(secret) => {
            setChanging(false)
            onSecret(secret)
          }}
        />
      </Sheet>
    </article>
  )
}
