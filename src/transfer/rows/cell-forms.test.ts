import { describe, expect, it } from 'vitest'
import { CellError, type CellForms, readCell } from './cell-forms.ts'

const PLAIN_FORMS: CellForms = { decimal: undefined, isPointDoubtful: false, days: undefined }
const COMMA: CellForms = { decimal: 'comma', isPointDoubtful: true, days: 'dd/mm/yyyy' }
const POINT: CellForms = { decimal: 'point', isPointDoubtful: true, days: 'mm/dd/yyyy' }
const UNTOLD: CellForms = { decimal: undefined, isPointDoubtful: true, days: undefined }

describe('a number of a spreadsheet', () => {
  it.each([
    ['12500,50', COMMA, '12500.50'],
    ['12.500,50', COMMA, '12500.50'],
    ['1.234.567', COMMA, '1234567'],
    ['12 500,50', COMMA, '12500.50'],
    ['12\u00a0500,50', COMMA, '12500.50'],
    ['12\u202f500', COMMA, '12500'],
    ['\u22125,5', COMMA, '-5.5'],
    [' 1,5E+05 ', COMMA, '1.5E+05'],
    ['1.234', COMMA, '1234'],
    ['12,500.50', POINT, '12500.50'],
    ["12'500.50", POINT, '12500.50'],
    ['12,500', POINT, '12500'],
    ['+12.5', POINT, '12.5'],
    ['1.234', POINT, '1.234'],
    ['1.234', PLAIN_FORMS, '1.234'],
    ['12.5', UNTOLD, '12.5'],
    ['12,5', UNTOLD, '12.5'],
    ['1.234,5', UNTOLD, '1234.5'],
    ['0,125', UNTOLD, '0.125'],
    ['.5', PLAIN_FORMS, '0.5'],
    ['-.5', UNTOLD, '-0.5'],
    [',5', COMMA, '0.5'],
    [',5', UNTOLD, '0.5'],
    ['1234.50-', PLAIN_FORMS, '-1234.50'],
    ['1.234,50 -', UNTOLD, '-1234.50'],
    ['(1.5)', PLAIN_FORMS, '-1.5'],
    ['( 1.234,5 )', COMMA, '-1234.5'],
    ['(12)', COMMA, '-12'],
    ['(-1.5)', PLAIN_FORMS, '(-1.5)'],
    ['-1.5-', PLAIN_FORMS, '-1.5-'],
    ['()', PLAIN_FORMS, '()'],
    ['12,34,567', POINT, '12,34,567'],
    ['1.2.3', COMMA, '1.2.3'],
    ['ten', COMMA, 'ten'],
  ])('%s is read as a number that can be meant only so', (cell, forms, text) => {
    expect(readCell(cell, 'number', forms)).toBe(text)
  })

  it.each([
    ['12,500', UNTOLD, "'12,500' has a decimal sign or grouped digits: decimal=comma or decimal=point says which"],
    ['1.234', UNTOLD, "'1.234' has a decimal sign or grouped digits: decimal=comma or decimal=point says which"],
    ['12,500', PLAIN_FORMS, "'12,500' has a decimal sign or grouped digits: decimal=comma or decimal=point says which"],
    ['12.5', COMMA, "'12.5' has no decimal comma, as the other numbers have (decimal=comma)"],
    ['12,5', POINT, "'12,5' has no decimal point, as the other numbers have (decimal=point)"],
  ])('%s is refused with the option that decides', (cell, forms, message) => {
    expect(() => readCell(cell, 'decimal', forms)).toThrow(new CellError(message))
  })
})

