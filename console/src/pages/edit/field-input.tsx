import { Checkbox, TextInput } from '@mantine/core'
import { ValueHelp } from '../../parts/value-help.tsx'
import type { FieldInfo } from '../../service/metadata.ts'

interface FieldInputProps {
  readonly field: FieldInfo
  readonly value: string
  /** What the service finds wrong with it. */
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

export function FieldInput({ field, value, error, onChange }: FieldInputProps) {
  const label = field.names.at(-1) ?? field.path
  if (field.kind === 'boolean') {
    return (
      <Checkbox
        size="xs"
        label={label}
        checked={value === 'true'}
        error={error}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
      />
    )
  }
  const { schema } = field
  const list = schema['x-erp-valueList']?.valueList
  const attributeId = schema['x-erp-attribute']?.attributeId
  if (list !== undefined || attributeId !== undefined) {
    return <ValueHelp source={{ list, attributeId }} label={label} value={value} error={error} onChange={onChange} />
  }
  return (
    <TextInput
      size="xs"
      label={label}
      description={schema.description}
      value={value}
      error={error}
      inputMode={field.kind === 'text' || field.kind === 'date-time' ? 'text' : 'decimal'}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
