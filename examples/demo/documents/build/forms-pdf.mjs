// Papers that only exist to be scanned: a delivery note with a signature, a certificate of calibration.
import { customerOf } from './customers.mjs'
import { foot, letterhead } from './letterheads.mjs'
import { A4, GREY, INK, pdfOf, put, RULE, rule } from './paper.mjs'
import { handwrite, signature, tick } from './pen.mjs'
import { companyOf } from './profiles.mjs'
import { wordsOf } from './words.mjs'

const LEFT = 50
const WIDTH = A4.width - 2 * LEFT

const note = {
  number: '810447',
  date: '2026-08-20',
  customer: 100788,
  facts: [
    ['Følgeseddel', '810447'],
    ['Dato', '20.08.2026'],
    ['Ordre', '455980'],
    ['Fra lager', 'W28 Trondheim'],
    ['Prosjekt', 'P01032'],
    ['Transport', 'LOR-009, kranbil'],
  ],
  lines: [
    ['BS-040', 'Trykkøkningssett, to pumper, 40 m3/h', '1', 'Bygg C, kjeller'],
    ['BS-020', 'Trykkøkningssett, to pumper, 20 m3/h', '1', 'Bygg D, kjeller'],
    ['VF-100', 'Spjeldventil, DN 100', '6', ''],
    ['SG-100', 'Flenspakning, EPDM, DN 100', '12', ''],
    ['FY-100', 'Silfilter, DN 100', '2', 'ett mangler, ettersendes'],
  ],
}

/** A delivery note, signed by hand by who took the goods. */
export function deliveryNotePdf() {
  const seller = companyOf('EN')
  const buyer = customerOf('EN', note.customer)
  return pdfOf({ title: `Følgeseddel ${note.number}`, author: seller.name, date: note.date }, (doc) => {
    letterhead(doc, seller)
    put(doc, 'Følgeseddel', A4.width - 250, 40, { size: 26, width: 200, align: 'right', colour: seller.colour })
    put(doc, [buyer.name, ...buyer.address].join('\n'), LEFT, 136, {
      font: 'Helvetica-Bold',
      size: 10.5,
      width: 240,
      lineGap: 3,
    })
    factTable(doc, note.facts)
    goods(doc)
    put(doc, 'Varene er mottatt i god stand:', LEFT, 560, { size: 10 })
    rule(doc, LEFT, 640, 190, INK)
    rule(doc, LEFT + 250, 640, WIDTH - 250, INK)
    put(doc, 'Sted og dato', LEFT, 645, { size: 8, colour: GREY })
    put(doc, 'Mottakers underskrift', LEFT + 250, 645, { size: 8, colour: GREY })
    handwrite(doc, 'Trondheim 20/8-26', LEFT + 8, 620, { size: 16 })
    signature(doc, LEFT + 275, 632, 41)
    foot(doc, seller, wordsOf('no'))
  })
}

function goods(doc) {
  const columns = [LEFT + 6, LEFT + 70, LEFT + 300, LEFT + 350]
  doc.rect(LEFT, 272, WIDTH, 20).fill('#e6edf0')
  ;['Vare', 'Beskrivelse', 'Antall', 'Merknad'].forEach((head, i) => {
    put(doc, head, columns[i], 278, { font: 'Helvetica-Bold', size: 8.5 })
  })
  note.lines.forEach(([item, text, quantity, remark], i) => {
    const y = 303 + i * 26
    put(doc, item, columns[0], y, { size: 9.5, colour: GREY })
    put(doc, text, columns[1], y, { size: 9.5 })
    put(doc, quantity, columns[2] + 12, y, { size: 9.5 })
    if (remark) handwrite(doc, remark, columns[3], y - 3, { seed: i })
    tick(doc, columns[2] + 26, y + 3)
    rule(doc, LEFT, y + 17, WIDTH)
  })
}

