import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { dayText, NoSpreadsheet, plainDigits, readWorkbook } from './xlsx.ts'

const part = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`)

function workbook(sheet: string, properties = ''): Uint8Array {
  return zipSync({
    'xl/workbook.xml': part(
      `<workbook xmlns:r="r">${properties}<sheets><sheet name="Kunder" r:id="r1"/><sheet name="B" r:id="r2"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': part(
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    ),
    'xl/sharedStrings.xml': part(
      '<sst><si><t>Name</t></si><si><r><t>B\u00e6k</t></r><r><t>ken</t></r><rPh><t>ignored</t></rPh></si></sst>',
    ),
    'xl/styles.xml': part(
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d. mmm"/><numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    ),
    'xl/worksheets/sheet1.xml': part(`<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
    'xl/worksheets/sheet2.xml': part('<worksheet><sheetData/></worksheet>'),
  })
}

it('reads texts, numbers, days and truth values as they are shown, with gaps', () => {
  const book = readWorkbook(
    workbook(
      `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>In line</t></is></c></row><row r="2"/>
       <row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><v>0.30000000000000004</v></c><c r="C3" s="1"><v>46053</v></c>
         <c r="D3" s="2"><v>46053.5</v></c><c r="E3" s="3"><v>2.5</v></c><c r="F3" t="b"><v>1</v></c>
         <c r="G3" t="str"><f>A1</f><v>made</v></c><c r="AA3" t="e"><v>#N/A</v></c></row>`,
    ),
  )
  expect(book.sheets).toEqual(['Kunder', 'B'])
  expect(book.rowsOf('Kunder')).toEqual([
    ['Name', '', 'In line'],
    ['B\u00e6kken', '0.3', '2026-01-31', '2026-01-31T12:00:00', '2.5', 'true', 'made', ...Array(19).fill(''), '#N/A'],
  ])
  expect(book.rowsOf('B')).toEqual([])
})

it('counts days from 1900, with its 29 February, or from 1904', () => {
  expect([1, 59, 61, 46_053, 0.25].map((days) => dayText(days, false))).toEqual([
    '1900-01-01',
    '1900-02-28',
    '1900-03-01',
    '2026-01-31',
    '06:00:00',
  ])
  expect(dayText(44_591, true)).toBe('2026-01-31')
  const dated = workbook('<row><c s="1"><v>44591</v></c></row>', '<workbookPr date1904="1"/>')
  expect(readWorkbook(dated).rowsOf('Kunder')).toEqual([['2026-01-31']])
})

it('writes numbers without exponents', () => {
  expect([1e-7, 1.5, 123_456_789_012.34, -0.1].map(plainDigits)).toEqual([
    '0.0000001',
    '1.5',
    '123456789012.34',
    '-0.1',
  ])
})

it('refuses what is no spreadsheet, or unpacks to more than a person has written', () => {
  const bomb = zipSync({ 'xl/workbook.xml': part('<workbook/>') })
  // In the list of files at the end: what it unpacks to.
  new DataView(bomb.buffer).setUint32(
    new TextDecoder('latin1').decode(bomb).indexOf('PK\u0001\u0002') + 24,
    65 * 1024 * 1024,
    true,
  )
  const wide = readWorkbook(workbook('<row><c r="ZZZZ1"><v>1</v></c></row>'))
  for (const open of [
    () => readWorkbook(strToU8('PK no zip')),
    () => readWorkbook(zipSync({ 'a.txt': strToU8('a') })),
    () => readWorkbook(bomb),
    () => readWorkbook(zipSync({ 'xl/workbook.xml': part('<!DOCTYPE a><workbook/>') })),
    () => wide.rowsOf('Kunder'),
  ])
    expect(open).toThrow(NoSpreadsheet)
})
