// The media type of a file: derived from the extension of its name, and compared with the start of its content.
import { lookup } from 'mime-types'

const UNKNOWN_TYPE = 'application/octet-stream'
/** IANA has no such types, and `.xyz` means anything but coordinates of atoms. */
const UNREGISTERED = /^chemical\//
/** Number of leading bytes that are examined. */
export const HEAD_BYTES = 1_024

/** The type for the extension of the name; `UNKNOWN_TYPE` for an unknown extension. */
export function typeOfName(fileName: string): string {
  const extension = extensionOf(fileName)
  const type = extension !== '' && lookup(extension)
  return type && !UNREGISTERED.test(type) ? type : UNKNOWN_TYPE
}

/** The extension after the last dot; empty where there is none, or where nothing precedes the dot. */
export function extensionOf(fileName: string): string {
  return /[^.].*\.([^.\s]+)$/s.exec(fileName)?.[1] ?? ''
}

type Signature = (head: Buffer) => boolean

const startsWith =
  (...texts: string[]): Signature =>
  (head) =>
    texts.some((text) => head.subarray(0, text.length).toString('latin1') === text)

/** A RIFF container: `RIFF`, a length of 4 bytes, then the format. */
const riff =
  (kind: string): Signature =>
  (head) =>
    startsWith('RIFF')(head) && head.subarray(8, 8 + kind.length).toString('latin1') === kind

const ZIP = startsWith('PK\x03\x04', 'PK\x05\x06')
const COMPOUND = startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')

/** Types with a known signature. Contents of other types are not checked. */
const SIGNATURES: Readonly<Record<string, Signature>> = {
  // PDF readers accept the mark anywhere in the first kilobyte.
  'application/pdf': (head) => head.includes('%PDF-'),
  'image/png': startsWith('\x89PNG\r\n\x1a\n'),
  'image/jpeg': startsWith('\xff\xd8\xff'),
  'image/gif': startsWith('GIF87a', 'GIF89a'),
  'image/webp': riff('WEBP'),
  'image/tiff': startsWith('II*\0', 'MM\0*', 'II+\0', 'MM\0+'),
  'image/bmp': startsWith('BM'),
  'application/zip': ZIP,
  'application/gzip': startsWith('\x1f\x8b'),
  'application/x-7z-compressed': startsWith('7z\xbc\xaf\x27\x1c'),
  'application/rtf': startsWith('{\\rtf'),
  'audio/wav': riff('WAVE'),
  'application/msword': (head) => COMPOUND(head) || startsWith('{\\rtf')(head),
  'application/vnd.ms-excel': (head) => COMPOUND(head) || startsWith('\x09\x08', '\x09\x04', '\x09\x02')(head),
  'application/vnd.ms-powerpoint': COMPOUND,
  'application/vnd.ms-outlook': COMPOUND,
}

/** Office documents are ZIP archives; password-protected ones are compound files. */
const OFFICE = /^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\./

/** Whether a content can be of this type. Always true for a type without a signature. */
export function matchesSignature(mimeType: string, head: Buffer): boolean {
  const signature = SIGNATURES[mimeType]
  if (signature) return signature(head)
  return OFFICE.test(mimeType) ? ZIP(head) || COMPOUND(head) : true
}
