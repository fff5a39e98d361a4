// Renders the first page of a PDF. Runs in a job process, where pdf.js reads no files except its own fonts and tables.
import { createCanvas } from '@napi-rs/canvas'
import { getDocument, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { runConfined } from '../text/confined.ts'
import { confinedOptions } from '../text/confined-pdf.ts'
import { fitInside, type Size } from './size.ts'

type RenderOptions = Parameters<PDFPageProxy['render']>[0]

/** The limit of picture.ts; larger images in a page are skipped. */
const MAX_PIXELS = 50_000_000
/** Limit for parts that are rendered separately and then composed. */
const MAX_CANVAS_BYTES = 32 * 1024 * 1024

const OPTIONS = {
  ...confinedOptions({ cMapUrl: 'cmaps/', standardFontDataUrl: 'standard_fonts/', wasmUrl: 'wasm/' }),
  maxImageSize: MAX_PIXELS,
  canvasMaxAreaInBytes: MAX_CANVAS_BYTES,
}

/** Returns the page as PNG that fits the size. Throws for a document that cannot be opened or has no page. */
export async function drawPdfPage(content: Buffer, size: Size): Promise<Uint8Array> {
  return runConfined(async () => {
    // pdf.js takes ownership of its array, so it gets a copy.
    const loading = getDocument({ ...OPTIONS, data: new Uint8Array(content) })
    try {
      const document = await loading.promise
      return await draw(await document.getPage(1), size)
    } finally {
      await loading.destroy()
    }
  })
}

async function draw(page: PDFPageProxy, size: Size): Promise<Uint8Array> {
  const viewport = page.getViewport({ scale: 1 })
  const { width, height, scale } = fitInside(viewport, size)
  const canvas = createCanvas(width, height)
  // The types of pdf.js require a browser canvas; this one is compatible.
  const target = { canvas } as unknown as Pick<RenderOptions, 'canvas'>
  await page.render({ ...target, viewport: page.getViewport({ scale }), background: 'white' }).promise
  return canvas.encode('png')
}
