import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notify } from '../../parts/notices.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { type ArchivedDocument, documentPath, documentTypesQuery } from '../../service/archive.ts'
import { useService } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import { IndexInputs } from '../documents/index-inputs.tsx'
import classes from './document.module.css'

interface DescriptionFormProps {
  readonly company: string
  readonly document: ArchivedDocument
  readonly tag: string
  readonly onEnd: () => void
}

/** Title, description and index values; saved only over the state that was read. */
export function DescriptionForm({ company, document, tag, onEnd }: DescriptionFormProps) {
  const service = useService()
  const queries = useQueryClient()
  const { data: types = [] } = useQuery(documentTypesQuery(company))
  const [title, setTitle] = useState(document.title)
  const [description, setDescription] = useState(document.description)
  const [values, setValues] = useState<ReadonlyMap<number, string>>(
    () => new Map(document.indexes.map(({ sequenceNo, indexValue }) => [sequenceNo, indexValue])),
  )
  const save = useMutation({
    mutationFn: () => {
      const indexes = [...values]
        .filter(([, indexValue]) => indexValue !== '')
        .map(([sequenceNo, indexValue]) => ({ sequenceNo, indexValue }))
      const wanted = { title, description, indexes }
      const body = Object.entries(wanted)
        .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(document[name as keyof typeof wanted]))
        .map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }))
      return service.request({
        method: 'PATCH',
        path: documentPath(document.id),
        body: JSON.stringify(body),
        ifMatch: tag,
      })
    },
    onSuccess: async () => {
      notify(t('Saved.'))
      await queries.invalidateQueries({ queryKey: [company] })
      onEnd()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className={classes.form} onSubmit={submit} aria-label={t('What the document is filed by')}>
      <div className={classes.fields}>
        <TextField label={t('Title')} required maxLength={255} value={title} onChange={setTitle} />
        <TextField label={t('Description')} isLong value={description} onChange={setDescription} />
        <IndexInputs
          indexes={types.find(({ id }) => id === document.docType)?.indexes ?? []}
          values={values}
          onChange={setValues}
        />
      </div>
      {save.error && <ProblemNote error={save.error} />}
      <Group gap="xs">
        <Button type="submit" loading={save.isPending}>
          {t('Save')}
        </Button>
        <Button variant="default" onClick={onEnd}>
          {t('Cancel')}
        </Button>
      </Group>
    </form>
  )
}
