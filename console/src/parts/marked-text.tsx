import { Text } from '@mantine/core'
import { partsOf } from '../service/search-words.ts'
import { dateText } from './field-value.tsx'
import { shownText } from './shown-text.tsx'

/** A text of a record with the words that were searched for marked. */
export function MarkedText({ text, search }: { readonly text: string; readonly search: string }) {
  return (
    <bdi>
      {partsOf(shownText(text), search).map((part, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have a place and nothing else
        part.isHit ? <mark key={place}>{part.text}</mark> : part.text,
      )}
    </bdi>
  )
}

// The value of an index of a document: its code, with the words that were found marked, and its text.

const DAY = /^\d{4}-\d\d-\d\d$/

interface IndexValueProps {
  readonly value: string
  /** Undefined where the value has none. */
  readonly text: string | undefined
  readonly search: string
}

export function IndexValue({ value, text = '', search }: IndexValueProps) {
  return (
    <>
      <MarkedText text={DAY.test(value) ? dateText(value) : value} search={search} />
      {text !== '' && text !== value && (
        <Text span inherit c="dimmed">
          {' '}
          <bdi>{text}</bdi>
        </Text>
      )}
    </>
  )
}
