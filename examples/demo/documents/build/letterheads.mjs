// The top and foot of a paper, drawn as vectors: a mark and the name for each look.
import { A4, GREY, INK, put, rule } from './paper.mjs'

/** The mark of a look in a square of 34 points: `colour` on `ground`. */
const marks = {
  drop(doc, x, y, colour) {
    doc.path(
      `M${x + 17} ${y} C${x + 8} ${y + 12} ${x + 4} ${y + 16} ${x + 4} ${y + 22} a13 12 0 0 0 26 0 C${x + 30} ${y + 16} ${x + 26} ${y + 12} ${x + 17} ${y} Z`,
    )
    doc.fill(colour)
    for (const [dy, tint] of [
      [20, '#ffffff'],
      [25.5, '#9fd3e6'],
    ]) {
      doc
        .path(`M${x + 6} ${y + dy} q5.5 -5 11 0 t11 0`)
        .lineWidth(2.2)
        .lineCap('round')
        .strokeColor(tint)
        .stroke()
    }
  },
  peaks(doc, x, y, colour, ground) {
    doc.polygon([x, y + 32], [x + 13, y + 6], [x + 26, y + 32]).fill(colour)
    doc
      .polygon([x + 14, y + 32], [x + 25, y + 14], [x + 36, y + 32])
      .fillOpacity(0.6)
      .fill(colour)
      .fillOpacity(1)
    doc.polygon([x + 9.5, y + 13], [x + 13, y + 6], [x + 16.5, y + 13], [x + 13, y + 16]).fill(ground)
  },
  hexagon(doc, x, y, colour, ground) {
    const corners = [0, 1, 2, 3, 4, 5].map((i) => [
      x + 17 + 17 * Math.sin((i * Math.PI) / 3),
      y + 17 - 17 * Math.cos((i * Math.PI) / 3),
    ])
    doc.polygon(...corners).fill(colour)
    doc.polygon([x + 7, y + 10], [x + 7, y + 24], [x + 27, y + 10], [x + 27, y + 24]).fill(ground)
  },
  bolt(doc, x, y, colour, ground) {
    doc.circle(x + 17, y + 17, 17).fill(colour)
    doc
      .polygon([x + 20, y + 4], [x + 9, y + 19], [x + 16, y + 19], [x + 14, y + 30], [x + 25, y + 14], [x + 18, y + 14])
      .fill(ground)
  },
  cloud(doc, x, y, colour) {
    for (const [cx, cy, r] of [
      [9, 22, 8],
      [18, 15, 11],
      [27, 22, 8],
    ])
      doc.circle(x + cx, y + cy, r).fill(colour)
    doc.rect(x + 9, y + 20, 18, 10).fill(colour)
  },
}

const FACES = {
  sans: { plain: 'Helvetica', bold: 'Helvetica-Bold' },
  serif: { plain: 'Times-Roman', bold: 'Times-Bold' },
  typed: { plain: 'Courier', bold: 'Courier-Bold', typed: true },
}

/** The fonts a company writes in. */
export function facesOf(company) {
  return FACES[company.face ?? 'sans']
}

/** The letterhead of a company. What follows begins at 96 points or lower. */
export function letterhead(doc, company) {
  const face = facesOf(company)
  if (face.typed) return typedHead(doc, company, face)
  doc.rect(0, 0, A4.width, company.band ? 88 : 8).fill(company.colour)
  const [strong, faint] = company.band ? ['#ffffff', '#ffffff'] : [company.colour, GREY]
  marks[company.look](doc, 50, company.band ? 28 : 40, strong, company.band ? company.colour : '#ffffff')
  const y = company.band ? 30 : 42
  put(doc, company.name, 94, y, { font: face.bold, size: 16, colour: strong })
  put(doc, `${company.street}, ${company.place}`, 94, y + 20, { font: face.plain, size: 8, colour: faint })
}

function typedHead(doc, company, face) {
  put(doc, company.name.toUpperCase(), 50, 44, { font: face.bold, size: 18 })
  put(doc, `${company.street}, ${company.place}   Tlf. ${company.phone}`, 50, 66, { font: face.plain, size: 9 })
  rule(doc, 50, 82, A4.width - 100, INK, 1.2)
}

/** The foot of a page: who the company is, and which page this is. */
export function foot(doc, company, words, page) {
  const y = A4.height - 46
  const font = facesOf(company).plain
  rule(doc, 50, y - 8, A4.width - 100, company.colour, 0.8)
  const about = [
    `${company.name}, ${company.street}, ${company.place}`,
    `${words.registration} ${company.registration}${words.suffix}`,
  ]
  put(doc, about.join('  ·  '), 50, y, { font, size: 7, colour: GREY })
  put(doc, `${company.phone}  ·  ${company.email}  ·  ${company.site}`, 50, y + 10, { font, size: 7, colour: GREY })
  if (page) put(doc, page, A4.width - 150, y, { font, size: 7, colour: GREY, width: 100, align: 'right' })
}
