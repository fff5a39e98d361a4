import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../../words/words.ts'
import classes from './filter.module.css'

interface FilterTextProps {
  readonly filter: string
  /** Whether it says what no conditions say. */
  readonly isMore: boolean
  readonly onChange: (filter: string) => void
}

/** Applied by Enter, so that no half a filter is asked. */
export function FilterText({ filter, isMore, onChange }: FilterTextProps) {
  const [typed, setTyped] = useState(filter)
  return (
    <form
      className={classes.text}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(typed.trim())
      }}
    >
      <TextInput
        aria-label={t('Filter as text')}
        placeholder={t('As programs write it, such as {{example}}', {
          example: "contains(NAME,'text') and NAME ge 10",
        })}
        value={typed}
        spellCheck={false}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {isMore && (
        <Text size="xs" c="dimmed" mt={4} role="status">
          {t('This filter says more than conditions can show, so it stays a text.')}
        </Text>
      )}
    </form>
  )
}
