// Extracts the text of JSON and lines of JSON, with the characters that escapes stand for.
import type { GatheredText } from './gathered-text.ts'
import { decodeText } from './plain-text.ts'

/** A complete escape, or the beginning of one at the end of the text. */
const ESCAPE = /\\(?:u([\da-f]{4})|([^u])|u?[\da-f]{0,3}$)/gis
/** White space and controls. */
const BLANKS = 'nrtbf'

/** Adds the text of a file, whether it is well formed or not. */
export function readJson(content: Buffer, text: GatheredText): void {
  let begun = ''
  for (const part of decodeText(content)) {
    const given = begun + part
    begun = ''
    text.add(
      given.replace(ESCAPE, (found, digits?: string, letter?: string) => {
        if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
        if (letter !== undefined) return BLANKS.includes(letter) ? ' ' : letter
        begun = found
        return ''
      }),
    )
    if (text.isFull) return
  }
}
