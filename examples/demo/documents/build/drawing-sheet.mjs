// The sheet that a drawing of the engineering department stands on, and its pens.

import { GREY, INK, put } from './paper.mjs'
import { companyOf } from './profiles.mjs'

const A3 = { width: 1190.55, height: 841.89 }

/** A line through points; with `dash` a signal instead of a pipe. */
export function line(doc, points, { weight = 2, colour = INK, dash } = {}) {
  doc.moveTo(...points[0])
  for (const point of points.slice(1)) doc.lineTo(...point)
  if (dash) doc.dash(dash, { space: dash })
  doc.lineWidth(weight).strokeColor(colour).stroke().undash()
}

export function label(doc, text, x, y, options = {}) {
  put(doc, text, x, y, { size: 9, ...options })
}

/** The border of the sheet with its fields. */
export function frame(doc) {
  doc
    .rect(28, 28, A3.width - 56, A3.height - 56)
    .lineWidth(1.6)
    .strokeColor(INK)
    .stroke()
  doc
    .rect(18, 18, A3.width - 36, A3.height - 36)
    .lineWidth(0.4)
    .strokeColor(GREY)
    .stroke()
  for (let i = 0; i < 8; i++) label(doc, String(i + 1), 95 + i * 140, 19, { size: 7, colour: GREY })
  for (let i = 0; i < 6; i++) label(doc, 'ABCDEF'[i], 21, 90 + i * 125, { size: 7, colour: GREY })
}

/** Who drew what, and the revisions up to this one, the oldest at the foot. */
export function titleBlock(doc, upTo) {
  const [x, y, width] = [760, 640, A3.width - 28 - 760]
  doc
    .rect(x, y, width, A3.height - 28 - y)
    .lineWidth(1.2)
    .strokeColor(INK)
    .stroke()
  const last = upTo.at(-1)
  label(doc, 'Example Nordic AS', x + 12, y + 12, { font: 'Helvetica-Bold', size: 15, colour: companyOf('EN').colour })
  label(doc, 'Engineering, cost centre 1810', x + 12, y + 31, { size: 8, colour: GREY })
  label(doc, 'Pumping station, Askøy', x + 12, y + 52, { font: 'Helvetica-Bold', size: 13 })
  label(doc, 'Piping and instrumentation diagram', x + 12, y + 69, { size: 10 })
  const cells = [
    ['Project', 'P01054'],
    ['Drawing', 'P01054-PI-001'],
    ['Revision', last.letter],
    ['Date', last.date],
    ['Scale', 'none'],
    ['Sheet', '1 / 1'],
  ]
  cells.forEach(([name, value], i) => {
    label(doc, name, x + 232 + (i % 2) * 90, y + 10 + Math.floor(i / 2) * 28, { size: 7, colour: GREY })
    label(doc, value, x + 232 + (i % 2) * 90, y + 19 + Math.floor(i / 2) * 28, { font: 'Helvetica-Bold', size: 9.5 })
  })
  line(
    doc,
    [
      [x, y + 94],
      [x + width, y + 94],
    ],
    { weight: 0.8 },
  )
  upTo.forEach((revision, i) => {
    const row = y + 154 - i * 18
    label(doc, revision.letter, x + 12, row, { font: 'Helvetica-Bold', size: 8.5 })
    label(doc, revision.date, x + 34, row, { size: 8.5 })
    label(doc, revision.text, x + 98, row, { size: 8.5 })
    label(doc, revision.by, x + width - 30, row, { size: 8.5 })
  })
}

export function stamp(doc) {
  doc.save().rotate(-8, { origin: [1000, 520] })
  doc.roundedRect(890, 490, 210, 62, 6).lineWidth(3).strokeColor('#1f6f54').stroke()
  put(doc, 'AS BUILT', 890, 500, { font: 'Helvetica-Bold', size: 26, width: 210, align: 'center', colour: '#1f6f54' })
  put(doc, '2026-10-19   Tor Myhre', 890, 531, { size: 10, width: 210, align: 'center', colour: '#1f6f54' })
  doc.restore()
}
