import { Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemNote } from '../../parts/problem.tsx'
import { type ImportOperation, isTakenBack, neededToTakeBack, type TakenBack, takeBack } from '../../service/imports.ts'
import { useMayWrite } from '../../service/may-write.ts'
import { useCompany } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { Progress } from './progress.tsx'

/** The imports that were taken back since the page was loaded. */
const taken = new Set<string>()

/** Takes an import, or a change of many records, back, as far as nobody else has changed its records since. */
export function UndoImport({ operation }: { readonly operation: ImportOperation }) {
  const { id: company } = useCompany()
  const queries = useQueryClient()
  const mayWrite = useMayWrite()
  const [progress, setProgress] = useState(0)
  const undo = useMutation({
    mutationFn: () =>
      takeBack(company, operation, (done) => setProgress(Math.min(1, done / Math.max(1, operation.written)))),
    onSuccess: () => {
      taken.add(operation.id)
      return queries.invalidateQueries({ queryKey: [company] })
    },
  })
  const mayTakeBack = neededToTakeBack(operation).every((one) => mayWrite(operation.document, one))
  if (!isTakenBack(operation) || !mayTakeBack) return null
  const { data } = undo
  if (!data && taken.has(operation.id)) return t('Taken back.')
  if (data) {
    return (
      <Text size="sm" role="status">
        {toldOf(operation, data).join(' ')}
      </Text>
    )
  }
  return (
    <>
      {undo.error && <ProblemNote error={undo.error} />}
      {undo.isPending ? (
        <Progress value={progress} text={t('The records are taken back')} />
      ) : (
        <Button variant="default" onClick={() => undo.mutate()}>
          {operation.patch ? t('Undo this change') : t('Undo this import')}
        </Button>
      )}
    </>
  )
}

function toldOf({ update, patch }: ImportOperation, { removed, restored, kept: count }: TakenBack): string[] {
  return [
    ...(patch ? [] : [t('{{count}} records were taken back.', { count: removed })]),
    ...(patch || update ? [t('{{count}} records have their values from before again.', { count: restored })] : []),
    ...(count === 0
      ? []
      : [
          patch
            ? t('{{count}} stay as they are: somebody has changed them since.', { count })
            : t('{{count}} stay as they are: they are in use, or somebody has changed them since.', { count }),
        ]),
  ]
}
