import { Button, NativeSelect, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ProblemNote } from '../../parts/problem.tsx'
import { useServiceChange } from '../../service/administration.ts'
import { t } from '../../words/words.ts'

interface NewSecretProps {
  /** The path of the client. */
  readonly path: string
  readonly onMade: (secret: string) => void
}

/** Programs that have the old one may take the new one meanwhile. */
export function NewSecret({ path, onMade }: NewSecretProps) {
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
          <Button type="submit" size="xs" loading={change.isPending}>
            {t('Make a new secret')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
