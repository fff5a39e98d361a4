// The text of a PDF, page by page. pdf.js runs in this process and is given nothing but the bytes: no scripts, no network,
// no system fonts, no pictures, no code made from strings; of files, only its own tables of Asian character codes.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { getDocument, type PDFDocumentProxy, type PDFPageProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import { confined } from './confined.ts'
import type { GatheredText } from './gathered-text.ts'
import { hasTable } from './pdf-table.ts'

const MIB = 1024 * 1024
const MOST_PAGES = 2_000
/** Each may cost as much as it is allowed to: so many are a trap. */
const MOST_BROKEN_PAGES = 20
/** To look for the objects of a broken document takes several times its size. */
const MOST_REPAIRED_BYTES = 16 * MIB
/** There is no room for two of such a content. */
const MOST_COPIED_BYTES = 8 * MIB
/** Fonts and pages that were read are kept by pdf.js until it is told otherwise. */
const PAGES_UNTIL_CLEANUP = 50
/** No other page is begun after so long: whoever waits ends the process soon, and with it what was read. */
const MOST_MS = 12_000
/** Nor when so much of the heap is in use. */
const FULL_HEAP_SHARE = 0.85
/** Nor when the arrays of pdf.js have come to this. */
const MOST_GROWTH_BYTES = 96 * MIB

const CMAPS = new URL('../../cmaps/', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'))

/** Asked for by name, from a list that pdf.js has. */
class CharacterMaps {
  fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl') return Promise.reject(new Error(`no ${kind} here`))
    return readFile(new URL(basename(filename), CMAPS)).then((bytes) => new Uint8Array(bytes))
  }
}

const OPTIONS = {
  BinaryDataFactory: CharacterMaps,
  cMapUrl: 'cmaps/',
  cMapPacked: true,
  verbosity: VerbosityLevel.ERRORS,
  disableFontFace: true,
  useSystemFonts: false,
  useWasm: false,
  useWorkerFetch: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
}

/** Adds the text of a document, as far as it can be read without a password. A large content is empty afterwards. */
export async function readPdf(content: Buffer, text: GatheredText): Promise<void> {
  if (content.length > MOST_REPAIRED_BYTES && !hasTable(content)) return
  await confined(async () => {
    const loading = getDocument({ ...OPTIONS, data: ownBytes(content) })
    try {
      const document = await orNothing(loading.promise)
      if (document) await readPages(document, text)
    } finally {
      await orNothing(loading.destroy())
    }
  })
}

/** pdf.js keeps the array that it is given, and whoever had it before has it no more. */
function ownBytes(content: Buffer): Uint8Array {
  const isWhole = content.byteLength === content.buffer.byteLength
  return isWhole && content.length > MOST_COPIED_BYTES ? new Uint8Array(content.buffer) : new Uint8Array(content)
}

async function readPages(document: PDFDocumentProxy, text: GatheredText): Promise<void> {
  const pages = Math.min(document.numPages, MOST_PAGES)
  const { external: before } = process.memoryUsage()
  const endsAt = performance.now() + MOST_MS
  let broken = 0
  for (let number = 1; number <= pages && broken < MOST_BROKEN_PAGES && !text.isFull; number++) {
    const page = await orNothing(document.getPage(number))
    if (!page || !(await readPage(page, text))) broken++
    page?.cleanup()
    if (number % PAGES_UNTIL_CLEANUP === 0) await orNothing(document.cleanup())
    if (isLarge(before) || performance.now() > endsAt) return
  }
}

function isLarge(externalBefore: number): boolean {
  const { heapUsed, external } = process.memoryUsage()
  return (
    heapUsed > getHeapStatistics().heap_size_limit * FULL_HEAP_SHARE || external - externalBefore > MOST_GROWTH_BYTES
  )
}

/** Whether the page could be read to its end, or as far as there is room. */
async function readPage(page: PDFPageProxy, text: GatheredText): Promise<boolean> {
  const reader = page.streamTextContent().getReader() as ReadableStreamDefaultReader<TextContent>
  const next = () => orNothing(reader.read())
  let part = await next()
  for (; part && !part.done && !text.isFull; part = await next()) addItems(part.value, text)
  if (text.isFull) await orNothing(reader.cancel(new Error('there is enough text')))
  text.addBreak()
  return part !== undefined
}

function addItems({ items }: TextContent, text: GatheredText): void {
  for (const item of items) {
    if (!('str' in item)) continue
    text.add(item.str)
    if (item.hasEOL) text.addBreak()
  }
}

/** What pdf.js cannot do with a document tells that the document is broken: there is no telling its errors apart. */
function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined)
}
