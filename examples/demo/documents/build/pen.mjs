// What people add by hand: signatures, dates and ticks, in blue ink.
import { randomOf } from '../../source/read.mjs'
import { put } from './paper.mjs'

const BLUE = '#1b3a8c'

/** A signature of some 130 points: loops that flow from left to right; each seed is another hand. */
export function signature(doc, x, y, seed) {
  const random = randomOf(seed)
  const loops = random.whole(6, 9)
  let at = x
  doc.moveTo(x, y)
  for (let i = 0; i < loops; i++) {
    const tall = i === 0 || random.chance(0.25)
    const height = tall ? random.whole(24, 34) : random.whole(7, 13)
    const step = tall ? random.whole(16, 24) : random.whole(9, 15)
    doc.bezierCurveTo(
      at + step * 0.2,
      y - height * 1.3,
      at + step * 1.5,
      y - height,
      at + step * 0.7,
      y - random.whole(-4, 3),
    )
    at += step
    doc.quadraticCurveTo(at - step * 0.2, y + random.whole(1, 6), at, y - random.whole(2, 6))
  }
  doc.quadraticCurveTo(at + 18, y - 12, at + 42, y + random.whole(-6, 2))
  doc.lineWidth(1.3).lineCap('round').lineJoin('round').strokeColor(BLUE).stroke()
}

/** A few words with a pen: slanted letters that do not keep the line. */
export function handwrite(doc, text, x, y, { size = 13, seed = 1 } = {}) {
  const random = randomOf(seed + text.length)
  doc.font('Times-Italic').fontSize(size)
  let at = x
  for (const letter of text) {
    put(doc, letter, at, y + random.whole(-9, 9) / 10, {
      font: 'Times-Italic',
      size: size + random.whole(-6, 6) / 10,
      colour: BLUE,
    })
    at += doc.widthOfString(letter) * 0.96
  }
}

export function tick(doc, x, y) {
  doc
    .moveTo(x, y)
    .lineTo(x + 4, y + 6)
    .lineTo(x + 13, y - 8)
  doc.lineWidth(1.5).lineCap('round').strokeColor(BLUE).stroke()
}
