import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { notify } from '../../parts/notices.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import {
  type Changed,
  type People,
  type Person,
  type Roles,
  rolesToSend,
  useServiceChange,
} from '../../service/administration.ts'
import { useSession } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { CompanyField, IdField } from './access-fields.tsx'
import { RoleChoice } from './role-choice.tsx'

interface PersonFormProps {
  readonly person: Person | 'new'
  readonly lists: People
  readonly onDone: (who: string, changed: Changed) => void
}

/** What is sent is only what has been changed. */
export function PersonForm({ person, lists, onDone }: PersonFormProps) {
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
            label={t('Administers the service')}
            description={t('Sees and changes people, clients and the setup of all companies.')}
            checked={administrator}
            onChange={({ currentTarget }) => setAdministrator(currentTarget.checked)}
          />
        )}
        {change.error && <ProblemNote error={change.error} />}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={change.isPending}>
            {before ? t('Save') : t('Add the person')}
          </Button>
          {before && (
            <Button
              size="xs"
              variant="default"
              onClick={() => change.mutate({ method: 'POST', path: `${path}/password` })}
            >
              {t('New password')}
            </Button>
          )}
          {before && !isSelf && (
            <Button
              size="xs"
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
