import { partsOf } from '../service/search-words.ts'
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
