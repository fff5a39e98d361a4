// Extracts the text of a file for the search. The input is untrusted: the result is always bounded, and unreadable
// contents have no text. Extraction may still take long or exhaust the heap, so it runs in a separate process with
// limits. The library for a format is loaded with the first file of that format.
import { GatheredText } from './gathered-text.ts'
import { type TextFormat, textFormatOf } from './text-types.ts'

type Reader = (content: Buffer, text: GatheredText) => Promise<void> | void

/** Like other PDF readers, accepts the header anywhere in the first kilobyte. */
const PDF_HEAD_BYTES = 1_024

const readers: Readonly<Record<TextFormat, () => Promise<Reader>>> = {
  pdf: async () => (await import('./pdf-text.ts')).readPdf,
  word: () => officeReader('WORD'),
  excel: () => officeReader('EXCEL'),
  powerpoint: () => officeReader('POWERPOINT'),
  openDocument: () => officeReader('OPEN_DOCUMENT'),
  html: async () => (await import('./html-text.ts')).readHtml,
  json: async () => (await import('./plain-text.ts')).readJson,
  xml: async () => (await import('./xml-text.ts')).readXml,
  plain: async () => (await import('./plain-text.ts')).readPlain,
}

async function officeReader(parts: 'WORD' | 'EXCEL' | 'POWERPOINT' | 'OPEN_DOCUMENT'): Promise<Reader> {
  const [{ readOffice }, known] = await Promise.all([import('./office-text.ts'), import('./office-parts.ts')])
  return (content, text) => readOffice(content, known[parts], text)
}

/**
 * Returns the text of a file of this type: words separated by single blanks, at most 1,000,000 characters, well formed
 * and without control characters. A damaged file gives the readable part; an unsupported type, or a content of another
 * type, gives an empty text. The function takes ownership of the content: that of a large PDF is empty afterwards.
 */
export async function extractText(mimeType: string, content: Buffer): Promise<string> {
  const format = textFormatOf(mimeType)
  if (format === undefined || !matchesFormat(format, content)) return ''
  const text = new GatheredText()
  const read = await readers[format]()
  await read(content, text)
  return text.result()
}

const ARCHIVES: ReadonlySet<TextFormat> = new Set(['word', 'excel', 'powerpoint', 'openDocument'])

function matchesFormat(format: TextFormat, content: Buffer): boolean {
  if (format === 'pdf') return content.subarray(0, PDF_HEAD_BYTES).includes('%PDF-')
  return !ARCHIVES.has(format) || content.subarray(0, 4).toString('latin1') === 'PK\x03\x04'
}
