// Finds the encoding of a file from all of its bytes. What is not certain is an error that names the option.
import { isAscii, isUtf8 } from 'node:buffer'
import { type Encoding, LINE_FEED, RETURN, type TextForm } from './text-form.ts'
import { FileError } from './text-lines.ts'

const MARKS: readonly (readonly [Encoding, Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
]

/** What people give for a table, by its first bytes: no text. */
const NO_TEXTS: readonly (readonly [what: string, start: string])[] = [
  ['an Excel workbook, or an archive', 'PK\x03\x04'],
  ['an Excel workbook of an old kind', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['a compressed file', '\x1f\x8b'],
  ['a PDF', '%PDF-'],
]

/** The names in the first line are ASCII, so every second byte of a file in UTF-16 is 0 at its start. */
const START_BYTES = 256

/** Common letters and punctuation in UTF-8; as Windows-1252 they would be combinations that no language has. */
const MULTIBYTE = /\xc3[\x80-\xbf]|\xe2\x80[\x80-\xbf]/
/** Not in Windows-1252. */
const UNDEFINED = /[\x81\x8d\x8f\x90\x9d]/
/** Between letters these are punctuation in Windows-1252, but letters in the encodings of MS-DOS and the Macintosh. */
const DOUBTFUL = /[A-Za-z][\x82\x84\x86\x91\x94\x9b\xa7\xbe\xbf][A-Za-z]/

const LETTER = '[A-Za-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\xff]'
/** Signs in Windows-1252, and letters in other code pages: within a word, at its start, or at its end. */
const SIGNS_IN_WORDS = [
  `${LETTER}[\\xa1-\\xa3\\xa5-\\xaa\\xac\\xae-\\xb3\\xb5\\xb6\\xb8-\\xba\\xbc-\\xbf]${LETTER}`,
  `[\\xa3\\xa5\\xa6\\xac\\xaf\\xb1\\xb3\\xb6\\xb8\\xb9\\xbc-\\xbe]${LETTER}`,
  `${LETTER}[\\xa3\\xa5\\xa6\\xac\\xaf\\xb1\\xb6\\xb8\\xb9\\xbc-\\xbe]`,
]
/** The currency sign, letters of Icelandic, which are others in Turkish, and three letters with accents in a row. */
const FOREIGN = new RegExp(`[\\x9f\\xa4\\xd0\\xdd\\xde\\xf0\\xfd\\xfe]|[\\xc0-\\xff]{3}|${SIGNS_IN_WORDS.join('|')}`)

export const ENCODING_REMEDY = 'save it as CSV UTF-8, or name its encoding, such as encoding=windows-1252'

export class EncodingFinder {
  #start: Buffer = Buffer.alloc(0)
  /** The start of a character that may go on in the next chunk. */
  #rest: Buffer = Buffer.alloc(0)
  #isUtf8 = true
  #hasMultibyte = false
  #isDoubtful = false
  #isForeign = false
  /** The first line end: a line feed, or a return and the byte after it. */
  #firstEnd: number[] = []

  add(chunk: Buffer): void {
    if (this.#start.length < START_BYTES) this.#start = Buffer.concat([this.#start, chunk.subarray(0, START_BYTES)])
    this.#findLineEnd(chunk)
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const end = endOfCharacters(bytes)
    this.#look(bytes.subarray(0, end))
    this.#rest = Buffer.from(bytes.subarray(end))
  }

  /** The encoding that a byte order mark names. */
  get marked(): Encoding | undefined {
    return MARKS.find(([, mark]) => this.#start.subarray(0, mark.length).equals(mark))?.[0]
  }

  /** `given`: the encoding that the caller names. */
  found(given?: Encoding): TextForm {
    this.#look(this.#rest)
    const [what] = NO_TEXTS.find(([, start]) => this.#start.indexOf(start, 0, 'latin1') === 0) ?? []
    if (what !== undefined) throw new FileError(`the file is ${what}: save the table as CSV UTF-8`)
    const encoding = given ?? this.marked ?? wideEncoding(this.#start) ?? this.#narrowEncoding()
    const [end, next] = this.#firstEnd
    const endsWithReturn = end === RETURN && next !== LINE_FEED && !encoding.startsWith('utf-16')
    return { encoding, hasMark: this.marked === encoding, endsWithReturn }
  }

  #findLineEnd(chunk: Buffer): void {
    if (this.#firstEnd.length === 0) {
      const at = chunk.findIndex((byte) => byte === LINE_FEED || byte === RETURN)
      if (at >= 0) this.#firstEnd = [...chunk.subarray(at, at + 2)]
    } else if (this.#firstEnd.length === 1) this.#firstEnd.push(chunk[0] ?? 0)
  }

  #look(bytes: Buffer): void {
    if (isAscii(bytes)) return
    if (isUtf8(bytes)) {
      this.#hasMultibyte = true
      return
    }
    this.#isUtf8 = false
    const text = bytes.toString('latin1')
    this.#hasMultibyte ||= MULTIBYTE.test(text)
    this.#isForeign ||= FOREIGN.test(text)
    this.#isDoubtful ||= UNDEFINED.test(text) || DOUBTFUL.test(text)
  }

  /** Whether the file, if it is UTF-8, has lines that are not. */
  get isDamaged(): boolean {
    return !this.#isUtf8
  }

  #narrowEncoding(): Encoding {
    if (this.#isUtf8 || this.#hasMultibyte) return 'utf-8'
    if (this.#isDoubtful) {
      throw new FileError(
        `the letters of the file may be those of Windows, MS-DOS or the Macintosh: ${ENCODING_REMEDY}`,
      )
    }
    if (this.#isForeign) {
      throw new FileError(
        `the letters of the file may be those of Windows-1252 or of another code page: ${ENCODING_REMEDY}`,
      )
    }
    return 'windows-1252'
  }
}

/** Where the last character starts, unless it is ASCII. */
function endOfCharacters(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at--) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return at
  }
  return bytes.length
}

/** UTF-16 without a mark. */
function wideEncoding(start: Buffer): Encoding | undefined {
  const pairs = Math.floor(Math.min(start.length, START_BYTES) / 2)
  let [even, odd] = [0, 0]
  for (let at = 0; at < pairs; at++) {
    if (start[2 * at] === 0) even += 1
    if (start[2 * at + 1] === 0) odd += 1
  }
  if (even === 0 && odd > pairs / 2) return 'utf-16le'
  return odd === 0 && even > pairs / 2 ? 'utf-16be' : undefined
}
