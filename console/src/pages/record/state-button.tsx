import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemNote } from '../../parts/problem.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useUndo } from '../../parts/use-undo.ts'
import type { DocumentInfo, StateTransition } from '../../service/metadata.ts'
import { titleAt } from '../../service/metadata.ts'
import { useCompany, useService } from '../../service/session.ts'
import { sentence } from '../../words/sentence.tsx'
import { listText, t } from '../../words/words.ts'
import { transitionPatch } from './transitions.ts'

interface StateButtonProps {
  readonly document: DocumentInfo
  readonly path: string
  readonly recordKey: readonly string[]
  readonly transition: StateTransition
}

/** Says what will be, and what must be filled by then; and what is missing where the service refuses. */
export function StateButton({ document, path, recordKey, transition }: StateButtonProps) {
  const service = useService()
  const { id: company } = useCompany()
  const queries = useQueryClient()
  const { saved } = useUndo(document, recordKey)
  const [isOpen, setOpen] = useState(false)
  const { to, title = t('Change to {{state}}', { state: to }), requires } = transition
  const change = useMutation({
    mutationFn: () => service.request({ method: 'PATCH', path, body: transitionPatch(document, transition) }),
    onSuccess: async ({ headers }) => {
      setOpen(false)
      saved(headers.get('etag'))
      await queries.invalidateQueries({ queryKey: [company] })
    },
  })
  return (
    <>
      <Button size="xs" variant="light" onClick={() => setOpen(true)}>
        {title}
      </Button>
      <Sheet title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Text>{sentence('The record becomes {{state}}.', { state: <bdi>{to}</bdi> })}</Text>
        {requires.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('Filled by then: {{fields}}.', { fields: listText(requires.map((one) => titleAt(document, one))) })}
          </Text>
        )}
        {change.error && <ProblemNote error={change.error} />}
        <Group gap="xs" mt="md">
          <Button size="xs" loading={change.isPending} onClick={() => change.mutate()}>
            {title}
          </Button>
          <Button size="xs" variant="default" onClick={() => setOpen(false)}>
            {t('Leave it')}
          </Button>
        </Group>
      </Sheet>
    </>
  )
}
