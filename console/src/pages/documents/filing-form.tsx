import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ValidationProblem } from '#client'
import { sizeText } from '../../parts/field-value.tsx'
import { notify } from '../../parts/notices.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { TextField } from '../../parts/text-field.tsx'
import type { DocumentType } from '../../service/archive.ts'
import { useService } from '../../service/session.ts'
import { t } from '../../words/words.ts'
import classes from './documents.module.css'
import { IndexInputs } from './index-inputs.tsx'

interface FilingFormProps {
  readonly company: string
  readonly types: readonly DocumentType[]
  readonly file: File
  readonly onLeft: () => void
  readonly onFiled: () => void
}

/** The type that was filed last is offered first. */
const LAST_TYPE = 'tabularium.filed-type'

export function FilingForm({ company, types, file, onLeft, onFiled }: FilingFormProps) {
  const service = useService()
  const [docType, setDocType] = useState(() => sessionStorage.getItem(`${LAST_TYPE}.${company}`) ?? '')
  const [title, setTitle] = useState(() => file.name.replace(/\.[^.]+$/, ''))
  const [description, setDescription] = useState('')
  const [values, setValues] = useState<ReadonlyMap<number, string>>(new Map())
  const type = types.find(({ id }) => id === docType)
  const filing = useMutation({
    mutationFn: () => {
      const given = (type?.indexes ?? []).filter(({ sequenceNo }) => (values.get(sequenceNo) ?? '') !== '')
      const indexes = given.map(({ sequenceNo }) => ({ sequenceNo, indexValue: values.get(sequenceNo) }))
      return service.documents.create(
        { docType, title, description, indexes },
        { fileName: file.name, content: file },
        { timeoutMs: 300_000 },
      )
    },
    onSuccess: () => {
      sessionStorage.setItem(`${LAST_TYPE}.${company}`, docType)
      notify(t('{{title}} is filed.', { title }))
      onFiled()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    filing.mutate()
  }
  const errorOf = (member: string) =>
    filing.error instanceof ValidationProblem
      ? filing.error.findings.find(({ path }) => path.replace(/^\//, '') === member)?.message
      : undefined
  return (
    <form className={classes.filing} onSubmit={submit} aria-label={t('File {{name}}', { name: file.name })}>
      <Text fw={600}>
        <ShownText text={file.name} />{' '}
        <Text span c="dimmed">
          {sizeText(file.size)}
        </Text>
      </Text>
      <div className={classes.fields}>
        <NativeSelect
          label={t('Type')}
          required
          value={docType}
          error={errorOf('docType')}
          data={[
            { value: '', label: t('Choose a type'), disabled: true },
            ...types.map(({ id, description: text }) => ({ value: id, label: `${text} (${id})` })),
          ]}
          onChange={({ currentTarget }) => setDocType(currentTarget.value)}
        />
        <TextInput
          label={t('Title')}
          required
          maxLength={255}
          value={title}
          error={errorOf('title')}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        />
        <TextField
          label={t('Description')}
          isLong
          value={description}
          error={errorOf('description')}
          onChange={setDescription}
        />
        <IndexInputs indexes={type?.indexes ?? []} values={values} onChange={setValues} />
      </div>
      {filing.error && <ProblemNote error={filing.error} />}
      <Group gap="xs">
        <Button type="submit" loading={filing.isPending}>
          {t('File it')}
        </Button>
        <Button variant="default" onClick={onLeft}>
          {t('Leave it out')}
        </Button>
      </Group>
    </form>
  )
}
