// Renders the first page of a PDF. Runs in a job process, where pdf.js has access to nothing but the bytes: no scripts,
// no network, no system fonts, and no files except its own fonts and tables.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument, type PDFPageProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { runConfined } from '../text/confined.ts'
import { fitInside, type Size } from './size.ts'

type RenderOptions = Parameters<PDFPageProxy['render']>[0]

/** The limit of picture.ts; larger images in a page are skipped. */
const MAX_PIXELS = 50_000_000
/** Limit for parts that are rendered separately and then composed. */
const MAX_CANVAS_BYTES = 32 * 1024 * 1024

const PACKAGE = new URL('../../', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'))
const FOLDERS: Readonly<Record<string, string>> = {
  cMapUrl: 'cmaps/',
  standardFontDataUrl: 'standard_fonts/',
  wasmUrl: 'wasm/',
}

/** Loads fonts and tables of pdf.js by name. */
class PackageFiles {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const folder = FOLDERS[kind]
    if (folder === undefined) throw new Error(`no ${kind} here`)
    return new Uint8Array(await readFile(new URL(folder + basename(filename), PACKAGE)))
  }
}

const OPTIONS = {
  BinaryDataFactory: PackageFiles,
  ...FOLDERS,
  cMapPacked: true,
  verbosity: VerbosityLevel.ERRORS,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
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
