// A day, with or without a time: typed as the language of the browser writes it, or picked.
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { useRef } from 'react'
import { plainDay, writingOf } from '../service/written-values.ts'
import { t } from '../words/words.ts'
import classes from './date-field.module.css'

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Days are stored with the midnight that they begin with. */
const shownDay = (value: string): string => value.replace(/T00:00:00(?:\.0+)?Z?$/, '')

export function DateField({ value, onChange, ...rest }: DateFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const shown = shownDay(value)
  return (
    <TextInput
      size="xs"
      {...rest}
      value={shown}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={() => {
        const day = shown === '' ? undefined : plainDay(shown, writingOf())
        if (day !== undefined && day !== shown) onChange(day)
      }}
      rightSection={
        <>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t('Pick a day')}
            onClick={() => picker.current?.showPicker()}
          >
            <svg viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor" aria-hidden="true">
              <path d="M2 4h12v10H2zM2 7h12M5 2v3M11 2v3" />
            </svg>
          </ActionIcon>
          <input
            ref={picker}
            type="date"
            className={classes.picker}
            tabIndex={-1}
            aria-hidden="true"
            value={/^\d{4}-\d\d-\d\d/.exec(shown)?.[0] ?? ''}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        </>
      }
    />
  )
}
