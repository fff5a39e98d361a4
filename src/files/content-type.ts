// What a file is: by the ending of its name, held against how its content begins.
import { lookup } from 'mime-types'

const UNKNOWN_TYPE = 'application/octet-stream'
/** So much of a content is looked at. */
export const HEAD_BYTES = 1_024

/** The type that the name promises; `UNKNOWN_TYPE` for an ending that nobody knows. */
export function typeOfName(fileName: string): string {
  const ending = endingOf(fileName)
  return (ending !== '' && lookup(ending)) || UNKNOWN_TYPE
}

/** The letters behind the last dot; empty where there is none, or nothing before it. */
export function endingOf(fileName: string): string {
  return /[^.]\.([^.\s]+)$/.exec(fileName)?.[1] ?? ''
}

type Signature = (head: Buffer) => boolean

const begins =
  (...texts: string[]): Signature =>
  (head) =>
    texts.some((text) => head.subarray(0, text.length).toString('latin1') === text)

/** A container of four letters: a length, then the kind. */
const riff =
  (kind: string): Signature =>
  (head) =>
    begins('RIFF')(head) && head.subarray(8, 8 + kind.length).toString('latin1') === kind

const ZIP = begins('PK\x03\x04', 'PK\x05\x06')
const COMPOUND = begins('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')

/** Types of which every file begins in a way of its own. What is not here is taken as it comes. */
const SIGNATURES: Readonly<Record<string, Signature>> = {
  // Readers look for it in the first kilobyte.
  'application/pdf': (head) => head.includes('%PDF-'),
  'image/png': begins('\x89PNG\r\n\x1a\n'),
  'image/jpeg': begins('\xff\xd8\xff'),
  'image/gif': begins('GIF87a', 'GIF89a'),
  'image/webp': riff('WEBP'),
  'image/tiff': begins('II*\0', 'MM\0*', 'II+\0', 'MM\0+'),
  'image/bmp': begins('BM'),
  'application/zip': ZIP,
  'application/gzip': begins('\x1f\x8b'),
  'application/x-7z-compressed': begins('7z\xbc\xaf\x27\x1c'),
  'application/rtf': begins('{\\rtf'),
  'audio/wav': riff('WAVE'),
  'application/msword': (head) => COMPOUND(head) || begins('{\\rtf')(head),
  'application/vnd.ms-excel': (head) => COMPOUND(head) || begins('\x09\x08', '\x09\x04', '\x09\x02')(head),
  'application/vnd.ms-powerpoint': COMPOUND,
  'application/vnd.ms-outlook': COMPOUND,
}

/** Office documents are archives; one with a password is a compound file. */
const OFFICE = /^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\./

/** Whether a content can be what its name promises: only where that type has a signature can it not. */
export function agreesWith(mimeType: string, head: Buffer): boolean {
  const signature = SIGNATURES[mimeType]
  if (signature) return signature(head)
  return OFFICE.test(mimeType) ? ZIP(head) || COMPOUND(head) : true
}
