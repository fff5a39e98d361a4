// A text of a form: in several lines where it has or may have them. A browser knows line feeds alone, so what a text has
// else is put back.
import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../words/words.ts'
import { lineEndsOf, withLineFeeds } from './line-ends.ts'

interface TextFieldProps {
  readonly label: ReactNode
  readonly value: string
  readonly onChange: (value: string) => void
  readonly description?: string | undefined
  readonly error?: string | undefined
  readonly maxLength?: number | undefined
  readonly required?: boolean
  readonly placeholder?: string | undefined
  readonly isLong?: boolean
}

const MOST_ROWS = 12

export function TextField({ value, onChange, description, maxLength, isLong = false, ...rest }: TextFieldProps) {
  // What is given at first: a field that became another one while somebody types would lose the caret.
  const [given] = useState(value)
  const props = { size: 'xs', ...rest, ...(maxLength === undefined ? {} : { maxLength }) } as const
  if (!isLong && !/[\r\n]/.test(given)) {
    return (
      <TextInput
        {...props}
        description={description}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  const ends = lineEndsOf(given)
  return (
    <Textarea
      {...props}
      description={
        ends === undefined ? t('Its line ends differ from each other: a change makes them alike.') : description
      }
      autosize
      minRows={1}
      maxRows={MOST_ROWS}
      value={withLineFeeds(value)}
      onChange={({ currentTarget }) => onChange(withLineFeeds(currentTarget.value).replaceAll('\n', ends ?? '\n'))}
    />
  )
}
