import { Button, FileInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notify } from '../../parts/notices.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useService } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import classes from './document.module.css'

interface AddRevisionProps {
  readonly company: string
  readonly id: string
  readonly tag: string
}

export function AddRevision({ company, id, tag }: AddRevisionProps) {
  const service = useService()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [file, setFile] = useState<File | null>(null)
  const [comment, setComment] = useState('')
  const add = useMutation({
    mutationFn: (content: File) =>
      service.documents.createRevision(
        id,
        { comment },
        { fileName: content.name, content },
        { ifMatch: tag, timeoutMs: 300_000 },
      ),
    onSuccess: async () => {
      notify(t('The revision is added.'))
      setOpen(false)
      setFile(null)
      setComment('')
      await queries.invalidateQueries({ queryKey: [company] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (file) add.mutate(file)
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('Add a revision')}
      </Button>
      <Sheet title={t('Add a revision')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form className={classes.form} onSubmit={submit}>
          <FileInput size="xs" label={t('File')} required value={file} onChange={setFile} />
          <TextField label={t('What is new')} required isLong maxLength={4000} value={comment} onChange={setComment} />
          {add.error && <ProblemNote error={add.error} />}
          <Button type="submit" disabled={file === null} loading={add.isPending}>
            {t('Add it')}
          </Button>
        </form>
      </Sheet>
    </>
  )
}