describe('a date of a spreadsheet', () => {
  it.each([
    ['2026-01-31', UNTOLD, '2026-01-31'],
    ['2026-01-31T10:00:00Z', UNTOLD, '2026-01-31T10:00:00Z'],
    ['2026-01-31 10:05:00', UNTOLD, '2026-01-31T10:05:00.0'],
    ['2026/1/31', UNTOLD, '2026-01-31'],
    ['31.12.2027', UNTOLD, '2027-12-31'],
    ['1.2.2026 14:30', UNTOLD, '2026-02-01T14:30:00.0'],
    ['31/12/2027', UNTOLD, '2027-12-31'],
    ['12/31/2027', UNTOLD, '2027-12-31'],
    ['02/02/2026', UNTOLD, '2026-02-02'],
    ['1/2/2026', COMMA, '2026-02-01'],
    ['1-2-2026', COMMA, '2026-02-01'],
    ['1/2/2026 2:30:15 PM', POINT, '2026-01-02T14:30:15.0'],
    ['1/2/2026, 12:00 am', POINT, '2026-01-02T00:00:00.0'],
    ['46388', UNTOLD, '2027-01-01T00:00:00.000Z'],
    ['46388,25', COMMA, '2027-01-01T06:00:00.000Z'],
    ['2958465', UNTOLD, '9999-12-31T00:00:00.000Z'],
    ['9600', UNTOLD, '1926-04-13T00:00:00.000Z'],
    ['20260131', UNTOLD, '2026-01-31'],
    ['2026.01.31', UNTOLD, '2026-01-31'],
    ['31. 1. 2026', UNTOLD, '2026-01-31'],
    ['2026-01-31 10:00:00+02', UNTOLD, '2026-01-31T10:00:00.0+02'],
    ['2026-01-31 10:00:00.123456-0330', UNTOLD, '2026-01-31T10:00:00.123456-0330'],
    ['2026-01-31 10:00:00 +05:30', UNTOLD, '2026-01-31T10:00:00.0+05:30'],
    ['2026-01-31 10:00:00Z', UNTOLD, '2026-01-31T10:00:00.0Z'],
    ['2026-01-31T10:00:00+02', UNTOLD, '2026-01-31T10:00:00+02'],
    ['31.1.2026 10:00z', UNTOLD, '2026-01-31T10:00:00.0Z'],
    ['soon', UNTOLD, 'soon'],
  ])('%s is read as the day that alone can be meant', (cell, forms, text) => {
    expect(readCell(cell, 'date-time', forms)).toBe(text)
  })

  it.each([
    [
      '01/02/2026',
      UNTOLD,
      "'01/02/2026' may have the day or the month first: dates=dd/mm/yyyy or dates=mm/dd/yyyy says which",
    ],
    ['31.12.27', UNTOLD, "'31.12.27' has a year of two digits: write four"],
    ['31.02.2026', UNTOLD, "there is no day '31.02.2026'"],
    ['20260231', UNTOLD, "there is no day '20260231'"],
    ['2958466', UNTOLD, "there is no day '2958466'"],
    ['2026', UNTOLD, "'2026' may be a year or one of Excel's day numbers: write the day"],
    ['12/31/2027', COMMA, "there is no day '12/31/2027' by dates=dd/mm/yyyy"],
  ])('%s is refused with the remedy', (cell, forms, message) => {
    expect(() => readCell(cell, 'date-time', forms)).toThrow(new CellError(message))
  })
})

describe('another cell of a spreadsheet', () => {
  it.each([
    ['TRUE', 'boolean', 'true'],
    ['Falsch', 'boolean', 'false'],
    ['SANN', 'boolean', 'true'],
    ['Ja', 'boolean', 'true'],
    ['nein', 'boolean', 'false'],
    ['1', 'boolean', 'true'],
    ['0', 'boolean', 'false'],
    ['perhaps', 'boolean', 'perhaps'],
    ["'\n=1", 'string', '\n=1'],
    ["'\uff1d1", 'string', '\uff1d1'],
    ['12,5', 'string', '12,5'],
    ["'+47", 'string', '+47'],
  ] as const)('%s is read by its type %s', (cell, type, text) => {
    expect(readCell(cell, type, COMMA)).toBe(text)
  })
})
