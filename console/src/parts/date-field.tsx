// A day, with or without a time: shown and typed as the reader writes it, or picked.
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { useRef } from 'react'
import { isNoDay, plainDay, writingOf } from '../service/written-values.ts'
import { t } from '../words/words.ts'
import classes from './date-field.module.css'
import { dateText } from './field-value.tsx'
import { useWritten } from './use-written.ts'

/** For the picker: of a moment, the day in the reader's zone. */
function dayToPick(value: string): string {
  const [, day = '', time] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d)?)?/.exec(isNoDay(value) ? '' : dayOf(value)) ?? []
  // Swedish writes a day in plain form.
  return time === undefined ? day : new Date(`${day}${time}Z`).toLocaleDateString('sv')
}

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Days are stored with the midnight that they begin with. */
const dayOf = (value: string): string => value.replace(/(?:T00:00:00)?(?:\.0+)?Z?$/, '')

/** As the reader writes it, if that is understood when it is typed: languages write hours in many ways. */
function writtenDay(value: string): string {
  if (isNoDay(value)) return ''
  const day = dayOf(value)
  const text = dateText(day)
  return plainDay(text, writingOf()) === day ? text : day
}

export function DateField({ value, placeholder = '', onChange, ...rest }: DateFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const pick = () => picker.current?.showPicker()
  const { written, type } = useWritten(value, { shown: writtenDay, edited: writtenDay })
  return (
    <TextInput
      {...rest}
      {...written}
      placeholder={writtenDay(placeholder)}
      onChange={({ currentTarget: { value: typed } }) => {
        type(typed)
        onChange(plainDay(typed, writingOf()) ?? typed)
      }}
      aria-keyshortcuts="Alt+ArrowDown"
      onKeyDown={(event) => {
        if (!event.altKey || event.key !== 'ArrowDown') return
        event.preventDefault()
        pick()
      }}
      rightSection={
        <>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t('Pick a day')}
            // Keys type a day, or open this from the field: Tab goes on to the next one.
            tabIndex={-1}
            onClick={pick}
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
            value={dayToPick(value)}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        </>
      }
    />
  )
}
