// Texts that a spreadsheet evaluates as formulas (CSV injection), unless an apostrophe precedes them. Spreadsheets in
// Japanese and Chinese take the wide signs for the narrow ones.

const SIGN = '[=+\\-@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20]'

/** With the apostrophes of one that is protected. */
const FORMULA = new RegExp(`^'*${SIGN}`)
export const PROTECTED_FORMULA = new RegExp(`^'+${SIGN}`)

/** The text as a cell that no spreadsheet evaluates. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
