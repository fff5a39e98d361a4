import { Checkbox, NativeSelect, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { DateField } from '../../parts/date-field.tsx'
import { FieldTitle } from '../../parts/field-title.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useWritten } from '../../parts/use-written.ts'
import { ValueHelp } from '../../parts/value-help.tsx'
import { sourceOf, type ValueSource } from '../../service/legal-values.ts'
import type { FieldInfo } from '../../service/metadata.ts'
import { plainNumber, writingOf } from '../../service/written-values.ts'
import classes from './edit.module.css'
import { editedCell, shownCell } from './lines/cell-text.ts'

/** Shorter texts are names and codes. */
const ONE_LINE_LENGTH = 255

export interface FieldInputProps {
  readonly field: FieldInfo
  readonly value: string
  /** What the service finds wrong with it. */
  readonly error: string | undefined
  readonly onChange: (value: string) => void
  /** The only values that it may have. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** Where its legal values are, if not where the field says. */
  readonly source?: ValueSource
  /** What it has where nothing is given. */
  readonly placeholder?: string | undefined
}

/** Who pauses so long has finished, or looks for help. */
const PAUSE_MS = 2_000

/** What is wrong is told when the field is left, or Enter pressed: while one types it is not finished. */
export function FieldInput({ error, onChange, ...props }: FieldInputProps) {
  const [isTyping, setTyping] = useState(false)
  const tell = () => afterPress(() => setTyping(false))
  const pause = useDebouncedCallback(tell, PAUSE_MS)
  const change = (value: string) => {
    setTyping(true)
    pause()
    onChange(value)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field within has the focus
    <div onBlur={tell} onKeyDown={({ key }) => key === 'Enter' && setTyping(false)}>
      <Input {...props} error={isTyping ? undefined : error} onChange={change} />
    </div>
  )
}

/** A press that leaves the field is over first: what appears above its target would move it away from under the pointer. */
function afterPress(done: () => void): void {
  if (document.documentElement.matches(':active')) addEventListener('mouseup', () => setTimeout(done), { once: true })
  else done()
}

function Input({ field, value, error, onChange, choices, source: given, ...rest }: FieldInputProps) {
  // Before the service has answered what the record would have.
  const { placeholder = String(field.schema.default ?? '') } = rest
  const required = field.schema['x-erp-required'] === true
  const label = <FieldTitle title={field.titles.at(-1) ?? ''} path={field.path} />
  if (field.kind === 'boolean') {
    return (
      <Checkbox
        label={label}
        checked={(value || placeholder) === 'true'}
        error={error}
        className={classes.check}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    )
  }
  const { schema } = field
  const source = given ?? sourceOf(field)
  if (choices) {
    return (
      <NativeSelect
        label={label}
        required={required}
        value={value}
        error={error}
        data={[{ value: '', label: '' }, ...choices]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  if (source) return <ValueHelp {...{ source, label, required, value, error, placeholder, onChange }} />
  if (field.kind === 'text') {
    const isLong = (schema.maxLength ?? 0) > ONE_LINE_LENGTH
    return (
      <TextField
        {...{ label, required, value, error, placeholder, isLong, onChange }}
        description={schema.description}
      />
    )
  }
  const shown = { label, required, value, error, placeholder, description: schema.description }
  if (field.kind === 'date-time') return <DateField {...shown} onChange={onChange} />
  return <NumberInput {...shown} field={field} onChange={onChange} />
}

interface NumberInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly field: FieldInfo
  readonly value: string
  readonly onChange: (value: string) => void
}

function NumberInput({ field, value, placeholder = '', onChange, ...rest }: NumberInputProps) {
  const writing = writingOf()
  const shown = (text: string) => shownCell(field, plainNumber(text.trim(), writing.decimal))
  const { written, type } = useWritten(value, { shown, edited: (text) => editedCell(field, text, writing) })
  return (
    <TextInput
      {...rest}
      {...written}
      placeholder={shown(placeholder)}
      inputMode="decimal"
      onChange={({ currentTarget: { value: typed } }) => {
        type(typed)
        onChange(typed)
      }}
    />
  )
}
