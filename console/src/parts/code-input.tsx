// A code with what it may be: others may be typed, and the service judges.
import { Autocomplete, type AutocompleteProps, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useOffers, type ValueSource } from '../service/legal-values.ts'

const PAUSE_MS = 200

interface CodeInputProps extends Omit<AutocompleteProps, 'value' | 'onChange' | 'data'> {
  readonly source: ValueSource
  readonly value: string
  readonly onChange: (value: string) => void
  /** Whether `value` is what somebody has typed already, and not what the field was filled with. */
  readonly isTyped?: boolean
}

export function CodeInput({ source, value, onChange, isTyped = false, ...rest }: CodeInputProps) {
  const [isOpen, setOpen] = useState(rest.defaultDropdownOpened ?? false)
  const [hasTyped, setTyped] = useState(isTyped)
  const [typed] = useDebouncedValue(value, PAUSE_MS)
  // Who opens a field that is filled looks for another value.
  const offers = useOffers(source, hasTyped ? typed : '', isOpen)
  const names = new Map(offers.map(({ code, name }) => [code, name]))
  const { words = '' } = source
  const codes = [...names.keys()]
  return (
    <Autocomplete
      size="xs"
      value={value}
      data={words === '' || codes.length === 0 ? codes : [{ group: words, items: codes }]}
      // A click, a letter or an arrow opens it: a form begins in a field, and is not hidden by it.
      openOnFocus={false}
      filter={({ options }) => options}
      onChange={(next) => {
        setTyped(true)
        onChange(next)
      }}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setTyped(false)}
      comboboxProps={{ withinPortal: false }}
      // The list itself scrolls: the keys of the input lead through it.
      withScrollArea={false}
      styles={{ options: { maxHeight: 240, overflowY: 'auto' } }}
      // Browsers lead Tab into what scrolls, and not past it.
      attributes={{ options: { tabIndex: -1 } }}
      renderOption={({ option }) => (
        <span>
          <bdi>{option.value}</bdi>{' '}
          <Text span inherit c="dimmed">
            <bdi>{names.get(option.value)}</bdi>
          </Text>
        </span>
      )}
      {...rest}
    />
  )
}
