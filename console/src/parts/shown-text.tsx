// Texts of records are shown as what they are: each in a direction of its own, with what cannot be seen made visible.
import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { t } from '../words/words.ts'

const SHOWN_LENGTH = 400

/** Control characters, marks of direction, and others that take no room. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu
const ALLOWED: readonly string[] = ['\n', '\t', '\u200c', '\u200d', '\u00ad', '\ufe0f']

export const shownText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(UNSEEN, (character) =>
      ALLOWED.includes(character)
        ? character
        : `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0').toUpperCase()}}`,
    )

/** A text of a record; the rest of a long one on demand. */
export function ShownText({ text, length = SHOWN_LENGTH }: ShownTextProps) {
  // Grids draw hundreds of short ones in a frame.
  return text.length > length ? <LongText key={text} text={text} length={length} /> : <bdi>{shownText(text)}</bdi>
}

interface ShownTextProps {
  readonly text: string
  readonly length?: number
}

function LongText({ text, length }: Required<ShownTextProps>) {
  const [isWhole, showWhole] = useState(false)
  return (
    <>
      <bdi>{shownText(isWhole ? text : text.slice(0, length))}</bdi>
      {!isWhole && (
        <>
          {'… '}
          <Anchor component="button" type="button" size="sm" onClick={() => showWhole(true)}>
            {t('all {{count}} characters', { count: text.length })}
          </Anchor>
        </>
      )}
    </>
  )
}
