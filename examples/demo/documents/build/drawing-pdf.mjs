// A piping and instrumentation diagram on A3, as the engineering department draws it; each revision adds something.

import { frame, label, line, stamp, titleBlock } from './drawing-sheet.mjs'
import { GREY, INK, pdfOf, put } from './paper.mjs'
import { companyOf } from './profiles.mjs'

const NEW = '#b3261e'

export const revisions = [
  { letter: 'A', date: '2026-02-09', text: 'For comment', by: 'IN' },
  { letter: 'B', date: '2026-04-14', text: 'Branch for hire pump, pressure transmitter PT 103', by: 'IN' },
  { letter: 'C', date: '2026-10-19', text: 'As built', by: 'TM' },
]

/** The diagram up to and with one revision. */
export function drawingPdf(letter) {
  const upTo = revisions.slice(0, revisions.findIndex((revision) => revision.letter === letter) + 1)
  const { date } = upTo.at(-1)
  const title = `P01054-PI-001 ${letter}`
  return pdfOf({ title, author: companyOf('EN').name, date, size: 'A3', layout: 'landscape' }, (doc) => {
    frame(doc)
    wetWell(doc)
    for (const [i, x] of [350, 500].entries()) pumpLine(doc, x, i + 1)
    header(doc, letter)
    if (letter !== 'A') hireBranch(doc, letter === 'B' ? NEW : INK)
    panel(doc)
    titleBlock(doc, upTo)
    if (letter === 'C') stamp(doc)
  })
}

function wetWell(doc) {
  doc.rect(210, 590, 420, 118).fill('#e3f0f5')
  line(
    doc,
    [
      [210, 480],
      [210, 708],
      [630, 708],
      [630, 480],
    ],
    { weight: 5 },
  )
  line(
    doc,
    [
      [210, 590],
      [630, 590],
    ],
    { weight: 0.8, colour: '#3a7f9c', dash: 5 },
  )
  label(doc, 'WET WELL  Ø 3.0 m   V = 11 m³', 224, 688, { colour: GREY })
  line(
    doc,
    [
      [90, 548],
      [212, 548],
    ],
    { weight: 4 },
  )
  arrow(doc, 150, 548, 'right')
  label(doc, 'INLET  DN 315 PVC', 84, 528)
  for (const [y, name] of [
    [572, 'HIGH HIGH  +1.95'],
    [600, 'START 2    +1.60'],
    [618, 'START 1    +1.35'],
    [664, 'STOP       +0.60'],
  ]) {
    line(
      doc,
      [
        [600, y],
        [652, y],
      ],
      { weight: 0.8, dash: 3 },
    )
    label(doc, name, 658, y - 5, { font: 'Courier', size: 8.5 })
  }
  line(
    doc,
    [
      [285, 466],
      [285, 588],
    ],
    { weight: 0.8, dash: 4 },
  )
  instrument(doc, 285, 446, 'LT', '101')
  instrument(doc, 585, 446, 'LSH', '102')
  line(
    doc,
    [
      [585, 466],
      [585, 572],
    ],
    { weight: 0.8 },
  )
  doc.ellipse(585, 578, 6, 9).fillAndStroke('#ffffff', INK)
}

function pumpLine(doc, x, number) {
  line(
    doc,
    [
      [x, 640],
      [x, 220],
    ],
    { weight: 3 },
  )
  doc.circle(x, 656, 22).lineWidth(2).fillAndStroke('#ffffff', INK)
  doc
    .polygon([x - 15, 672], [x + 15, 672], [x, 634])
    .lineWidth(1.4)
    .strokeColor(INK)
    .stroke()
  label(doc, `P 10${number}`, x + 28, 644, { font: 'Helvetica-Bold' })
  label(doc, 'PW-080  3.1 kW', x + 28, 657, { size: 8, colour: GREY })
  checkValve(doc, x, 400)
  label(doc, `VC 10${number}`, x + 18, 395)
  gateValve(doc, x, 330, 'up')
  label(doc, `VG 10${number}`, x + 18, 325)
  label(doc, 'DN 80', x - 36, 275, { colour: GREY })
  arrow(doc, x, 450, 'up')
}

