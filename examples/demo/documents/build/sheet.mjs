// A price list for a spreadsheet, written by hand: one sheet, no formulas. The same bytes each time.
import { strToU8 } from 'fflate'
import { zipped } from './zip.mjs'

const FONT = 'Calibri'
const COLOUR = '0B4F6C'

/** A spreadsheet of one page: rows of text and numbers, the first one bold; `widths` in characters. */
export function sheetOf({ name, title, author, date, widths, rows }) {
  const columns = widths
    .map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  const body = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((cell, i) => cellOf(cell, `${'ABCDEFGH'[i]}${row + 1}`, row === 0)).join('')}</row>`,
  )
  const freeze =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
  return zipped({
    '[Content_Types].xml': part(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>',
    ),
    '_rels/.rels': relations([
      ['officeDocument/2006/relationships/officeDocument', 'xl/workbook.xml'],
      ['package/2006/relationships/metadata/core-properties', 'docProps/core.xml'],
    ]),
    'docProps/core.xml': part(
      `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escaped(title)}</dc:title><dc:creator>${author}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${date}T09:00:00Z</dcterms:created></cp:coreProperties>`,
    ),
    'xl/workbook.xml': part(
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}officeDocument/2006/relationships"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relations([
      ['officeDocument/2006/relationships/worksheet', 'worksheets/sheet1.xml'],
      ['officeDocument/2006/relationships/styles', 'styles.xml'],
    ]),
    'xl/styles.xml': part(
      `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="${FONT}"/></font><font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="${FONT}"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF${COLOUR}"/></patternFill></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" fillId="2" applyFont="1" applyFill="1"/><xf numFmtId="4" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ),
    'xl/worksheets/sheet1.xml': part(
      `<worksheet xmlns="${MAIN}">${freeze}<cols>${columns}</cols><sheetData>${body.join('')}</sheetData><pageSetup paperSize="9" orientation="landscape"/></worksheet>`,
    ),
  })
}

const OFFICE = 'http://schemas.openxmlformats.org/'
const MAIN = `${OFFICE}spreadsheetml/2006/main`

function cellOf(cell, place, head) {
  if (typeof cell === 'number') return `<c r="${place}" s="2"><v>${cell}</v></c>`
  return `<c r="${place}" t="inlineStr" s="${head ? 1 : 0}"><is><t>${escaped(cell)}</t></is></c>`
}

function relations(list) {
  const lines = list.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}${type}" Target="${target}"/>`,
  )
  return part(`<Relationships xmlns="${OFFICE}package/2006/relationships">${lines.join('')}</Relationships>`)
}

function part(xml) {
  return strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`)
}

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}
