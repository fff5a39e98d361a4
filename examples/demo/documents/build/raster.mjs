// A page of a PDF as pixels, the way a copier's glass would see it.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

const STANDARD_FONTS = `${join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts')}/`

/** One page as PNG, at some dots per inch. */
export async function rasterOf(pdf, { page = 1, dpi = 150 } = {}) {
  const source = await openPdf(pdf)
  const sheet = await source.getPage(page)
  const viewport = sheet.getViewport({ scale: dpi / 72 })
  const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height))
  const canvasContext = canvas.getContext('2d')
  canvasContext.fillStyle = '#fff'
  canvasContext.fillRect(0, 0, canvas.width, canvas.height)
  await sheet.render({ canvasContext, viewport, canvas }).promise
  await source.loadingTask.destroy()
  return canvas.toBuffer('image/png')
}

/** The text of each page, for checks. */
export async function textsOf(pdf) {
  const source = await openPdf(pdf)
  const texts = []
  for (let number = 1; number <= source.numPages; number++) {
    const content = await (await source.getPage(number)).getTextContent()
    texts.push(content.items.map((item) => item.str).join(' '))
  }
  await source.loadingTask.destroy()
  return texts
}

function openPdf(pdf) {
  const data = new Uint8Array(pdf)
  return getDocument({ data, standardFontDataUrl: STANDARD_FONTS, useSystemFonts: false, verbosity: 0 }).promise
}
