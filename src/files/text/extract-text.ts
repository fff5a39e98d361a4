// The text of a file, for the search. It is given contents that strangers have made: it keeps its bounds whatever they are,
// and for what cannot be read there is no text. It may still take long, or run out of heap: it belongs in a process of
// its own, with limits. What a format needs is only loaded with the first file of that format.
import { GatheredText } from './gathered-text.ts'
import { type TextFormat, textFormatOf } from './text-types.ts'

type Reader = (content: Buffer, text: GatheredText) => Promise<void> | void

/** As other readers do, we look for the mark of a PDF in its beginning. */
const PDF_HEAD_BYTES = 1_024

const readers: Readonly<Record<TextFormat, () => Promise<Reader>>> = {
  pdf: async () => (await import('./pdf-text.ts')).readPdf,
  word: async () => (await import('./office-text.ts')).readWord,
  excel: async () => (await import('./office-text.ts')).readExcel,
  html: async () => (await import('./html-text.ts')).readHtml,
  plain: async () => (await import('./plain-text.ts')).readPlain,
}

/**
 * The text of a file of this type: words with single blanks between, at most 1,000,000 characters, well formed and without
 * controls. Of a broken file, what could be read; nothing for other types, and for a content that is of another type.
 * The content is given away: that of a large PDF is empty afterwards.
 */
export async function extractText(mimeType: string, content: Buffer): Promise<string> {
  const format = textFormatOf(mimeType)
  if (format === undefined || !agrees(format, content)) return ''
  const text = new GatheredText()
  const read = await readers[format]()
  await read(content, text)
  return text.result()
}

function agrees(format: TextFormat, content: Buffer): boolean {
  if (format === 'pdf') return content.subarray(0, PDF_HEAD_BYTES).includes('%PDF-')
  if (format === 'word' || format === 'excel') return content.subarray(0, 4).toString('latin1') === 'PK\x03\x04'
  return true
}
