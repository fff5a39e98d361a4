// How a spreadsheet of a language expects CSV: where the decimal sign is a comma, cells end at a semicolon.
import { preferencesIn } from '../preferences.ts'

export interface SpreadsheetStyle {
  readonly separator: ',' | ';'
  readonly decimal: '.' | ','
}

/** `language`: a language tag, or a list of them as `Accept-Language` has it. */
export function spreadsheetStyle(language: string): SpreadsheetStyle {
  const [first] = preferencesIn(language)
  return hasDecimalComma(first?.name ?? '') ? { separator: ';', decimal: ',' } : { separator: ',', decimal: '.' }
}

/** The longest language tags have 35 characters (RFC 5646, 4.4.1). */
const MAX_TAG = 35

function hasDecimalComma(tag: string): boolean {
  try {
    const [supported] = tag.length > MAX_TAG ? [] : Intl.NumberFormat.supportedLocalesOf(tag)
    return supported !== undefined && new Intl.NumberFormat(supported).format(1.5) === '1,5'
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Spreadsheets in Japanese and Chinese take the wide signs for the narrow ones. */
const SIGN = '[=+\\-@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20]'

/** A text that a spreadsheet evaluates (CSV injection), also with the apostrophes of one that is protected. */
const FORMULA = new RegExp(`^'*${SIGN}`)
export const PROTECTED_FORMULA = new RegExp(`^'+${SIGN}`)

/** The text as a cell that no spreadsheet evaluates. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
