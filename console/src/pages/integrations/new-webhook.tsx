// A webhook that an administrator makes for a program, with whose rights it tells.
import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { command } from '../../parts/command.ts'
import { Loading } from '../../parts/loading.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { focusFirstField, Sheet } from '../../parts/sheet.tsx'
import { administrationQuery, type ServiceClient, useServiceChange } from '../../service/administration.ts'
import { useTitles } from '../../shell/document-title.ts'
import { t } from '../../words/words.ts'
import classes from './integrations.module.css'

export function NewWebhook({ company }: { readonly company: string }) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const made = async (told: string) => {
    setOpen(false)
    setSecret(told)
    await queries.invalidateQueries({ queryKey: [company, 'subscriptions'] })
  }
  return (
    <>
      <Button onClick={() => setOpen(true)} {...command(t('New webhook'), 'n')}>
        {t('New webhook')}
      </Button>
      <Sheet title={t('New webhook')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <WebhookForm company={company} onMade={made} />
      </Sheet>
      <Sheet title={t('Secret')} isOpen={secret !== undefined} onClose={() => setSecret(undefined)}>
        {secret !== undefined && (
          <SecretOnce
            secret={secret}
            note={t(
              'Put it into the program that is told now: it shows that what comes is from here. It is shown this once.',
            )}
          />
        )}
      </Sheet>
    </>
  )
}

interface WebhookFormProps {
  readonly company: string
  readonly onMade: (secret: string) => void
}

function WebhookForm({ company, onMade }: WebhookFormProps) {
  const { data, error, refetch } = useQuery(administrationQuery<{ clients: readonly ServiceClient[] }>('/clients'))
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={3} />
  const clients = data.clients.filter(
    ({ isDisabled, companies }) => !isDisabled && companies.some(({ id }) => id === company),
  )
  if (clients.length === 0) {
    return (
      <Text size="sm">{t('No program has a role in this company yet. An administrator adds one under Clients.')}</Text>
    )
  }
  return <WebhookFields company={company} clients={clients.map(({ id }) => id)} onMade={onMade} />
}

function WebhookFields({ company, clients, onMade }: WebhookFormProps & { readonly clients: readonly string[] }) {
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [client, setClient] = useState(clients[0] ?? '')
  const [entities, setEntities] = useState<readonly string[]>([])
  const [isFull, setFull] = useState(false)
  const change = useServiceChange(({ secret = '' }) => onMade(secret))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { companyId: company, name, url, entities, payload: isFull ? 'full' : 'thin' }
    change.mutate({ method: 'POST', path: `/clients/${encodeURIComponent(client)}/subscriptions`, body })
  }
  return (
    <form onSubmit={submit} ref={focusFirstField}>
      <Stack gap="sm">
        <TextInput
          size="sm"
          label={t('Name')}
          required
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          size="sm"
          type="url"
          label={t('Address')}
          description={t('Where the program listens, with https.')}
          required
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <NativeSelect
          size="sm"
          label={t('With the rights of')}
          description={t('It is told what this program may read, and nothing else.')}
          value={client}
          data={[...clients]}
          onChange={({ currentTarget }) => {
            setClient(currentTarget.value)
            setEntities([])
          }}
        />
        <EntityChoice key={client} company={company} client={client} chosen={entities} onChange={setEntities} />
        <Checkbox
          size="sm"
          label={t('Send the record along')}
          description={t('Otherwise the program is told which record has changed, and asks for it.')}
          checked={isFull}
          onChange={({ currentTarget }) => setFull(currentTarget.checked)}
        />
        {change.error && <ProblemNote error={change.error} />}
        <div>
          <Button type="submit" loading={change.isPending}>
            {t('Make the webhook')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

interface EntityChoiceProps {
  readonly company: string
  readonly client: string
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** What the program may be told of: all of it unless some are chosen. */
function EntityChoice({ company, client, chosen, onChange }: EntityChoiceProps) {
  const titleOf = useTitles()
  const { data, error } = useQuery(
    administrationQuery<{ companies: readonly { readonly id: string; readonly entities: readonly string[] }[] }>(
      `/clients/${encodeURIComponent(client)}/entities`,
    ),
  )
  if (error) return <ProblemNote error={error} />
  if (!data) return <Loading lines={2} />
  const entities = data.companies.find(({ id }) => id === company)?.entities ?? []
  if (entities.length === 0)
    return <Text size="sm">{t('This program may read nothing that changes are told of.')}</Text>
  const titled = entities.map((entity) => ({ entity, title: titleOf(entity) }))
  const toggle = (entity: string, isOn: boolean) => {
    const others = chosen.filter((one) => one !== entity)
    onChange(isOn ? [...others, entity] : others)
  }
  return (
    <fieldset className={classes.entities}>
      <legend>{t('Changes of')}</legend>
      <Text size="xs" c="dimmed">
        {chosen.length === 0
          ? t('Everything that the program may read, also what it may read later.')
          : t('{{number}} of {{all}} chosen', { number: chosen.length, all: titled.length })}
      </Text>
      {titled
        .toSorted((one, other) => one.title.localeCompare(other.title))
        .map(({ entity, title }) => (
          <Checkbox
            key={entity}
            size="sm"
            label={title}
            checked={chosen.includes(entity)}
            onChange={({ currentTarget }) => toggle(entity, currentTarget.checked)}
          />
        ))}
    </fieldset>
  )
}
