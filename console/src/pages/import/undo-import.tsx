import { Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemNote } from '../../parts/problem.tsx'
import { type ImportOperation, isTakenBack, takeBack } from '../../service/imports.ts'
import { permissionFor } from '../../service/records.ts'
import { useCompany, useMay } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { Progress } from './progress.tsx'

/** The imports that were taken back since the page was loaded. */
const taken = new Set<string>()

/** Takes an import, or a change of many records, back, as far as nobody has changed its records since. */
export function UndoImport({ operation }: { readonly operation: ImportOperation }) {
  const { id: company } = useCompany()
  const queries = useQueryClient()
  const may = useMay()
  const [progress, setProgress] = useState(0)
  const undo = useMutation({
    mutationFn: () =>
      takeBack(company, operation, (done) => setProgress(Math.min(1, done / Math.max(1, operation.written)))),
    onSuccess: () => {
      taken.add(operation.id)
      return queries.invalidateQueries({ queryKey: [company] })
    },
  })
  const needed = permissionFor(operation.document, operation.patch ? 'update' : 'delete')
  if (!isTakenBack(operation) || needed === undefined || !may(needed)) return null
  const { data } = undo
  if (!data && taken.has(operation.id)) return t('Taken back.')
  if (data) {
    return (
      <Text size="sm" role="status">
        {operation.patch
          ? t('{{count}} records have their values from before again.', { count: data.restored })
          : t('{{count}} records were taken back.', { count: data.removed })}
        {data.kept > 0 &&
          ` ${
            operation.patch
              ? t('{{count}} stay as they are: somebody has changed them since.', { count: data.kept })
              : t('{{count}} stay as they are: they are in use, or somebody has changed them since.', {
                  count: data.kept,
                })
          }`}
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
