// The fields that a new person and a new client have alike.
import { NativeSelect, TextInput } from '@mantine/core'
import type { People } from '../../service/administration.ts'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** What a person or a client signs in with, beside the secret. */
export function IdField({ label, description, value, onChange }: FieldProps & { readonly description: string }) {
  return (
    <TextInput
      size="sm"
      label={label}
      description={description}
      required
      maxLength={100}
      pattern="[^:\/]+"
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** Where requests act that name no company; nothing to choose where there is one. */
export function CompanyField({ companies, label, value, onChange }: FieldProps & Pick<People, 'companies'>) {
  if (companies.length <= 1) return null
  return (
    <NativeSelect
      size="sm"
      label={label}
      value={value}
      data={companies.map((one) => ({ value: one.id, label: one.name }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
