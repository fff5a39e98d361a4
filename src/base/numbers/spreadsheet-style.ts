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
