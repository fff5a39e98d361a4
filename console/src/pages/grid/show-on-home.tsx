// What a list or balances show becomes a figure of Home.
import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { notify } from '../../parts/notices.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { type Figure, figuresIn, MOST_FIGURES } from '../../service/figures.ts'
import type { DocumentInfo, FieldInfo } from '../../service/metadata.ts'
import { useSettings } from '../../service/settings.ts'
import { t } from '../../words/words.ts'

interface ShowOnHomeProps {
  readonly document: DocumentInfo
  readonly filter: string
  /** Numbers that may be summed; the first is offered, or the number of records without any. */
  readonly sums: readonly FieldInfo[]
  /** A period, or a day. */
  readonly period: FieldInfo | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
}

export default function ShowOnHome({ isOpen, onClose, ...about }: ShowOnHomeProps) {
  return (
    <Sheet title={t('Show on Home')} isOpen={isOpen} onClose={onClose}>
      <FigureForm {...about} onDone={onClose} />
    </Sheet>
  )
}

interface FigureFormProps extends Pick<ShowOnHomeProps, 'document' | 'filter' | 'sums' | 'period'> {
  readonly onDone: () => void
}

function FigureForm({ document, filter, sums, period, onDone }: FigureFormProps) {
  const { name, schema } = document
  const [settings, change] = useSettings()
  const [title, setTitle] = useState(schema.title ?? name)
  const [sum, setSum] = useState(sums[0]?.path ?? '')
  const [isCompared, setCompared] = useState(period !== undefined && filter === '' && sums.length > 0)
  const isFull = figuresIn(settings.figures).length >= MOST_FIGURES
  const add = (event: FormEvent) => {
    event.preventDefault()
    const figure: Figure = {
      title: title.trim() || (schema.title ?? name),
      document: name,
      ...(filter === '' ? {} : { filter }),
      ...(sum === '' ? {} : { sum }),
      ...(isCompared && period ? { by: period.path } : {}),
    }
    change((before) => ({ ...before, figures: [...figuresIn(before.figures), figure].slice(-MOST_FIGURES) }))
    notify(t('Home shows {{title}}.', { title: figure.title ?? '' }))
    onDone()
  }
  if (isFull)
    return (
      <Text size="sm">
        {t('Home shows {{most}} figures of yours. Remove one there first.', { most: MOST_FIGURES })}
      </Text>
    )
  return (
    <form onSubmit={add}>
      <Stack gap="sm">
        <TextInput
          label={t('Title')}
          maxLength={80}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        />
        <NativeSelect
          label={t('Figure')}
          value={sum}
          data={[
            ...sums.map(({ path, titles }) => ({
              value: path,
              label: t('Sum: {{field}}', { field: titles.join(' / ') }),
            })),
            { value: '', label: t('Number of records') },
          ]}
          onChange={({ currentTarget }) => setSum(currentTarget.value)}
        />
        {period && (
          <Checkbox
            label={
              period.kind === 'date-time'
                ? t('This month beside the one before, by {{field}}', { field: period.titles.join(' / ') })
                : t('The last beside the one before, by {{field}}', { field: period.titles.join(' / ') })
            }
            checked={isCompared}
            onChange={({ currentTarget }) => setCompared(currentTarget.checked)}
          />
        )}
        <Button type="submit">{t('Show on Home')}</Button>
      </Stack>
    </form>
  )
}
