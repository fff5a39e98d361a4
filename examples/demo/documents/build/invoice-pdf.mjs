// An invoice on one A4 page: letterhead, buyer, lines, totals, tax by rate, and how to pay.
import { dueDate, lineAmount, paymentReference, totalsOf } from './amounts.mjs'
import { customerOf } from './customers.mjs'
import { facesOf, foot, letterhead } from './letterheads.mjs'
import { A4, GREY, INK, pdfOf, put, RULE, rule } from './paper.mjs'
import { companyOf } from './profiles.mjs'
import { day, figure, money, wordsOf } from './words.mjs'

const LEFT = 50
const RIGHT = A4.width - 50
/** Right edges of the columns of numbers; item and text stand on the left. */
const COLUMNS = { quantity: 344, unit: 350, price: 430, discount: 476, amount: RIGHT }
const TEXT = { item: LEFT + 6, text: LEFT + 62 }

/** The PDF of an invoice, in the look of who writes it. */
export function invoicePdf(invoice) {
  const seller = companyOf(invoice.from ?? invoice.company)
  const buyer = invoice.from ? ourselves(invoice) : customerOf(invoice.company, invoice.customer)
  const words = wordsOf(invoice.language)
  const sheet = { invoice, seller, buyer, words, currency: invoice.currency ?? 'NOK', face: facesOf(seller) }
  const title = `${words.invoice} ${invoice.number}`
  return pdfOf({ title, author: seller.name, date: invoice.date }, (doc) => {
    letterhead(doc, seller)
    headline(doc, sheet)
    buyerBlock(doc, sheet)
    facts(doc, sheet)
    const end = linesTable(doc, sheet)
    totalsBlock(doc, sheet, end + 14)
    paymentBox(doc, sheet)
    foot(doc, seller, words)
  })
}

function ourselves({ company, customerNumber }) {
  const { name, street, place } = companyOf(company)
  return { number: customerNumber, name, address: [street, place] }
}

function headline(doc, { seller, words, face }) {
  const [text, font, colour] = face.typed
    ? [words.invoice.toUpperCase(), face.bold, INK]
    : [words.invoice, face.plain, seller.colour]
  put(doc, text, RIGHT - 200, seller.band ? 31 : 40, {
    font,
    size: 26,
    colour: seller.band ? '#ffffff' : colour,
    width: 200,
    align: 'right',
  })
}

function buyerBlock(doc, { buyer, face }) {
  put(doc, buyer.name, LEFT, 136, { font: face.bold, size: 10.5 })
  buyer.address.forEach((line, i) => {
    put(doc, line, LEFT, 152 + i * 14, { font: face.plain, size: 10.5 })
  })
}

function facts(doc, { invoice, buyer, words, face }) {
  const { language } = invoice
  const rows = [
    [words.number, invoice.number],
    [words.date, day(language, invoice.date)],
    [words.due, day(language, dueDate(invoice))],
    [words.customer, buyer.number],
    [words.order, invoice.order],
    [words.delivered, day(language, invoice.delivered)],
    [words.yours, invoice.yours],
    [words.ours, invoice.ours],
  ]
  rows.forEach(([label, value], i) => {
    const y = 118 + i * 14
    put(doc, label, 350, y, { font: face.plain, size: 8.5, colour: GREY })
    put(doc, value, 440, y, { font: i < 3 ? face.bold : face.plain, size: 8.5, width: RIGHT - 440, align: 'right' })
  })
}

function linesTable(doc, sheet) {
  const { invoice, seller, face } = sheet
  put(doc, invoice.heading, LEFT, 250, { font: face.bold, size: 10.5, width: RIGHT - LEFT })
  const top = 272
  if (face.typed) rule(doc, LEFT, top + 18, RIGHT - LEFT, INK, 1)
  else doc.rect(LEFT, top, RIGHT - LEFT, 19).fill(seller.colour)
  tableHead(doc, sheet, top + 5.5)
  let y = top + 27
  for (const line of invoice.lines) {
    tableLine(doc, sheet, line, y)
    y += 21
    rule(doc, LEFT, y - 6, RIGHT - LEFT)
  }
  return y
}

