// How the bytes of a file become text: names and reports of encodings. Light, because the command's help needs it too.

export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  cp850: 'MS-DOS (cp850)',
  macintosh: 'Macintosh',
} as const

export type Encoding = keyof typeof ENCODINGS

export interface TextForm {
  readonly encoding: Encoding
  /** The file starts with a byte order mark. */
  readonly hasMark: boolean
  /** Lines end with a carriage return alone. */
  readonly endsWithReturn: boolean
}

export const PLAIN_TEXT: TextForm = { encoding: 'utf-8', hasMark: false, endsWithReturn: false }

export const LINE_FEED = 0x0a
export const RETURN = 0x0d
