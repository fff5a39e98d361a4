// The value of an index of a document: its code, with the words that were found marked, and its text.
import { Text } from '@mantine/core'
import { MarkedText } from './marked-text.tsx'

interface IndexValueProps {
  readonly value: string
  /** Undefined where the value has none. */
  readonly text: string | undefined
  readonly search: string
}

export function IndexValue({ value, text = '', search }: IndexValueProps) {
  return (
    <>
      <MarkedText text={value} search={search} />
      {text !== '' && text !== value && (
        <Text span inherit c="dimmed">
          {' '}
          <bdi>{text}</bdi>
        </Text>
      )}
    </>
  )
}