function factTable(doc, facts) {
  facts.forEach(([label, value], i) => {
    put(doc, label, 350, 130 + i * 16, { size: 9, colour: GREY })
    put(doc, value, 430, 130 + i * 16, {
      font: 'Helvetica-Bold',
      size: 9,
      width: A4.width - LEFT - 430,
      align: 'right',
    })
  })
}

const points = [
  [5, 5.012],
  [10, 10.018],
  [20, 20.021],
  [40, 39.963],
  [60, 59.925],
  [80, 79.904],
]

/** A certificate that a laboratory gives for the flow meter of a test rig. */
export function certificatePdf() {
  const laboratory = companyOf('20760')
  return pdfOf({ title: 'Calibration certificate MK-26-1174', author: laboratory.name, date: '2026-05-28' }, (doc) => {
    letterhead(doc, laboratory)
    put(doc, 'Calibration certificate', LEFT, 130, { font: 'Helvetica-Bold', size: 22, colour: laboratory.colour })
    put(doc, 'MK-26-1174', LEFT, 160, { size: 12, colour: GREY })
    const facts = [
      ['Customer', 'Example Nordic AS'],
      ['Object', 'Test rig RIG-009, Trondheim'],
      ['Meter', 'MF-100, serial 00-44817'],
      ['Method', 'Gravimetric, water 19.6 °C'],
      ['Calibrated', '28 May 2026'],
      ['Next', 'May 2028'],
    ]
    facts.forEach(([label, value], i) => {
      put(doc, label, LEFT, 200 + i * 18, { size: 10, colour: GREY })
      put(doc, value, LEFT + 90, 200 + i * 18, { font: 'Helvetica-Bold', size: 10 })
    })
    results(doc, 330)
    put(
      doc,
      'Measured against reference vessel V-500. Expanded uncertainty 0.08 % (k = 2). The results hold for the object in the state in which it was calibrated.',
      LEFT,
      530,
      { size: 9.5, width: WIDTH, lineGap: 2 },
    )
    put(doc, 'Within the limits of 0.5 %', LEFT, 580, { font: 'Helvetica-Bold', size: 12, colour: '#1f6f54' })
    rule(doc, LEFT, 690, 220, INK)
    put(doc, 'For the laboratory', LEFT, 695, { size: 8.5, colour: GREY })
    signature(doc, LEFT + 20, 682, 88)
    seal(doc, 450, 640, laboratory.colour)
    foot(doc, laboratory, wordsOf('en'))
  })
}

function results(doc, top) {
  const edges = [LEFT + 120, LEFT + 250, LEFT + 380, LEFT + WIDTH - 6]
  doc.rect(LEFT, top, WIDTH, 22).fill('#e6ebf1')
  const rows = [
    ['Reference m3/h', 'Shown m3/h', 'Deviation m3/h', 'Deviation %'],
    ...points.map(([reference, shown]) => [
      reference.toFixed(3),
      shown.toFixed(3),
      (shown - reference).toFixed(3),
      (((shown - reference) / reference) * 100).toFixed(2),
    ]),
  ]
  rows.forEach((row, i) => {
    row.forEach((cell, column) => {
      put(doc, cell, edges[column] - 120, top + 6 + i * 24, {
        font: i === 0 ? 'Helvetica-Bold' : 'Courier',
        size: 10,
        width: 120,
        align: 'right',
      })
    })
    if (i > 0) rule(doc, LEFT, top + 20 + i * 24, WIDTH, RULE)
  })
}

function seal(doc, x, y, colour) {
  doc.circle(x, y, 46).lineWidth(2.5).strokeColor(colour).stroke()
  doc.circle(x, y, 39).lineWidth(0.8).strokeColor(colour).stroke()
  put(doc, 'CALIBRATED', x - 40, y - 18, { font: 'Helvetica-Bold', size: 9, width: 80, align: 'center', colour })
  put(doc, '05 / 2026', x - 40, y - 4, { font: 'Helvetica-Bold', size: 13, width: 80, align: 'center', colour })
  put(doc, 'MÅLRETT', x - 40, y + 14, { size: 8, width: 80, align: 'center', colour })
}
