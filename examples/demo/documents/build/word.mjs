// Minutes and letters for Word. The same bytes each time.
import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import { strFromU8, strToU8, unzipSync } from 'fflate'
import { zipped } from './zip.mjs'

const FONT = 'Calibri'
const COLOUR = '0B4F6C'
/** Between the margins of A4, in twentieths of a point. */
const TEXT_WIDTH = 9026
const BARE = Object.fromEntries(
  ['top', 'bottom', 'left', 'right'].map((side) => [side, { style: BorderStyle.NONE, size: 0, color: 'auto' }]),
)

/** A Word file of a letterhead, a title, facts in two columns, and blocks: text, { heading }, { list } or { table } with the widths of its columns in percent. */
export async function wordOf({ company, title, facts, blocks, date }) {
  const children = [
    line(company.name, { bold: true, size: 28, color: COLOUR }, 0),
    line(`${company.street}, ${company.place}`, { size: 17, color: '667078' }, 360),
    line(title, { size: 36, color: COLOUR }, 160),
    grid(facts, [20, 80], true),
    line('', {}, 60),
    ...blocks.flatMap(blockOf),
  ]
  const footer = new Footer({
    children: [
      line(
        `${company.name}  ·  ${company.phone}  ·  ${company.email}`,
        { size: 15, color: '667078' },
        0,
        AlignmentType.CENTER,
      ),
    ],
  })
  const styles = { default: { document: { run: { font: FONT, size: 22 } } } }
  const document = new Document({
    creator: company.name,
    lastModifiedBy: company.name,
    title,
    styles,
    sections: [{ footers: { default: footer }, children }],
  })
  return dated(await Packer.toBuffer(document), date)
}

function blockOf(block) {
  if (typeof block === 'string') return [line(block, {}, 140)]
  if (block.heading) return [line(block.heading, { bold: true, size: 25, color: COLOUR }, 80, undefined, 260)]
  if (block.list)
    return block.list.map(
      (text) => new Paragraph({ bullet: { level: 0 }, spacing: { after: 60 }, children: [new TextRun(text)] }),
    )
  return [grid(block.table, block.widths, false), line('', {}, 80)]
}

function line(text, run, after, alignment, before = 0) {
  return new Paragraph({ alignment, spacing: { before, after }, children: [new TextRun({ text, ...run })] })
}

/** Cells in rows. A bare grid has labels in its first column and no lines, another one a head. */
function grid(rows, widths, bare) {
  const columnWidths = widths.map((percent) => Math.round((TEXT_WIDTH * percent) / 100))
  const cell = (text, row, column) => {
    const bold = bare ? column === 0 : row === 0
    return new TableCell({
      ...(bare ? { borders: BARE } : { margins: { left: 80, right: 80, top: 40, bottom: 40 } }),
      ...(row === 0 && !bare ? { shading: { fill: 'E6EDF0' } } : {}),
      width: { size: columnWidths[column], type: WidthType.DXA },
      children: [new Paragraph({ children: [new TextRun({ text, bold, size: 21 })] })],
    })
  }
  const lines = rows.map(
    (cells, row) => new TableRow({ children: cells.map((text, column) => cell(text, row, column)) }),
  )
  return new Table({ width: { size: TEXT_WIDTH, type: WidthType.DXA }, columnWidths, rows: lines })
}

/** The same file with the day of the paper instead of the moment of its making. */
function dated(file, date) {
  const parts = unzipSync(new Uint8Array(file))
  const core = strFromU8(parts['docProps/core.xml']).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, `${date}T09:00:00Z`)
  return zipped({ ...parts, 'docProps/core.xml': strToU8(core) })
}