function tableHead(doc, { invoice, words, currency, face }, y) {
  const style = { font: face.bold, size: face.typed ? 7 : 8, colour: face.typed ? INK : '#ffffff' }
  const withItems = invoice.lines.some((line) => line.item)
  if (withItems) put(doc, words.item, TEXT.item, y, style)
  put(doc, words.text, withItems ? TEXT.text : TEXT.item, y, style)
  const withDiscounts = invoice.lines.some((line) => line.discount)
  for (const name of ['quantity', 'price', ...(withDiscounts ? ['discount'] : [])])
    toRight(doc, words[name], COLUMNS[name], y, style)
  put(doc, words.unit, COLUMNS.unit, y, style)
  toRight(doc, `${words.amount} ${currency}`, COLUMNS.amount - 6, y, style)
}

function tableLine(doc, { invoice, face }, line, y) {
  const { language } = invoice
  const style = { font: face.plain, size: face.typed ? 8 : 9 }
  put(doc, line.item ?? '', TEXT.item, y, { ...style, colour: GREY })
  put(doc, line.text, line.item ? TEXT.text : TEXT.item, y, style)
  toRight(doc, figure(language, line.quantity), COLUMNS.quantity, y, style)
  put(doc, line.unit, COLUMNS.unit, y, style)
  toRight(doc, figure(language, line.price, 2), COLUMNS.price, y, style)
  if (line.discount) toRight(doc, `${line.discount} %`, COLUMNS.discount, y, style)
  toRight(doc, money(language, lineAmount(line)), COLUMNS.amount - 6, y, style)
}

function totalsBlock(doc, { invoice, seller, words, currency, face }, top) {
  const { language, note } = invoice
  const totals = totalsOf(invoice)
  const rows = [
    [words.net, totals.net],
    ...totals.taxes.map((one) => [
      `${words.tax} ${one.rate} %  (${words.basis} ${money(language, one.basis)})`,
      one.tax,
    ]),
  ]
  if (totals.advance) rows.push([words.gross, totals.gross], [words.advance, -totals.advance])
  rows.forEach(([label, amount], i) => {
    toRight(doc, label, 455, top + i * 16, { font: face.plain, size: 9, colour: GREY })
    toRight(doc, money(language, amount), RIGHT - 6, top + i * 16, { font: face.plain, size: 9 })
  })
  const y = top + rows.length * 16 + 4
  rule(doc, 300, y, RIGHT - 300, seller.colour, 1.2)
  toRight(doc, words.pay, 420, y + 9, { font: face.bold, size: 11.5, colour: seller.colour })
  toRight(doc, `${currency} ${money(language, totals.due)}`, RIGHT - 6, y + 9, {
    font: face.bold,
    size: 11.5,
    colour: seller.colour,
  })
  if (note) put(doc, note, LEFT, y + 40, { font: face.plain, size: 9, width: 330 })
}

function paymentBox(doc, { invoice, seller, buyer, words, currency, face }) {
  const { language } = invoice
  const top = 676
  put(doc, words.terms(invoice.days), LEFT, top - 18, { font: face.plain, size: 8, colour: GREY })
  if (face.typed)
    doc
      .rect(LEFT, top, RIGHT - LEFT, 88)
      .lineWidth(1)
      .strokeColor(INK)
      .stroke()
  else doc.roundedRect(LEFT, top, RIGHT - LEFT, 88, 4).fillAndStroke('#f4f7f9', RULE)
  const cells = [
    [words.to, seller.name, 14, 12],
    [words.account, language === 'no' ? seller.account : seller.iban, 14, 50],
    [words.reference, paymentReference(buyer.number, invoice.number), 240, 12],
    [words.due, day(language, dueDate(invoice)), 240, 50],
    [words.pay, `${currency} ${money(language, totalsOf(invoice).due)}`, 374, 50],
  ]
  for (const [label, value, x, y] of cells) {
    put(doc, label, LEFT + x, top + y, { font: face.plain, size: 7.5, colour: GREY })
    put(doc, value, LEFT + x, top + y + 11, { font: face.bold, size: 10.5 })
  }
}

/** Text that ends at an edge. */
function toRight(doc, text, edge, y, { font, size, colour = INK }) {
  doc.font(font).fontSize(size)
  put(doc, text, edge - doc.widthOfString(text), y, { font, size, colour })
}
