import { Button, Group, Radio, Text } from '@mantine/core'
import { useState } from 'react'
import { ShownText } from '../../parts/shown-text.tsx'
import type { Conflict } from './changes.ts'
import classes from './edit.module.css'

type Choices = Readonly<Record<string, 'mine' | 'theirs'>>

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
      {conflicts.map(({ path, base, mine, theirs }) => (
        <Radio.Group
          key={path}
          label={path}
          value={choices[path] ?? ''}
          onChange={(choice) => setChoices({ ...choices, [path]: choice as 'mine' | 'theirs' })}
        >
          <Group gap="lg" mt={4}>
            <Radio size="xs" value="mine" label={<Choice name="Mine" text={mine} />} />
            <Radio size="xs" value="theirs" label={<Choice name="Theirs" text={theirs} />} />
            <Text size="sm" c="dimmed">
              It was: <ShownText text={base === '' ? '(empty)' : base} />
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

function Choice({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      {name}: <ShownText text={text === '' ? '(empty)' : text} />
    </>
  )
}
