// A PDF that is the same byte for byte each time: fixed dates, built-in fonts, nothing drawn at random.
import PDFDocument from 'pdfkit'

/** A4 and A3 in points. */
export const A4 = { width: 595.28, height: 841.89 }
export const INK = '#1c1f24'
export const GREY = '#667078'
export const RULE = '#cfd5da'

/** The bytes of a PDF that `draw` fills. The day of the paper is the day of the file. */
export function pdfOf({ title, author, date, size = 'A4', layout = 'portrait' }, draw) {
  const info = {
    Title: title,
    Author: author,
    CreationDate: new Date(`${date}T09:00:00Z`),
    Producer: 'Example',
    Creator: 'Example',
  }
  const doc = new PDFDocument({ size, layout, margin: 0, info, bufferPages: true, lang: 'en' })
  const chunks = []
  doc.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
    draw(doc)
    doc.end()
  })
}

/** Text in one line or, with a width, in several; returns where the next line would stand. */
export function put(doc, text, x, y, { font = 'Helvetica', size = 9, colour = INK, ...options } = {}) {
  doc.font(font).fontSize(size).fillColor(colour)
  doc.text(text, x, y, { lineBreak: options.width !== undefined, ...options })
  return options.width === undefined ? y + size * 1.35 : doc.y
}

export function rule(doc, x, y, width, colour = RULE, weight = 0.6) {
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(weight)
    .strokeColor(colour)
    .stroke()
}
