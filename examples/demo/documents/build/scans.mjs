// Makes a clean page look as if it had lain on a copier: crooked, grainy, shaded at the edge.
import sharp from 'sharp'
import { randomOf } from '../../source/read.mjs'
import { rasterOf } from './raster.mjs'

/** How the file of a scan is written; each keeps a page of A4 below 150 KB. */
const FORMATS = {
  colour: (image) => image.jpeg({ quality: 55, mozjpeg: true }),
  grey: (image) => image.greyscale().jpeg({ quality: 55, mozjpeg: true }),
  png: (image) => image.greyscale().png({ palette: true, colours: 8, dither: 0, compressionLevel: 9, effort: 10 }),
  fax: (image) =>
    image
      .removeAlpha()
      .greyscale()
      .threshold(178)
      .toColourspace('b-w')
      .tiff({ compression: 'ccittfax4', bitdepth: 1, xres: 200 / 25.4, yres: 200 / 25.4 }),
}

/** The scan of one page of a PDF: `angle` in degrees, `grain` in shades of 256. */
export async function scanOf(pdf, { page = 1, dpi, angle, grain, seed, format }) {
  const sheet = await rasterOf(pdf, { page, dpi })
  const { width, height } = await sharp(sheet).metadata()
  const turned = await sharp(sheet).rotate(angle, { background: '#e9e8e4' }).png().toBuffer()
  const cut = await sharp(turned).metadata()
  const left = Math.floor((cut.width - width) / 2)
  const top = Math.floor((cut.height - height) / 2)
  const straight = await sharp(turned).extract({ left, top, width, height }).blur(0.5).png().toBuffer()
  const shaded = sharp(straight).composite([
    { input: shadow(width, height), blend: 'multiply' },
    ...(grain ? [{ input: speckles(width, height, grain, seed), blend: 'multiply' }] : []),
  ])
  return FORMATS[format](sharp(await shaded.png().toBuffer())).toBuffer()
}

/** The lid does not close at the left, and the paper is not quite white. */
function shadow(width, height) {
  const stops =
    '<stop offset="0" stop-color="#b9b6ae"/><stop offset="0.035" stop-color="#efeeea"/><stop offset="1" stop-color="#f7f6f2"/>'
  const gradient = `<linearGradient id="g">${stops}</linearGradient>`
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${gradient}</defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`,
  )
}

/** Dust and the grain of the sensor, in clouds of a few pixels, so that a JPEG stays small. */
function speckles(width, height, grain, seed) {
  const random = randomOf(seed)
  const dots = Array.from({ length: Math.round((width * height) / 9000) }, () => {
    const shade = 255 - random.whole(1, grain)
    const radius = random.whole(3, 11) / 10
    return `<circle cx="${random.whole(0, width)}" cy="${random.whole(0, height)}" r="${radius}" fill="rgb(${shade},${shade},${shade})"/>`
  })
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${dots.join('')}</svg>`,
  )
}
