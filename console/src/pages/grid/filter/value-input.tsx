// Where a value of a condition is given: a choice, a code with what it means, a day, a number or a text.
import { NativeSelect, TextInput } from '@mantine/core'
import { CodeInput } from '../../../parts/code-input.tsx'
import { sourceOf } from '../../../service/legal-values.ts'
import { t } from '../../../words/words.ts'
import type { Column } from '../list-columns.ts'

interface ValueInputProps {
  readonly column: Column
  readonly label: string
  /** As it is typed. */
  readonly value: string
  readonly error?: string | undefined
  readonly onChange: (value: string) => void
  /** By Enter, where a value is one of several. */
  readonly onEnter?: () => void
}

export function ValueInput({ column, label, value, error, onChange, onEnter }: ValueInputProps) {
  const source = sourceOf(column)
  const shared = { size: 'xs', label, value, error, 'data-autofocus': true, autoComplete: 'off' } as const
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' || !onEnter || value === '') return
    event.preventDefault()
    onEnter()
  }
  if (column.kind === 'boolean') {
    return (
      <NativeSelect
        {...shared}
        data={[
          { value: 'true', label: t('Yes') },
          { value: 'false', label: t('No') },
        ]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  if (source) return <CodeInput {...shared} source={source} onChange={onChange} onKeyDown={onKeyDown} />
  return (
    <TextInput
      {...shared}
      type={column.kind === 'date-time' ? 'date' : 'text'}
      inputMode={column.kind === 'text' || column.kind === 'date-time' ? undefined : 'decimal'}
      onKeyDown={onKeyDown}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
