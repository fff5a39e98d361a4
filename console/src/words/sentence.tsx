import { Fragment, type ReactNode } from 'react'
import { t } from './words.ts'

/** Stands around the name of an element while the sentence is put together: no text of a record may pass for one. */
const MARK = '\u0000'

/** A text in the language of the reader (`t`) in which values may be elements, such as links and texts of records. */
export function sentence(english: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const marked = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : `${MARK}${name}${MARK}`,
  ])
  const parts = t(english, Object.fromEntries(marked)).split(MARK)
  return parts.map((part, place) => (
    // Every second part is a name.
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have a place and nothing else
    <Fragment key={place}>{place % 2 === 0 ? part : values[part]}</Fragment>
  ))
}
