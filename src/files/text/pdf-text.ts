// Extracts the text of a PDF page by page. pdf.js runs in this process, and reads no images and no files except its own
// character maps for Asian scripts.
import { getHeapStatistics } from 'node:v8'
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import { runConfined } from './confined.ts'
import { confinedOptions } from './confined-pdf.ts'
import type { GatheredText } from './gathered-text.ts'
import { readXml } from './xml-text.ts'

const MIB = 1024 * 1024
const MAX_PAGES = 2_000
/** An invoice has one; a portfolio may have many. */
const MAX_ATTACHMENTS = 20
/** Each broken page may use up all limits, so a document with this many is given up. */
const MAX_BROKEN_PAGES = 20
/** Maximum size without a cross-reference table: repairing a document takes several times its size in memory. */
const MAX_REPAIRED_BYTES = 16 * MIB
/** Larger contents are not copied: two copies would not fit into the memory limit. */
const MAX_COPIED_BYTES = 8 * MIB
/** pdf.js caches fonts and pages until `cleanup` is called. */
const PAGES_UNTIL_CLEANUP = 50
/** No page is started after this processor time: the service would soon kill the process, and lose the text. */
const MAX_PROCESSOR_MS = 12_000
/** No page is started when more than this share of the heap is in use. */
const MAX_HEAP_SHARE = 0.85
/** No page is started when the arrays of pdf.js have grown by more than this. */
const MAX_GROWTH_BYTES = 96 * MIB

const OPTIONS = { ...confinedOptions({ cMapUrl: 'cmaps/' }), useWasm: false }

/** Adds the text of a document, as far as it can be read without a password. A large content is empty afterwards. */
export async function readPdf(content: Buffer, text: GatheredText): Promise<void> {
  if (content.length > MAX_REPAIRED_BYTES && !hasCrossReferenceTable(content)) return
  await runConfined(async () => {
    const loading = getDocument({ ...OPTIONS, data: ownedBytes(content) })
    try {
      const document = await ignoreErrors(loading.promise)
      if (document) await readPages(document, text)
      if (document) await addAttachments(document, text)
    } finally {
      await ignoreErrors(loading.destroy())
    }
  })
}

/** pdf.js takes ownership of its array and detaches it from the caller. */
function ownedBytes(content: Buffer): Uint8Array {
  const ownsBuffer = content.byteLength === content.buffer.byteLength
  return ownsBuffer && content.length > MAX_COPIED_BYTES ? new Uint8Array(content.buffer) : new Uint8Array(content)
}

async function readPages(document: PDFDocumentProxy, text: GatheredText): Promise<void> {
  const pages = Math.min(document.numPages, MAX_PAGES)
  const { external: before } = process.memoryUsage()
  const started = process.cpuUsage()
  let broken = 0
  for (let number = 1; number <= pages && broken < MAX_BROKEN_PAGES && !text.isFull; number++) {
    const page = await ignoreErrors(document.getPage(number))
    if (!page || !(await readPage(page, text))) broken++
    page?.cleanup()
    if (number % PAGES_UNTIL_CLEANUP === 0) await ignoreErrors(document.cleanup())
    if (exceedsMemory(before) || processorMsSince(started) > MAX_PROCESSOR_MS) return
  }
}

function processorMsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

function exceedsMemory(externalBefore: number): boolean {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed > getHeapStatistics().heap_size_limit * MAX_HEAP_SHARE || external - externalBefore > MAX_GROWTH_BYTES
}

/** Returns whether the page could be read to its end, or until the text is full. */
async function readPage(page: PDFPageProxy, text: GatheredText): Promise<boolean> {
  const reader = page.streamTextContent().getReader() as ReadableStreamDefaultReader<TextContent>
  const next = () => ignoreErrors(reader.read())
  let part = await next()
  for (; part && !part.done && !text.isFull; part = await next()) addItems(part.value, text)
  if (text.isFull) await ignoreErrors(reader.cancel(new Error('there is enough text')))
  await addAnnotations(page, text)
  text.addLineEnd()
  return part !== undefined
}

function addItems({ items }: TextContent, text: GatheredText): void {
  for (const item of items) {
    if (!('str' in item)) continue
    text.add(item.str)
    if (item.hasEOL) text.addLineEnd()
  }
}

/** What people have filled in and noted: it is on the page, but no part of its contents. */
interface Annotation {
  readonly fieldType?: string
  readonly fieldValue?: string | readonly string[] | null
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[]
  readonly contentsObj?: { readonly str: string }
  readonly textContent?: readonly string[]
}

/** Texts and choices; the values of buttons are no words. */
const FIELDS_WITH_TEXT = ['Tx', 'Ch']

async function addAnnotations(page: PDFPageProxy, text: GatheredText): Promise<void> {
  const annotations: readonly Annotation[] = (await ignoreErrors(page.getAnnotations())) ?? []
  for (const { fieldType = '', fieldValue, options = [], contentsObj, textContent = [] } of annotations) {
    const values = FIELDS_WITH_TEXT.includes(fieldType) ? [fieldValue ?? []].flat() : []
    const shown = options
      .filter(({ exportValue }) => values.includes(exportValue))
      .map(({ displayValue }) => displayValue)
    for (const part of [...values, ...shown, contentsObj?.str ?? '', ...textContent]) {
      if (text.isFull) return
      text.addBreak()
      text.add(part)
    }
  }
}

/** Attached XML, such as that of an invoice that people and programs read. */
async function addAttachments(document: PDFDocumentProxy, text: GatheredText): Promise<void> {
  const attachments = (await ignoreErrors(document.getAttachments())) ?? []
  for (const [id, { filename }] of [...attachments].slice(0, MAX_ATTACHMENTS)) {
    if (text.isFull || !/\.xml$/i.test(filename)) continue
    const content = await ignoreErrors(document.getAttachmentContent(id))
    if (content) readXml(Buffer.from(content), text)
    text.addBreak()
  }
}

/** Ignores errors of pdf.js, which all mean a damaged document here: they cannot be told apart. */
function ignoreErrors<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined)
}

/** The end of the file with the position of the table: a comment and data added by mail programs may follow it. */
const TAIL_BYTES = 4_096
const HEAD_BYTES = 1_024
const TABLE_START_BYTES = 32

/** Whether the cross-reference table of a PDF is where `startxref` says. If not, a reader scans the complete file. */
function hasCrossReferenceTable(content: Buffer): boolean {
  const start = content.subarray(0, HEAD_BYTES).indexOf('%PDF-')
  const tail = content.subarray(-TAIL_BYTES).toString('latin1')
  const offset = /startxref\s{1,4}(\d{1,10})/.exec(tail.slice(tail.lastIndexOf('startxref')))?.[1]
  if (start < 0 || offset === undefined) return false
  const at = start + Number(offset)
  const tableStart = content.subarray(at, at + TABLE_START_BYTES).toString('latin1')
  return /^\s*(?:xref|\d+\s+\d+\s+obj)/.test(tableStart)
}
