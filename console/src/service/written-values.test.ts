import { expect, it } from 'vitest'
import { amountPlaces, dateText, numberText, timeText } from '../parts/field-value.tsx'
import { plainDay, plainNumberOfSheet, writingOf } from './written-values.ts'

/** The plain form of a moment in the zone of this machine. */
function utc(local: string): string {
  return new Date(local).toISOString().slice(0, local.length)
}

it.each([
  ['de-DE', '1.234', '1234'],
  ['de-DE', '1.234,50', '1234.50'],
  ['de-DE', '12,5', '12.5'],
  ['de-DE', '12.5', '12.5'],
  ['de-DE', '0.125', '0.125'],
  ['nb-NO', '1\u00a0234\u00a0567,5', '1234567.5'],
  ['nb-NO', '\u2212 5', '- 5'],
  ['sv-SE', '\u22125,25', '-5.25'],
  ['de-CH', '1\u2019234.50', '1234.50'],
  ['en-US', '1,234', '1234'],
  ['en-US', '1,234,567.89', '1234567.89'],
  ['en-US', '12,5', '12,5'],
  ['en-US', '0012', '12'],
  ['en-US', '99999999999999.9999', '99999999999999.9999'],
  ['en-US', ' 7 ', '7'],
  ['en-US', 'ten', 'ten'],
])('reads a number as a spreadsheet in %s writes it: %j is %s', (language, text, plain) => {
  expect(plainNumberOfSheet(text, writingOf(language))).toBe(plain)
})

it.each([
  ['de-DE', '31.12.2026', '2026-12-31'],
  ['nb-NO', '1.2.26', '2026-02-01'],
  ['nb-NO', '1.2.96', '1996-02-01'],
  ['en-GB', '03/04/2026', '2026-04-03'],
  ['en-US', '3/4/2026', '2026-03-04'],
  ['en-US', '3/4/2026 9:30', utc('2026-03-04T09:30')],
  ['en-US', '3/4/2026 25:30', undefined],
  ['en-GB', '03/04/2026, 09:30:05', utc('2026-04-03T09:30:05')],
  ['sv-SE', '2026-03-04', '2026-03-04'],
  ['en-US', '2026-03-04T10:00:00.000', '2026-03-04T10:00:00.000'],
  ['en-US', '2026/3/4', '2026-03-04'],
  ['en-US', '31/12/2026', undefined],
  ['de-DE', '30.02.2026', undefined],
  ['de-DE', '2026-02-30', undefined],
  ['de-DE', '1.2', undefined],
  ['de-DE', 'soon', undefined],
  ['de-DE', '', undefined],
])('reads a day as a spreadsheet in %s writes it: %j is %s', (language, text, plain) => {
  expect(plainDay(text, writingOf(language))).toBe(plain)
})

it.each([
  ['en-GB', '-1234567.5', '-1,234,567.50'],
  ['nb', '1234567.5', '1\u00a0234\u00a0567,50'],
  ['sv', '-1234.5', '\u22121\u00a0234,50'],
  ['de', '1234567.891', '1.234.567,891'],
  ['de', '1234567890123456789.01', '1.234.567.890.123.456.789,01'],
  ['de', '1e+21', '1e+21'],
  ['de', 'zwei', 'zwei'],
])('writes an amount as %s does, with all of its digits: %s is %s', (language, text, shown) => {
  expect(numberText(text, language, amountPlaces([text]))).toBe(shown)
  if (shown !== text) expect(plainNumberOfSheet(shown, writingOf(language))).toMatch(new RegExp(`^${text}0?$`))
})

it.each([
  ['en-GB', '31/01/2026', '31/01/2026, 09:30:05'],
  ['nb', '31.01.2026', '31.01.2026, 09:30:05'],
  ['sv', '2026-01-31', '2026-01-31 09:30:05'],
  ['de', '31.01.2026', '31.01.2026, 09:30:05'],
])('writes days and moments as %s does: %s and %s', (language, day, moment) => {
  expect(dateText('2026-01-31T00:00:00.000', language)).toBe(day)
  expect(plainDay(day, writingOf(language))).toBe('2026-01-31')
  const plain = utc('2026-01-31T09:30:05')
  expect(dateText(`${plain}.123Z`, language)).toBe(moment)
  expect(timeText(`${plain}Z`, language)).toBe(moment)
  expect(plainDay(moment, writingOf(language))).toBe(plain)
  expect(dateText('soon', language)).toBe('soon')
  expect(timeText('2026-01-31T00:00:00Z', language)).not.toBe(day)
})

it('writes amounts of a column with as many places as one of them has, two at least', () => {
  expect(amountPlaces(['1', '-0.5', ''])).toBe(2)
  expect(amountPlaces(['1', '-0.125', '12.5'])).toBe(3)
  expect(numberText('2', 'de', amountPlaces(['1.125', '0.875']))).toBe('2,000')
})

it('writes whole numbers without places', () => {
  expect(numberText('1234', 'de')).toBe('1.234')
})
