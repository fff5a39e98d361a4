import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Empty } from '../../parts/empty.tsx'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { type Changed, type People, type Person, usePeople } from '../../service/administration.ts'
import { t } from '../../words/words.ts'
import { PersonForm } from './person-form.tsx'
import { RolesText } from './role-words.tsx'
import { SecretOnce } from './secret-once.tsx'
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
        <Button size="xs" onClick={() => open('new')}>
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
        <Button size="xs" variant="default" onClick={onChange}>
          {t('Change')} <span className={classes.unseen}>{name || id}</span>
        </Button>
      </Group>
    </article>
  )
}
