// Valid pictures, from which the invalid ones are derived.
import sharp, { type Sharp } from 'sharp'

const WIDTH = 240
const HEIGHT = 160

/** A picture with edges, slopes and colours. */
function drawn(): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs><linearGradient id="g"><stop offset="0" stop-color="#146"/><stop offset="1" stop-color="#fb6"/></linearGradient></defs>
    <rect width="240" height="160" fill="url(#g)"/><circle cx="80" cy="80" r="50" fill="#e33" fill-opacity=".6"/>
    <path d="M20 140L220 20V140z" fill="#fff" fill-opacity=".4" stroke="#000"/></svg>`
  return sharp(Buffer.from(svg))
}

/** By media type. */
export const seeds: Readonly<Record<string, () => Promise<Buffer>>> = {
  'image/png': () => drawn().png().toBuffer(),
  'image/jpeg': () => drawn().jpeg().toBuffer(),
  'image/gif': () => drawn().gif().toBuffer(),
  'image/webp': () => drawn().webp().toBuffer(),
  'image/tiff': () => drawn().tiff({ compression: 'lzw' }).toBuffer(),
}

/** Variants of the formats. */
export const otherSeeds: Readonly<Record<string, () => Promise<Buffer>>> = {
  'image/png': () => drawn().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
  'image/jpeg': () =>
    drawn().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).withMetadata({ orientation: 6 }).toBuffer(),
  'image/gif': async () =>
    sharp(await frames(12), { animated: true })
      .gif()
      .toBuffer(),
  'image/webp': async () =>
    sharp(await frames(12), { animated: true })
      .webp({ lossless: true })
      .toBuffer(),
  'image/tiff': () => drawn().tiff({ compression: 'deflate', tile: true, tileWidth: 64, tileHeight: 64 }).toBuffer(),
}

async function frames(count: number): Promise<Buffer> {
  const pages = Array.from({ length: count }, (_, at) =>
    drawn()
      .modulate({ hue: at * 30 })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(pages), { join: { animated: true } })
    .gif()
    .toBuffer()
}

/** A photograph: slopes with the noise of a camera. */
export function photograph(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return drawn()
    .flatten()
    .resize(width, height, { fit: 'fill' })
    .composite([{ input: { create: { width, height, channels: 3, background: '#888', noise } }, blend: 'soft-light' }])
    .jpeg({ quality: 85 })
    .toBuffer()
}
