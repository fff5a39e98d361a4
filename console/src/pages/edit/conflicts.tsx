import { Button, Group, Radio, Text } from '@mantine/core'
import { useState } from 'react'
import { FieldTitle } from '../../parts/field-title.tsx'
import { ShownText } from '../../parts/shown-text.tsx'
import { type DocumentInfo, documentOf, type ListInfo, titleAt } from '../../service/metadata.ts'
import { t } from '../../words/words.ts'
import { type Choices, type Conflict, type Draft, itemsOf } from './changes.ts'
import classes from './edit.module.css'

interface ConflictsProps {
  readonly conflicts: readonly Conflict[]
  readonly document: DocumentInfo
  readonly onChosen: (choices: Choices) => void
}

/** Somebody has changed the same members meanwhile: one chooses member by member. */
export function Conflicts({ conflicts, document, onChosen }: ConflictsProps) {
  const [choices, setChoices] = useState<Choices>({})
  const listAt = (path: string) => document.lists.find((list) => list.path === path)
  const isComplete = conflicts.every(({ path }) => choices[path] !== undefined)
  return (
    <section className={classes.conflicts} aria-label={t('Conflicts')} role="alert">
      <Text fw={600}>
        {t('Somebody else has changed this record while you were at it. Choose what shall be saved.')}
      </Text>
      {conflicts.map(({ path, base, mine, theirs, isList }) => (
        <Radio.Group
          key={path}
          label={<FieldTitle title={titleAt(document, path)} path={path} />}
          value={choices[path] ?? ''}
          onChange={(choice) => setChoices({ ...choices, [path]: choice as 'mine' | 'theirs' })}
        >
          <Group gap="lg" mt={4}>
            <Radio
              size="xs"
              value="mine"
              label={<Choice name={t('Mine')} text={mine} list={isList ? listAt(path) : undefined} />}
            />
            <Radio
              size="xs"
              value="theirs"
              label={<Choice name={t('Theirs')} text={theirs} list={isList ? listAt(path) : undefined} />}
            />
            <Text size="sm" c="dimmed">
              <Choice name={t('It was')} text={base} list={isList ? listAt(path) : undefined} />
            </Text>
          </Group>
        </Radio.Group>
      ))}
      <Button disabled={!isComplete} onClick={() => onChosen(choices)}>
        {t('Go on with these')}
      </Button>
    </section>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly text: string
  /** Whose items the text has. */
  readonly list: ListInfo | undefined
}

function Choice({ name, text, list }: ChoiceProps) {
  const lines = list ? itemsOf(text).map(({ texts }) => itemText(list, texts)) : [text]
  const shown = lines.length === 0 || lines[0] === '' ? [`(${t('empty')})`] : lines
  return (
    <>
      {name}:{' '}
      {shown.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have a place and nothing else
        <span key={place} className={list ? classes.choice : undefined}>
          <ShownText text={line} />
        </span>
      ))}
    </>
  )
}

/** Such as `Address type: 1, Place: Oslo`. */
const itemText = ({ path, schema }: ListInfo, texts: Draft): string =>
  documentOf(path, schema)
    .fields.filter((field) => (texts[field.path] ?? '') !== '')
    .map((field) => `${field.titles.at(-1)}: ${texts[field.path]}`)
    .join(', ')
