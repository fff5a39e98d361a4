import { TextInput } from '@mantine/core'
import { ValueHelp } from '../../parts/value-help.tsx'
import type { DocumentIndexType } from '../../service/archive.ts'

type Values = ReadonlyMap<number, string>

interface IndexInputsProps {
  readonly indexes: readonly DocumentIndexType[]
  /** By the numbers of the indexes. */
  readonly values: Values
  readonly onChange: (values: Values) => void
}

/** What a document of a type is filed by. */
export function IndexInputs({ indexes, values, onChange }: IndexInputsProps) {
  return indexes.map(({ sequenceNo, name, required, maxLength, attributeId }) => {
    const value = values.get(sequenceNo) ?? ''
    const change = (text: string) => onChange(new Map(values).set(sequenceNo, text))
    return attributeId === '' ? (
      <TextInput
        key={sequenceNo}
        label={name}
        required={required}
        maxLength={maxLength}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    ) : (
      <ValueHelp
        key={sequenceNo}
        source={{ attributeId }}
        label={name}
        required={required}
        value={value}
        error={undefined}
        onChange={change}
      />
    )
  })
}
