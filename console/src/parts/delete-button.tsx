import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCompany, useService } from '../service/session.ts'
import { t } from '../words/words.ts'
import { command } from './command.ts'
import { notify } from './notices.tsx'
import { ProblemNote } from './problem.tsx'
import { Sheet } from './sheet.tsx'
import { ShownText } from './shown-text.tsx'

interface DeleteButtonProps {
  readonly path: string
  /** The entity tag of the state that was seen. */
  readonly tag?: string | undefined
  /** What the person calls it. */
  readonly what: string
  readonly consequence: string
  readonly onDeleted: () => void
}

/** Asks once more, and says what will be. */
export function DeleteButton({ path, tag, what, consequence, onDeleted }: DeleteButtonProps) {
  const service = useService()
  const { id: company } = useCompany()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const remove = useMutation({
    mutationFn: () => service.request({ method: 'DELETE', path, ifMatch: tag }),
    onSuccess: async () => {
      notify(t('Deleted.'))
      onDeleted()
      await queries.invalidateQueries({ queryKey: [company] })
    },
  })
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)} {...command(t('Delete'))}>
        {t('Delete')}
      </Button>
      <Sheet title={t('Delete this?')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Text>
          <ShownText text={what} />
        </Text>
        <Text size="sm" c="dimmed">
          {consequence}
        </Text>
        {remove.error && <ProblemNote error={remove.error} />}
        <Group gap="xs" mt="md">
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t('Delete it')}
          </Button>
          <Button variant="default" onClick={() => setOpen(false)}>
            {t('Keep it')}
          </Button>
        </Group>
      </Sheet>
    </>
  )
}
