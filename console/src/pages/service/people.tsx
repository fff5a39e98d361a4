import { Badge, Button, Checkbox, Group, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { command } from '../../parts/command.ts'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/notices.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import {
  type Changed,
  type People,
  type Person,
  type Roles,
  rolesToSend,
  usePeople,
  useServiceChange,
} from '../../service/administration.ts'
import { useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { CompanyField, IdField } from './access-fields.tsx'
import { RoleChoice } from './role-choice.tsx'
import { RolesText } from './role-words.tsx'
import classes from './service.module.css'

interface Told extends Changed {
  readonly who: string
}

/** Who signs in to the console, and what they may. */
export function PeoplePart() {
  const { data, error, refetch } = usePeople()
  const [opened, open] = useState<Person | 'new'>()
  const [told, tell] = useState<Told>()
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const close = () => open(undefined)
  const done = (who: string, changed: Changed) => {
    close()
    if (changed.password !== undefined) tell({ who, ...changed })
  }
  return (
    <div className={classes.section}>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('People sign in to the console with a password, or by your sign-in service.')}
        </Text>
        <Button onClick={() => open('new')} {...command(t('New person'), 'n')}>
          {t('New person')}
        </Button>
      </Group>
      {data.people.length === 0 && <Empty title={t('Nobody signs in yet')} icon="customers" />}
      {data.people.map((person) => (
        <OnePerson key={person.id} person={person} lists={data} onChange={() => open(person)} />
      ))}
      <Sheet
        title={opened === 'new' ? t('New person') : t('Change a person')}
        isOpen={opened !== undefined}
        onClose={close}
      >
        {opened !== undefined && <PersonForm person={opened} lists={data} onDone={done} />}
      </Sheet>
      <Sheet title={t('Password')} isOpen={told !== undefined} onClose={() => tell(undefined)}>
        {told && (
          <SecretOnce
            secret={told.password ?? ''}
            note={t('Give it to {{who}} now. It is shown this once, and kept nowhere.', { who: told.who })}
          />
        )}
      </Sheet>
    </div>
  )
}

interface OnePersonProps {
  readonly person: Person
  readonly lists: People
  readonly onChange: () => void
}

function OnePerson({ person, lists, onChange }: OnePersonProps) {
  const { id, name, disabled, administrator, hasPassword, issuer, roles } = person
  const ways = [hasPassword && t('Password'), issuer].filter(Boolean).join(', ')
  return (
    <article className={classes.client} aria-label={name || id}>
      <Group gap="sm" justify="space-between">
        <div>
          <Group gap="xs">
            <Title order={2} size="h3">
              <ShownText text={name || id} />
            </Title>
            {administrator && (
              <Badge variant="default" size="sm" tt="none">
                {t('Administrator')}
              </Badge>
            )}
            {disabled && (
              <Badge variant="default" size="sm" tt="none">
                {t('Disabled')}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            <ShownText text={name === '' ? '' : `${id}, `} />
            {ways || t('No password yet')}
            <RolesText roles={roles} companies={lists.companies} />
          </Text>
        </div>
        <Button variant="default" onClick={onChange}>
          {t('Change')} <VisuallyHidden>{name || id}</VisuallyHidden>
        </Button>
      </Group>
    </article>
  )
}

interface PersonFormProps {
  readonly person: Person | 'new'
  readonly lists: People
  readonly onDone: (who: string, changed: Changed) => void
}

/** What is sent is only what has been changed. */
function PersonForm({ person, lists, onDone }: PersonFormProps) {
  const { administrator: isOfService, user } = useSession()
  const before = person === 'new' ? undefined : person
  const [id, setId] = useState('')
  const [name, setName] = useState(before?.name ?? '')
  const [company, setCompany] = useState(before?.defaultCompany ?? lists.companies[0]?.id ?? '')
  const [roles, setRoles] = useState<Roles>(before?.roles ?? {})
  const [administrator, setAdministrator] = useState(before?.administrator === true)
  const change = useServiceChange((changed) => {
    if (before) notify(t('Saved.'))
    onDone(name || id || before?.id || '', changed)
  })
  const isSelf = before?.id === user
  const path = before ? `/people/${encodeURIComponent(before.id)}` : '/people'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!before) {
      change.mutate({
        method: 'POST',
        path,
        body: { id, name, defaultCompany: company, roles: rolesToSend(roles), administrator },
      })
      return
    }
    const rights = {
      defaultCompany: company,
      roles: rolesToSend(roles),
      ...(administrator === (before.administrator === true) ? {} : { administrator }),
    }
    change.mutate({ method: 'PATCH', path, body: { name, ...(isSelf ? {} : rights) } })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          size="sm"
          label={t('Name')}
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {!before && (
          <IdField
            label={t('Signs in as')}
            description={t('Such as anna.lie. It stays as it is, because records tell who changed them.')}
            value={id}
            onChange={setId}
          />
        )}
        {isSelf && <Text size="sm">{t('Your own roles are changed by another administrator.')}</Text>}
        {!isSelf && (
          <CompanyField
            label={t('Begins in the company')}
            companies={lists.companies}
            value={company}
            onChange={setCompany}
          />
        )}
        {!isSelf && <RoleChoice lists={lists} roles={roles} onChange={setRoles} />}
        {!isSelf && isOfService && (
          <Checkbox
            size="sm"
            label={t('Administers the service')}
            description={t('Sees and changes people, clients and the setup of all companies.')}
            checked={administrator}
            onChange={({ currentTarget }) => setAdministrator(currentTarget.checked)}
          />
        )}
        {change.error && <ProblemNote error={change.error} />}
        <Group gap="xs">
          <Button type="submit" loading={change.isPending}>
            {before ? t('Save') : t('Add the person')}
          </Button>
          {before && (
            <Button variant="default" onClick={() => change.mutate({ method: 'POST', path: `${path}/password` })}>
              {t('New password')}
            </Button>
          )}
          {before && !isSelf && (
            <Button
              variant="default"
              onClick={() => change.mutate({ method: 'PATCH', path, body: { disabled: !before.disabled } })}
            >
              {before.disabled ? t('Enable') : t('Disable')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
