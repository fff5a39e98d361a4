// Draws the first page of a PDF. Runs in a job process, where pdf.js is given nothing but the bytes: no scripts, no
// network, no fonts of the system; of files, only its own fonts and tables.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument, type PDFPageProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { confined } from '../text/confined.ts'
import { fitted, type Size } from './size.ts'

type RenderOptions = Parameters<PDFPageProxy['render']>[0]

/** As for pictures: a larger one in a page is left out. */
const MOST_PIXELS = 50_000_000
/** For what is drawn apart and then laid on the page. */
const MOST_CANVAS_BYTES = 32 * 1024 * 1024

const PACKAGE = new URL('../../', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'))
const FOLDERS: Readonly<Record<string, string>> = {
  cMapUrl: 'cmaps/',
  standardFontDataUrl: 'standard_fonts/',
  wasmUrl: 'wasm/',
}

/** Asked for by name, from lists that pdf.js has. */
class OwnFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const folder = FOLDERS[kind]
    if (folder === undefined) throw new Error(`no ${kind} here`)
    return new Uint8Array(await readFile(new URL(folder + basename(filename), PACKAGE)))
  }
}

const OPTIONS = {
  BinaryDataFactory: OwnFiles,
  ...FOLDERS,
  cMapPacked: true,
  verbosity: VerbosityLevel.ERRORS,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
  maxImageSize: MOST_PIXELS,
  canvasMaxAreaInBytes: MOST_CANVAS_BYTES,
}

/** The page as PNG, fitted inside the size. Throws for a document that cannot be opened or has no page. */
export async function drawPdfPage(content: Buffer, size: Size): Promise<Uint8Array> {
  return confined(async () => {
    // pdf.js keeps the array that it is given: it gets one of its own.
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
  const whole = page.getViewport({ scale: 1 })
  const { width, height, scale } = fitted(whole, size)
  const canvas = createCanvas(width, height)
  // Its types know the canvas of a browser only; this one is made to be used in its place.
  const target = { canvas } as unknown as Pick<RenderOptions, 'canvas'>
  await page.render({ ...target, viewport: page.getViewport({ scale }), background: 'white' }).promise
  return canvas.encode('png')
}
