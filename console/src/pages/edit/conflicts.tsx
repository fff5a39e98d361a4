import { Button, Group, Radio, Text } from '@mantine/core'
import { useState } from 'react'
import { ShownText } from '../../parts/shown-text.tsx'
import { type Choices, type Conflict, type Draft, itemsOf } from './changes.ts'
import classes from './edit.module.css'

interface ConflictsProps {
  readonly conflicts: readonly Conflict[]
  readonly onChosen: (choices: Choices) => void
}

/** Somebody has changed the same members meanwhile: one chooses member by member. */
export function Conflicts({ conflicts, onChosen }: ConflictsProps) {
  const [choices, setChoices] = useState<Choices>({})
  const isComplete = conflicts.every(({ path }) => choices[path] !== undefined)
  return (
    <section className={classes.conflicts} aria-label="Conflicts" role="alert">
      <Text fw={600}>Somebody else has changed this record while you were at it. Choose what shall be saved.</Text>
      {conflicts.map(({ path, base, mine, theirs, isList }) => (
        <Radio.Group
          key={path}
          label={path}
          value={choices[path] ?? ''}
          onChange={(choice) => setChoices({ ...choices, [path]: choice as 'mine' | 'theirs' })}
        >
          <Group gap="lg" mt={4}>
            <Radio size="xs" value="mine" label={<Choice name="Mine" text={mine} isList={isList} />} />
            <Radio size="xs" value="theirs" label={<Choice name="Theirs" text={theirs} isList={isList} />} />
            <Text size="sm" c="dimmed">
              <Choice name="It was" text={base} isList={isList} />
            </Text>
          </Group>
        </Radio.Group>
      ))}
      <Button size="xs" disabled={!isComplete} onClick={() => onChosen(choices)}>
        Go on with these
      </Button>
    </section>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly text: string
  readonly isList: boolean
}

function Choice({ name, text, isList }: ChoiceProps) {
  const lines = isList ? itemsOf(text).map(({ texts }) => itemText(texts)) : [text]
  const shown = lines.length === 0 || lines[0] === '' ? ['(empty)'] : lines
  return (
    <>
      {name}:{' '}
      {shown.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have a place and nothing else
        <span key={place} className={isList ? classes.choice : undefined}>
          <ShownText text={line} />
        </span>
      ))}
    </>
  )
}

/** Such as `type: email, value: a@example.com`. */
const itemText = (texts: Draft): string =>
  Object.entries(texts)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ')
