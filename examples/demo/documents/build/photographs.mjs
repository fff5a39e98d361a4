// The photographs: taken from a package of free wallpapers once, scaled down, and marked by hand where a revision is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { pdfOf, put } from './paper.mjs'
import { rasterOf } from './raster.mjs'

const MAX_SIZE_BYTES = 80_000
/** Tried in this order until one is small enough: leaves and grass need many bytes. */
const ATTEMPTS = [
  [1600, 78],
  [1600, 68],
  [1400, 66],
  [1280, 62],
  [1120, 60],
  [1000, 56],
  [900, 52],
  [800, 50],
]

/** What each picture is made from; authors and licences stand in LICENCES.md too. */
export const photographs = [
  {
    file: 'photo-intake.jpg',
    source: 'life_by_Aitzol_Berasategi.jpg',
    author: 'Aitzol Berasategi',
    licence: 'CC BY 4.0',
  },
  {
    file: 'photo-track.jpg',
    source: 'picosdeeuropa_by_Aitzol_Berasategi.jpg',
    author: 'Aitzol Berasategi',
    licence: 'CC BY 4.0',
  },
  {
    file: 'photo-plot.jpg',
    source: 'aitzgorri_by_Aitzol_Berasategi.jpg',
    author: 'Aitzol Berasategi',
    licence: 'CC BY 4.0',
  },
  {
    file: 'photo-wall.jpg',
    source: 'friends_by_Aitzol_Berasategi.jpg',
    author: 'Aitzol Berasategi',
    licence: 'CC BY 4.0',
  },
  {
    file: 'photo-bridge.jpg',
    source: 'Bridge_by_Sander_Klootwijk.jpg',
    author: 'Sander Klootwijk',
    licence: 'CC BY-SA 4.0',
  },
]

/** A picture at most 1600 pixels wide and 80 kB large, because the package has it, with its author in it. */
export async function scaled(folder, { source, author, licence }) {
  const original = readFileSync(join(folder, source))
  for (const [width, quality] of ATTEMPTS) {
    const image = sharp(original).rotate().resize({ width, height: width, fit: 'inside', withoutEnlargement: true })
    const small = await image.withExif(creditOf(author, licence)).jpeg({ quality, mozjpeg: true }).toBuffer()
    if (small.length <= MAX_SIZE_BYTES) return small
  }
  throw new Error(`${source} does not get small enough`)
}

/** The picture of the intake with marks: where the weir goes, and the pipe. Drawn on a page, so that no font of the machine is used. */
export async function markedIntake(picture) {
  const { width, height } = await sharp(picture).metadata()
  const { author, licence } = photographs[0]
  const page = await pdfOf({ title: 'Intake', author, date: '2026-10-14', size: [width, height] }, (doc) => {
    doc.image(picture, 0, 0, { width, height })
    doc.scale(width / 900).lineCap('round')
    drawWeir(doc)
    drawPipe(doc)
  })
  const image = sharp(await rasterOf(page, { dpi: 72 }))
    .removeAlpha()
    .withExif(creditOf(`${author}, marks added`, licence))
  return image.jpeg({ quality: 58, mozjpeg: true }).toBuffer()
}

function drawWeir(doc) {
  doc.path('M290 448 Q 372 432 452 450 M292 462 Q 372 446 454 464').lineWidth(5).strokeColor('#ffde3b').stroke()
  doc.path('M240 332 L318 430 M298 418 L318 430 L315 407').lineWidth(4).strokeColor('#ffde3b').stroke()
  caption(doc, 'Weir, 4.2 m', 120, 292, '#ffde3b')
}

function drawPipe(doc) {
  doc.path('M452 456 Q 560 500 720 596').lineWidth(5).dash(16, { space: 12 }).strokeColor('#ff5a4a').stroke().undash()
  caption(doc, 'PE 250 to pump house', 590, 470, '#ff8a7c')
}

/** Letters with a dark edge, to be read on any ground. */
function caption(doc, text, x, y, colour) {
  doc.font('Helvetica-Bold').fontSize(27).lineWidth(5).lineJoin('round').strokeColor('#222222')
  doc.text(text, x, y, { lineBreak: false, stroke: true, fill: false })
  put(doc, text, x, y, { font: 'Helvetica-Bold', size: 27, colour })
}

function creditOf(author, licence) {
  return { IFD0: { Artist: author, Copyright: `${author}, ${licence}` } }
}
