import { Checkbox, TextInput } from '@mantine/core'
import { FieldTitle } from '../../parts/field-title.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { ValueHelp } from '../../parts/value-help.tsx'
import { sourceOf } from '../../service/legal-values.ts'
import type { FieldInfo } from '../../service/metadata.ts'
import classes from './edit.module.css'

/** Shorter texts are names and codes. */
const ONE_LINE_LENGTH = 255

interface FieldInputProps {
  readonly field: FieldInfo
  readonly value: string
  /** What the service finds wrong with it. */
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

export function FieldInput({ field, value, error, onChange }: FieldInputProps) {
  const required = field.schema['x-erp-required'] === true
  const label = <FieldTitle title={field.titles.at(-1) ?? ''} path={field.path} />
  if (field.kind === 'boolean') {
    return (
      <Checkbox
        size="xs"
        label={label}
        checked={value === 'true'}
        error={error}
        className={classes.check}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    )
  }
  const { schema } = field
  const source = sourceOf(field)
  if (source) return <ValueHelp {...{ source, label, required, value, error, onChange }} />
  if (field.kind === 'text') {
    const isLong = (schema.maxLength ?? 0) > ONE_LINE_LENGTH
    return <TextField {...{ label, required, value, error, isLong, onChange }} description={schema.description} />
  }
  return (
    <TextInput
      size="xs"
      label={label}
      required={required}
      description={schema.description}
      value={value}
      error={error}
      inputMode={field.kind === 'date-time' ? 'text' : 'decimal'}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
