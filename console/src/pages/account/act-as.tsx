// For administrators: everything as a client sees it, without changing anything.
import { Button, Group, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { actAs, checkActing } from '../../service/client.ts'
import { t } from '../../words/words.ts'

export function ActAs() {
  const [client, setClient] = useState('')
  const look = useMutation({ mutationFn: checkActing, onSuccess: (_none, id) => actAs(id) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (client.trim() !== '') look.mutate(client.trim())
  }
  return (
    <section aria-label={t('See as a client')}>
      <Title order={2}>{t('See as a client')}</Title>
      <p>{t('Every page, copy and download is then what this client is answered. Nothing can be changed.')}</p>
      <form onSubmit={submit}>
        <Group align="end" gap="xs">
          <TextInput
            size="xs"
            label={t('Client id')}
            value={client}
            error={look.error && t('There is no such client, or you may not see as it.')}
            onChange={({ currentTarget }) => setClient(currentTarget.value)}
          />
          <Button size="xs" type="submit" variant="default" loading={look.isPending}>
            {t('See as this client')}
          </Button>
        </Group>
      </form>
    </section>
  )
}
