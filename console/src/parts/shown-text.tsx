// Texts of records are shown as what they are: each in a direction of its own, with what cannot be seen made visible.
import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { t } from '../words/words.ts'
import { withLineFeeds } from './line-ends.ts'

const SHOWN_LENGTH = 400

/** Control characters, marks of direction, and others that take no room. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu
const ALLOWED: readonly string[] = ['\n', '\t', '\u200c', '\u200d', '\u00ad', '\ufe0f']

export const shownText = (text: string): string =>
  withLineFeeds(text).replace(UNSEEN, (character) =>
    ALLOWED.includes(character)
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0').toUpperCase()}}`,
  )

/** Letters of scripts that are written from right to left. */
const TO_THE_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A text of a record; the rest of a long one on demand. */
export function ShownText({ text, length = SHOWN_LENGTH, isInCell = false }: ShownTextProps) {
  if (text.length > length) return <LongText key={text} text={text} length={length} />
  // Grids draw hundreds in a frame: an element for each is a third of its work.
  return isInCell && !TO_THE_LEFT.test(text) ? shownText(text) : <bdi>{shownText(text)}</bdi>
}

interface ShownTextProps {
  readonly text: string
  readonly length?: number
  /** It has a box of its own, one line high. */
  readonly isInCell?: boolean
}

function LongText({ text, length }: Required<Pick<ShownTextProps, 'text' | 'length'>>) {
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
