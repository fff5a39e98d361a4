import { Badge, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { command } from '../../parts/command.ts'
import { Empty } from '../../parts/empty.tsx'
import { timeText } from '../../parts/field-value.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import {
  administrationQuery,
  type People,
  type Roles,
  rolesToSend,
  type ServiceClient,
  usePeople,
  useServiceChange,
} from '../../service/administration.ts'
import { actAs } from '../../service/client.ts'
import { useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { CompanyField, IdField } from './access-fields.tsx'
import { type EndedRequest, RequestTable } from './request-table.tsx'
import { RoleChoice } from './role-choice.tsx'
import { RolesText } from './role-words.tsx'
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
        <Button onClick={() => add(true)} {...command(t('New client'), 'n')}>
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
          <Button variant="default" aria-expanded={showsRequests} onClick={() => showRequests(!showsRequests)}>
            {t('Requests')}
          </Button>
          {administrator && !isDisabled && (
            <Button variant="default" onClick={() => actAs(id)}>
              {t('See as this client')}
            </Button>
          )}
          <Button variant="default" onClick={() => setChanging(true)}>
            {t('New secret')}
          </Button>
          <Button
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

const REFRESH_MS = 5_000

/** What a client has asked lately, and why it was refused. */
function ClientRequests({ id }: { readonly id: string }) {
  const query = administrationQuery<{ requests: readonly EndedRequest[] }>(
    `/clients/${encodeURIComponent(id)}/requests`,
  )
  const { data, error } = useQuery({ ...query, refetchInterval: REFRESH_MS })
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={3} />
  if (data.requests.length === 0) {
    return <Text size="sm">{t('It has asked nothing since this process began.')}</Text>
  }
  return <RequestTable label={t('Requests of {{id}}', { id })} requests={data.requests} />
}

interface NewSecretProps {
  /** The path of the client. */
  readonly path: string
  readonly onMade: (secret: string) => void
}

/** Programs that have the old one may take the new one meanwhile. */
function NewSecret({ path, onMade }: NewSecretProps) {
  const [keepHours, keep] = useState('24')
  const change = useServiceChange(({ secret = '' }) => onMade(secret))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ method: 'POST', path: `${path}/secret`, body: { keepHours: Number(keepHours) } })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NativeSelect
          size="sm"
          label={t('The secret before is accepted')}
          value={keepHours}
          data={[
            { value: '0', label: t('No longer: somebody else may know it') },
            { value: '24', label: t('For a day') },
            { value: '168', label: t('For a week') },
          ]}
          onChange={({ currentTarget }) => keep(currentTarget.value)}
        />
        {change.error && <ProblemNote error={change.error} />}
        <div>
          <Button type="submit" loading={change.isPending}>
            {t('Make a new secret')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

interface ClientFormProps {
  readonly lists: People
  readonly onDone: (id: string, secret: string) => void
}

function ClientForm({ lists, onDone }: ClientFormProps) {
  const [id, setId] = useState('')
  const [company, setCompany] = useState(lists.companies[0]?.id ?? '')
  const [roles, setRoles] = useState<Roles>({})
  const change = useServiceChange(({ secret = '' }) => onDone(id, secret))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({
      method: 'POST',
      path: '/clients',
      body: { id, defaultCompany: company, roles: rolesToSend(roles) },
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <IdField
          label={t('Client id')}
          description={t('Such as bi-tool: what the program signs in with.')}
          value={id}
          onChange={setId}
        />
        <CompanyField
          label={t('Company of requests that name none')}
          companies={lists.companies}
          value={company}
          onChange={setCompany}
        />
        <RoleChoice lists={lists} roles={roles} onChange={setRoles} />
        {change.error && <ProblemNote error={change.error} />}
        <div>
          <Button type="submit" loading={change.isPending}>
            {t('Add the client')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
