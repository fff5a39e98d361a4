// Values with blanks: new ones are refused without a pattern, and what is stored stays legal (decision 2.3).

export const hasBlank = (value: string): boolean => /\s/.test(value)

/** The row of a free text of attribute C6 of the fixture. */
export function storedPlace(value: string) {
  return {
    company_id: 'EN',
    attribute_id: 'C6',
    attribute_value: value,
    period_from: 0,
    period_to: 209912,
    status: 'N',
  }
}
