// A contract on A4 pages: the parties, numbered clauses, tables, and lines to sign on.
import { facesOf, foot, letterhead } from './letterheads.mjs'
import { A4, GREY, INK, pdfOf, put, RULE, rule } from './paper.mjs'
import { handwrite, signature } from './pen.mjs'
import { day, wordsOf } from './words.mjs'

const LEFT = 50
const WIDTH = A4.width - 2 * LEFT
const TOP = 64
const BOTTOM = A4.height - 78
const BODY = 10

const between = {
  en: { number: 'Agreement', of: 'of', parties: 'between', signed: 'Place and date', name: 'Name in capitals' },
  no: { number: 'Avtale', of: 'av', parties: 'mellom', signed: 'Sted og dato', name: 'Navn med blokkbokstaver' },
  sv: { number: 'Avtal', of: 'av', parties: 'mellan', signed: 'Ort och datum', name: 'Namnförtydligande' },
}

/** The PDF of a contract; the first party's letterhead is on its first page. */
export function contractPdf(contract) {
  const { title, date, parties, language } = contract
  return pdfOf({ title: `${title} ${contract.number}`, author: parties[0].company.name, date }, (doc) => {
    const sheet = { doc, contract, face: facesOf(parties[0].company), y: 0 }
    letterhead(doc, parties[0].company)
    titleBlock(sheet)
    contract.clauses.forEach((clause, i) => {
      clauseBlock(sheet, clause, i + 1)
    })
    signatures(sheet)
    if (contract.annex) floorPlan(sheet)
    number(doc, parties[0].company, wordsOf(language))
  })
}

function titleBlock(sheet) {
  const { doc, contract, face } = sheet
  const { language, parties } = contract
  const words = between[language]
  sheet.y = put(doc, contract.title, LEFT, 126, {
    font: face.bold,
    size: 20,
    width: WIDTH,
    colour: parties[0].company.colour,
  })
  const line = `${words.number} ${contract.number} ${words.of} ${day(language, contract.date)}`
  sheet.y = put(doc, line, LEFT, sheet.y + 4, { font: face.plain, size: 9.5, colour: GREY, width: WIDTH }) + 16
  sheet.y = put(doc, words.parties, LEFT, sheet.y, { font: face.plain, size: 9, colour: GREY, width: WIDTH }) + 5
  const ends = parties.map((party, i) => partyBlock(sheet, party, LEFT + i * (WIDTH / 2 + 8), sheet.y))
  sheet.y = Math.max(...ends) + 20
}

function partyBlock({ doc, contract, face }, { company, role, by }, x, y) {
  const width = WIDTH / 2 - 8
  const { registration } = wordsOf(contract.language)
  rule(doc, x, y, width, company.colour, 1)
  const lines = [
    company.street,
    company.place,
    company.registration && `${registration} ${company.registration}`,
    by,
  ].filter(Boolean)
  const below = put(doc, company.name, x, y + 7, { font: face.bold, size: 10.5, width })
  const end = put(doc, lines.join('\n'), x, below + 2, { font: face.plain, size: 9, width, lineGap: 1.5 })
  return put(doc, role, x, end + 2, { font: 'Helvetica-Oblique', size: 9, colour: GREY, width })
}

function clauseBlock(sheet, { heading, body }, position) {
  const { doc, face } = sheet
  room(sheet, 60)
  sheet.y = put(doc, `${position}   ${heading}`, LEFT, sheet.y, { font: face.bold, size: 11, width: WIDTH }) + 4
  let part = 0
  for (const block of body) {
    if (typeof block === 'string') paragraph(sheet, `${position}.${++part}`, block)
    else table(sheet, block)
  }
  sheet.y += 8
}

function paragraph(sheet, label, text) {
  const { doc, face } = sheet
  const unbroken = text.replace(/(\d) (?=\d{3}\b)/g, '$1\u00a0').replace(/(Annex|punkt|clause) (?=\w)/g, '$1\u00a0')
  const style = { font: face.plain, size: BODY, width: WIDTH - 30, lineGap: 2 }
  doc.font(style.font).fontSize(style.size)
  room(sheet, doc.heightOfString(unbroken, style))
  put(doc, label, LEFT, sheet.y, { font: face.plain, size: BODY, colour: GREY })
  sheet.y = put(doc, unbroken, LEFT + 30, sheet.y, style) + 4
}

/** Rows of cells; the first row is the head, the last column stands to the right. */
function table(sheet, rows) {
  const { doc, face } = sheet
  const columns = rows[0].length
  const last = 110
  const each = (WIDTH - 30 - last) / (columns - 1)
  room(sheet, rows.length * 17 + 6)
  rows.forEach((row, i) => {
    const font = i === 0 ? face.bold : face.plain
    row.forEach((cell, column) => {
      const right = column === columns - 1
      const x = LEFT + 30 + column * each
      put(doc, cell, x, sheet.y + 4, {
        font,
        size: 8.8,
        width: right ? last : each - 6,
        align: right ? 'right' : 'left',
      })
    })
    sheet.y += 17
    rule(doc, LEFT + 30, sheet.y, WIDTH - 30, i === 0 ? INK : RULE)
  })
  sheet.y += 8
}

function signatures(sheet) {
  const { doc, contract, face } = sheet
  const words = between[contract.language]
  room(sheet, 150)
  sheet.y += 18
  contract.parties.forEach(({ company, signs }, i) => {
    const x = LEFT + i * (WIDTH / 2 + 8)
    const width = WIDTH / 2 - 8
    put(doc, company.name, x, sheet.y, { font: face.bold, size: 9.5, width })
    rule(doc, x, sheet.y + 46, width, INK)
    put(doc, words.signed, x, sheet.y + 50, { font: face.plain, size: 7.5, colour: GREY })
    rule(doc, x, sheet.y + 96, width, INK)
    put(doc, signs, x, sheet.y + 100, { font: face.plain, size: 8.5, width })
    if (contract.signed) signOn(doc, contract.signed[i], x, sheet.y)
  })
}

function signOn(doc, { place, seed }, x, y) {
  handwrite(doc, place, x + 8, y + 26)
  signature(doc, x + 20, y + 88, seed)
}

/** An annex below the signatures: rooms as rectangles, their sides in metres, 8 points each. */
function floorPlan({ doc, contract, face, y }) {
  const base = y + 160
  put(doc, contract.annex.title, LEFT, base, { font: face.bold, size: 14 })
  for (const floor of contract.annex.floors) {
    const top = base + floor.top
    put(doc, floor.name, LEFT, top - 16, { font: face.plain, size: 9, colour: GREY })
    for (const [name, left, above, width, height] of floor.rooms) {
      doc
        .rect(LEFT + left * 8, top + above * 8, width * 8, height * 8)
        .lineWidth(1.5)
        .fillAndStroke('#f4f6f7', INK)
      put(doc, name, LEFT + left * 8, top + (above + height / 2) * 8 - 5, {
        font: face.plain,
        size: 8.5,
        width: width * 8,
        align: 'center',
      })
    }
  }
}

/** Goes on at the next page where the rest of this one is too short. */
function room(sheet, height) {
  if (sheet.y + height <= BOTTOM) return
  sheet.doc.addPage()
  sheet.y = TOP
}

function number(doc, company, words) {
  const { count } = doc.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page)
    foot(doc, company, words, `${words.page} ${page + 1} / ${count}`)
  }
}