function header(doc, letter) {
  line(
    doc,
    [
      [350, 220],
      [1010, 220],
    ],
    { weight: 4 },
  )
  doc.circle(760, 220, 20).lineWidth(2).fillAndStroke('#ffffff', INK)
  label(doc, 'M', 755.5, 214.5, { font: 'Helvetica-Bold', size: 12 })
  label(doc, 'MF-080', 742, 246, { size: 8, colour: GREY })
  line(
    doc,
    [
      [760, 200],
      [760, 166],
    ],
    { weight: 0.8, dash: 4 },
  )
  instrument(doc, 760, 146, 'FIT', '104')
  gateValve(doc, 870, 220, 'right')
  label(doc, 'VG 103', 854, 238)
  arrow(doc, 960, 220, 'right')
  label(doc, 'TO SEWAGE WORKS', 1018, 206, { font: 'Helvetica-Bold' })
  label(doc, letter === 'C' ? 'PE 125 SDR 11,  L = 1 860 m' : 'PE 110 SDR 11,  L = 1 840 m', 1018, 222, {
    size: 8,
    colour: GREY,
  })
}

function hireBranch(doc, colour) {
  line(
    doc,
    [
      [640, 220],
      [640, 320],
      [700, 320],
    ],
    { weight: 3, colour },
  )
  gateValve(doc, 640, 275, 'up', colour)
  label(doc, 'VG 104', 656, 270, { colour })
  line(
    doc,
    [
      [700, 308],
      [700, 332],
    ],
    { weight: 3, colour },
  )
  label(doc, 'COUPLING DN 100 FOR HIRE PUMP', 710, 315, { colour })
  line(
    doc,
    [
      [580, 220],
      [580, 166],
    ],
    { weight: 0.8, colour },
  )
  line(
    doc,
    [
      [580, 126],
      [580, 110],
    ],
    { weight: 0.8, colour, dash: 4 },
  )
  instrument(doc, 580, 146, 'PT', '103', colour)
}

function panel(doc) {
  doc.rect(330, 76, 620, 34).lineWidth(1.4).fillAndStroke('#f6f6f2', INK)
  label(doc, 'CONTROL PANEL  PLC 100   4G modem, overflow counter, alarm to duty phone', 344, 87, { size: 9.5 })
  line(
    doc,
    [
      [760, 126],
      [760, 110],
    ],
    { weight: 0.8, dash: 4 },
  )
  line(
    doc,
    [
      [285, 426],
      [285, 93],
      [330, 93],
    ],
    { weight: 0.8, dash: 4 },
  )
}

function instrument(doc, x, y, kind, number, colour = INK) {
  doc.circle(x, y, 20).lineWidth(1.2).fillAndStroke('#ffffff', colour)
  put(doc, kind, x - 20, y - 11, { font: 'Helvetica-Bold', size: 9, width: 40, align: 'center', colour })
  put(doc, number, x - 20, y + 1, { size: 8.5, width: 40, align: 'center', colour })
}

function gateValve(doc, x, y, direction, colour = INK) {
  const corners =
    direction === 'up'
      ? [
          [-10, -14],
          [10, -14],
          [-10, 14],
          [10, 14],
        ]
      : [
          [-14, -10],
          [-14, 10],
          [14, -10],
          [14, 10],
        ]
  doc
    .polygon(...corners.map(([dx, dy]) => [x + dx, y + dy]))
    .lineWidth(1.6)
    .fillAndStroke('#ffffff', colour)
}

function checkValve(doc, x, y) {
  doc
    .rect(x - 12, y - 14, 24, 28)
    .lineWidth(1.6)
    .fillAndStroke('#ffffff', INK)
  doc.circle(x, y + 2, 7).fill(INK)
}

function arrow(doc, x, y, direction) {
  const corners =
    direction === 'up'
      ? [
          [-7, 6],
          [7, 6],
          [0, -8],
        ]
      : [
          [-6, -7],
          [-6, 7],
          [8, 0],
        ]
  doc.polygon(...corners.map(([dx, dy]) => [x + dx, y + dy])).fill(INK)
}
